//! The service as a process of its own, seen from outside: its addresses, its log, its end.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

use super::DemoError;
use super::client::Customer;

/// A service with its database and its broker.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// `DATABASE_URL`.
    pub database_url: String,
    /// `KAFKA_BROKERS`.
    pub brokers: String,
    /// `ORDER_SERVICE_TOPIC`; the other topics are called after it.
    pub topic: String,
    /// `ORDER_SERVICE_GROUP`.
    pub group: String,
}

impl Surroundings {
    /// Where somebody else's changes of products come from.
    pub fn product_topic(&self) -> String {
        format!("{}.products", self.topic)
    }

    /// Where the service tells of the changes that it has taken over.
    pub fn catalog_topic(&self) -> String {
        format!("{}.catalog", self.topic)
    }

    /// The group that takes them over.
    pub fn product_group(&self) -> String {
        format!("{}.products", self.group)
    }
}

/// A running service; it is killed when this is dropped.
#[derive(Debug)]
pub struct ServiceProcess {
    child: Child,
    log: Log,
    reader: JoinHandle<()>,
}

/// A service that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// Everything that it wrote to its standard error.
    pub log: Vec<String>,
    /// From the last signal, or the call that waited, to the end.
    pub took: Duration,
}

/// Where a running service listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// The order API.
    pub api: String,
    /// The probes.
    pub probes: String,
}

/// Every variable that the service or its runtime reads: the caller's own must not leak into a rehearsal.
const VARIABLES: [&str; 19] = [
    "DATABASE_URL",
    "KAFKA_BROKERS",
    "KAFKA_PROPERTIES",
    "ORDER_SERVICE_ADMIN_ADDRESS",
    "ORDER_SERVICE_CATALOG_TOPIC",
    "ORDER_SERVICE_CLEAN_INTERVAL",
    "ORDER_SERVICE_FAULT",
    "ORDER_SERVICE_GROUP",
    "ORDER_SERVICE_HTTP_ADDRESS",
    "ORDER_SERVICE_LIFETIME",
    "ORDER_SERVICE_PRODUCT_TOPIC",
    "ORDER_SERVICE_RELAY_BATCH",
    "ORDER_SERVICE_RELAY_INTERVAL",
    "ORDER_SERVICE_SETTLE_INTERVAL",
    "ORDER_SERVICE_TOPIC",
    "ORDER_SERVICE_TRACES",
    "RUST_LOG",
    "SHUTDOWN_BUDGET",
    "SHUTDOWN_PLAN",
];

/// A command that runs the service at free ports in `surroundings`.
pub fn command(binary: &Path, surroundings: &Surroundings) -> Command {
    let mut command = Command::new(binary);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
        .env("DATABASE_URL", &surroundings.database_url)
        .env("KAFKA_BROKERS", &surroundings.brokers)
        .env("ORDER_SERVICE_TOPIC", &surroundings.topic)
        .env("ORDER_SERVICE_PRODUCT_TOPIC", surroundings.product_topic())
        .env("ORDER_SERVICE_CATALOG_TOPIC", surroundings.catalog_topic())
        .env("ORDER_SERVICE_GROUP", &surroundings.group)
        .env("ORDER_SERVICE_HTTP_ADDRESS", "127.0.0.1:0")
        .env("ORDER_SERVICE_ADMIN_ADDRESS", "127.0.0.1:0")
        .env("RUST_LOG", "info")
        .stdin(Stdio::null());
    command
}

impl ServiceProcess {
    /// Starts `command`.
    pub fn start(command: &mut Command) -> Result<Self, DemoError> {
        Self::start_with_stdout(command, Stdio::null())
    }

    /// Starts `command`, and sends its standard output elsewhere.
    pub fn start_with_stdout(command: &mut Command, stdout: Stdio) -> Result<Self, DemoError> {
        let mut child = command
            .stdout(stdout)
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| DemoError::Surroundings("starting the service", error))?;
        let log = Log::default();
        let reader = tokio::spawn(log.clone().fill(child.stderr.take()));
        Ok(Self { child, log, reader })
    }

    /// Waits until the service is ready, and says where it listens.
    pub async fn ready(&mut self, limit: Duration) -> Result<Addresses, DemoError> {
        let deadline = Instant::now() + limit;
        let customer = Customer::default();
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().ok().flatten() {
                return Err(DemoError::Service(format!(
                    "ended before it was ready: {status}\n{}",
                    self.log.text()
                )));
            }
            if let Some(addresses) = self.log.find(addresses) {
                let probe = customer.get(&format!("{}/readyz", addresses.probes)).await;
                if probe.is_ok_and(|answer| answer.status == StatusCode::OK) {
                    return Ok(addresses);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(DemoError::Service(format!("was not ready within {limit:?}\n{}", self.log.text())))
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) -> Result<(), DemoError> {
        let id = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let id = id.ok_or_else(|| DemoError::Service("has ended by itself".to_owned()))?;
        kill_process(id, Signal::TERM)
            .map_err(|error| DemoError::Surroundings("sending SIGTERM", error.into()))
    }

    /// Kills the service, as the platform does when its patience is over.
    pub fn kill(&mut self) -> Result<(), DemoError> {
        self.child.start_kill().map_err(|error| DemoError::Surroundings("sending SIGKILL", error))
    }

    /// Waits for the end; a service that is not over within `limit` is killed, and that is an error.
    pub async fn end(mut self, limit: Duration) -> Result<Ended, DemoError> {
        let since = Instant::now();
        let status = match tokio::time::timeout(limit, self.child.wait()).await {
            Ok(status) => {
                status.map_err(|error| DemoError::Surroundings("waiting for the service", error))?
            }
            Err(_) => {
                return Err(DemoError::Service(format!(
                    "was not over within {limit:?}\n{}",
                    self.log.text()
                )));
            }
        };
        let took = since.elapsed();
        // The pipe ends with the process: this reads what is left of it.
        let _ = tokio::time::timeout(Duration::from_secs(5), self.reader).await;
        Ok(Ended { status, log: self.log.lines(), took })
    }
}

impl Ended {
    /// The exit code, if it was not ended by a signal.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The log as one text.
    pub fn text(&self) -> String {
        self.log.join("\n")
    }
}

/// Runs `command` to its end and gives back what it wrote to its standard output.
pub async fn output(command: &mut Command) -> Result<String, DemoError> {
    let output = command
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| DemoError::Surroundings("running the service", error))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let text = String::from_utf8_lossy(&output.stderr);
        Err(DemoError::Service(format!("ended with {}: {}", output.status, text.trim())))
    }
}

/// Reads the line with which `main` says where it listens.
fn addresses(line: &str) -> Option<Addresses> {
    let (api, probes) = line.split_once("orders on ")?.1.split_once(", probes on ")?;
    Some(Addresses { api: api.to_owned(), probes: probes.trim().to_owned() })
}

/// The lines of a service's standard error, as they come in.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    async fn fill(self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(stream) = stream else { return };
        let mut lines = BufReader::new(stream).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn find<T>(&self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().find_map(|line| read(line))
    }

    fn text(&self) -> String {
        self.lines().join("\n")
    }
}
