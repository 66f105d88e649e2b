//! Benchmarks: `cargo bench -p shutdown-benchmarks`. Figures are ratios within one run; no test is timed.
