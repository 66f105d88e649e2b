//! A `PostgreSQL` of the test's own: made, started and thrown away in about a second, from the binaries of the system's package.

use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::support::Directory;

/// A running server; gone, with its data, when this is dropped, or when the thread that started it ends.
pub(crate) struct PostgresServer {
    server: Child,
    port: u16,
    _directory: Directory,
}

impl PostgresServer {
    /// `None` where no binaries are installed.
    pub(crate) fn start() -> Option<Self> {
        let binaries = binaries()?;
        let directory = Directory::new();
        let data = directory.path().join("data");
        if geteuid().is_root() {
            // The server refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(directory.path()));
        }
        run(as_server(&binaries.join("initdb"))
            .args(["-U", "postgres", "-A", "trust", "-N", "--no-locale", "-E", "UTF8", "-D"])
            .arg(&data));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = as_server(&binaries.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string(), "-h", "127.0.0.1", "-k"])
            .arg(directory.path())
            .args(["-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let this = Self { server, port, _directory: directory };
        let deadline = Instant::now() + Duration::from_secs(20);
        let is_ready = || {
            let mut command = Command::new(binaries.join("pg_isready"));
            command.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]).status().unwrap().success()
        };
        while !is_ready() {
            assert!(Instant::now() < deadline, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(this)
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Some(server) = i32::try_from(self.server.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(server, Signal::QUIT);
        }
        let _ = self.server.wait();
    }
}

/// A command that the server's own user runs, and that does not outlive the test.
fn as_server(binary: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.args(["--pdeathsig", "QUIT", "--"]).arg(binary);
    command
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {:?} {text}",
        output.status.signal().or(output.status.code())
    );
}

/// Where the package puts them; they are not on the path.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions
        .filter_map(Result::ok)
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file())
        .collect();
    found.sort();
    found.pop()
}
