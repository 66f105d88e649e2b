//! The service as a real process: stopped under load, made to misbehave, started wrongly.

mod bad_input;
mod overrun;
mod postgres;
mod postgres_server;
mod resume;
mod sigterm_under_load;
mod start;
mod support;
