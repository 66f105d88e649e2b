// A half-typed body gives the errors that the function alone gives (below), and the plan still knows the task.
use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db;

impl Db {
    fn touch(&self) {}
}

#[background_task]
async fn relay(db: &Db, _shutdown: Shutdown) {
    db.
}

#[allow(dead_code)]
async fn alone(db: &Db, _shutdown: Shutdown) {
    db.
}

#[shutdown_plan(budget = "30s")]
struct Service {
    workers: relay,
    storage: Resource<Db>,
}

#[shutdown_runtime::main]
async fn main() -> Service {
    let db = Resource::new(Db);
    Service { workers: relay(&db), storage: db }
}
