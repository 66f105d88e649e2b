// A unit of work that takes longer than the budget is aborted in its middle by every stop.
use shutdown_runtime::background_task;

#[background_task(every = "1m", budget = "10s", unit = "12s")]
async fn report_writer() {}

fn main() {}
