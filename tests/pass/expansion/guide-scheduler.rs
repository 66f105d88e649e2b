// The guide waits for a scheduler that nothing has told to stop: a task that cannot be told cannot be declared.
use shutdown_runtime::{background_task, resource};

#[resource(close = close_pool, budget = "1s")]
struct Pool(u32);

async fn close_pool(pool: &Pool) {
    let _ = pool.0;
}

#[background_task(every = "1s", budget = "20s")]
async fn payment_settler(pool: &Pool) {
    let _ = pool.0;
}

fn main() {}
