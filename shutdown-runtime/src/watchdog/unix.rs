//! SIGTERM and SIGINT through signal-hook; the thread waits on a socket pair with a time-out.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level;

use super::Shared;
use crate::reason::Signal;

/// While no plan runs the signals do what they do by default: the flag says so. Kept, since signal-hook never gives a
/// signal back.
static IDLE: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// Has the default action run while the flag is set. Once per process, and `idle` is then everyone's flag.
fn keep_default_actions(idle: &Arc<AtomicBool>) -> io::Result<()> {
    let mut known = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    // For PID 1 the kernel's default is to do nothing, and emulating what does not kill ends in an abort.
    if known.is_some() || std::process::id() == 1 {
        return Ok(());
    }
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(idle))?;
    }
    *known = Some(Arc::clone(idle));
    Ok(())
}

fn idle_flag() -> Arc<AtomicBool> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
}

/// The thread, and what wakes it.
#[derive(Debug)]
pub(super) struct Thread {
    wake: UnixStream,
    over: Arc<AtomicBool>,
    registered: Vec<SigId>,
    idle: Arc<AtomicBool>,
}

impl Thread {
    pub(super) fn start(shared: Arc<Shared>) -> io::Result<Self> {
        let (read, wake) = UnixStream::pair()?;
        let (received, over) = (Received::default(), Arc::default());
        // From here on dropping it gives back what was taken.
        let mut thread = Self { wake, over, registered: Vec::new(), idle: idle_flag() };
        // Ours before the default's: a signal in between must neither be lost nor kill.
        let taken = thread.take(&received);
        keep_default_actions(&thread.idle).and(taken)?;
        let watch = Watch { shared, read, received, over: Arc::clone(&thread.over) };
        std::thread::Builder::new().name(String::from("stop watchdog")).spawn(move || watch.run())?;
        thread.idle.store(false, Ordering::SeqCst);
        Ok(thread)
    }

    fn take(&mut self, received: &Received) -> io::Result<()> {
        for (signal, flag) in [(SIGTERM, &received.terminate), (SIGINT, &received.interrupt)] {
            // The flag before the pipe: once the thread is woken, it finds the flag set.
            self.registered.push(signal_hook::flag::register(signal, Arc::clone(flag))?);
            self.registered.push(low_level::pipe::register(signal, self.wake.try_clone()?)?);
        }
        Ok(())
    }

    pub(super) fn wake(&self) {
        // A full socket has woken the thread already.
        let _ = (&self.wake).write(&[0]);
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.idle.store(true, Ordering::SeqCst);
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
        self.over.store(true, Ordering::SeqCst);
        self.wake();
    }
}

#[derive(Default)]
struct Received {
    terminate: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
}

struct Watch {
    shared: Arc<Shared>,
    read: UnixStream,
    received: Received,
    over: Arc<AtomicBool>,
}

impl Watch {
    fn run(mut self) {
        let mut last = None;
        // What came while the signals were taken over may have found no pipe to wake us through.
        self.deliver(&mut last);
        while !self.over.load(Ordering::SeqCst) {
            match self.shared.time_left() {
                Some(Duration::ZERO) => self.shared.expired(),
                left => self.wait(left),
            }
            self.deliver(&mut last);
        }
    }

    fn wait(&mut self, limit: Option<Duration>) {
        let mut bytes = [0; 64];
        // A time-out and an interruption both mean: look again.
        let waited = self.read.set_read_timeout(limit).and_then(|()| self.read.read(&mut bytes).map(|_| ()));
        let expected = |error: &io::Error| {
            matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
            )
        };
        if waited.is_err_and(|error| !expected(&error)) {
            // Nothing that is known leads here; spinning would be worse than a short delay.
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn deliver(&self, last: &mut Option<Instant>) {
        if self.received.terminate.swap(false, Ordering::SeqCst) {
            self.shared.signal(Signal::Terminate, last);
        }
        if self.received.interrupt.swap(false, Ordering::SeqCst) {
            self.shared.signal(Signal::Interrupt, last);
        }
    }
}

/// Dies by the signal's default action, so that the parent sees it; as PID 1, for which that does nothing, by 128 + n.
pub(super) fn die_by(signal: Signal) {
    let number = i32::from(signal.number());
    if std::process::id() != 1 {
        let _ = low_level::emulate_default_handler(number);
    }
    low_level::exit(128 + number);
}

/// Ends the process at once: no exit handlers, which may hang.
pub(super) fn exit_at_once(code: u8) {
    low_level::exit(i32::from(code));
}
