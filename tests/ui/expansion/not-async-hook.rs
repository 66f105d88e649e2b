// A hook waits too.
use shutdown_runtime::shutdown_hook;

#[shutdown_hook]
fn sign_off() {}

fn main() {}
