//! The tables themselves: counting, finding, telling apart, defaults.

use super::{field, holder, item, leak, one, sequence, solved};
use crate::graph::{
    Behaviour, Conduct, FieldSpec, Follows, Identity, Kind, Node, OnError, PlanSpec, Solved, capacity, check,
    members, solve, verify_field,
};

#[test]
fn a_field_that_failed_is_refused_with_its_own_text() {
    let db = item(1, "Db", Kind::Resource);
    let relay = holder(2, "relay", vec![one(&db)]);
    let solved = solved(sequence(vec![("storage", vec![db]), ("work", vec![relay])]));
    verify_field(&solved, 1);
    let refused = std::panic::catch_unwind(|| verify_field(&solved, 0)).unwrap_err();
    assert_eq!(refused.downcast_ref::<String>(), check(&solved).first());
}

#[test]
fn what_is_written_nowhere_is_what_the_documentation_says() {
    let defaults = [Kind::Task, Kind::Hook, Kind::Resource].map(|kind| item(1, "a", kind).default_budget());
    assert_eq!(defaults, [10_000, 5_000, 5_000]);
    assert_eq!(PlanSpec::MARGIN, 2_000);
    let task = Behaviour::DEFAULT;
    assert_eq!(
        (task.last, task.unit, task.fail_after, task.on_error),
        (false, None, None, OnError::Shutdown)
    );
    assert_eq!(Behaviour::PERIODIC, Behaviour { on_error: OnError::Log, ..task });
    assert_eq!(Conduct::DEFAULT, Conduct { job: false, ready_in_window: false });
}

#[test]
fn identities_differ_by_seed_module_line_and_column() {
    let modules = [
        "",
        "a",
        "b",
        "crate::a",
        "crate::b",
        "crate::a::b",
        "crate::module::of::many::words",
        "crate::module::of::many::wordt",
    ];
    let mut seen = std::collections::HashSet::new();
    for seed in [0, 1 << 40, 0x0123_4567_89ab_cdef, u64::MAX] {
        for module in modules {
            for (line, column) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (u32::MAX, 7)] {
                let identity = Identity::new(seed, module, line, column);
                assert!(seen.insert(identity.value()), "{seed} {module} {line}:{column}");
                assert!(identity.is(Identity::new(seed, module, line, column)));
                assert!(!identity.is(Identity::new(seed ^ 1 << 50, module, line, column)));
            }
        }
    }
}

#[test]
fn the_order_of_many_fields_is_kept_in_words() {
    let follows = Follows::Just(&[1 << 63, 1]);
    let followed: Vec<_> = (0..200).filter(|other| follows.contains(3, *other)).collect();
    assert_eq!(followed, [63, 64]);
    let above: Vec<_> = (0..5).filter(|other| Follows::Above.contains(3, *other)).collect();
    assert_eq!(above, [0, 1, 2]);
}

#[test]
fn members_are_counted_as_their_tables_need_them() {
    let task = leak(Node::Member(leak(item(1, "a", Kind::Task))));
    let part =
        Node::Part(leak(sequence(vec![("p", vec![item(2, "b", Kind::Task), item(3, "c", Kind::Hook)])])));
    let tuple = Node::All(Vec::leak(vec![*task, Node::Many(task), part, Node::Empty]));
    let plan = |nodes: Vec<Node>| {
        let fields = nodes.into_iter().map(|node| FieldSpec { node, ..field(0, "f", vec![]) }).collect();
        PlanSpec { fields: Vec::leak(fields), ..sequence(vec![]) }
    };
    let counted = |nodes| (members(&plan(nodes)), capacity(&plan(Vec::new())));
    assert_eq!(counted(vec![]), (0, 1));
    assert_eq!(counted(vec![Node::Empty]).0, 0);
    assert_eq!(counted(vec![*task, Node::Optional(task), tuple]).0, 1 + 1 + 4);
    // At most half full, so that a search for what is not there ends.
    let slots: Vec<_> = (0..5).map(|count| capacity(&plan(vec![*task; count]))).collect();
    assert_eq!(slots, [1, 4, 8, 8, 16]);
}

#[test]
fn tables_of_just_the_size_suffice() {
    let db = item(1, "Db", Kind::Resource);
    let relay = holder(2, "relay", vec![one(&db)]);
    let right = leak(sequence(vec![("work", vec![relay]), ("storage", vec![db])]));
    let solved: Solved<2, 8, 2> = solve(right);
    assert!(check(&solved).is_empty());
    let wrong = leak(sequence(vec![("storage", vec![db]), ("work", vec![relay])]));
    let solved: Solved<2, 8, 2> = solve(wrong);
    assert_eq!(check(&solved).len(), 1);
    let many: Vec<_> = (1..=16).map(|number| item(number, "many", Kind::Resource)).collect();
    let last = holder(17, "last", many.iter().map(one).collect());
    let plan = leak(sequence(vec![("work", vec![last]), ("storage", many)]));
    let solved: Solved<17, 64, 2> = solve(plan);
    assert!(check(&solved).is_empty(), "each is found, though some meet in the table");
}
