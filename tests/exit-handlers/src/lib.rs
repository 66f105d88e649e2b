//! An exit handler that never returns, as some C libraries' are while their threads wait for each other.
//!
//! Rust has no safe way to register one, so this crate, which only tests use, declares the C library's `atexit` itself.
#![cfg(unix)]

use std::time::Duration;

unsafe extern "C" {
    safe fn atexit(handler: extern "C" fn()) -> i32;
}

extern "C" fn hang() {
    std::thread::sleep(Duration::from_secs(600));
}

/// From now on whoever ends the process through `exit` hangs in a handler. Returns whether it could be registered.
#[must_use]
pub fn hang_at_exit() -> bool {
    // Safe: the handler is a function without captures, and touches nothing but the clock.
    atexit(hang) == 0
}
