// No error at all cannot be too many.
use shutdown_runtime::background_task;

#[background_task(every = "1s", fail_after = 1)]
async fn relay() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
