//! Lists the twins, so that none can be forgotten: each becomes a module of one test crate.

use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let mut modules = String::new();
    for layer in entries(&Path::new(&root).join("pass")) {
        for twin in entries(&layer) {
            let name = twin.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
            let layer = layer.file_name().unwrap_or_default().to_string_lossy();
            // A raw string, since a path may hold backslashes.
            let twin = twin.display();
            modules.extend([
                format!("mod {layer}_{name} {{ include!(r#\"{twin}\"#);"),
                " #[test] fn compiles() { let _ = main; } }\n".to_owned(),
            ]);
        }
    }
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("twins.rs"), modules).expect("the build directory can be written");
    println!("cargo::rerun-if-changed=pass");
}

fn entries(directory: &Path) -> Vec<std::path::PathBuf> {
    let read = fs::read_dir(directory).expect("the twins' directory can be read");
    let mut paths: Vec<_> = read.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
