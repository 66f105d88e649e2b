//! Which broker the runs of a kill test have: `KAFKA_BROKERS` where that is set, else a broker of their own from the binary that
//! `INDEPENDENT_BROKER` names, else the one in the process of the tests.

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;

use crate::independent_broker::IndependentBroker;
use crate::support;

/// As many as the broker in the process makes.
const PARTITIONS: i32 = 4;

pub(crate) enum Brokers {
    Given(String),
    Independent(IndependentBroker),
    InProcess,
}

impl Brokers {
    pub(crate) fn of_the_environment() -> Self {
        match std::env::var("KAFKA_BROKERS") {
            Ok(brokers) if !brokers.is_empty() => Self::Given(brokers),
            _ if IndependentBroker::is_at_hand() => Self::Independent(IndependentBroker::start()),
            _ => Self::InProcess,
        }
    }

    /// `None` where there is only the one in the process, which handles groups in ways of its own.
    pub(crate) fn of_another_make() -> Option<Self> {
        let brokers = Self::of_the_environment();
        if matches!(brokers, Self::InProcess) {
            println!(
                "SKIPPED: no broker of another make: set KAFKA_BROKERS, or INDEPENDENT_BROKER to what scripts/fetch-broker prints"
            );
            return None;
        }
        Some(brokers)
    }

    pub(crate) fn address(&self) -> &str {
        match self {
            Self::Given(brokers) => brokers,
            Self::Independent(broker) => broker.address(),
            Self::InProcess => support::broker().bootstrap_servers(),
        }
    }

    /// The independent broker has a defect: who leaves a group in the middle of a rebalance is waited for ever after.
    pub(crate) fn waits_for_who_left_while_joining(&self) -> bool {
        matches!(self, Self::Independent(_))
    }

    /// Makes a topic that several can share, which a broker may not do by itself. The one in the process always does.
    pub(crate) async fn create_topic(&self, topic: &str) {
        if matches!(self, Self::InProcess) {
            return;
        }
        let client: AdminClient<DefaultClientContext> =
            ClientConfig::new().set("bootstrap.servers", self.address()).create().unwrap();
        let topic = NewTopic::new(topic, PARTITIONS, TopicReplication::Fixed(1));
        for created in client.create_topics([&topic], &AdminOptions::new()).await.unwrap() {
            created.unwrap();
        }
    }
}
