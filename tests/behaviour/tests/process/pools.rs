//! Pools that others lost at a stop, by the row of the field reports.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use crate::subject::Subject;

/// How a session ended, as a database server logs it.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    ByQuit,
    Aborted,
}

/// One session on the server: answers each statement with a byte, and takes a while to clean up after `QUIT`.
fn serve(session: &TcpStream) -> io::Result<Ended> {
    let mut lines = BufReader::new(session).lines();
    loop {
        match lines.next() {
            Some(Ok(statement)) if statement == "QUIT" => break,
            Some(Ok(_)) => (&mut &*session).write_all(b"+")?,
            Some(Err(_)) | None => return Ok(Ended::Aborted),
        }
    }
    thread::sleep(Duration::from_millis(100));
    // Whoever is gone by now was told nothing: the server's last write meets a reset.
    (&mut &*session).write_all(b"BYE")?;
    Ok(Ended::ByQuit)
}

fn server(log: Sender<Ended>) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    thread::spawn(move || {
        for session in listener.incoming().map_while(Result::ok) {
            let log = log.clone();
            thread::spawn(move || log.send(serve(&session).unwrap_or(Ended::Aborted)));
        }
    });
    Ok(address)
}

#[test]
fn field_report_25_the_server_sees_no_session_aborted() {
    let (log, logged) = channel();
    let address = server(log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sessions"));
    let end =
        Subject::run(command.env("SERVER", address)).wait_for("started").pause(50).signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{}", end.log);
    let ends: Vec<_> = (0..3).map(|_| logged.recv_timeout(Duration::from_secs(10)).unwrap()).collect();
    assert_eq!(ends, [Ended::ByQuit, Ended::ByQuit, Ended::ByQuit]);
    assert!(end.after > Duration::from_millis(250), "the exit waits for the server: {:?}", end.after);
}

/// Builds the crate whose panics abort, into the directory that this test was built into: cargo's own flags reach only
/// the last crate, and what the rest was compiled with may be linked by one that aborts.
fn panic_abort() -> Command {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../panic-abort"))
        .args(["rustc", "--quiet", "--locked", "--bin", "panic-abort", "--target-dir"])
        .arg(target)
        .args(["--", "-C", "panic=abort"])
        .status();
    assert!(built.unwrap().success(), "the crate was not built");
    Command::new(target.join("debug").join("panic-abort"))
}

#[test]
fn field_report_86_no_stop_depends_on_a_panic_that_unwinds() {
    let mut program = panic_abort();
    let end = Subject::run(&mut program).wait_for("started, a panic aborts").signal("-TERM").end();
    assert_eq!(end.code(), Some(0), "{:?}\n{}", end.status, end.log);
    assert_eq!(end.lines[1..], ["Store closed", "Store dropped"], "{}", end.log);
    assert!(end.log.contains("shutdown of Service: clean"), "{}", end.log);

    // Nor does an overrun: aborting a task drops it, and panics nowhere.
    let end = Subject::run(program.env("SUBJECT", "hangs"))
        .wait_for("started, a panic aborts")
        .signal("-TERM")
        .end();
    assert_eq!(end.code(), Some(1), "{:?}\n{}", end.status, end.log);
    assert_eq!(end.lines[1..], ["Store closed", "Store dropped"], "{}", end.log);
    assert!(end.log.contains("TimedOut"), "{}", end.log);

    // A panic of the service's own is what such a build wants it to be.
    let end = Subject::run(program.env("SUBJECT", "panics"))
        .wait_for("started, a panic aborts")
        .signal("-TERM")
        .end();
    assert_eq!(end.killed_by(), Some(6), "{:?}\n{}", end.status, end.log);
    assert!(end.log.contains("at the very end") && !end.said("Store closed"), "{}", end.log);
}
