// Two calls of one macro make two resources, each judged with its own users.
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
    orders: orders::relay,
    orders_db: Resource<orders::Db>,
    users: users::relay,
    users_db: Resource<users::Db>,
}

fn main() {}
