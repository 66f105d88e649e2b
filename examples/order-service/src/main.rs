//! An order service that stops in order: its plan, and how it is put together.
//!
//! `order-service` serves, `order-service demo` rehearses a stop under load.

use order_service::admin::admin_api;
use order_service::consumer::order_consumer;
use order_service::database::Database;
use order_service::embedded_broker::EmbeddedBroker;
use order_service::http::http_api;
use order_service::order_events::OrderEvents;
use order_service::order_feed::OrderFeed;
use order_service::relay::outbox_relay;
use order_service::settings::Settings;
use order_service::start_error::{StartError, listen};
use order_service::{broker, demo, logging};
use shutdown_runtime::{Resource, Startup, shutdown_plan};

/// Stops from top to bottom, within what Kubernetes grants: 10 s of `preStop`, 45 s for the phases, 2 s to go (R-SHUT-2).
#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct OrderService {
    /// Nothing new comes in; what has come in is finished (R-SHUT-HTTP-1, R-SHUT-KFK-1).
    ingress: (http_api, order_consumer),
    /// The batch at hand is published and marked; the rest of the outbox waits for the next start (R-SHUT-SCHED-3).
    workers: outbox_relay,
    /// The group is left while the workers finish: only the consumer needed it.
    #[shutdown_order(after = [ingress])]
    feed: Resource<OrderFeed>,
    /// What the producer still holds is flushed (R-SHUT-KFK-4).
    events: Resource<OrderEvents>,
    /// Everything above uses the pool, so nothing above may come below: swap two fields and see (R-SHUT-DB-1).
    storage: Resource<Database>,
    /// The probes answer to the end (R-SHUT-CFG-4).
    admin: admin_api,
}

#[shutdown_runtime::main]
async fn main(startup: Startup) -> Result<Option<OrderService>, StartError> {
    match std::env::args().nth(1).as_deref() {
        None | Some("serve") => {}
        Some("demo") => return demo::run().await.map(|()| None),
        Some(other) => return Err(StartError::Argument(other.to_owned())),
    }
    logging::start();
    let Settings { http_address, admin_address, database_url, brokers, topic, group, relay, fault } =
        Settings::from_environment()?;

    let (http, http_address) = listen(http_address, "ORDER_SERVICE_HTTP_ADDRESS").await?;
    let (probes, admin_address) = listen(admin_address, "ORDER_SERVICE_ADMIN_ADDRESS").await?;
    let brokers = match brokers {
        Some(brokers) => brokers,
        None => start_embedded_broker(&startup)?,
    };
    let database = Resource::new(startup.critical(Database::connect(&database_url)).await?);
    broker::check(&brokers, &topic).await?;
    let events = Resource::new(OrderEvents::connect(&brokers, &topic)?);
    let feed = Resource::new(OrderFeed::join(&brokers, &topic, &group)?);

    tracing::info!("orders on http://{http_address}, probes on http://{admin_address}");
    Ok(Some(OrderService {
        ingress: (http_api(http, database.lease()), order_consumer(&feed, &database)),
        workers: outbox_relay(&database, &events, relay, fault),
        feed,
        events,
        storage: database,
        admin: admin_api(probes),
    }))
}

/// A broker inside this process, which has to outlive every client of it: the runtime keeps it until the report is out.
fn start_embedded_broker(startup: &Startup) -> Result<String, StartError> {
    let embedded = EmbeddedBroker::start()?;
    let address = embedded.bootstrap_servers().to_owned();
    startup.keep(embedded);
    Ok(address)
}
