//! Placing an order, and looking at one.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use uuid::Uuid;

use super::{Handlers, Refusal, customer};
use crate::order_event::OrderPlaced;
use crate::orders::{self, Order};
use crate::{idempotency, outbox, payments, shipments};

const LARGEST_AMOUNT: i64 = 1_000_000_000;
const LONGEST_KEY: usize = 100;

/// What a customer sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewOrder {
    customer: String,
    amount_cents: i64,
}

/// What a customer gets.
#[derive(Debug, Serialize)]
pub(super) struct OrderView {
    id: Uuid,
    customer: String,
    amount_cents: i64,
    shipment_planned: bool,
    paid: bool,
}

/// Writes the order, its payment, its event and its key in one transaction. Nothing is published here: a request that waits
/// for a broker is a request that a stop has to wait for (R-SHUT-KFK-2).
///
/// A customer who does not know what became of a request, since the connection broke or the service stopped, repeats it with
/// the same `Idempotency-Key`, here or at another replica, and gets the order that came of it (R-SHUT-IDEM-1, R-SHUT-IDEM-X1).
#[tracing::instrument(skip_all)]
pub(super) async fn place(
    State(Handlers { database, orders_topic, .. }): State<Handlers>,
    headers: HeaderMap,
    Json(new): Json<NewOrder>,
) -> Result<Response, Refusal> {
    let key = key(&headers)?;
    let order = checked(&new)?;
    let fingerprint = format!("{} {}", order.amount_cents, order.customer);
    let mut transaction = database.begin().await?;
    orders::insert(&mut transaction, &order).await?;
    if !idempotency::take(&mut transaction, &key, &fingerprint, order.id).await? {
        transaction.rollback().await?;
        return repeated(&mut *database.reader().await?, &key, &fingerprint).await;
    }
    let event = OrderPlaced {
        event_id: Uuid::new_v4(),
        order_id: order.id,
        customer: order.customer.clone(),
        amount_cents: order.amount_cents,
    };
    payments::request(&mut transaction, &order).await?;
    outbox::record(&mut transaction, event.event_id, &orders_topic, &order.id.to_string(), &event).await?;
    transaction.commit().await?;
    metrics::counter!("orders_placed_total").increment(1);
    Ok(created(OrderView {
        id: order.id,
        customer: order.customer,
        amount_cents: order.amount_cents,
        shipment_planned: false,
        paid: false,
    }))
}

fn key(headers: &HeaderMap) -> Result<String, Refusal> {
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Refusal::Malformed("Idempotency-Key must be given, with 1 to 100 visible characters"));
    }
    Ok(key.to_owned())
}

fn checked(new: &NewOrder) -> Result<Order, Refusal> {
    let customer = customer(&new.customer)?;
    if !(1..=LARGEST_AMOUNT).contains(&new.amount_cents) {
        return Err(Refusal::Invalid("amount_cents must be from 1 to 1000000000"));
    }
    Ok(Order { id: Uuid::new_v4(), customer, amount_cents: new.amount_cents })
}

/// The answer to a request that bears a key of before: the order of then, as it is now.
async fn repeated(connection: &mut AnyConnection, key: &str, fingerprint: &str) -> Result<Response, Refusal> {
    let remembered = idempotency::find(connection, key).await?.ok_or(Refusal::NotFound)?;
    if remembered.fingerprint != fingerprint {
        return Err(Refusal::Invalid("this Idempotency-Key was used for another order"));
    }
    Ok(created(view(connection, remembered.order).await?))
}

fn created(view: OrderView) -> Response {
    let location = format!("/orders/{}", view.id);
    (StatusCode::CREATED, [(header::LOCATION, location)], Json(view)).into_response()
}

pub(super) async fn show(
    State(Handlers { database, .. }): State<Handlers>,
    Path(id): Path<Uuid>,
) -> Result<Json<OrderView>, Refusal> {
    view(&mut *database.reader().await?, id).await.map(Json)
}

async fn view(connection: &mut AnyConnection, id: Uuid) -> Result<OrderView, Refusal> {
    let Order { id, customer, amount_cents } =
        orders::find(connection, id).await?.ok_or(Refusal::NotFound)?;
    let shipment_planned = shipments::is_planned(connection, id).await?;
    let paid = payments::is_settled(connection, id).await?;
    Ok(OrderView { id, customer, amount_cents, shipment_planned, paid })
}
