//! Who uses what, where it closes, and how a plan is mended.

use super::{field, holder, item, leak, one, order, sequence, texts};
use crate::graph::{Direction, FieldSpec, Held, Kind, MemberSpec, Node, PlanSpec, UseSpec};

#[test]
fn another_resource_of_the_same_name_is_named_and_no_task_is_taken_for_it() {
    let (meant, other) = (item(1, "Db", Kind::Resource), item(2, "Db", Kind::Resource));
    let relay = holder(3, "relay", vec![one(&meant)]);
    let (cache, task) = (item(4, "Cache", Kind::Resource), item(5, "Db", Kind::Task));
    let plan = sequence(vec![("work", vec![relay, task]), ("storage", vec![cache, other])]);
    assert_eq!(
        texts(plan),
        ["[never-closed] nothing in `Service` closes `Db`\n\
          `relay` (phase `work`, 1st to stop) takes it\n\
          `Db` (phase `storage`, 2nd to stop), declared at src/main.rs:2, is another one; `relay` is declared at src/main.rs:3\n\
          help: add a field of type `Resource<Db>` below `work`, by the path of the one that `relay` means"]
    );
    let plan = sequence(vec![("work", vec![relay, task]), ("storage", vec![cache])]);
    assert_eq!(
        texts(plan),
        ["[never-closed] nothing in `Service` closes `Db`\n\
          `relay` (phase `work`, 1st to stop) takes it\n\
          help: add a field of type `Resource<Db>` below `work`"]
    );
}

#[test]
fn names_are_the_same_only_as_a_whole() {
    for other in ["D", "Dbx", "Da", "Xb", "db", "b", ""] {
        let (meant, other) = (item(1, "Db", Kind::Resource), item(2, other, Kind::Resource));
        let relay = holder(3, "relay", vec![one(&meant)]);
        let plan = sequence(vec![("work", vec![relay]), ("storage", vec![other])]);
        assert!(!texts(plan)[0].contains("another one"), "`{}`", other.name);
    }
}

#[test]
fn a_field_is_not_moved_below_who_still_needs_another_of_its_members() {
    let (db, cache) = (item(1, "Db", Kind::Resource), item(2, "Cache", Kind::Resource));
    let relay = holder(3, "relay", vec![one(&db)]);
    let apart = "[close-before-wait] `Db` closes before `relay` has been waited for\n\
                 `relay` (phase `work`, 2nd to stop) takes it\n\
                 `Db` (phase `storage`, 1st to stop) would already be closed\n\
                 help: move `Db` out of `storage` into a field of its own below `work`: what else is in `storage` must stop before that";
    // By what it uses, be it not the first; by its own order; by the other's.
    let janitor = holder(4, "janitor", vec![&Held::Nothing, one(&cache)]);
    let plan = sequence(vec![("storage", vec![db, janitor]), ("work", vec![relay, cache])]);
    assert_eq!(texts(plan), [apart]);
    // Also where it holds that inside something else; what it holds beside it keeps nobody.
    for (held, keeps) in [
        (vec![one(&cache)], true),
        (vec![&Held::Nothing, one(&cache)], true),
        (vec![&Held::Nothing, one(&item(8, "Far", Kind::Resource))], false),
    ] {
        let janitor = holder(4, "janitor", vec![leak(Held::All(Vec::leak(held)))]);
        let far = item(8, "Far", Kind::Resource);
        let plan =
            sequence(vec![("storage", vec![db, janitor]), ("work", vec![relay, cache]), ("far", vec![far])]);
        assert_eq!(texts(plan)[0] == apart, keeps);
    }
    let before = order(Direction::Before, &relay);
    let first = MemberSpec {
        orders: Vec::leak(vec![order(Direction::After, &cache), before]),
        ..item(5, "first", Kind::Hook)
    };
    let plan = sequence(vec![("storage", vec![db, first]), ("work", vec![relay])]);
    assert_eq!(texts(plan), [apart]);
    let other = item(6, "other", Kind::Task);
    let waits = MemberSpec { orders: Vec::leak(vec![order(Direction::After, &other)]), ..relay };
    let plan = sequence(vec![("storage", vec![other, db]), ("work", vec![waits])]);
    assert_eq!(texts(plan), [apart]);
    // Who stands elsewhere keeps nobody, nor does the user itself where both share a phase.
    let plan = sequence(vec![
        ("storage", vec![db]),
        ("work", vec![relay, cache]),
        ("late", vec![item(7, "late", Kind::Task)]),
    ]);
    assert!(texts(plan)[0].ends_with("help: move the field `storage` below `work`"));
    let plan = sequence(vec![("both", vec![db, relay])]);
    assert_eq!(
        texts(plan),
        ["[close-before-wait] `Db` closes in the same phase as `relay`, which uses it\n\
          `relay` (phase `both`, 1st to stop) takes it\n\
          `Db` (phase `both`, 1st to stop) would be closing while it still runs\n\
          help: move `Db` out of `both` into a field of its own below `both`"]
    );
}

#[test]
fn two_that_use_each_other_are_told_that_one_has_to_do_without() {
    let (a, b) = (item(1, "A", Kind::Resource), item(2, "B", Kind::Resource));
    let uses = |of: &MemberSpec, other: &MemberSpec| MemberSpec {
        uses: Vec::leak(vec![UseSpec { held: one(other), how: "holds it", declared: false }]),
        ..*of
    };
    let texts = texts(sequence(vec![("one", vec![uses(&a, &b)]), ("two", vec![uses(&b, &a)])]));
    assert_eq!(
        texts,
        ["[close-before-wait] `A` closes before `B` has been waited for\n\
          `B` (phase `two`, 2nd to stop) holds it\n\
          `A` (phase `one`, 1st to stop) would already be closed\n\
          help: let `B` or `A` do without the other: they use each other, and neither can close after both"]
    );
}

#[test]
fn what_is_held_inside_something_is_judged_like_what_is_held() {
    let (db, cache) = (item(1, "Db", Kind::Resource), item(2, "Cache", Kind::Resource));
    let nothing = leak(Held::All(&[&Held::Nothing, &Held::Nothing]));
    let last = leak(Held::All(Vec::leak(vec![nothing, one(&db)])));
    for held in [
        last,
        leak(Held::Inside(nothing, Vec::leak(vec![nothing, one(&db)]))),
        leak(Held::Inside(last, Vec::leak(vec![one(&cache)]))),
    ] {
        let relay = holder(3, "relay", vec![&Held::Nothing, held]);
        let above = texts(sequence(vec![("storage", vec![db]), ("work", vec![relay])]));
        assert_eq!(above.len(), 1, "{held:?}: {above:?}");
        assert!(
            above[0].starts_with("[close-before-wait] `Db` closes before `relay`"),
            "{held:?}: {above:?}"
        );
        // What the type itself says counts alone, where it says something: nothing asks for the cache.
        assert_eq!(texts(sequence(vec![("work", vec![relay]), ("storage", vec![db])])), [""; 0], "{held:?}");
    }
    let twice = holder(3, "relay", vec![one(&db), one(&cache)]);
    let texts = texts(sequence(vec![("storage", vec![db]), ("work", vec![twice])]));
    assert_eq!(texts.len(), 2, "each of what it holds: {texts:?}");
}

#[test]
fn two_places_of_one_resource_are_named_and_not_those_inside_one_part() {
    let db = item(1, "Db", Kind::Resource);
    let plan = sequence(vec![("one", vec![db]), ("two", vec![db])]);
    assert_eq!(
        texts(plan),
        ["[closed-twice] `Db` is closed in two places\n\
          first `Db` (phase `one`, 1st to stop), then `Db` (phase `two`, 2nd to stop)\n\
          help: keep one of them; two instances are two types, or one `Vec<Resource<Db>>`"]
    );
    let part = leak(PlanSpec { part: true, name: "Web", ..sequence(vec![("a", vec![db]), ("b", vec![db])]) });
    let inside = |fields: &'static [FieldSpec]| PlanSpec {
        fields,
        ..sequence(vec![("web", vec![]), ("rest", vec![])])
    };
    let web = FieldSpec { node: Node::Part(part), ..field(0, "web", vec![]) };
    let rest = field(1, "rest", vec![item(9, "rest", Kind::Task)]);
    assert_eq!(texts(inside(Vec::leak(vec![web, rest]))), [""; 0], "the part judges itself");
    // A tuple of two parts: what one of them says is another's affair.
    let both = FieldSpec { node: Node::All(Vec::leak(vec![web.node, web.node])), ..web };
    let texts = texts(inside(Vec::leak(vec![both, rest])));
    assert!(texts[0].starts_with("[closed-twice] `Db`"), "{texts:?}");
    assert!(texts[0].contains("`Db` (part `Web` in phase `web`, 1st to stop)"), "{texts:?}");
}

#[test]
fn a_part_that_only_wraps_another_says_nothing_of_its_own() {
    let db = item(1, "Db", Kind::Resource);
    let inner = leak(PlanSpec {
        part: true,
        ..sequence(vec![("a", vec![db]), ("b", vec![holder(2, "relay", vec![one(&db)])])])
    });
    let wrapping = |part, others: usize| {
        let mut fields = vec![FieldSpec { node: Node::Part(inner), ..field(0, "inner", vec![]) }];
        fields.extend((1..=others).map(|number| field(number, "other", vec![db])));
        texts(PlanSpec { fields: Vec::leak(fields), part, ..sequence(vec![]) }).len()
    };
    assert_eq!((wrapping(true, 0), wrapping(false, 0)), (0, 0));
    assert!(wrapping(true, 1) > 0, "a second field may be in each other's way");
}
