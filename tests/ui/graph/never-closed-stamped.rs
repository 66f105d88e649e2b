// Two calls of one macro make two resources, though every token comes from the same place.
use shutdown_runtime::{Resource, shutdown_plan};

macro_rules! database {
    ($module:ident) => {
        mod $module {
            #[shutdown_runtime::resource(close = async |_: &Db| ())]
            pub struct Db;

            #[shutdown_runtime::background_task(every = "1s")]
            pub async fn relay(_db: &Db) {}
        }
    };
}

database!(orders);
database!(users);

#[shutdown_plan(budget = "60s")]
struct Service {
    workers: (orders::relay, users::relay),
    storage: Resource<orders::Db>,
}

fn main() {}
