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

#[test]
fn the_lease_in_a_group_is_seen() {
    let graph = Service::graph().to_string();
    assert!(graph.contains("Journal"), "{graph}");
    let journal = Resource::new(Journal(1));
    let service = Service { task: flush(1, journal.lease(), &journal), resource: journal };
    assert!(format!("{service:?}").contains("flush"));
}
