//! An order service that stops in order: its plan, and how it is put together.
//!
//! `order-service` serves, `order-service demo` rehearses a stop under load.

use order_service::admin::admin_api;
use order_service::broker::{self, Cluster};
use order_service::database::Database;
use order_service::embedded_broker::EmbeddedBroker;
use order_service::export_worker::export_worker;
use order_service::http::http_api;
use order_service::order_cleaner::order_cleaner;
use order_service::order_consumer::order_consumer;
use order_service::order_events::OrderEvents;
use order_service::order_feed::OrderFeed;
use order_service::payment_settler::payment_settler;
use order_service::product_consumer::product_consumer;
use order_service::product_feed::ProductFeed;
use order_service::relay::outbox_relay;
use order_service::settings::Settings;
use order_service::start_error::{StartError, listen};
use order_service::traces::Traces;
use order_service::{demo, logging, measures};
use shutdown_runtime::{Resource, Startup, shutdown_plan};

/// Stops from top to bottom, within what Kubernetes grants: 10 s of `preStop`, 45 s for the phases, 2 s to go (R-SHUT-2).
#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct OrderService {
    /// Nothing new comes in; what has come in is finished (R-SHUT-HTTP-1, R-SHUT-KFK-1).
    ingress: (http_api, order_consumer, product_consumer),
    /// What is at hand is finished: a batch of the outbox, a batch of payments, a page of an export. The rest waits in its table
    /// for the next start (R-SHUT-SCHED-1, R-SHUT-SCHED-3).
    workers: (outbox_relay, payment_settler, export_worker, order_cleaner),
    /// The groups are left while the workers finish: only the consumers needed them.
    #[shutdown_order(after = [ingress])]
    feeds: (Resource<OrderFeed>, Resource<ProductFeed>),
    /// What the producer still holds is flushed (R-SHUT-KFK-4).
    events: Resource<OrderEvents>,
    /// Everything above uses the pool, so nothing above may come below: swap two fields and see (R-SHUT-DB-1).
    storage: Resource<Database>,
    /// The probes answer, and traces are taken, to the end (R-SHUT-CFG-4, R-SHUT-OBS-2).
    admin: (admin_api, Option<Resource<Traces>>),
}

#[shutdown_runtime::main]
async fn main(startup: Startup) -> Result<Option<OrderService>, StartError> {
    match std::env::args().nth(1).as_deref() {
        None | Some("serve") => {}
        Some("demo") => return demo::run().await.map(|()| None),
        Some(other) => return Err(StartError::Argument(other.to_owned())),
    }
    let settings = Settings::from_environment()?;
    let traces = settings.traces.as_ref().map(Traces::start).transpose()?;
    logging::start(traces.as_ref());
    let traces = traces.map(Resource::new);
    let metrics = measures::start()?;

    let (http, http_address) = listen(settings.http_address, "ORDER_SERVICE_HTTP_ADDRESS").await?;
    let (probes, admin_address) = listen(settings.admin_address, "ORDER_SERVICE_ADMIN_ADDRESS").await?;
    let brokers = match settings.brokers {
        Some(brokers) => brokers,
        None => start_embedded_broker(&startup)?,
    };
    let (cluster, topics) = (Cluster { brokers, properties: settings.properties }, settings.topics);
    // Migrations run here and nowhere else, and a signal waits until they are done (R-SHUT-DB-3).
    let database = Resource::new(startup.critical(Database::connect(&settings.database_url)).await?);
    broker::check(&cluster, &[&topics.orders, &topics.products, &topics.catalog]).await?;
    let events = Resource::new(OrderEvents::connect(&cluster)?);
    let orders = Resource::new(OrderFeed::join(&cluster, &topics.orders, &settings.group)?);
    let group = format!("{}.products", settings.group);
    let products = Resource::new(ProductFeed::join(&cluster, &topics.products, &group)?);

    tracing::info!("orders on http://{http_address}, probes on http://{admin_address}");
    Ok(Some(OrderService {
        ingress: (
            http_api(http, database.lease(), topics.orders, settings.fault),
            order_consumer(&orders, &database),
            product_consumer(&products, &database, topics.catalog),
        ),
        workers: (
            outbox_relay(&database, &events, settings.relay, settings.fault),
            payment_settler(database.lease(), settings.settle_interval),
            export_worker(&database),
            order_cleaner(&database, settings.cleaner),
        ),
        feeds: (orders, products),
        events,
        storage: database,
        admin: (admin_api(probes, metrics), traces),
    }))
}

/// A broker inside this process, which has to outlive every client of it: the runtime keeps it until the report is out.
fn start_embedded_broker(startup: &Startup) -> Result<String, StartError> {
    let embedded = EmbeddedBroker::start()?;
    let address = embedded.bootstrap_servers().to_owned();
    startup.keep(embedded);
    Ok(address)
}
