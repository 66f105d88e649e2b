//! Items that a careless scheme confuses.
#![allow(dead_code, clippy::unused_async, clippy::items_after_statements)]

use shutdown_runtime::graph::Identity;
use shutdown_runtime::{Item, ResourceSpec};

macro_rules! stamp {
    ($module:ident) => {
        mod $module {
            #[shutdown_runtime::resource(close = async |_: &Db| ())]
            pub(super) struct Db;
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

#[test]
fn all_are_different() {
    let (outer, inner) = local();
    let all = [first::Db::IDENTITY, second::Db::IDENTITY, outer, inner, one(), two()];
    for (at, identity) in all.iter().enumerate() {
        assert!(!all[at + 1..].contains(identity), "{at}");
    }
    assert_eq!(first::Db::IDENTITY, first::Db::NAME.identity);
}
