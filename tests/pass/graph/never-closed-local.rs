// Two resources of one name, each local to a function, are two.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

fn main() {
    #[resource(close = async |_: &Db| ())]
    struct Db;

    #[background_task]
    async fn relay(_db: &Db, shutdown: Shutdown) {
        shutdown.requested().await;
    }

    {
        #[shutdown_plan(budget = "30s")]
        struct Service {
            workers: relay,
            storage: Resource<Db>,
        }
    }
}
