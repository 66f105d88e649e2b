// A generic item is named with any arguments; the order binds all its instances.
use shutdown_runtime::{Resource, ResourceSpec, Shutdown, background_task, resource, shutdown_order, shutdown_plan};

#[resource(close = async |_: &Orders| ())]
struct Orders;

#[resource(close = async |_: &Users| ())]
struct Users;

#[background_task]
async fn relay<R: ResourceSpec>(_resource: &R, shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_order(after = relay<Orders>)]
#[background_task]
async fn mailer(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s")]
struct Service {
    orders: relay<Orders>,
    users: relay<Users>,
    mail: mailer,
    storage: (Resource<Orders>, Resource<Users>),
}

fn main() {}
