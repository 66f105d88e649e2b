//! The order API.

use std::io;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use shutdown_runtime::{Lease, Shutdown, background_task};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::database::Database;
use crate::order_event::OrderPlaced;
use crate::orders::Order;
use crate::{orders, outbox, shipments};

/// A request that takes longer is given up; well below the budget, so a stop never has to (R-SHUT-HTTP-3).
const LONGEST_REQUEST: Duration = Duration::from_secs(10);
const LARGEST_BODY: usize = 16 * 1024;
const LONGEST_CUSTOMER: usize = 200;
const LARGEST_AMOUNT: i64 = 1_000_000_000;

/// Serves the order API; at a stop it accepts no more connections and finishes the requests that it has (R-SHUT-HTTP-1).
#[background_task(budget = "20s")]
pub async fn http_api(
    listener: TcpListener,
    database: Lease<Database>,
    shutdown: Shutdown,
) -> io::Result<()> {
    shutdown_runtime::http::serve(listener, routes(database), &shutdown).await
}

fn routes(database: Lease<Database>) -> Router {
    Router::new()
        .route("/orders", post(place_order))
        .route("/orders/{id}", get(show_order))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn(within_the_limit))
        .with_state(database)
}

/// What a customer sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewOrder {
    customer: String,
    amount_cents: i64,
}

/// What a customer gets.
#[derive(Debug, Serialize)]
struct OrderView {
    id: Uuid,
    customer: String,
    amount_cents: i64,
    shipment_planned: bool,
}

/// Writes the order and its event in one transaction. Nothing is published here: a request that waits for a broker is a
/// request that a stop has to wait for (R-SHUT-KFK-2).
async fn place_order(
    State(database): State<Lease<Database>>,
    Json(new): Json<NewOrder>,
) -> Result<Response, Refusal> {
    let order = checked(&new)?;
    let event = OrderPlaced {
        event_id: Uuid::new_v4(),
        order_id: order.id,
        customer: order.customer.clone(),
        amount_cents: order.amount_cents,
    };
    let mut transaction = database.begin().await?;
    orders::insert(&mut transaction, &order).await?;
    outbox::record(&mut transaction, &event).await?;
    transaction.commit().await?;

    let location = format!("/orders/{}", order.id);
    let Order { id, customer, amount_cents } = order;
    let view = OrderView { id, customer, amount_cents, shipment_planned: false };
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(view)).into_response())
}

fn checked(new: &NewOrder) -> Result<Order, Refusal> {
    let customer = new.customer.trim();
    if customer.is_empty() || customer.chars().count() > LONGEST_CUSTOMER || customer.contains('\0') {
        return Err(Refusal::Invalid("customer must have 1 to 200 characters"));
    }
    if !(1..=LARGEST_AMOUNT).contains(&new.amount_cents) {
        return Err(Refusal::Invalid("amount_cents must be from 1 to 1000000000"));
    }
    Ok(Order { id: Uuid::new_v4(), customer: customer.to_owned(), amount_cents: new.amount_cents })
}

async fn show_order(
    State(database): State<Lease<Database>>,
    Path(id): Path<Uuid>,
) -> Result<Json<OrderView>, Refusal> {
    let mut connection = database.reader().await?;
    let found = orders::find(&mut connection, id).await?;
    let Order { id, customer, amount_cents } = found.ok_or(Refusal::NotFound)?;
    let shipment_planned = shipments::is_planned(&mut connection, id).await?;
    Ok(Json(OrderView { id, customer, amount_cents, shipment_planned }))
}

/// Why a request got no answer of the kind it wanted.
#[derive(Debug)]
enum Refusal {
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
            Self::Invalid(text) => (StatusCode::UNPROCESSABLE_ENTITY, text),
            Self::NotFound => (StatusCode::NOT_FOUND, "no such order"),
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
