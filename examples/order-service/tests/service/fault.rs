//! The faults that a service meets while it is stopped, each of them a real one.

use std::time::Duration;

use order_service::demo::client::{Answer, Customer, NoAnswer};
use order_service::demo::service_process::{Ended, Surroundings};
use tokio::process::Command;
use tokio::task::JoinHandle;

use crate::conditions;
use crate::databases::Database;
use crate::independent_broker::IndependentBroker;
use crate::link::{Link, State};
use crate::support::{self, Chance, WITHOUT_PRE_STOP};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Each piece of data between the service and its database waits.
    SlowDatabase,
    /// The broker breaks its connections and takes no more.
    DeadBroker,
    /// A request never ends, with its transaction open.
    StuckHandler,
    /// The database ends the connections that it has: a failover.
    KilledConnections,
}

/// An event that arrived and was not marked is published again; nothing else may happen twice.
const PUBLISHED_TWICE: &str = "no event was published twice";
const NOT_MARKED: &str = "every event on a topic is marked published";
const NOT_COMMITTED: &str = "every message that was applied is committed and remembered";
const CHANGE_NOT_COMMITTED: &str = "every change of a product that is committed was taken over, and no other";

impl Fault {
    /// What the first stop may leave to the next start: what only a dead broker or a broken connection could have told.
    pub(crate) fn excuses(self) -> &'static [&'static str] {
        match self {
            Self::SlowDatabase | Self::StuckHandler => &[],
            Self::DeadBroker | Self::KilledConnections => {
                &[PUBLISHED_TWICE, NOT_MARKED, NOT_COMMITTED, CHANGE_NOT_COMMITTED]
            }
        }
    }

    /// What stays when the next start has finished.
    pub(crate) fn excuses_at_the_end(self) -> &'static [&'static str] {
        match self {
            Self::SlowDatabase | Self::StuckHandler => &[],
            Self::DeadBroker | Self::KilledConnections => &[PUBLISHED_TWICE],
        }
    }

    /// Whether the service may say that something went wrong: it did, and not within it.
    fn is_to_be_told(self) -> bool {
        matches!(self, Self::DeadBroker | Self::KilledConnections)
    }
}

/// What is around a service that meets a fault.
pub(crate) struct Faulty<'a> {
    pub(crate) fault: Fault,
    pub(crate) surroundings: Surroundings,
    database: &'a Database<'a>,
    /// Between the service and its database.
    to_database: Link,
    delay: Duration,
    /// Between everybody and the broker.
    to_broker: Link,
    _broker: IndependentBroker,
    stuck: Option<JoinHandle<Result<Answer, NoAnswer>>>,
}

impl<'a> Faulty<'a> {
    pub(crate) async fn around(fault: Fault, database: &'a Database<'a>, chance: &mut Chance) -> Self {
        let (before, rest) = database.url().split_once('@').unwrap();
        let (server, name) = rest.split_once('/').unwrap();
        let to_database = Link::to(server).await;
        let (to_broker, broker) = IndependentBroker::behind_a_link().await;
        let surroundings = support::surroundings_at(
            &to_broker.address().to_string(),
            format!("{before}@{}/{name}", to_database.address()),
        );
        let delay = conditions::milliseconds(chance, 10, 100);
        Self { fault, surroundings, database, to_database, delay, to_broker, _broker: broker, stuck: None }
    }

    /// Has the service bear the fault that is its own.
    pub(crate) fn set(&self, command: &mut Command) {
        if self.fault == Fault::StuckHandler {
            command.env("ORDER_SERVICE_FAULT", "handler-hangs");
        }
    }

    pub(crate) async fn begin(&mut self, api: &str) {
        match self.fault {
            Fault::SlowDatabase => self.to_database.is_now(State::Up(self.delay)),
            Fault::DeadBroker => self.to_broker.is_now(State::Broken),
            Fault::StuckHandler => {
                let url = format!("{api}/exports");
                let request = async move { Customer::default().post(&url, r#"{"customer":"stuck"}"#).await };
                self.stuck = Some(tokio::spawn(request));
            }
            Fault::KilledConnections => _ = self.database.end_connections().await,
        }
    }

    pub(crate) fn end(&self) {
        for link in [&self.to_database, &self.to_broker] {
            link.is_now(State::Up(Duration::ZERO));
        }
    }

    /// What is wrong with how the service ended, apart from what it left behind.
    pub(crate) async fn problems(&mut self, ended: &Ended) -> Vec<String> {
        let mut problems = Vec::new();
        let allowed: &[i32] = if self.fault.is_to_be_told() { &[0, 1] } else { &[0] };
        if !ended.code().is_some_and(|code| allowed.contains(&code)) {
            problems.push(format!("ended with {}", ended.status));
        }
        if !self.fault.is_to_be_told() {
            problems.extend(ended.log.iter().filter(|line| line.contains(" ERROR ")).cloned());
        }
        if ended.took > WITHOUT_PRE_STOP {
            problems.push(format!("took {:?}", ended.took));
        }
        if let Some(stuck) = self.stuck.take() {
            match stuck.await.unwrap() {
                Ok(answer) if answer.status.as_u16() == 503 => {}
                // The stop was first: nothing was asked.
                Err(NoAnswer::Refused(_)) => {}
                other => problems.push(format!("the stuck request: {other:?}")),
            }
            if self.database.rows_of("export").await != 0 {
                problems.push("the transaction of the stuck request was committed".to_owned());
            }
        }
        problems
    }
}
