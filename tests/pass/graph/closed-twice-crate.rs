// Nor can two parts of another crate.
use shutdown_runtime::shutdown_plan;

#[shutdown_plan(budget = "60s")]
struct Service {
    outbox: elsewhere::Whole,
    replica: elsewhere_next::Whole,
}

fn main() {}
