// The guide, Kafka: the producer closes before the handlers that publish through it have been waited for.
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
async fn http_api(pool: Lease<Pool>, producer: Lease<Producer>, shutdown: Shutdown) {
    shutdown.requested().await;
    drop((pool, producer));
}

#[background_task(budget = "15s")]
async fn order_consumer(pool: &Pool, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = pool.0;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct OrderService {
    drains: (order_consumer, http_api),
    producer: Resource<Producer>,
    storage: Resource<Pool>,
}

fn main() {}
