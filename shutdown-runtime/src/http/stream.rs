//! A connection's stream, whoever holds it: the protocol, or after an upgrade the handler.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;

use super::state::{Progress, State};

/// A stream that gives back first what was read to tell the protocol, notes that bytes came and went, fails once it is
/// cut, and says when it is dropped.
pub(super) struct Tracked<T> {
    stream: T,
    /// Read already; given back from the end of what was.
    first: Vec<u8>,
    given: usize,
    state: Arc<State>,
    _permit: OwnedSemaphorePermit,
}

impl<T> Tracked<T> {
    pub(super) fn new(stream: T, state: &Arc<State>, permit: OwnedSemaphorePermit) -> Self {
        Self { stream, first: Vec::new(), given: 0, state: Arc::clone(state), _permit: permit }
    }

    /// Has these bytes, which were read from it, read again.
    pub(super) fn give_back(&mut self, first: Vec<u8>) {
        self.first = first;
        self.given = 0;
    }
}

impl<T> Drop for Tracked<T> {
    fn drop(&mut self) {
        self.state.stream_dropped();
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the time of the task that serves is over")
}

impl<T: AsyncRead + Unpin> AsyncRead for Tracked<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.state.is_cut_for_reader(context.waker()) {
            return Poll::Ready(Err(cut()));
        }
        let this = &mut *self;
        let rest = this.first.get(this.given..).unwrap_or_default();
        if !rest.is_empty() {
            let amount = rest.len().min(buffer.remaining());
            buffer.put_slice(&rest[..amount]);
            this.given += amount;
            if this.given == this.first.len() {
                this.give_back(Vec::new());
            }
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            this.state.bytes_read();
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Tracked<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.state.is_cut_for_writer(context.waker()) {
            return Poll::Ready(Err(cut()));
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.state.wrote(if written.is_ready() { Progress::Some } else { Progress::None });
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A protocol flushes its stream when it has written all that it had.
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.state.wrote(if flushed.is_ready() { Progress::All } else { Progress::None });
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.state.is_cut_for_writer(context.waker()) {
            return Poll::Ready(Err(cut()));
        }
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.state.is_cut_for_writer(context.waker()) {
            return Poll::Ready(Err(cut()));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.state.wrote(if written.is_ready() { Progress::Some } else { Progress::None });
        written
    }
}
