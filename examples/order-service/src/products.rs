//! The table `product`: the catalogue.

use sqlx::AnyConnection;

use crate::product_event::ProductChanged;

/// Takes a change over, unless a later one has been; whether it did.
pub(crate) async fn apply(connection: &mut AnyConnection, event: &ProductChanged) -> sqlx::Result<bool> {
    let result = sqlx::query(
        "INSERT INTO product (id, name, price_cents, version) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, price_cents = excluded.price_cents, \
         version = excluded.version WHERE excluded.version > product.version",
    )
    .bind(event.product_id.clone())
    .bind(event.name.clone())
    .bind(event.price_cents)
    .bind(event.version)
    .execute(connection)
    .await?;
    Ok(result.rows_affected() == 1)
}
