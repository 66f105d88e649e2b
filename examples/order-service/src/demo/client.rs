//! A customer: an HTTP client with keep-alive.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use uuid::Uuid;

const LONGEST_ANSWER: Duration = Duration::from_secs(15);
const LARGEST_ANSWER: usize = 64 * 1024;

/// Sends requests over connections that it keeps open.
#[derive(Debug, Clone)]
pub struct Customer(Client<HttpConnector, Full<Bytes>>);

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The whole body.
    pub body: Bytes,
}

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// No connection: the server has not seen the request.
    #[error("no connection: {0}")]
    Refused(String),
    /// The connection broke: the server may or may not have acted.
    #[error("no answer: {0}")]
    InDoubt(String),
}

impl Default for Customer {
    fn default() -> Self {
        Self(Client::builder(TokioExecutor::new()).build_http())
    }
}

impl Customer {
    /// Sends `body` as JSON, as it is, under a key of its own.
    pub async fn post(&self, url: &str, body: impl Into<Bytes>) -> Result<Answer, NoAnswer> {
        self.post_with_key(url, &Uuid::new_v4().to_string(), body).await
    }

    /// As [`post`](Self::post), under a key that a repetition bears again.
    pub async fn post_with_key(
        &self,
        url: &str,
        key: &str,
        body: impl Into<Bytes>,
    ) -> Result<Answer, NoAnswer> {
        self.send(Method::POST, url, Some(key), body.into()).await
    }

    /// Fetches `url`.
    pub async fn get(&self, url: &str) -> Result<Answer, NoAnswer> {
        self.send(Method::GET, url, None, Bytes::new()).await
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        key: Option<&str>,
        body: Bytes,
    ) -> Result<Answer, NoAnswer> {
        let mut request =
            Request::builder().method(method).uri(url).header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Full::new(body)).map_err(|error| NoAnswer::Refused(error.to_string()))?;
        let exchange = async {
            let response = self.0.request(request).await.map_err(|error| {
                if error.is_connect() {
                    NoAnswer::Refused(error.to_string())
                } else {
                    NoAnswer::InDoubt(error.to_string())
                }
            })?;
            let status = response.status();
            let body = Limited::new(response.into_body(), LARGEST_ANSWER).collect().await;
            let body = body.map_err(|error| NoAnswer::InDoubt(error.to_string()))?.to_bytes();
            Ok(Answer { status, body })
        };
        match tokio::time::timeout(LONGEST_ANSWER, exchange).await {
            Ok(answer) => answer,
            Err(_) => Err(NoAnswer::InDoubt(format!("nothing within {LONGEST_ANSWER:?}"))),
        }
    }
}
