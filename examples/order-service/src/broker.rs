//! What every Kafka client here has in common, and the look at the broker before anything is started.

use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::metadata::MetadataTopic;

use crate::start_error::StartError;

/// How long the start waits for the broker's first answer.
const LONGEST_CHECK: Duration = Duration::from_secs(5);

/// Where the brokers are, and what else the operator wants the clients to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Bootstrap servers.
    pub brokers: String,
    /// Settings of the client library, such as those of TLS.
    pub properties: Vec<(String, String)>,
}

impl Cluster {
    /// Brokers that need no further settings.
    pub fn at(brokers: &str) -> Self {
        Self { brokers: brokers.to_owned(), properties: Vec::new() }
    }
}

/// What every client starts from.
const DEFAULTS: [(&str, &str); 3] = [
    ("client.id", "order-service"),
    // A broker that went away is tried again within a second, not after ten.
    ("reconnect.backoff.max.ms", "1000"),
    ("socket.timeout.ms", "5000"),
];

/// The settings of a client: what every client starts from, what its kind starts from, and what the operator wants instead.
pub(crate) fn client(cluster: &Cluster, defaults: &[(&str, &str)]) -> ClientConfig {
    let mut config = ClientConfig::new();
    for (name, value) in DEFAULTS.iter().chain(defaults) {
        config.set(*name, *value);
    }
    for (name, value) in &cluster.properties {
        config.set(name, value);
    }
    config.set("bootstrap.servers", &cluster.brokers);
    config
}

/// Asks the broker for the topics, so that a wrong address or a missing topic is a start error and not a stream of warnings.
/// A broker that may create topics creates it when asked.
pub async fn check(cluster: &Cluster, topics: &[&str]) -> Result<(), StartError> {
    let mut config = client(cluster, &[]);
    let names: Vec<String> = topics.iter().map(|topic| (*topic).to_owned()).collect();
    config.set("allow.auto.create.topics", "true");
    // The client blocks: never on a thread of the runtime.
    let answer = tokio::task::spawn_blocking(move || {
        let consumer = config.create().map_err(|error| error.to_string())?;
        names.iter().try_for_each(|name| look(&consumer, name))
    });
    let reason = match tokio::time::timeout(LONGEST_CHECK * 2, answer).await {
        Ok(Ok(Ok(()))) => return Ok(()),
        Ok(Ok(Err(reason))) => reason,
        Ok(Err(panicked)) => panicked.to_string(),
        Err(_) => format!("no answer within {LONGEST_CHECK:?}"),
    };
    Err(StartError::Broker { brokers: cluster.brokers.clone(), reason })
}

fn look(consumer: &BaseConsumer, topic: &str) -> Result<(), String> {
    let metadata = consumer.fetch_metadata(Some(topic), LONGEST_CHECK).map_err(|error| match error {
        KafkaError::MetadataFetch(_) => format!("no answer within {LONGEST_CHECK:?} ({error})"),
        other => other.to_string(),
    })?;
    let refusal = metadata.topics().iter().find_map(MetadataTopic::error).map(RDKafkaErrorCode::from);
    match refusal {
        // Just created: its leader is being elected.
        None | Some(RDKafkaErrorCode::LeaderNotAvailable) => Ok(()),
        Some(code) => Err(format!("topic {topic}: {code}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_operator_wants_wins_over_our_defaults() {
        let properties = [("session.timeout.ms", "15000"), ("socket.timeout.ms", "2000")]
            .map(|(name, value)| (name.into(), value.into()));
        let cluster = Cluster { brokers: "kafka:9092".to_owned(), properties: properties.to_vec() };
        let config = client(&cluster, &[("session.timeout.ms", "6000"), ("linger.ms", "5")]);
        let found = |name| config.get(name).unwrap();
        assert_eq!(
            ["session.timeout.ms", "socket.timeout.ms", "linger.ms"].map(found),
            ["15000", "2000", "5"]
        );
        assert_eq!(["client.id", "bootstrap.servers"].map(found), ["order-service", "kafka:9092"]);
    }
}
