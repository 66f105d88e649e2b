//! Which broker the runs of a kill test have: `KAFKA_BROKERS` where that is set, else a broker of their own from the binary that
//! `INDEPENDENT_BROKER` names, else the one in the process of the tests.

use crate::independent_broker::IndependentBroker;
use crate::support;

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

    pub(crate) fn address(&self) -> &str {
        match self {
            Self::Given(brokers) => brokers,
            Self::Independent(broker) => broker.address(),
            Self::InProcess => support::broker().bootstrap_servers(),
        }
    }
}
