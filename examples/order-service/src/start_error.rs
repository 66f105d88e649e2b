//! Why the service did not start: one line for the operator, naming what to look at.

use std::net::SocketAddr;

use rdkafka::error::KafkaError;
use tokio::net::TcpListener;

use crate::broker::Cluster;
use crate::demo::DemoError;
use crate::settings::SettingsError;

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A variable of the environment makes no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An argument that is no subcommand.
    #[error("unknown argument {0:?}: expected no argument, `serve` or `demo`")]
    Argument(String),
    /// A port is taken, or is not ours to take.
    #[error("cannot listen on {address} ({variable}): {source}")]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// The variable that says so.
        variable: &'static str,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The database cannot be reached, or refuses us.
    #[error("cannot use the database {url} (DATABASE_URL): {reason}")]
    Database {
        /// Its URL, without password.
        url: String,
        /// What it said.
        reason: String,
    },
    /// The broker cannot be reached.
    #[error("cannot reach the broker {brokers} (KAFKA_BROKERS): {reason}")]
    Broker {
        /// Its bootstrap servers.
        brokers: String,
        /// What the client said.
        reason: String,
    },
    /// The broker of this process did not start.
    #[error("cannot start the embedded broker: {0}")]
    EmbeddedBroker(String),
    /// The metrics cannot be counted.
    #[error("cannot count metrics: {0}")]
    Metrics(String),
    /// The traces have nowhere to go.
    #[error("cannot export traces (ORDER_SERVICE_TRACES): {0}")]
    Traces(String),
    /// The demo failed, or what it promises does not hold.
    #[error(transparent)]
    Demo(#[from] DemoError),
}

impl StartError {
    pub(crate) fn kafka_client(cluster: &Cluster, error: &KafkaError) -> Self {
        Self::Broker { brokers: cluster.brokers.clone(), reason: error.to_string() }
    }
}

/// Binds `address`, or says which variable to look at. Gives the address back as it is: port 0 has become a real one.
pub async fn listen(
    address: SocketAddr,
    variable: &'static str,
) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, variable, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}
