//! What the unit tests share: a database in a directory that goes away.

use std::path::PathBuf;

use uuid::Uuid;

use crate::database::Database;
use crate::order_event::OrderPlaced;
use crate::orders::{self, Order};
use crate::{outbox, payments};

/// A new database with its directory.
pub(crate) struct Scratch {
    pub(crate) database: Database,
    pub(crate) url: String,
    directory: PathBuf,
}

impl Scratch {
    pub(crate) async fn new() -> Self {
        let directory = std::env::temp_dir().join(format!("order-service-unit-{}", Uuid::new_v4()));
        std::fs::create_dir(&directory).unwrap();
        let url = format!("sqlite://{}", directory.join("orders.sqlite").display());
        Self { database: Database::connect(&url).await.unwrap(), url, directory }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

pub(crate) fn event() -> OrderPlaced {
    OrderPlaced {
        event_id: Uuid::new_v4(),
        order_id: Uuid::new_v4(),
        customer: "somebody".to_owned(),
        amount_cents: 100,
    }
}

/// Places an order as the API does.
pub(crate) async fn place(database: &Database) -> sqlx::Result<OrderPlaced> {
    let event = event();
    let order =
        Order { id: event.order_id, customer: event.customer.clone(), amount_cents: event.amount_cents };
    let mut transaction = database.begin().await?;
    orders::insert(&mut transaction, &order).await?;
    outbox::record(&mut transaction, event.event_id, "orders", &event.order_id.to_string(), &event).await?;
    payments::request(&mut transaction, &order).await?;
    transaction.commit().await?;
    Ok(event)
}
