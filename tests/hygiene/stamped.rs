//! Items made by `macro_rules!`, whose fragments arrive in invisible groups.
#![allow(dead_code, clippy::unused_async)]

use shutdown_runtime::{Lease, Resource, Shutdown};

macro_rules! items {
    ($vis:vis, $task:ident, $resource:ident, $plan:ident, $ty:ty, $lease:ty, $every:expr, $budget:literal, $body:block) => {
        #[shutdown_runtime::resource(close = async |_: &$resource| ())]
        $vis struct $resource($ty);

        #[shutdown_runtime::background_task(every = $every, budget = $budget)]
        $vis async fn $task(_value: $ty, _lease: $lease, _db: &$resource) $body

        #[derive(Debug)]
        #[shutdown_runtime::shutdown_plan(budget = "60s")]
        $vis struct $plan {
            task: $task,
            resource: Resource<$resource>,
        }
    };
}

items!(pub(crate), flush, Journal, Service, u32, Lease<Journal>, std::time::Duration::from_secs(1), "1s", { });

macro_rules! muncher {
    ($($item:tt)*) => { $($item)* };
}

muncher! {
    #[shutdown_runtime::background_task]
    async fn munched(shutdown: Shutdown) {
        shutdown.requested().await;
    }
}

/// Takes an item token by token, and gives it back at the end.
macro_rules! recursive_muncher {
    (@ [$($taken:tt)*]) => { $($taken)* };
    (@ [$($taken:tt)*] $next:tt $($rest:tt)*) => { recursive_muncher! { @ [$($taken)* $next] $($rest)* } };
    ($($item:tt)*) => { recursive_muncher! { @ [] $($item)* } };
}

recursive_muncher! {
    #[shutdown_runtime::shutdown_order(after = munched)]
    #[shutdown_runtime::background_task(budget = "2s")]
    async fn munched_slowly(db: &Journal, shutdown: Shutdown) {
        shutdown.requested().await;
        let _ = db.0;
    }
}

macro_rules! more_fragments {
    ($(#[$meta:meta])* $pattern:pat_param, $path:path, $life:lifetime, $tree:tt, $other:path, $item:item) => {
        $(#[$meta])*
        #[shutdown_runtime::background_task(stop = $tree)]
        #[shutdown_runtime::shutdown_order(after = $other)]
        async fn fragments<$life>($pattern: $path, db: &$life Journal) -> ::std::io::Result<()> {
            let _ = db.0;
            Ok(())
        }

        #[shutdown_runtime::background_task(every = "1s")]
        $item
    };
}

more_fragments! {
    /// Docs, which `missing_docs` would miss.
    #[allow(clippy::needless_lifetimes, single_use_lifetimes)]
    (_, _), PairOfBytes, 'a, "drop", munched, async fn whole_item(n: u8) { let _ = n; }
}

type PairOfBytes = (u8, u8);

#[derive(Debug)]
#[shutdown_runtime::shutdown_plan(budget = "60s")]
struct Munched {
    first: munched,
    others: (munched_slowly, fragments, whole_item),
    resource: Resource<Journal>,
}

#[test]
fn the_lease_in_a_group_is_seen() {
    let graph = Service::graph().to_string();
    assert!(graph.contains("Journal"), "{graph}");
    let journal = Resource::new(Journal(1));
    let service = Service { task: flush(1, journal.lease(), &journal), resource: journal };
    assert!(format!("{service:?}").contains("flush"));
    let graph = Munched::graph().to_string();
    assert_eq!(graph.matches("uses Journal").count(), 2, "{graph}");
}
