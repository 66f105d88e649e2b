// What never fails never fails ten times in a row.
use shutdown_runtime::background_task;

#[background_task(every = "1s", fail_after = 10)]
async fn relay() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
