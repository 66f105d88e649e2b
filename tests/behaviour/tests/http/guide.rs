//! Defects of the style guide's own code, by their number in `docs/defects.md`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use shutdown_runtime::{Lease, Outcome, Resource, Shutdown, background_task, http, resource, shutdown_plan};
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::client::Client;
use crate::server::{listen, start};

/// Knows whether a handler was still at work when it closed.
#[resource(close = close_pool)]
struct Pool {
    at_work: AtomicU32,
    closed_under_a_handler: Arc<AtomicBool>,
}

async fn close_pool(pool: &Pool) {
    pool.closed_under_a_handler.store(pool.at_work.load(Ordering::SeqCst) > 0, Ordering::SeqCst);
}

struct AtWork(Lease<Pool>);

impl AtWork {
    fn of(pool: &Lease<Pool>) -> Self {
        pool.at_work.fetch_add(1, Ordering::SeqCst);
        Self(pool.clone())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::SeqCst);
    }
}

#[background_task(budget = "200ms")]
async fn http_api(listener: TcpListener, pool: Lease<Pool>, shutdown: Shutdown) -> std::io::Result<()> {
    let slow = get(async move || {
        let _at_work = AtWork::of(&pool);
        sleep(Duration::from_secs(60)).await;
        "too late"
    });
    http::serve(listener, Router::new().route("/orders", slow), &shutdown).await
}

#[shutdown_plan(budget = "60s")]
struct OrderService {
    ingress: http_api,
    storage: Resource<Pool>,
}

#[tokio::test]
async fn defect_12_a_handler_that_ignores_the_stop_is_cut_and_joined_before_the_pool_closes() {
    let closed_under_a_handler = Arc::new(AtomicBool::new(true));
    let pool =
        Pool { at_work: AtomicU32::new(0), closed_under_a_handler: Arc::clone(&closed_under_a_handler) };
    let storage = Resource::new(pool);
    let (listener, address) = listen().await;
    let served = start(OrderService { ingress: http_api(listener, storage.lease()), storage }, address);
    let mut client = Client::connect(address).await.unwrap();
    client.send("GET /orders HTTP/1.1\r\nhost: test\r\n\r\n").await.unwrap();
    sleep(Duration::from_millis(100)).await;

    let (report, took) = served.stop().await;
    assert!(took >= Duration::from_millis(150) && took < Duration::from_secs(3), "{took:?}");
    let api = report.member("http_api").unwrap();
    assert_eq!((&api.outcome, api.counter("cut")), (&Outcome::TimedOut, 1));
    assert_eq!(report.member("Pool").unwrap().outcome, Outcome::Completed, "no connection is out");
    assert!(!closed_under_a_handler.load(Ordering::SeqCst), "the pool closed under a handler");
    assert_eq!(client.closed().await, b"", "no answer, and no open connection");
    assert_eq!(report.exit_code(), 1, "lost work is told");
}

/// How far the stop has come, for whoever scrapes.
#[derive(Debug, Default)]
struct Gauges {
    api_over: AtomicBool,
    pool_closing: AtomicBool,
}

#[resource(close = close_slowly, budget = "2s")]
struct SlowPool(Arc<Gauges>);

async fn close_slowly(pool: &SlowPool) {
    pool.0.pool_closing.store(true, Ordering::SeqCst);
    sleep(Duration::from_millis(300)).await;
}

#[background_task(budget = "2s")]
async fn orders_api(pool: Lease<SlowPool>, shutdown: Shutdown) {
    shutdown.requested().await;
    pool.0.api_over.store(true, Ordering::SeqCst);
}

#[background_task(budget = "1s")]
async fn admin_api(listener: TcpListener, gauges: Arc<Gauges>, shutdown: Shutdown) -> std::io::Result<()> {
    let metrics = get(async move || {
        let value = |gauge: &AtomicBool| u8::from(gauge.load(Ordering::SeqCst));
        format!("{}{}", value(&gauges.api_over), value(&gauges.pool_closing))
    });
    http::serve(listener, Router::new().route("/metrics", metrics), &shutdown).await
}

#[shutdown_plan(budget = "60s")]
struct Scraped {
    ingress: orders_api,
    storage: Resource<SlowPool>,
    admin: admin_api,
}

#[tokio::test]
async fn defect_16_the_metrics_are_served_until_after_the_pool() {
    let gauges = Arc::new(Gauges::default());
    let storage = Resource::new(SlowPool(Arc::clone(&gauges)));
    let (listener, address) = listen().await;
    let plan = Scraped {
        ingress: orders_api(storage.lease()),
        storage,
        admin: admin_api(listener, Arc::clone(&gauges)),
    };
    let served = start(plan, address);
    let scraping = tokio::spawn(async move {
        let mut seen = Vec::new();
        while let Ok(mut client) = Client::connect(address).await {
            let Ok(answer) = client.get("/metrics").await else { break };
            seen.push(answer.body);
            sleep(Duration::from_millis(20)).await;
        }
        seen
    });
    sleep(Duration::from_millis(100)).await;
    let (report, _) = served.stop().await;
    assert!(report.is_clean(), "{report}");
    let seen = scraping.await.unwrap();
    assert_eq!(seen.first().map(String::as_str), Some("00"), "{seen:?}");
    assert!(seen.iter().filter(|gauges| *gauges == "11").count() > 3, "{seen:?}");
}
