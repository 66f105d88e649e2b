// The guide, background work: the code closes the producer, the "fixed order" told below it does not and loses events.
use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = close_pool, budget = "1s")]
struct Pool(u32);

async fn close_pool(pool: &Pool) {
    let _ = pool.0;
}

#[resource(close = close_producer, budget = "15s")]
struct Producer(u32);

async fn close_producer(producer: &Producer) {
    let _ = producer.0;
}

#[background_task(budget = "25s")]
async fn http_api(pool: Lease<Pool>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop(pool);
}

#[background_task(every = "500ms", budget = "20s", batch = 50, per_item = "100ms")]
async fn outbox_relay(pool: &Pool, producer: &Producer) {
    let _ = pool.0 + producer.0;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct OrderService {
    drains: (http_api, outbox_relay),
    producer: Resource<Producer>,
    storage: Resource<Pool>,
}

fn main() {}
