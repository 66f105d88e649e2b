// Where the first error starts the shutdown, the tenth comes too late.
use shutdown_runtime::background_task;

#[background_task(every = "1s", on_error = "log", fail_after = 10)]
async fn relay() -> std::io::Result<()> {
    Ok(())
}

fn main() {}
