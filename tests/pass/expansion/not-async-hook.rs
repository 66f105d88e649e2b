// A hook waits too.
use shutdown_runtime::shutdown_hook;

#[shutdown_hook]
async fn sign_off() {}

fn main() {}
