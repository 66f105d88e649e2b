//! A Kafka broker that shares no code with our client, as a process of its own that keeps everything in memory.

use std::ffi::OsString;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::link::Link;

/// A running broker; it ends when this is dropped, or with the thread that started it.
pub(crate) struct IndependentBroker {
    process: Child,
    address: String,
}

impl IndependentBroker {
    /// Whether `INDEPENDENT_BROKER` names a binary.
    pub(crate) fn is_at_hand() -> bool {
        binary().is_some()
    }

    pub(crate) fn start() -> Self {
        let address = free_address();
        Self::start_at(address.clone(), &address)
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// One that everybody reaches by a link only.
    pub(crate) async fn behind_a_link() -> (Link, Self) {
        let address = free_address();
        let link = Link::to(&address).await;
        let advertised = link.address().to_string();
        (link, Self::start_at(address, &advertised))
    }

    fn start_at(address: String, advertised: &str) -> Self {
        let process = Command::new("setpriv")
            .args(["--pdeathsig", "TERM", "--"])
            .arg(binary().expect("INDEPENDENT_BROKER"))
            .arg("broker")
            .args(["--listener-url", &format!("tcp://{address}")])
            .args(["--advertised-listener-url", &format!("tcp://{advertised}")])
            .args(["--storage-engine", "memory://tansu/"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let this = Self { process, address };
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(&this.address).is_err() {
            assert!(Instant::now() < deadline, "the broker did not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        this
    }
}

impl Drop for IndependentBroker {
    fn drop(&mut self) {
        if let Some(process) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(process, Signal::KILL);
        }
        let _ = self.process.wait();
    }
}

fn binary() -> Option<OsString> {
    std::env::var_os("INDEPENDENT_BROKER").filter(|path| !path.is_empty())
}

fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
