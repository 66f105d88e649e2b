//! What a stop tells: lines and spans, numbers, the report as data, its drawing.

#![allow(clippy::unused_async, reason = "a close is async by its contract, awaits or not")]

mod collected;
mod drawing;
mod levels;
mod measured;
mod serialised;
mod spans;
