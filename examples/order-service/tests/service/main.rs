//! The service as a real process: stopped under load, made to misbehave, started wrongly.

mod bad_input;
mod balancer;
mod brokers;
mod conditions;
mod consumers;
mod databases;
mod fault;
mod faults_under_load;
mod handover;
mod independent_broker;
mod link;
mod overrun;
mod placed_events;
mod postgres;
mod postgres_server;
mod requests;
mod resume;
mod rolling;
mod sigkill;
mod sigterm_under_load;
mod start;
mod support;
mod traces;
