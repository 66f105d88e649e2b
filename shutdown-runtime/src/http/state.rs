//! What the parts of one connection know of it together.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::Waker;
use std::time::Duration;

use futures_util::task::AtomicWaker;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::server::Server;
use crate::counters::Counter;
use crate::deadline::later;
use crate::shutdown::Shutdown;

/// Where the client takes what is written.
const FLOWS: u64 = u64::MAX;

/// What a stream took of what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    None,
    Some,
    All,
}

/// What all connections of one server share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(super) limits: Server,
    pub(super) shutdown: Shutdown,
    pub(super) completed: Counter,
    pub(super) refused: Counter,
    pub(super) cut: Counter,
    began: Instant,
}

impl Shared {
    pub(super) fn new(limits: Server, shutdown: &Shutdown) -> Self {
        Self {
            limits,
            shutdown: shutdown.clone(),
            completed: shutdown.counter("completed"),
            refused: shutdown.counter("refused"),
            cut: shutdown.counter("cut"),
            began: Instant::now(),
        }
    }

    /// Whether the task's time is over, so that whatever ends unfinished was cut.
    pub(super) fn is_over(&self) -> bool {
        self.shutdown.deadline().is_some_and(|deadline| deadline <= Instant::now())
    }
}

/// One connection: what the stream, the requests and the one that drives them tell each other.
#[derive(Debug)]
pub(super) struct State {
    pub(super) shared: Arc<Shared>,
    pub(super) peer: Option<SocketAddr>,
    /// Requests whose answers are not over.
    in_flight: AtomicUsize,
    /// Whether bytes of a head were read, and no request came of them yet.
    head_begun: AtomicBool,
    /// When the wait for the next request, or for the rest of its head, began: milliseconds since the server began.
    since: AtomicU64,
    /// Answers that were handed over whole, and that the stream has not taken whole yet.
    unwritten: AtomicU64,
    /// Since when the client takes nothing of what is written, as `since`; `FLOWS` where it does.
    stalled_since: AtomicU64,
    /// We end the connection, whatever is still on it.
    is_given_up: AtomicBool,
    /// The stream was dropped; `gone` tells of it.
    is_gone: AtomicBool,
    gone: Notify,
    /// The task's time is over: an upgraded stream fails from now on.
    is_cut: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

impl State {
    pub(super) fn new(shared: Arc<Shared>, peer: Option<SocketAddr>) -> Self {
        let state = Self {
            shared,
            peer,
            in_flight: AtomicUsize::new(0),
            head_begun: AtomicBool::new(false),
            since: AtomicU64::new(0),
            unwritten: AtomicU64::new(0),
            stalled_since: AtomicU64::new(FLOWS),
            is_given_up: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            gone: Notify::new(),
            is_cut: AtomicBool::new(false),
            reader: AtomicWaker::new(),
            writer: AtomicWaker::new(),
        };
        state.wait_begins();
        state
    }

    pub(super) fn wait_begins(&self) {
        self.since.store(self.now(), Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        let since = Instant::now().saturating_duration_since(self.shared.began).as_millis();
        u64::try_from(since).unwrap_or(FLOWS).min(FLOWS - 1)
    }

    fn later(&self, since: u64, limit: Duration) -> Instant {
        later(later(self.shared.began, Duration::from_millis(since)), limit)
    }

    /// When a wait for bytes of the client that may last so long is over.
    pub(super) fn due_after(&self, limit: Duration) -> Instant {
        self.later(self.since.load(Ordering::Relaxed), limit)
    }

    /// When the connection has waited long enough, where a wait for bytes may last so long. `None`: an answer is made or
    /// being read.
    pub(super) fn due(&self, limit: Duration) -> Option<Instant> {
        if !self.is_busy() {
            return Some(self.due_after(limit));
        }
        match self.stalled_since.load(Ordering::Relaxed) {
            FLOWS => None,
            since => Some(self.later(since, self.shared.limits.idle)),
        }
    }

    pub(super) fn bytes_read(&self) {
        if !self.head_begun.load(Ordering::Relaxed) && !self.is_busy() {
            self.head_begun.store(true, Ordering::Relaxed);
            self.wait_begins();
        }
    }

    pub(super) fn head_begun(&self) -> bool {
        self.head_begun.load(Ordering::Relaxed)
    }

    pub(super) fn request_begins(&self) {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        self.head_begun.store(false, Ordering::Relaxed);
    }

    /// An answer was handed over whole, or given up.
    pub(super) fn request_ends(&self, is_answered: bool) {
        if !is_answered || self.is_gone() {
            self.unfinished(1);
        } else {
            self.unwritten.fetch_add(1, Ordering::AcqRel);
        }
        if self.in_flight.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.wait_begins();
        }
    }

    /// The stream has taken all that was written, or takes some of it, or none.
    pub(super) fn wrote(&self, progress: Progress) {
        let was_stalled = self.stalled_since.load(Ordering::Relaxed) != FLOWS;
        let is_stalled = progress == Progress::None;
        if is_stalled != was_stalled {
            let since = if is_stalled { self.now() } else { FLOWS };
            self.stalled_since.store(since, Ordering::Relaxed);
        }
        if progress == Progress::All && self.unwritten.load(Ordering::Acquire) > 0 {
            let answered = self.unwritten.swap(0, Ordering::AcqRel);
            self.wait_begins();
            if self.shared.shutdown.is_draining() {
                self.shared.completed.add(answered);
            }
        }
    }

    /// Counts requests that were begun, and whose answers did not reach the client whole.
    fn unfinished(&self, requests: u64) {
        let is_ours = self.shared.is_over() || self.is_given_up.load(Ordering::Relaxed);
        if requests > 0 && is_ours && self.shared.shutdown.is_draining() {
            self.shared.cut.add(requests);
        }
    }

    /// From now on what is unfinished on the connection was cut by us.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    /// Whether an answer is made, or written.
    pub(super) fn is_busy(&self) -> bool {
        self.in_flight.load(Ordering::Acquire) > 0 || self.unwritten.load(Ordering::Acquire) > 0
    }

    pub(super) fn stream_dropped(&self) {
        self.is_gone.store(true, Ordering::Release);
        self.unfinished(self.unwritten.swap(0, Ordering::AcqRel));
        self.gone.notify_one();
    }

    pub(super) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// Waits until the stream is dropped, by whoever has it; one waiter.
    pub(super) async fn gone(&self) {
        while !self.is_gone() {
            self.gone.notified().await;
        }
    }

    pub(super) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.reader.wake();
        self.writer.wake();
    }

    /// Whether reading is over; if not, the waker is told when it is.
    pub(super) fn is_cut_for_reader(&self, waker: &Waker) -> bool {
        self.reader.register(waker);
        self.is_cut.load(Ordering::SeqCst)
    }

    /// As [`is_cut_for_reader`](Self::is_cut_for_reader), for writing.
    pub(super) fn is_cut_for_writer(&self, waker: &Waker) -> bool {
        self.writer.register(waker);
        self.is_cut.load(Ordering::SeqCst)
    }
}
