//! A way to a server that can go bad while it is in use: it gets slow, or it breaks and lets nobody through.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How the link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Each piece of data waits this long before it is passed on, in both directions.
    Up(Duration),
    /// Connections break as soon as they are made, and those that were there have broken.
    Broken,
}

/// A link that is up; its connections break when this is dropped.
pub(crate) struct Link {
    address: SocketAddr,
    state: watch::Sender<State>,
    _connections: JoinSet<()>,
}

impl Link {
    /// A link to `server`, as fast as that is for now.
    pub(crate) async fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, seen) = watch::channel(State::Up(Duration::ZERO));
        let mut connections = JoinSet::new();
        connections.spawn(accept(listener, Arc::from(server), seen));
        Self { address, state, _connections: connections }
    }

    /// Where to connect to in the server's place.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn is_now(&self, state: State) {
        self.state.send_replace(state);
    }
}

async fn accept(listener: TcpListener, server: Arc<str>, state: watch::Receiver<State>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        connections.spawn(join(client, Arc::clone(&server), state.clone()));
        while connections.try_join_next().is_some() {}
    }
}

/// One connection, until either end closes it or the link breaks: then both ends are closed.
async fn join(client: TcpStream, server: Arc<str>, mut state: watch::Receiver<State>) -> io::Result<()> {
    let (of_client, of_server) = (state.clone(), state.clone());
    let broken = state.wait_for(|state| *state == State::Broken);
    let exchange = async {
        let server = TcpStream::connect(&*server).await?;
        for end in [&client, &server] {
            end.set_nodelay(true)?;
        }
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::select! {
            ended = pass(from_client, to_server, of_client) => ended,
            ended = pass(from_server, to_client, of_server) => ended,
        }
    };
    tokio::select! {
        biased;
        _ = broken => Ok(()),
        ended = exchange => ended,
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut piece = [0; 16 * 1024];
    loop {
        let length = from.read(&mut piece).await?;
        if length == 0 {
            return to.shutdown().await;
        }
        let now = *state.borrow();
        if let State::Up(delay) = now {
            tokio::time::sleep(delay).await;
        }
        to.write_all(&piece[..length]).await?;
    }
}
