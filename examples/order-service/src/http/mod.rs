//! The order API.

use std::io;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use shutdown_runtime::{Lease, Shutdown, Uses, background_task};
use tokio::net::TcpListener;

use crate::database::Database;
use crate::fault::Fault;

mod exports;
mod orders;

/// A request that takes longer is given up; well below the budget, so a stop never has to (R-SHUT-HTTP-3).
const LONGEST_REQUEST: Duration = Duration::from_secs(10);
const LARGEST_BODY: usize = 16 * 1024;
const LONGEST_CUSTOMER: usize = 200;

/// Serves the order API; at a stop it accepts no more connections and finishes the requests that it has (R-SHUT-HTTP-1).
#[background_task(budget = "20s")]
pub async fn http_api(
    listener: TcpListener,
    database: Lease<Database>,
    orders_topic: String,
    fault: Option<Fault>,
    shutdown: Shutdown,
) -> io::Result<()> {
    let handlers = Handlers { database, orders_topic, fault };
    shutdown_runtime::http::serve(listener, routes(handlers), &shutdown).await
}

/// What the handlers work with.
#[derive(Clone, Debug, Uses)]
struct Handlers {
    database: Lease<Database>,
    orders_topic: String,
    fault: Option<Fault>,
}

fn routes(handlers: Handlers) -> Router {
    Router::new()
        .route("/orders", post(orders::place))
        .route("/orders/{id}", get(orders::show))
        .route("/exports", post(exports::request))
        .route("/exports/{id}", get(exports::show))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(within_the_limit))
        .with_state(handlers)
}

/// The name of a customer, if it is one.
fn customer(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_CUSTOMER || name.contains('\0') {
        return Err(Refusal::Invalid("customer must have 1 to 200 characters"));
    }
    Ok(name.to_owned())
}

/// Why a request got no answer of the kind it wanted.
#[derive(Debug)]
enum Refusal {
    Malformed(&'static str),
    Invalid(&'static str),
    NotFound,
    Unavailable(sqlx::Error),
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        Self::Unavailable(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Self::Malformed(text) => (StatusCode::BAD_REQUEST, text),
            Self::Invalid(text) => (StatusCode::UNPROCESSABLE_ENTITY, text),
            Self::NotFound => (StatusCode::NOT_FOUND, "no such thing"),
            Self::Unavailable(error) => {
                tracing::error!(%error, "request failed");
                (StatusCode::SERVICE_UNAVAILABLE, "try again later")
            }
        };
        (status, Json(serde_json::json!({ "error": text }))).into_response()
    }
}

/// Gives up a request that takes too long; its transaction is rolled back.
async fn within_the_limit(request: Request, next: Next) -> Response {
    match tokio::time::timeout(LONGEST_REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "took too long\n").into_response(),
    }
}
