//! Programs that must not compile, with the compiler's output. Their twins, which compile, are in `twins.rs`.
//!
//! The output is that of one compiler (`rust-toolchain.toml`); under any other they are skipped.

use std::process::Command;

/// The compiler whose words the `.stderr` files hold.
const CANONICAL: &str = "rustc 1.95.";

#[test]
fn refused() {
    let version = Command::new("rustc").arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !version.starts_with(CANONICAL) || version.contains("nightly") || version.contains("beta") {
        println!("skipped: the texts are those of {CANONICAL}x, and this is {version}");
        return;
    }
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
