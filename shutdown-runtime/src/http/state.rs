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
use crate::shutdown::Shutdown;

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
        let since = Instant::now().saturating_duration_since(self.shared.began).as_millis();
        self.since.store(u64::try_from(since).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// When a wait that may last so long is over.
    pub(super) fn due_after(&self, limit: Duration) -> Instant {
        let since = self.shared.began + Duration::from_millis(self.since.load(Ordering::Relaxed));
        // A limit that no clock can hold is no limit.
        since.checked_add(limit).unwrap_or_else(|| since + Duration::from_secs(60 * 60 * 24 * 365))
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

    pub(super) fn request_ends(&self) {
        if self.in_flight.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.wait_begins();
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.in_flight.load(Ordering::Acquire) > 0
    }

    pub(super) fn stream_dropped(&self) {
        self.is_gone.store(true, Ordering::Release);
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
