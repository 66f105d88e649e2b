//! What takes too long to be waited for is asked for with 202 and looked at later (R-SHUT-HTTP-3): a stop waits for no export,
//! and none is lost, since the table is the queue.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Handlers, Refusal, customer};
use crate::{exports, fault};

/// What a customer sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewExport {
    customer: String,
}

/// What a customer gets: how far the export is.
#[derive(Debug, Serialize)]
pub(super) struct ExportView {
    id: Uuid,
    customer: String,
    finished: bool,
    orders: i64,
    amount_cents: i64,
}

#[tracing::instrument(skip_all)]
pub(super) async fn request(
    State(Handlers { database, fault, .. }): State<Handlers>,
    Json(new): Json<NewExport>,
) -> Result<Response, Refusal> {
    let (id, customer) = (Uuid::new_v4(), customer(&new.customer)?);
    let mut transaction = database.begin().await?;
    exports::request(&mut transaction, id, &customer).await?;
    fault::handler_passes(fault).await;
    transaction.commit().await?;
    let location = [(header::LOCATION, format!("/exports/{id}"))];
    let view = ExportView { id, customer, finished: false, orders: 0, amount_cents: 0 };
    Ok((StatusCode::ACCEPTED, location, Json(view)).into_response())
}

pub(super) async fn show(
    State(Handlers { database, .. }): State<Handlers>,
    Path(id): Path<Uuid>,
) -> Result<Json<ExportView>, Refusal> {
    let mut connection = database.reader().await?;
    let export = exports::find(&mut connection, id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(ExportView {
        id,
        customer: export.customer,
        finished: export.is_finished,
        orders: export.orders,
        amount_cents: export.amount_cents,
    }))
}
