//! Programs that must not compile, with the compiler's output. Their twins, which compile, are in `twins.rs`.
//!
//! The output is that of one compiler (`rust-toolchain.toml`); under any other they are skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The compiler whose words the `.stderr` files hold.
const CANONICAL: &str = "rustc 1.95.";

/// Puts the manifests where the crate that `trybuild` makes of the fixtures looks for them.
fn manifests() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/shutdown-tests/deploy");
    fs::create_dir_all(&made).expect("the build directory can be written");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/service.yaml");
    fs::copy(manifest, made.join("service.yaml")).expect("the manifest can be copied");
}

#[test]
fn refused() {
    let version = Command::new("rustc").arg("--version").output();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !version.starts_with(CANONICAL) || version.contains("nightly") || version.contains("beta") {
        println!("skipped: the texts are those of {CANONICAL}x, and this is {version}");
        return;
    }
    manifests();
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
