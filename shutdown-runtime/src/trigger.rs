//! What starts a stop: the first trigger gives the reason, later ones are remembered.

use std::fmt;
use std::sync::{Arc, OnceLock};

use tokio::sync::watch;
use tokio::time::Instant;

use crate::notice::{Given, Notice};
use crate::reason::{Reason, Signal};

/// Everything that was said so far about stopping.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triggered {
    /// The first reason, and when it was given.
    pub(crate) first: Option<(Reason, Instant)>,
    /// When the platform announced the end, whether or not the stop had begun.
    pub(crate) terminate: Option<Instant>,
    /// When a person asked.
    pub(crate) interrupt: Option<Instant>,
    /// Whether someone asked for a stop without a window.
    pub(crate) now: bool,
    /// How many signals came after the first reason.
    pub(crate) repeated: u32,
    /// Whether a failure was among the reasons.
    pub(crate) failed: bool,
}

/// Takes triggers from signals, tasks and handles, and tells those who wait.
pub(crate) struct Trigger {
    triggered: watch::Sender<Triggered>,
    begun: Notice,
    watcher: OnceLock<Watcher>,
}

/// Is told of every trigger on the thread that fires it: the runtime may be wedged.
pub(crate) type Watcher = Box<dyn Fn(&Triggered) + Send + Sync>;

impl fmt::Debug for Trigger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Trigger").field(&self.current()).finish()
    }
}

impl Trigger {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            triggered: watch::Sender::new(Triggered::default()),
            begun: Notice::default(),
            watcher: OnceLock::new(),
        })
    }

    pub(crate) fn fire(&self, reason: Reason) {
        self.update(reason, false);
    }

    pub(crate) fn fire_now(&self, reason: Reason) {
        self.update(reason, true);
    }

    fn update(&self, reason: Reason, now: bool) {
        let at = Instant::now();
        self.triggered.send_modify(|triggered| {
            match &reason {
                Reason::Signal(Signal::Terminate) => triggered.terminate = triggered.terminate.or(Some(at)),
                Reason::Signal(Signal::Interrupt) => triggered.interrupt = triggered.interrupt.or(Some(at)),
                other => triggered.failed |= other.is_failure(),
            }
            triggered.now |= now;
            if triggered.first.is_some() && reason.is_announced() {
                triggered.repeated = triggered.repeated.saturating_add(1);
            }
            if triggered.first.is_none() {
                triggered.first = Some((reason, at));
            }
        });
        if let Some(watcher) = self.watcher.get() {
            watcher(&self.current());
        }
        self.begun.give();
    }

    /// Has someone told of every trigger from now on, and of what was said before.
    pub(crate) fn watched_by(&self, watcher: Watcher) {
        let watcher = self.watcher.get_or_init(|| watcher);
        let current = self.current();
        if current.first.is_some() {
            watcher(&current);
        }
    }

    pub(crate) fn has_fired(&self) -> bool {
        self.begun.is_given()
    }

    pub(crate) fn current(&self) -> Triggered {
        self.triggered.borrow().clone()
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Triggered> {
        self.triggered.subscribe()
    }

    /// Resolves once the stop has begun.
    pub(crate) fn draining(&self) -> Given {
        self.begun.given()
    }

    /// Waits for the first reason.
    pub(crate) async fn fired(&self) -> (Reason, Instant) {
        self.begun.given().await;
        // It is given after the reason was written.
        self.current().first.unwrap_or_else(|| (Reason::AllEnded, Instant::now()))
    }
}

/// Asks the running plan to stop, from anywhere: a signal of another kind, an admin endpoint, a test.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::ShutdownHandle;
///
/// fn on_quit_button(handle: &ShutdownHandle) {
///     handle.request("the quit button");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ShutdownHandle {
    trigger: Arc<Trigger>,
}

impl ShutdownHandle {
    pub(crate) fn new(trigger: &Arc<Trigger>) -> Self {
        Self { trigger: Arc::clone(trigger) }
    }

    /// Starts the stop, unless it has begun. No platform announced it, so traffic gets the time to turn away:
    /// the window is `pre_stop` + `lame_duck`.
    pub fn request(&self, why: impl Into<String>) {
        self.trigger.fire(Reason::Requested(why.into().into()));
    }

    /// Starts the stop without a window, or ends the window of one that has begun.
    pub fn request_now(&self, why: impl Into<String>) {
        self.trigger.fire_now(Reason::Requested(why.into().into()));
    }
}
