//! The quickstart as a real process: requests, a real signal, an ordered stop and its timeline.
#![cfg(unix)]

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Service {
    child: Option<Child>,
    address: SocketAddr,
    journal: std::path::PathBuf,
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = std::fs::remove_file(&self.journal);
    }
}

fn command(address: SocketAddr, journal: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quickstart"));
    command.env("QUICKSTART_ADDRESS", address.to_string()).env("QUICKSTART_JOURNAL", journal);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Service {
    fn start(name: &str) -> Self {
        let address = free_address();
        let journal = std::env::temp_dir().join(format!("quickstart-{name}-{}.journal", std::process::id()));
        let child = command(address, &journal).spawn().unwrap();
        let service = Self { child: Some(child), address, journal };
        let give_up = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < give_up, "the service does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        service
    }

    fn post(&self, line: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        write!(
            stream,
            "POST /lines HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{line}",
            line.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    fn stop(mut self, signal: &str) -> (Output, String) {
        let child = self.child.take().unwrap();
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        (output, std::fs::read_to_string(&self.journal).unwrap())
    }
}

#[test]
fn a_signal_stops_it_in_order_and_nothing_is_lost() {
    for signal in ["-TERM", "-INT"] {
        let service = Service::start(signal.trim_start_matches('-'));
        for number in 0..50 {
            assert!(service.post(&format!("line {number}")).unwrap().starts_with("HTTP/1.1 200"));
        }
        let (output, journal) = service.stop(signal);
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{:?}\n{log}", output.status);
        assert_eq!(journal.lines().count(), 50, "{journal}");
        let report = log.split("shutdown of Quickstart: clean").nth(1).expect(&log);
        let places: Vec<_> = ["http_api", "flush_journal", "Journal"]
            .iter()
            .map(|member| report.find(member).expect(report))
            .collect();
        assert!(places.is_sorted(), "{report}");
        assert_eq!(report.matches("Completed").count(), 3, "{report}");
        assert!(!log.contains("ERROR") && !log.contains("WARN"), "a clean stop is quiet\n{log}");
    }
}

#[test]
fn the_plan_is_printed_without_starting_anything() {
    let output =
        command(free_address(), "/nowhere/at/all".as_ref()).env("SHUTDOWN_PLAN", "text").output().unwrap();
    let plan = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(plan.contains("ingress") && plan.contains("uses Journal") && plan.contains("of 30s"), "{plan}");
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let journal = std::env::temp_dir().join(format!("quickstart-taken-{}.journal", std::process::id()));
    let output = command(taken.local_addr().unwrap(), &journal).output().unwrap();
    let _ = std::fs::remove_file(&journal);
    let log = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(log.contains("Error: QUICKSTART_ADDRESS=127.0.0.1:"), "{log}");
    assert!(log.contains("closed after a failed start"), "what had started is closed\n{log}");
}
