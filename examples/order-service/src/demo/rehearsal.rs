//! `order-service demo`: the whole path in one run, and the tally.

use std::time::{Duration, Instant};

use super::catalogue;
use super::client::Customer;
use super::load::{self, Load, LoadOutcome, Progress};
use super::observation::{self, Observation};
use super::service_process::{self, Ended, ServiceProcess, Surroundings};
use super::workplace::Workplace;
use super::{DemoError, audit};
use crate::embedded_broker::EmbeddedBroker;
use crate::start_error::StartError;

/// 500 orders at about a hundred a second.
const LOAD: Load = Load { orders: 499, customers: 6, pause: Duration::from_millis(60) };
/// Somebody else's products meanwhile.
const BETWEEN_CHANGES: Duration = Duration::from_millis(50);
/// The signal comes when this many of them have been accepted.
const MIDDLE: u32 = 250;
const LONGEST_START: Duration = Duration::from_secs(20);
const LONGEST_FIRST_SHIPMENT: Duration = Duration::from_secs(20);
/// What the plan grants, and a little for the process to go.
const LONGEST_STOP: Duration = Duration::from_secs(65);

/// Brings up a database and a broker, rehearses a stop under load, and fails unless every promise was kept.
pub async fn run() -> Result<(), StartError> {
    let broker = EmbeddedBroker::start()?;
    let workplace = Workplace::new()?;
    let surroundings = Surroundings {
        database_url: format!("sqlite://{}", workplace.path().join("orders.sqlite").display()),
        brokers: broker.bootstrap_servers().to_owned(),
        topic: "orders.created".to_owned(),
        group: "order-service".to_owned(),
    };
    println!("1. embedded parts: broker at {}, database in a file of its own", surroundings.brokers);
    rehearse(&surroundings).await?;
    Ok(())
}

async fn rehearse(surroundings: &Surroundings) -> Result<(), DemoError> {
    let binary = std::env::current_exe()
        .map_err(|error| DemoError::Surroundings("finding the service's own binary", error))?;

    println!("2. the plan, as the compiler checked it (SHUTDOWN_PLAN=text):\n");
    let mut print_plan = service_process::command(&binary, surroundings);
    let plan = service_process::output(print_plan.env("SHUTDOWN_PLAN", "text")).await?;
    println!("{}\n", indented(&plan));

    let mut service = ServiceProcess::start(&mut service_process::command(&binary, surroundings))?;
    let addresses = service.ready(LONGEST_START).await?;
    println!("3. the service is ready: orders on {}, probes on {}", addresses.api, addresses.probes);
    let mut outcome = first_order(&addresses.api).await?;

    println!("4. {} orders by {} customers, SIGTERM in the middle", LOAD.orders + 1, LOAD.customers);
    let progress = Progress::default();
    let stop = async {
        let ended = stop_in_the_middle(service, &progress).await;
        progress.enough();
        ended
    };
    let (rest, changes, ended) = tokio::join!(
        load::run(&addresses.api, LOAD, &progress),
        catalogue::run(surroundings, BETWEEN_CHANGES, &progress),
        stop
    );
    let (changes, ended) = (changes?, ended?);
    println!("   meanwhile {changes} changes of products came in");
    outcome.add(rest);
    println!("   the service ended after {:.2?} with {}", ended.took, ended.status);

    println!("5. its log, with the timeline of the stop:\n\n{}\n", indented(&ended.text()));

    println!("6. the audit:\n");
    let seen = observation::observe(surroundings).await?;
    print_tally(&outcome, &seen);
    let mut findings = audit::judge(surroundings, &outcome, &seen, &ended.log);
    findings.push(audit::Finding {
        promise: "the service ended with exit code 0",
        broken_by: Some(&ended)
            .filter(|ended| ended.code() != Some(0))
            .map(|ended| ended.status.to_string())
            .into_iter()
            .collect(),
    });
    for finding in &findings {
        println!("   {finding}");
    }
    match findings.iter().filter(|finding| !finding.holds()).count() {
        0 => {
            println!("\n   all {} promises were kept: nothing accepted was lost", findings.len());
            Ok(())
        }
        broken => Err(DemoError::Audit(broken)),
    }
}

/// Waits until one order has gone the whole way, so that the rest meets a service that consumes.
async fn first_order(api: &str) -> Result<LoadOutcome, DemoError> {
    let begun = Instant::now();
    let customer = Customer::default();
    let outcome = load::order(&customer, &format!("{api}/orders"), LOAD.orders).await;
    let Some(id) = outcome.accepted.first() else {
        return Err(DemoError::Service(format!("did not accept the first order: {outcome:?}")));
    };
    let url = format!("{api}/orders/{id}");
    while begun.elapsed() < LONGEST_FIRST_SHIPMENT {
        let answer = customer.get(&url).await;
        if answer
            .is_ok_and(|answer| String::from_utf8_lossy(&answer.body).contains("\"shipment_planned\":true"))
        {
            println!(
                "   the first order went all the way in {:.1?} (joining the group takes 3 s)",
                begun.elapsed()
            );
            return Ok(outcome);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(DemoError::Service(format!("did not ship the first order within {LONGEST_FIRST_SHIPMENT:?}")))
}

async fn stop_in_the_middle(service: ServiceProcess, progress: &Progress) -> Result<Ended, DemoError> {
    let begun = Instant::now();
    let mut next_line = 50;
    while progress.accepted() < MIDDLE && begun.elapsed() < LONGEST_START {
        if progress.accepted() >= next_line {
            println!("   {next_line:>4} accepted after {:.1?}", begun.elapsed());
            next_line += 50;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    service.terminate()?;
    println!(
        "   SIGTERM after {} accepted orders and {:.1?}; the customers go on",
        progress.accepted() + 1,
        begun.elapsed()
    );
    service.end(LONGEST_STOP).await
}

fn print_tally(outcome: &LoadOutcome, seen: &Observation) {
    let published = seen.outbox.iter().filter(|row| row.published).count();
    let committed: i64 = seen.committed.values().sum();
    let settled = seen.payments.values().filter(|settled| **settled).count();
    println!(
        "   customers   {} orders accepted, {} not (no connection), {} in doubt, {} failed",
        outcome.accepted.len(),
        outcome.refused,
        outcome.in_doubt,
        outcome.failed.len()
    );
    println!(
        "   database    {} orders, {settled} of them paid, {} events: {published} published, {} pending",
        seen.orders.len(),
        seen.outbox.len(),
        seen.outbox.len() - published
    );
    println!("   topics      {} messages, {committed} of them committed", seen.records.len());
    println!("   consumers   {} events processed, {} shipments\n", seen.processed.len(), seen.shipped.len());
}

fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("   | {line}")).collect::<Vec<_>>().join("\n")
}
