//! A client that shows what is on the wire.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// No answer takes that long, unless it never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// One connection.
pub(crate) struct Client(pub(crate) TcpStream);

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    pub(crate) fn says_close(&self) -> bool {
        self.head.to_ascii_lowercase().contains("connection: close")
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> io::Result<Self> {
        timeout(PATIENCE, TcpStream::connect(address)).await?.map(Self)
    }

    pub(crate) async fn send(&mut self, bytes: &str) -> io::Result<()> {
        self.0.write_all(bytes.as_bytes()).await
    }

    /// Sends a request and reads its answer.
    pub(crate) async fn get(&mut self, path: &str) -> io::Result<Answer> {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n")).await?;
        self.answer().await
    }

    /// Reads to the end of a head.
    pub(crate) async fn head(&mut self) -> io::Result<String> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(PATIENCE, self.0.read_u8()).await??);
        }
        Ok(String::from_utf8_lossy(&head).into_owned())
    }

    /// Reads one answer of a told length.
    pub(crate) async fn answer(&mut self) -> io::Result<Answer> {
        let head = self.head().await?;
        let lower = head.to_ascii_lowercase();
        let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
        let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
        timeout(PATIENCE, self.0.read_exact(&mut body)).await??;
        Ok(Answer { head, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// Waits for the server to close; what it sent until then.
    pub(crate) async fn closed(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        let read = timeout(PATIENCE, self.0.read_to_end(&mut rest)).await;
        // A reset is a close as well.
        let _: io::Result<usize> = read.expect("the connection is still open");
        rest
    }
}
