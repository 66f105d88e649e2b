//! A subject process: started, waited for, signalled, and its end read.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    /// From the last signal.
    pub(crate) after: Duration,
    pub(crate) lines: Vec<String>,
    pub(crate) log: String,
}

impl End {
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    pub(crate) fn killed_by(&self) -> Option<i32> {
        self.status.signal()
    }

    pub(crate) fn said(&self, line: &str) -> bool {
        self.lines.iter().any(|said| said == line)
    }
}

/// A running subject.
#[derive(Debug)]
pub(crate) struct Subject {
    child: Option<Child>,
    lines: Receiver<String>,
    said: Vec<String>,
    log: Option<JoinHandle<String>>,
    signalled: Instant,
    /// Where its signals go, if not to itself.
    target: Option<u32>,
    /// Dropped when it has ended.
    unread: Option<Sender<()>>,
}

impl Drop for Subject {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Subject {
    pub(crate) fn start(mode: &str) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_subject")).env("SUBJECT", mode))
    }

    pub(crate) fn run(command: &mut Command) -> Self {
        Self::run_with_stderr(command, Stdio::piped())
    }

    /// One whose stdout nobody reads: it blocks once the pipe is full.
    pub(crate) fn start_unread(mode: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_subject"));
        Self::spawn(command.env("SUBJECT", mode), Stdio::piped(), false)
    }

    pub(crate) fn run_with_stderr(command: &mut Command, stderr: Stdio) -> Self {
        Self::spawn(command, stderr, true)
    }

    fn spawn(command: &mut Command, stderr: Stdio, read: bool) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .expect("the subject was built");
        let (sender, lines) = channel();
        let (unread, ended) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            if !read {
                // Kept open, and full, until the process has ended.
                let _ = ended.recv_timeout(Duration::from_secs(30));
            }
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        // What a command keeps of its pipes would hold them open.
        command.stderr(Stdio::null());
        let stderr = child.stderr.take();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut log));
            log
        });
        Self {
            child: Some(child),
            lines,
            said: Vec::new(),
            log: Some(log),
            signalled: Instant::now(),
            target: None,
            unread: Some(unread),
        }
    }

    /// Waits until it has said a line.
    pub(crate) fn wait_for(&mut self, line: &str) -> &mut Self {
        while !self.said.iter().any(|said| said == line) {
            let said = self.lines.recv_timeout(Duration::from_secs(20));
            self.said.push(said.unwrap_or_else(|_| panic!("it never said {line:?}, but {:?}", self.said)));
        }
        self
    }

    /// Takes the signals of another process, one that this one has started.
    pub(crate) fn signals_go_to(&mut self, id: u32) -> &mut Self {
        self.target = Some(id);
        self
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// From here on the time to its end is counted.
    pub(crate) fn count_from_now(&mut self) -> &mut Self {
        self.signalled = Instant::now();
        self
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.as_mut().unwrap().try_wait().unwrap().is_none()
    }

    /// As [`signal`](Self::signal), for one that may have ended by now.
    pub(crate) fn signal_if_there(&mut self, name: &str) -> &mut Self {
        let id = self.target.unwrap_or_else(|| self.id()).to_string();
        let _ = Command::new("kill").args([name, &id]).stderr(Stdio::null()).status();
        self.signalled = Instant::now();
        self
    }

    pub(crate) fn signal(&mut self, name: &str) -> &mut Self {
        let id = self.target.unwrap_or_else(|| self.id()).to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
        self.signalled = Instant::now();
        self
    }

    pub(crate) fn pause(&mut self, millis: u64) -> &mut Self {
        std::thread::sleep(Duration::from_millis(millis));
        self
    }

    /// Waits for its end, at most half a minute.
    pub(crate) fn end(&mut self) -> End {
        let mut child = self.child.take().unwrap();
        let give_up = Instant::now() + Duration::from_secs(30);
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > give_up {
                let _ = child.kill();
                let _ = child.wait();
                panic!("it did not end\n{}", self.log.take().unwrap().join().unwrap());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let after = self.signalled.elapsed();
        drop(self.unread.take());
        let log = self.log.take().unwrap().join().unwrap();
        self.said.extend(self.lines.iter());
        End { status, after, lines: std::mem::take(&mut self.said), log }
    }
}
