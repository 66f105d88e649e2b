//! Patterns, raw identifiers and conditions in parameters.
#![allow(dead_code, clippy::unused_async)]

use shutdown_runtime::{Plan, Shutdown, background_task, shutdown_plan};

#[background_task(every = "1s")]
async fn patterns(
    mut n: u32,
    (a, mut b): (u8, u8),
    _: u8,
    #[cfg(any())] gone: u8,
    #[cfg(not(any()))] here: u8,
) {
    n += 1;
    b += 1;
    let _ = (n, a, b, here);
}

#[background_task(every = std::time::Duration::from_millis(*millis))]
async fn computed(millis: u64, r#type: u8) {
    let _ = (millis, r#type);
}

#[background_task]
async fn r#loop(r#type: u8, shutdown: Shutdown) {
    shutdown.requested().await;
    let _ = r#type;
}

struct Pair {
    left: u8,
    right: u8,
}

#[background_task]
async fn more_patterns(
    Pair { left, mut right }: Pair,
    [first, .., last]: [u8; 3],
    &borrowed: &'static [u8; 9],
    kept @ (1 | _): u8,
    (ref name, _): (String, u8),
    shutdown: Shutdown,
) {
    shutdown.requested().await;
    right += left + first + last + borrowed[8] + kept;
    let _ = (right, name.len());
}

#[background_task]
async fn conditional(
    #[cfg(any())] gone: &Missing,
    #[cfg(not(any()))] n: u8,
    #[cfg(any())] also_gone: Missing,
    #[allow(unused_variables)] unused: u8,
    #[cfg(not(any()))] shutdown: Shutdown,
) {
    shutdown.requested().await;
    let _ = n;
}

// Names that the generated code uses itself.
#[background_task(every = "1s")]
async fn own_names(issuer: u8, every: u8, shutdown: u8, ticks: u8, result: u8) {
    let _ = (issuer, every, shutdown, ticks, result);
}

#[background_task]
async fn never(shutdown: Shutdown) -> ! {
    loop {
        shutdown.requested().await;
        std::future::pending::<()>().await;
        if shutdown.is_requested() {
            std::process::exit(1);
        }
    }
}

#[background_task]
async fn opaque_error(shutdown: Shutdown) -> Result<(), impl std::error::Error + Send + Sync + 'static> {
    shutdown.requested().await;
    Err(std::fmt::Error)
}

#[derive(Debug)]
#[shutdown_plan(budget = "120s")]
struct Service {
    patterns: patterns,
    computed: computed,
    r#match: r#loop,
    phases: own_names,
    #[cfg(any())]
    gone: patterns,
    never: never,
    opaque: opaque_error,
    more: (more_patterns, conditional),
}

#[test]
fn names_are_shown_without_their_prefix() {
    let graph = Service::graph().to_string();
    assert!(graph.contains("match") && graph.contains("`loop`") && !graph.contains("r#"), "{graph}");
    assert_eq!(Service::SPEC.fields.len(), 8);
}

#[test]
fn the_call_takes_what_the_function_takes() {
    let plan = Service {
        patterns: patterns(1, (2, 3), 4, 5),
        computed: computed(6, 7),
        r#match: r#loop(8),
        phases: own_names(1, 2, 3, 4, 5),
        never: never(),
        opaque: opaque_error(),
        more: (
            more_patterns(Pair { left: 1, right: 2 }, [1, 2, 3], &[4; 9], 5, (String::new(), 6)),
            conditional(7, 8),
        ),
    };
    assert!(format!("{plan:?}").contains("loop"));
}
