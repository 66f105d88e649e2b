//! Orders: of items, and of fields that form a cycle.

use super::{holder, item, one, order, sequence, texts};
use crate::graph::{Because, CycleStep, Direction, Held, Kind, MemberSpec, PlanSpec};

#[test]
fn orders_of_items_that_form_a_cycle_are_shown_edge_by_edge() {
    let (a, b, c) = (item(1, "a", Kind::Task), item(2, "b", Kind::Task), item(3, "c", Kind::Task));
    // a before b, b before c, and c before a: once said by the earlier one, once by the later.
    let first = MemberSpec { orders: Vec::leak(vec![order(Direction::Before, &b)]), ..a };
    let third = MemberSpec {
        orders: Vec::leak(vec![order(Direction::After, &b), order(Direction::Before, &a)]),
        ..c
    };
    let plan = sequence(vec![("one", vec![first]), ("two", vec![b]), ("three", vec![third])]);
    assert_eq!(
        texts(plan),
        ["[order-cycle] the orders of the items form a cycle\n\
          `a` -> `b` -> `c` -> `a`  (each before the next)\n\
          `#[shutdown_order(before = a)]` on `c`, src/main.rs:3\n\
          `#[shutdown_order(after = b)]` on `c`, src/main.rs:3\n\
          `#[shutdown_order(before = b)]` on `a`, src/main.rs:1\n\
          help: take back one of these orders; the fields of this plan go against the first"]
    );
}

#[test]
fn an_order_against_a_use_is_the_one_to_take_off() {
    let db = item(1, "Db", Kind::Resource);
    let relay = MemberSpec {
        orders: Vec::leak(vec![order(Direction::After, &db)]),
        ..holder(2, "relay", vec![&Held::Nothing, one(&db)])
    };
    assert_eq!(
        texts(sequence(vec![("work", vec![relay]), ("storage", vec![db])])),
        ["[order-violated] `relay` must stop after `Db`, and the plan stops it before\n\
          `#[shutdown_order(after = Db)]` on `relay` says so\n\
          `Db` (phase `storage`, 2nd to stop), declared at src/main.rs:1\n\
          `relay` (phase `work`, 1st to stop), declared at src/main.rs:2\n\
          but `relay` takes it, so `Db` must close after it\n\
          help: take `#[shutdown_order(after = Db)]` off `relay`: no plan can obey it"]
    );
    // A task is nothing that could be used, whatever names it.
    let task = MemberSpec { kind: Kind::Task, ..db };
    let texts = texts(sequence(vec![("work", vec![relay]), ("storage", vec![task])]));
    assert!(texts[0].ends_with("help: move the field `work` below `storage`"), "{texts:?}");
}

#[test]
fn of_a_cycle_of_fields_nothing_else_is_judged() {
    let db = item(1, "Db", Kind::Resource);
    let relay = holder(2, "relay", vec![one(&db)]);
    let steps = [(0, Because::Below), (1, Because::After), (2, Because::Before)];
    let cycle = steps.map(|(field, because)| CycleStep { field, because }).to_vec();
    let plan =
        sequence(vec![("one", vec![db]), ("two", vec![relay]), ("three", vec![item(3, "t", Kind::Task)])]);
    let plan = PlanSpec { cycle: Vec::leak(cycle), budget: 1, ..plan };
    assert_eq!(
        texts(plan),
        ["[order-cycle] the orders of the fields form a cycle\n\
          `one` -> `two` -> `three` -> `one`  (each after the next)\n\
          `one` follows `two`: it stands below it\n\
          `two` follows `three`: `#[shutdown_order(after = [three])]` on `two`\n\
          `three` follows `one`: `#[shutdown_order(before = [three])]` on `one`\n\
          help: take back one of these orders"]
    );
}
