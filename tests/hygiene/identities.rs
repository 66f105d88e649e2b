//! Items that a careless scheme confuses.
#![allow(dead_code, clippy::unused_async, clippy::items_after_statements)]

use shutdown_runtime::graph::{Graph, Identity};
use shutdown_runtime::{Item, Resource, ResourceSpec, shutdown_plan};

macro_rules! stamp {
    ($module:ident) => {
        mod $module {
            #[shutdown_runtime::resource(close = async |_: &Db| ())]
            pub(super) struct Db;

            #[shutdown_runtime::background_task(every = "1s")]
            pub(super) async fn relay(_db: &Db) {}
        }
    };
}

stamp!(first);
stamp!(second);

fn local() -> (Identity, Identity) {
    let outer = {
        #[shutdown_runtime::resource(close = async |_: &Db| ())]
        struct Db;
        Db::IDENTITY
    };
    let inner = {
        #[shutdown_runtime::resource(close = async |_: &Db| ())]
        struct Db;
        Db::IDENTITY
    };
    (outer, inner)
}

macro_rules! two_at_once {
    ($($function:ident)+) => {
        $(fn $function() -> Identity {
            #[shutdown_runtime::resource(close = async |_: &Db| ())]
            struct Db;
            Db::IDENTITY
        })+
    };
}

two_at_once!(one);
two_at_once!(two);

/// Two calls of one macro.
#[shutdown_plan(budget = "60s")]
struct Stamped {
    workers: (first::relay, second::relay),
    storage: (Resource<first::Db>, Resource<second::Db>),
}

/// Two versions of one crate, with the same names at the same places.
#[shutdown_plan(budget = "60s")]
struct Versions {
    workers: (elsewhere::relay, elsewhere_next::relay),
    parts: (elsewhere::Workers, elsewhere_next::Workers),
    storage: (Resource<elsewhere::Db>, Resource<elsewhere_next::Db>),
}

/// Two resources of one name in one function, and a plan with both.
fn locals() -> Graph {
    mod outer {
        #[shutdown_runtime::resource(close = async |_: &Db| ())]
        pub(super) struct Db;
    }

    #[shutdown_runtime::resource(close = async |_: &Db| ())]
    struct Db;

    #[shutdown_runtime::background_task(every = "1s")]
    async fn relay(_one: &Db, _other: &outer::Db) {}

    #[shutdown_plan(budget = "60s")]
    struct Service {
        workers: relay,
        storage: (Resource<Db>, Resource<outer::Db>),
    }
    Service::graph()
}

#[test]
fn a_plan_may_hold_them_together() {
    for graph in [Stamped::graph(), Versions::graph(), locals()] {
        assert_eq!(graph.to_string().matches("resource `Db`").count(), 2, "{graph}");
    }
}

#[test]
fn the_two_versions_differ_in_nothing_but_the_version() {
    let [one, other] =
        [include_str!("../elsewhere/src/lib.rs"), include_str!("../elsewhere/next/src/lib.rs")];
    assert_eq!(one, other);
}

#[test]
fn all_are_different() {
    let (outer, inner) = local();
    let all = [
        first::Db::IDENTITY,
        second::Db::IDENTITY,
        first::relay::IDENTITY,
        second::relay::IDENTITY,
        elsewhere::Db::IDENTITY,
        elsewhere_next::Db::IDENTITY,
        elsewhere::relay::IDENTITY,
        elsewhere_next::relay::IDENTITY,
        outer,
        inner,
        one(),
        two(),
    ];
    for (at, identity) in all.iter().enumerate() {
        assert!(!all[at + 1..].contains(identity), "{at}");
    }
    assert_eq!(first::Db::IDENTITY, first::Db::NAME.identity);
}
