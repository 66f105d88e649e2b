//! The rehearsal: the real service as a process of its own, load over HTTP, a real SIGTERM in the middle of it, and an audit
//! by somebody who was not there. The tests use the same parts.

pub mod audit;
pub mod catalogue;
pub mod client;
pub mod load;
pub mod observation;
pub mod service_process;

mod rehearsal;
mod workplace;

pub use rehearsal::run;

/// Why the demo did not end well.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Something around the service did not work.
    #[error("{0}: {1}")]
    Surroundings(&'static str, std::io::Error),
    /// The service did not do what it was told.
    #[error("the service {0}")]
    Service(String),
    /// The audit could not read what the service left behind.
    #[error("the audit cannot read the {0}: {1}")]
    Observation(&'static str, String),
    /// The audit found something.
    #[error("{0} of the audit's points do not hold")]
    Audit(usize),
}
