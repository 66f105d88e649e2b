//! Time: totals, phases, units of work, to the millisecond.

use super::{field, item, leak, sequence, solved, texts};
use crate::graph::{
    Behaviour, FieldSpec, Kind, MemberSpec, Node, PlanSpec, Unit, failures, longest_path_from, verify_budget,
};

#[test]
fn the_budget_is_compared_to_the_millisecond() {
    // Two tasks of 10 s, one after the other, and all that is kept beside them.
    let plan = |budget, part, cycle| PlanSpec {
        budget,
        part,
        cycle,
        pre_stop: 300,
        lame_duck: 20,
        margin: 2_000,
        ..sequence(vec![("one", vec![item(1, "a", Kind::Task)]), ("two", vec![item(2, "b", Kind::Task)])])
    };
    assert!(texts(plan(22_320, false, &[])).is_empty());
    let over = failures(&solved(plan(22_319, false, &[])));
    assert_eq!((over.len(), over[0].field), (1, None));
    assert!(
        over[0].text.starts_with("[over-budget]") && over[0].text.contains("22320ms"),
        "{}",
        over[0].text
    );
    assert!(texts(plan(1, true, &[])).is_empty(), "a part has no budget of its own");
    let refused = std::panic::catch_unwind(|| verify_budget(leak(plan(22_319, false, &[])))).unwrap_err();
    assert_eq!(refused.downcast_ref::<String>(), Some(&over[0].text));
    verify_budget(leak(plan(22_320, false, &[])));
}

#[test]
fn a_phase_grants_its_members_and_parts_what_they_need_to_the_millisecond() {
    let task = |budget| MemberSpec { budget: Some(budget), ..item(1, "a", Kind::Task) };
    let plan = |granted, node: Node| {
        let fields = vec![FieldSpec { budget: Some(granted), node, ..field(0, "only", vec![]) }];
        PlanSpec { fields: Vec::leak(fields), ..sequence(vec![("only", vec![])]) }
    };
    let rules = |granted, node: Node| -> Vec<String> {
        texts(plan(granted, node))
            .into_iter()
            .map(|text| text.split(' ').next().unwrap().to_owned())
            .collect()
    };
    let member = Node::Member(leak(task(1_000)));
    let part = Node::Part(leak(PlanSpec { part: true, ..sequence(vec![("p", vec![task(1_000)])]) }));
    for (node, rule) in [(member, "[phase-under-member]"), (part, "[part-over-budget]")] {
        for node in [
            node,
            Node::Optional(leak(node)),
            Node::Many(leak(node)),
            Node::All(Vec::leak(vec![Node::Empty, node])),
        ] {
            assert_eq!(rules(999, node), [rule], "{node:?}");
            assert_eq!(rules(1_000, node), [""; 0], "{node:?}");
        }
    }
    // What wrote no budget takes what the phase grants.
    assert_eq!(rules(1, Node::Member(leak(item(1, "a", Kind::Task)))), [""; 0]);
}

#[test]
fn a_unit_of_work_fits_its_budget_to_the_millisecond_and_twice_where_there_is_a_last_one() {
    let works = |unit, last| {
        let behaviour = Behaviour { unit: Some(Unit::Whole(unit)), last, ..Behaviour::PERIODIC };
        let task = MemberSpec { behaviour, ..item(1, "a", Kind::Task) };
        texts(sequence(vec![("only", vec![task])]))
    };
    let over = |unit, last, text: &str| {
        let texts = works(unit, last);
        let told = texts.first().is_some_and(|first| first.starts_with(text));
        assert!(texts.len() == 1 && told, "{texts:?}");
    };
    assert!(works(10_000, false).is_empty() && works(5_000, true).is_empty());
    over(
        10_001,
        false,
        "[unit-over-budget] one unit of `a` may take 10001ms, and without a written budget it gets 10s\nhelp:",
    );
    over(5_001, true, "[unit-over-budget] one unit of `a` may take 5001ms, the last one as long again, and");
    // And never wraps.
    over(u64::MAX, true, "[unit-over-budget] one unit of `a`");
}

#[test]
fn a_total_is_shown_with_its_terms_and_who_wrote_them() {
    let written =
        |number, name, budget| MemberSpec { budget: Some(budget), ..item(number, name, Kind::Task) };
    let fields = vec![
        ("one", vec![item(1, "a", Kind::Task), written(2, "b", 1_000)]),
        ("two", vec![item(3, "c", Kind::Hook), written(4, "d", 10_000)]),
        ("none", vec![written(5, "e", 0)]),
        ("three", vec![item(6, "f", Kind::Task)]),
    ];
    let mut fields: Vec<_> = fields
        .into_iter()
        .enumerate()
        .map(|(number, (name, members))| field(number, name, members))
        .collect();
    fields[3].budget = Some(1_500);
    let fields: &'static [FieldSpec] = Vec::leak(fields);
    let order = &[0, 1, 2, 3];
    let path = Vec::leak(longest_path_from::<4>(fields, order).to_vec());
    assert_eq!(path, [21_500, 11_500, 1_500, 1_500]);
    let plan =
        PlanSpec { fields, order, path, pre_stop: 5_000, lame_duck: 250, budget: 20_000, ..sequence(vec![]) };
    assert_eq!(
        texts(plan),
        ["[over-budget] `Service` may need 28750ms of the 20s that its platform grants\n\
          pre_stop 5s + lame_duck 250ms + one 10s by default + two 10s + three 1500ms + margin 2s = 28750ms\n\
          help: 8750ms must go: write smaller budgets (`budget` on a task, hook or resource, `#[phase(budget)]` on a field),\n\
          or let phases that do not need each other stop together, as one field with a tuple"]
    );
    let alone = sequence(vec![("one", vec![item(1, "a", Kind::Task)])]);
    assert_eq!(
        texts(PlanSpec { budget: 11_000, ..alone }),
        ["[over-budget] `Service` may need 12s of the 11s that its platform grants\n\
          one 10s by default + margin 2s = 12s\n\
          help: 1s must go: write smaller budgets (`budget` on a task, hook or resource, `#[phase(budget)]` on a field)"]
    );
}

#[test]
fn beside_each_other_the_longer_one_counts() {
    let phase = |number: usize, after: &'static [u16], budget| FieldSpec {
        after,
        ..field(number, "f", vec![MemberSpec { budget: Some(budget), ..item(1, "a", Kind::Task) }])
    };
    let fields = [phase(0, &[], 1), phase(1, &[0], 20), phase(2, &[0], 300), phase(3, &[1, 2], 4_000)];
    assert_eq!(longest_path_from::<4>(&fields, &[0, 1, 2, 3]), [4_301, 4_020, 4_300, 4_000]);
    assert_eq!(longest_path_from::<4>(&fields, &[0, 2, 1, 3]), [4_301, 4_020, 4_300, 4_000]);
    let endless = [phase(0, &[], u64::MAX), phase(1, &[0], 1)];
    assert_eq!(longest_path_from::<2>(&endless, &[0, 1]), [u64::MAX, 1], "and never wraps");
}
