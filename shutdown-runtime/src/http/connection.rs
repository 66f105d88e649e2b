//! One connection, from its first byte until its stream is gone.

use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::request::answer;
use super::service::HttpService;
use super::state::{Shared, State};
use super::stream::Tracked;
use crate::deadline::later;
use crate::shutdown::Shutdown;

/// What every HTTP/2 connection begins with.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What a connection without a byte gets at the stop: the time in which bytes that the kernel has already come to us.
const GRACE: Duration = Duration::from_millis(20);

/// How many streams one HTTP/2 connection may have at once.
const STREAMS: u32 = 256;

/// Serves one stream. It is a child of the task, so it is dropped when the task's time is over.
pub(super) async fn run<T, S>(
    stream: T,
    peer: Option<SocketAddr>,
    service: S,
    shared: Arc<Shared>,
    permit: OwnedSemaphorePermit,
) where
    T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    S: HttpService,
{
    let state = Arc::new(State::new(shared, peer));
    let mut stream = Tracked::new(stream, &state, permit);
    let Some(first) = first_bytes(&mut stream, &state).await else { return };
    let is_http2 = first == PREFACE;
    stream.give_back(first);
    let stream = TokioIo::new(stream);
    let answering = Arc::clone(&state);
    let service = service_fn(move |request| answer(request, service.clone(), Arc::clone(&answering)));
    if is_http2 {
        let mut builder = http2::Builder::new(Streams(state.shared.shutdown.clone()));
        builder.timer(TokioTimer::new()).max_concurrent_streams(STREAMS);
        // Boxed: it would lie in this future twice, here and where it is driven, also for connections of the other protocol.
        let connection = Box::pin(builder.serve_connection(stream, service));
        drive(connection, http2::Connection::graceful_shutdown, &state, true).await;
    } else {
        let mut builder = http1::Builder::new();
        // Ours is one timer for all of a connection's limits.
        builder.timer(TokioTimer::new()).header_read_timeout(None);
        let connection = Box::pin(builder.serve_connection(stream, service).with_upgrades());
        drive(connection, http1::UpgradeableConnection::graceful_shutdown, &state, false).await;
        upgraded(&state).await;
    }
}

/// Runs the streams of HTTP/2 as children of the task.
#[derive(Clone)]
struct Streams(Shutdown);

impl<F> hyper::rt::Executor<F> for Streams
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    fn execute(&self, stream: F) {
        // Refused only once the task is over, and then the connection is dropped as well.
        let _ = self.0.spawn(stream);
    }
}

/// Reads until it is known which protocol the client speaks. `None`: the connection is over.
async fn first_bytes<T: AsyncRead + Unpin>(stream: &mut Tracked<T>, state: &State) -> Option<Vec<u8>> {
    let shared = &state.shared;
    let mut bytes = Vec::new();
    let idle = state.due_after(shared.limits.idle);
    let read = timeout_at(idle, shared.shutdown.run_until_requested(read_some(stream, &mut bytes))).await;
    match read.ok()? {
        Some(read) => read.ok()?,
        None => match timeout(GRACE, read_some(stream, &mut bytes)).await {
            Ok(read) => read.ok()?,
            Err(_) => {
                shared.refused.add(1);
                return None;
            }
        },
    }
    let due = state.due_after(shared.limits.header_read);
    while bytes.len() < PREFACE.len() && PREFACE.starts_with(&bytes) {
        match timeout_at(due, read_some(stream, &mut bytes)).await {
            Ok(read) => read.ok()?,
            Err(_) => {
                if shared.shutdown.is_requested() {
                    shared.refused.add(1);
                }
                return None;
            }
        }
    }
    Some(bytes)
}

/// Reads at most what is missing of a preface; the end of the stream is an error. Loses nothing when dropped.
async fn read_some<T: AsyncRead + Unpin>(stream: &mut T, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut space = [0; PREFACE.len()];
    let missing = PREFACE.len() - bytes.len();
    poll_fn(|context| {
        let mut buffer = ReadBuf::new(&mut space[..missing]);
        Pin::new(&mut *stream).poll_read(context, &mut buffer).map_ok(|()| {
            bytes.extend_from_slice(buffer.filled());
            buffer.filled().len()
        })
    })
    .await
    .and_then(|amount| if amount == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) })
}

/// Polls a connection until it is over, tells it of the stop, and ends it where it keeps us waiting too long.
async fn drive<C: Future>(
    mut connection: Pin<Box<C>>,
    finish: impl Fn(Pin<&mut C>),
    state: &State,
    is_http2: bool,
) {
    let limits = &state.shared.limits;
    let mut stop = pin!(state.shared.shutdown.requested());
    let mut timer = pin!(sleep_until(state.due_after(limits.header_read.min(limits.idle))));
    let (mut stopping, mut told) = (false, false);
    poll_fn(|context| {
        loop {
            if connection.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            if !stopping && stop.as_mut().poll(context).is_ready() {
                stopping = true;
                if !state.head_begun() {
                    state.wait_begins();
                }
            }
            // One that has begun a head would be closed: it gets to send the rest of it.
            if stopping && !told && (is_http2 || state.is_busy() || !state.head_begun()) {
                told = true;
                finish(connection.as_mut());
                continue;
            }
            let waits_for_head = told || stopping || (state.head_begun() && !is_http2);
            let limit = if waits_for_head { limits.header_read } else { limits.idle };
            let due = state.due(limit);
            if let Some(due) = due.filter(|due| *due < timer.deadline()) {
                timer.as_mut().reset(due);
            }
            if timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            let now = Instant::now();
            match due {
                None => timer.as_mut().reset(later(now, limits.idle.max(Duration::from_secs(1)))),
                Some(due) if now < due => timer.as_mut().reset(due),
                Some(_) if state.is_busy() => {
                    state.give_up();
                    return Poll::Ready(());
                }
                Some(_) if waits_for_head => {
                    if stopping {
                        state.shared.refused.add(1);
                    }
                    return Poll::Ready(());
                }
                // Idle for too long.
                Some(_) => {
                    told = true;
                    state.wait_begins();
                    finish(connection.as_mut());
                }
            }
        }
    })
    .await;
}

/// Cuts an upgraded stream when the task's time is over while its handler still has it.
struct Upgraded<'a>(&'a State);

impl Drop for Upgraded<'_> {
    fn drop(&mut self) {
        if !self.0.is_gone() {
            self.0.shared.cut.add(1);
            self.0.cut();
        }
    }
}

/// Waits for whoever has the stream after an upgrade.
async fn upgraded(state: &State) {
    if !state.is_gone() {
        let watch = Upgraded(state);
        state.gone().await;
        drop(watch);
    }
}
