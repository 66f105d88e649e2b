//! One OS thread of ours reads the signals and is the watchdog, so that both work while the runtime is wedged.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as platform;
#[cfg(windows)]
use windows as platform;

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::deadline::time_plan;
use crate::error::StartError;
use crate::graph::PlanSpec;
use crate::ledger::lock;
use crate::reason::{Reason, Signal};
use crate::report::Report;
use crate::startup::{Kept, Startup};
use crate::trigger::Trigger;

/// The exit code of a process that the watchdog had to end.
const WATCHDOG: u8 = 70;
/// How long writing the report may hold up an exit.
const REPORT: Duration = Duration::from_millis(250);
/// How long dropping the kept guards may hold up an exit.
const GUARDS: Duration = Duration::from_millis(500);
/// A SIGINT that soon after another signal is the same keypress, or the platform being thorough.
const DOUBLED: Duration = Duration::from_millis(500);
/// No moment.
const NEVER: u64 = u64::MAX;

/// The thread's side of what it and the process share.
#[derive(Debug)]
struct Shared {
    trigger: Arc<Trigger>,
    startup: Startup,
    board: Mutex<Option<Arc<Board>>>,
    spec: &'static PlanSpec,
    total: Option<Duration>,
    base: Instant,
    /// When to end the process, in nanoseconds since `base`; `NEVER` for never.
    last_moment: AtomicU64,
    /// With which exit code.
    code: AtomicU8,
}

/// The process's side: tells the thread what to watch. Dropping the last one gives the signals back.
#[derive(Clone, Debug)]
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Arc<platform::Thread>,
    /// After the thread, which gives the signals back.
    _only: Arc<Only>,
}

impl Watchdog {
    /// Takes the signals over and starts the thread.
    pub(crate) fn install(
        trigger: &Arc<Trigger>,
        startup: &Startup,
        spec: &'static PlanSpec,
        total: Option<Duration>,
    ) -> Result<Self, StartError> {
        let only = Arc::new(Only::claim()?);
        let shared = Arc::new(Shared {
            trigger: Arc::clone(trigger),
            startup: startup.clone(),
            board: Mutex::new(None),
            spec,
            total,
            base: Instant::now(),
            last_moment: AtomicU64::new(NEVER),
            code: AtomicU8::new(WATCHDOG),
        });
        let thread = platform::Thread::start(Arc::clone(&shared)).map_err(StartError::Signals)?;
        let thread = Arc::new(thread);
        let watchdog = Self { shared, thread, _only: only };
        // Weak, since the thread's side has the trigger.
        let (shared, thread) = (Arc::downgrade(&watchdog.shared), Arc::downgrade(&watchdog.thread));
        trigger.watched_by(Box::new(move |triggered| {
            if let (Some(shared), Some(thread)) = (Weak::upgrade(&shared), Weak::upgrade(&thread)) {
                shared.arm(time_plan(spec, triggered, total).last_moment.into_std());
                thread.wake();
            }
        }));
        Ok(watchdog)
    }

    /// Whose progress a forced exit reports.
    pub(crate) fn watch(&self, board: &Arc<Board>) {
        *lock(&self.shared.board) = Some(Arc::clone(board));
    }

    /// The process is ended at that moment at the latest, unless it is over by then.
    pub(crate) fn arm(&self, last_moment: Instant) {
        self.shared.arm(last_moment);
        self.thread.wake();
    }

    /// The stop is over: whatever still holds the process up, it ends with this code.
    pub(crate) fn exit_with(&self, code: u8, within: Duration) {
        self.shared.code.store(code, Ordering::Release);
        self.arm(Instant::now() + within);
    }
}

/// The right to be the only plan that owns this process, kept until its stop is over.
#[derive(Debug)]
struct Only;

static RUNNING: AtomicBool = AtomicBool::new(false);

impl Only {
    fn claim() -> Result<Self, StartError> {
        if RUNNING.swap(true, Ordering::SeqCst) { Err(StartError::AlreadyRunning) } else { Ok(Self) }
    }
}

impl Drop for Only {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::SeqCst);
    }
}

/// Whether a signal forces the end: a person who sees the stop under way asks once more.
pub(crate) fn insists(signal: Signal, since_first: Option<Duration>) -> bool {
    signal == Signal::Interrupt && since_first.is_some_and(|since| since >= DOUBLED)
}

impl Shared {
    fn arm(&self, last_moment: Instant) {
        let nanos = last_moment.saturating_duration_since(self.base).as_nanos();
        // Only ever earlier: a signal while the process is leaving must not grant it more time.
        self.last_moment.fetch_min(u64::try_from(nanos).unwrap_or(NEVER - 1), Ordering::AcqRel);
    }

    /// The time until the process must end; `None` while no end is set.
    fn time_left(&self) -> Option<Duration> {
        match self.last_moment.load(Ordering::Acquire) {
            NEVER => None,
            nanos => {
                Some((self.base + Duration::from_nanos(nanos)).saturating_duration_since(Instant::now()))
            }
        }
    }

    /// A signal that asks for a stop; the second one forces it if a person insists. Nothing is logged here: a subscriber may
    /// block on its pipe, and this thread must not.
    fn signal(&self, signal: Signal, last: &mut Option<Instant>) {
        let now = Instant::now();
        if insists(signal, last.map(|last| now.duration_since(last))) {
            self.forced(signal);
        }
        last.get_or_insert(now);
        self.trigger.fire(Reason::Signal(signal));
    }

    /// Someone insists: the report as it is, the kept guards, and the end by that signal.
    fn forced(&self, signal: Signal) {
        self.last_words(&format!("forced exit by {}", signal.name()));
        platform::die_by(signal);
    }

    /// The last moment has come.
    fn expired(&self) {
        let code = self.code.load(Ordering::Acquire);
        if code == WATCHDOG {
            self.last_words("the stop did not end in time: the watchdog ends the process");
        }
        platform::exit_at_once(code);
    }

    /// Takes no lock that a wedged thread could hold, and waits for nobody.
    fn last_words(&self, why: &str) {
        let board = self.board.try_lock().ok().and_then(|board| board.clone());
        let triggered = self.trigger.current();
        let granted = triggered.first.as_ref().map_or(Duration::ZERO, |(_, began)| {
            time_plan(self.spec, &triggered, self.total).deadline.saturating_duration_since(*began)
        });
        let report = board.and_then(|board| board.try_report(triggered.first, granted));
        write_report(why, report.as_ref());
        drop_guards(self.startup.try_take_kept());
    }
}

/// Writes to stderr from a thread of its own: a full pipe must not hold up the exit.
pub(crate) fn write_report(headline: &str, report: Option<&Report>) {
    let mut text = String::new();
    if !headline.is_empty() {
        text.push_str(headline);
        text.push('\n');
    }
    if let Some(report) = report {
        text.push_str(&report.to_string());
    }
    within(REPORT, move || {
        let mut stderr = io::stderr();
        let _ = stderr.write_all(text.as_bytes());
        let _ = stderr.flush();
    });
}

/// Drops the kept guards on a thread of their own.
pub(crate) fn drop_guards(kept: Vec<Kept>) {
    if !kept.is_empty() {
        within(GUARDS, move || drop(kept));
    }
}

/// Runs a step on a thread of its own, and leaves it behind when its time is over.
pub(crate) fn within(limit: Duration, step: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        step();
        let _ = sender.send(());
    };
    if std::thread::Builder::new().name(String::from("stop exit")).spawn(run).is_ok() {
        let _ = receiver.recv_timeout(limit);
    }
}
