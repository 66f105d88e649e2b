//! The parts of the order service; `main.rs` puts them into a shutdown plan.
//!
//! An HTTP API writes orders, and the event that tells of each, in one transaction. A relay publishes those events to Kafka.
//! A consumer turns each event into a shipment, once. See `README.md` for how to run and rehearse it.

pub mod admin;
pub mod broker;
pub mod consume_error;
pub mod database;
pub mod demo;
pub mod embedded_broker;
pub mod export_worker;
pub mod fault;
pub mod hot_statements;
pub mod http;
pub mod logging;
pub mod measures;
pub mod order_cleaner;
pub mod order_consumer;
pub mod order_event;
pub mod order_events;
pub mod order_feed;
pub mod payment_settler;
pub mod product_consumer;
pub mod product_event;
pub mod product_feed;
pub mod relay;
pub mod settings;
pub mod start_error;
pub mod traces;

mod clock;
mod exports;
mod group_member;
mod idempotency;
mod inbox;
mod migrations;
mod orders;
mod outbox;
mod payments;
mod products;
mod shipments;
#[cfg(test)]
mod testing;
