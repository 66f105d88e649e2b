//! Accepting connections until the stop, and then what the kernel has queued.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select;
use tokio::net::{TcpListener, TcpStream};

use super::server::Connections;
use super::service::HttpService;
use crate::guarded::tell;

/// The first wait after an error such as "too many open files"; it doubles up to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(5);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How many queued connections are accepted at the stop: more than a kernel queues, so that only a flood meets it.
const QUEUE: usize = 65_536;

/// What can be listened on: tokio's `TcpListener`, or the standard library's, also one that was inherited in blocking mode.
pub trait Listener: sealed::Sealed {
    /// As tokio's, in the mode that it needs.
    #[doc(hidden)]
    fn into_listener(self) -> io::Result<TcpListener>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for tokio::net::TcpListener {}
    impl Sealed for std::net::TcpListener {}
}

impl Listener for std::net::TcpListener {
    fn into_listener(self) -> io::Result<TcpListener> {
        self.set_nonblocking(true)?;
        TcpListener::from_std(self)
    }
}

impl Listener for TcpListener {
    fn into_listener(self) -> io::Result<TcpListener> {
        // It may have been made of one in blocking mode, which would block the task.
        self.into_std()?.into_listener()
    }
}

/// Accepts until the stop, takes what is queued, and closes the listener.
pub(super) async fn until_the_stop<S: HttpService>(listener: TcpListener, connections: &Connections<S>) {
    let shared = &connections.shared;
    {
        let stop = async {
            if shared.limits.accept_in_lame_duck {
                shared.shutdown.requested().await;
            } else {
                shared.shutdown.draining().await;
            }
        };
        // The stop first, so that a flood of connections does not hide it.
        select(pin!(stop), pin!(accept(&listener, connections))).await;
    }
    match listener.into_std() {
        Ok(listener) => take_queue(&listener, connections),
        Err(error) => tell!(warn, %error, "the listener closes without a look at its queue"),
    }
}

async fn accept<S: HttpService>(
    listener: &TcpListener,
    connections: &Connections<S>,
) -> std::convert::Infallible {
    let mut wait = FIRST_WAIT;
    loop {
        let Ok(permit) = Arc::clone(&connections.permits).acquire_owned().await else {
            // The semaphore is never closed.
            return std::future::pending().await;
        };
        match listener.accept().await {
            Ok((stream, peer)) => {
                wait = FIRST_WAIT;
                let _ = stream.set_nodelay(true);
                let _ = connections.serve_permitted(stream, Some(peer), permit);
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tell!(warn, %error, ?wait, "a connection could not be accepted");
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(LONGEST_WAIT);
            }
        }
    }
}

/// Whether the client went away before it was accepted.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The kernel's queue, which a close would reset.
fn take_queue<S: HttpService>(listener: &std::net::TcpListener, connections: &Connections<S>) {
    for _ in 0..QUEUE {
        let (stream, peer) = match listener.accept() {
            Ok(accepted) => accepted,
            Err(error) if is_the_clients(&error) => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(error) => {
                tell!(warn, %error, "the listener closes with connections in its queue");
                return;
            }
        };
        let permit = Arc::clone(&connections.permits).try_acquire_owned();
        let stream = stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream));
        let (Ok(permit), Ok(stream)) = (permit, stream) else {
            connections.shared.refused.add(1);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let _ = connections.serve_permitted(stream, Some(peer), permit);
    }
}
