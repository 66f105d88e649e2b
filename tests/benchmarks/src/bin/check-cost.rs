//! What the macros and a plan add to `cargo check`: generates crates and times them in turns.
//!
//! `cargo run --release -p shutdown-benchmarks --bin check-cost -- 100`. Prints medians and differences of the same run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What a generated crate contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Functions,
    Attributes,
    Plan(Shape),
}

/// How the plan is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    PhasesOfTen,
    Flat,
    Parts,
}

const CRATES: [(&str, Content); 5] = [
    ("functions", Content::Functions),
    ("attributes", Content::Attributes),
    ("plan-phases-of-ten", Content::Plan(Shape::PhasesOfTen)),
    ("plan-flat", Content::Plan(Shape::Flat)),
    ("plan-parts", Content::Plan(Shape::Parts)),
];

fn resources(tasks: usize) -> usize {
    (tasks / 20).max(3)
}

fn source(content: Content, tasks: usize) -> String {
    let mut out = String::from("#![allow(dead_code, unused_variables, unused_imports)]\n");
    let resources = resources(tasks);
    if content == Content::Functions {
        for resource in 0..resources {
            let _ = writeln!(out, "pub struct R{resource}(u32);");
        }
    } else {
        out.push_str(
            "use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};\n",
        );
        for resource in 0..resources {
            let _ = writeln!(out, "#[resource(close = close_{resource})] pub struct R{resource}(u32);");
            let _ = writeln!(out, "async fn close_{resource}(_: &R{resource}) {{}}");
        }
    }
    for task in 0..tasks {
        let uses: Vec<_> = (0..3).map(|each| format!("r{each}: &R{}", (task + each) % resources)).collect();
        if content == Content::Functions {
            let _ = writeln!(
                out,
                "pub async fn t{task}({}, n: u32) {{ std::future::pending::<()>().await }}",
                uses.join(", ")
            );
        } else {
            let _ = writeln!(
                out,
                "#[background_task(budget = \"1s\")] pub async fn t{task}({}, n: u32, shutdown: Shutdown) {{ shutdown.requested().await }}",
                uses.join(", ")
            );
        }
    }
    if let Content::Plan(shape) = content {
        plan(&mut out, shape, tasks, resources);
    }
    out
}

fn plan(out: &mut String, shape: Shape, tasks: usize, resources: usize) {
    let fields = |out: &mut String, from: usize, to: usize, name: &str, ten: bool| {
        let step = if ten { 10 } else { 1 };
        for first in (from..to).step_by(step) {
            let members: Vec<_> = (first..(first + step).min(to)).map(|task| format!("t{task}")).collect();
            let kind = if ten { format!("({},)", members.join(", ")) } else { members.join(", ") };
            let _ = writeln!(out, "    {name}{first}: {kind},");
        }
    };
    let head = "#[shutdown_plan(budget = \"10h\")] pub struct Service {\n";
    match shape {
        Shape::PhasesOfTen | Shape::Flat => {
            out.push_str(head);
            fields(out, 0, tasks, "phase", shape == Shape::PhasesOfTen);
        }
        Shape::Parts => {
            let parts = tasks.div_ceil(100);
            for part in 0..parts {
                let _ = writeln!(out, "#[shutdown_plan(part)] pub struct Inner{part} {{");
                fields(out, part * 100, (part * 100 + 100).min(tasks), "phase", true);
                let _ = writeln!(
                    out,
                    "}}\n#[shutdown_plan(part)] pub struct Outer{part} {{ inner: Inner{part} }}"
                );
            }
            out.push_str(head);
            for part in 0..parts {
                let _ = writeln!(out, "    part{part}: Outer{part},");
            }
        }
    }
    for resource in 0..resources {
        let _ = writeln!(out, "    r{resource}: Resource<R{resource}>,");
    }
    out.push_str("}\n");
}

fn generate(
    folder: &Path,
    runtime: &Path,
    name: &str,
    content: Content,
    tasks: usize,
) -> std::io::Result<()> {
    let home = folder.join(name);
    std::fs::create_dir_all(home.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\nshutdown-runtime = {{ path = \"{}\" }}\n",
        runtime.display()
    );
    std::fs::write(home.join("Cargo.toml"), manifest)?;
    std::fs::write(home.join("src/lib.rs"), source(content, tasks))
}

fn check(folder: &Path, name: &str) -> std::io::Result<Duration> {
    let source = folder.join(name).join("src/lib.rs");
    let text = std::fs::read(&source)?;
    std::fs::write(&source, text)?;
    let began = Instant::now();
    let output = Command::new("cargo")
        .args(["check", "--offline", "--quiet", "-p", name])
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(folder)
        .output()?;
    let elapsed = began.elapsed();
    if output.status.success() {
        Ok(elapsed)
    } else {
        Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

fn main() -> std::io::Result<()> {
    let tasks = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100);
    let rounds = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(7);
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let runtime = here.join("../../shutdown-runtime").canonicalize()?;
    let folder = std::env::temp_dir().join(format!("check-cost-{}", std::process::id()));
    for (name, content) in CRATES {
        generate(&folder, &runtime, name, content, tasks)?;
    }
    let members: Vec<_> = CRATES.iter().map(|(name, _)| format!("{name:?}")).collect();
    std::fs::write(
        folder.join("Cargo.toml"),
        format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", ")),
    )?;
    std::fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut samples = vec![Vec::new(); CRATES.len()];
    for round in 0..=rounds {
        for (which, (name, _)) in CRATES.iter().enumerate() {
            let elapsed = check(&folder, name)?;
            // The first round builds the dependencies.
            if round > 0 {
                samples[which].push(elapsed);
            }
        }
    }
    println!(
        "cargo check of {tasks} tasks, three uses each, {} resources; medians of {rounds} rounds in turns",
        resources(tasks)
    );
    let medians: Vec<_> = samples
        .iter_mut()
        .map(|samples| {
            samples.sort();
            samples[samples.len() / 2].as_secs_f64()
        })
        .collect();
    for (which, (name, content)) in CRATES.iter().enumerate() {
        let base = usize::from(matches!(content, Content::Plan(_)));
        println!(
            "  {name:<20} {:>6.3} s, {:+.3} s to {}",
            medians[which],
            medians[which] - medians[base],
            CRATES[base].0
        );
    }
    if std::env::var_os("CHECK_COST_KEEP").is_some() {
        println!("kept in {}", folder.display());
        return Ok(());
    }
    std::fs::remove_dir_all(&folder)
}
