//! A broker inside this process, for a machine without one: librdkafka's own test cluster, which speaks the real protocol
//! over TCP and keeps everything in memory.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::{fmt, thread};

use rdkafka::mocking::MockCluster;

use crate::start_error::StartError;

/// A running broker; it ends when this is dropped, so whoever holds it has to outlive every client.
pub struct EmbeddedBroker {
    bootstrap_servers: String,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl EmbeddedBroker {
    /// Starts a broker on a free port of this machine.
    pub fn start() -> Result<Self, StartError> {
        let (report, started) = channel();
        let (stop, stopped) = channel();
        // The cluster must be made, used and dropped by one thread.
        let thread = thread::Builder::new()
            .name("embedded-broker".to_owned())
            .spawn(move || serve(&report, &stopped))
            .map_err(|error| StartError::EmbeddedBroker(error.to_string()))?;
        let bootstrap_servers = started
            .recv()
            .unwrap_or_else(|_| Err("its thread ended".to_owned()))
            .map_err(StartError::EmbeddedBroker)?;
        Ok(Self { bootstrap_servers, stop: Some(stop), thread: Some(thread) })
    }

    /// Where clients connect to.
    pub fn bootstrap_servers(&self) -> &str {
        &self.bootstrap_servers
    }
}

fn serve(report: &Sender<Result<String, String>>, stopped: &Receiver<()>) {
    let cluster = match MockCluster::new(1) {
        Ok(cluster) => cluster,
        Err(error) => {
            // Fails only if nobody waits for the answer any more.
            let _ = report.send(Err(error.to_string()));
            return;
        }
    };
    if report.send(Ok(cluster.bootstrap_servers())).is_ok() {
        // An error means that the other end is gone, which is the stop.
        let _ = stopped.recv();
    }
}

impl Drop for EmbeddedBroker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for EmbeddedBroker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EmbeddedBroker")
            .field("bootstrap_servers", &self.bootstrap_servers)
            .finish_non_exhaustive()
    }
}
