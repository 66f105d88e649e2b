// The items may stand in any module.
use shutdown_runtime::{Resource, shutdown_plan};

mod storage {
    #[shutdown_runtime::resource(close = async |_: &Db| ())]
    pub struct Db(pub u32);
}

mod workers {
    use super::storage;

    #[shutdown_runtime::background_task(every = "1s")]
    pub async fn relay(db: &storage::Db) {
        let _ = db.0;
    }
}

#[shutdown_plan(budget = "30s")]
struct Service {
    storage: Resource<storage::Db>,
    workers: workers::relay,
}

fn main() {}
