//! A plan that is refused at the start: `plan.run()` closes what stands in it.

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |db: &Db| println!("{} closed", db.0))]
struct Db(&'static str);

#[background_task(budget = "1s")]
async fn opaque(work: Box<dyn Fn() + Send + Sync>, shutdown: Shutdown) {
    shutdown.requested().await;
    work();
}

#[shutdown_plan(budget = "20s")]
struct Service {
    only: opaque,
    storage: Resource<Db>,
}

#[tokio::main]
async fn main() {
    let db = Resource::new(Db("Db"));
    let hidden = db.lease();
    let plan = Service { only: opaque(Box::new(move || println!("{}", hidden.0))), storage: db };
    match plan.run().await {
        Ok(report) => println!("{report}"),
        Err(error) => println!("refused: {error}"),
    }
}
