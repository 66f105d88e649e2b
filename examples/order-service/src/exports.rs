//! The table `export`: long work, asked for with 202 and looked at later (R-SHUT-HTTP-3).

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::clock::now_in_milliseconds;
use crate::database::Dialect;

/// How many orders one step goes through.
pub(crate) const PAGE: u16 = 500;

/// An export as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Export {
    pub(crate) id: String,
    pub(crate) customer: String,
    /// The last order that was counted.
    pub(crate) after_order: String,
    pub(crate) orders: i64,
    pub(crate) amount_cents: i64,
    pub(crate) is_finished: bool,
}

type Row = (String, String, String, i64, i64, i64);

fn export((id, customer, after_order, orders, amount_cents, finished): Row) -> Export {
    Export { id, customer, after_order, orders, amount_cents, is_finished: finished == 1 }
}

/// Asks for an export.
pub(crate) async fn request(connection: &mut AnyConnection, id: Uuid, customer: &str) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO export (id, customer, after_order, orders, amount_cents, requested_at) \
         VALUES ($1, $2, '', 0, 0, $3)",
    )
    .bind(id.to_string())
    .bind(customer.to_owned())
    .bind(now_in_milliseconds())
    .execute(connection)
    .await
    .map(drop)
}

pub(crate) async fn find(connection: &mut AnyConnection, id: Uuid) -> sqlx::Result<Option<Export>> {
    let row: Option<Row> = sqlx::query_as(
        "SELECT id, customer, after_order, orders, amount_cents, \
         CAST(CASE WHEN finished_at IS NULL THEN 0 ELSE 1 END AS BIGINT) FROM export WHERE id = $1",
    )
    .bind(id.to_string())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(export))
}

/// The export that has waited longest. On `PostgreSQL` it stays locked until the caller's transaction ends, and another
/// replica's worker takes another one.
pub(crate) async fn next(connection: &mut AnyConnection, dialect: Dialect) -> sqlx::Result<Option<Export>> {
    let statement = match dialect {
        Dialect::Postgres => NEXT_WITH_LOCK,
        Dialect::Sqlite => NEXT,
    };
    Ok(sqlx::query_as(statement).fetch_optional(connection).await?.map(export))
}

pub(crate) const NEXT: &str = "SELECT id, customer, after_order, orders, amount_cents, CAST(0 AS BIGINT) FROM export \
     WHERE finished_at IS NULL ORDER BY requested_at LIMIT 1";
pub(crate) const NEXT_WITH_LOCK: &str = "SELECT id, customer, after_order, orders, amount_cents, CAST(0 AS BIGINT) FROM export \
     WHERE finished_at IS NULL ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED";

pub(crate) const ORDERS_OF_CUSTOMER: &str =
    "SELECT id, amount_cents FROM orders WHERE customer = $1 AND id > $2 ORDER BY id LIMIT $3";

/// Goes through the next page of an export, and notes how far it came.
pub(crate) async fn step(connection: &mut AnyConnection, export: &Export) -> sqlx::Result<()> {
    let page: Vec<(String, i64)> = sqlx::query_as(ORDERS_OF_CUSTOMER)
        .bind(export.customer.clone())
        .bind(export.after_order.clone())
        .bind(i64::from(PAGE))
        .fetch_all(&mut *connection)
        .await?;
    let finished_at = (page.len() < usize::from(PAGE)).then(now_in_milliseconds);
    let after_order = page.last().map_or_else(|| export.after_order.clone(), |(id, _)| id.clone());
    let count = i64::try_from(page.len()).unwrap_or(i64::MAX);
    let amount: i64 = page.iter().map(|(_, amount)| amount).sum();
    sqlx::query(
        "UPDATE export SET after_order = $1, orders = orders + $2, amount_cents = amount_cents + $3, finished_at = $4 \
         WHERE id = $5",
    )
    .bind(after_order)
    .bind(count)
    .bind(amount)
    .bind(finished_at)
    .bind(export.id.clone())
    .execute(connection)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export_worker::export_worker;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn an_export_goes_on_behind_the_page_where_it_stopped() {
        let scratch = Scratch::new().await;
        let (id, many) = (Uuid::new_v4(), i64::from(PAGE) + 20);
        let mut transaction = scratch.database.begin().await.unwrap();
        for amount in 1..=many {
            let order = crate::orders::Order {
                id: Uuid::new_v4(),
                customer: if amount % 10 == 0 { "Bob" } else { "Ada" }.to_owned(),
                amount_cents: amount,
            };
            crate::orders::insert(&mut transaction, &order).await.unwrap();
            let more = crate::orders::Order { id: Uuid::new_v4(), ..order };
            crate::orders::insert(&mut transaction, &more).await.unwrap();
        }
        request(&mut transaction, id, "Ada").await.unwrap();
        transaction.commit().await.unwrap();

        let wanted: i64 = (1..=many).filter(|amount| amount % 10 != 0).map(|amount| 2 * amount).sum();
        let mut counted = Vec::new();
        loop {
            export_worker::body(&scratch.database).await.unwrap();
            let export = find(&mut scratch.database.reader().await.unwrap(), id).await.unwrap().unwrap();
            counted.push(export.orders);
            if export.is_finished {
                assert_eq!(export.amount_cents, wanted);
                break;
            }
        }
        assert_eq!(counted, [500, many * 2 * 9 / 10]);
    }
}
