//! Real processes and real signals: who ends, when, with which code, and what it says.
#![cfg(unix)]

mod exits;
mod faults;
mod guide;
mod insisting;
mod jobs;
mod moments;
mod namespace;
mod random;
mod registered;
mod reported;
mod signals;
mod start_up;
mod subject;
