//! What every test here needs: a broker, a place for files, the service's binary, and a source of chance.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use order_service::demo::client::Customer;
use order_service::demo::observation;
use order_service::demo::service_process::{self, Addresses, ServiceProcess, Surroundings};
use order_service::embedded_broker::EmbeddedBroker;
use tokio::process::Command;
use uuid::Uuid;

/// Joining a group takes 3 s and the broker serves several tests at once.
pub(crate) const LONGEST_START: Duration = Duration::from_secs(30);
/// The plan's 60 s and a little more.
pub(crate) const LONGEST_STOP: Duration = Duration::from_secs(65);

/// One broker for all tests; each of them has a topic and a group of its own.
pub(crate) fn broker() -> &'static EmbeddedBroker {
    static BROKER: OnceLock<EmbeddedBroker> = OnceLock::new();
    BROKER.get_or_init(|| EmbeddedBroker::start().unwrap())
}

/// What the plan has left of its budget where nothing was slept before the signal.
pub(crate) const WITHOUT_PRE_STOP: Duration = Duration::from_secs(50);

/// The service's binary.
pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_order-service"))
}

/// A directory that goes away with this value.
#[derive(Debug)]
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("order-service-test-{}", Uuid::new_v4()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn database_url(&self) -> String {
        format!("sqlite://{}", self.0.join("orders.sqlite").display())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The shared broker with a topic and a group that nobody else has.
pub(crate) fn surroundings(database_url: String) -> Surroundings {
    surroundings_at(broker().bootstrap_servers(), database_url)
}

/// A topic and a group that nobody else has, on any broker.
pub(crate) fn surroundings_at(brokers: &str, database_url: String) -> Surroundings {
    let name = Uuid::new_v4().simple().to_string();
    Surroundings {
        database_url,
        brokers: brokers.to_owned(),
        topic: format!("orders-{name}"),
        group: format!("service-{name}"),
    }
}

/// The service, not started yet.
pub(crate) fn command(surroundings: &Surroundings) -> Command {
    service_process::command(binary(), surroundings)
}

/// The service, started.
pub(crate) fn start(command: &mut Command) -> ServiceProcess {
    ServiceProcess::start(command).unwrap()
}

/// Waits until both consumers have taken something, under a load that gives them something to take.
pub(crate) async fn until_consuming(database_url: &str) {
    let deadline = Instant::now() + LONGEST_START;
    loop {
        let seen = observation::tables(database_url).await.unwrap();
        if !seen.shipped.is_empty() && seen.processed.len() > seen.shipped.len() {
            return;
        }
        assert!(Instant::now() < deadline, "nothing is consumed: {}", seen.tally());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How many order events the running service says it was given and applied, again or not.
pub(crate) async fn deliveries(addresses: &Addresses) -> usize {
    let scraped = Customer::default().get(&format!("{}/metrics", addresses.probes)).await.unwrap();
    let text = String::from_utf8(scraped.body.to_vec()).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("messages_applied_total") && line.contains("topic=\"orders\""));
    line.map_or(0, |line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

/// A small generator of reproducible chance (`SplitMix64`).
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from `low` to below `high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (mixed ^ (mixed >> 31)) % (high - low)
    }
}

/// A number from the environment.
pub(crate) fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text:?} is no number")),
        Err(_) => default,
    }
}

/// The order of the stop: ingress, workers, producer, pool, probes.
const ORDER_OF_THE_STOP: [&str; 5] = ["ingress", "workers", "events", "storage", "admin"];

/// What is wrong with the order in which the service says that it stopped, if anything is: in its log each phase begins after
/// the one before is over, and its report lists them in that order.
pub(crate) fn out_of_order(log: &[String]) -> Option<String> {
    let mut lines = log.iter();
    for phase in ORDER_OF_THE_STOP {
        for event in ["phase begins", "phase is over"] {
            let span = format!("phase{{name=\"{phase}\"}}");
            if !lines.any(|line| line.contains(&span) && line.contains(event)) {
                return Some(format!("the log has no {event:?} of {phase:?} where it should be"));
            }
        }
    }
    let mut report = log.iter().skip_while(|line| !line.starts_with("shutdown of OrderService: "));
    let missing = ORDER_OF_THE_STOP
        .into_iter()
        .find(|phase| !report.any(|line| line.trim_start_matches([' ', '*']).starts_with(phase)))?;
    Some(format!("the report has no phase {missing:?} where it should be"))
}
