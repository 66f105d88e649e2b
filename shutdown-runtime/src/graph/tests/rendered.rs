//! A plan as people and programs read it, form by form.

use super::{holder, item, leak, one, order, sequence};
use crate::graph::{Behaviour, Direction, FieldSpec, Graph, Kind, MemberSpec, Node, PlanSpec, Unit};

/// A service with something of everything.
fn service() -> Graph {
    let db = item(1, "Db", Kind::Resource);
    let unit = Some(Unit::Batch { items: 50, per_item: 100 });
    let relay = MemberSpec {
        budget: Some(7_500),
        behaviour: Behaviour { unit, ..Behaviour::DEFAULT },
        ..holder(2, "relay", vec![one(&db), one(&db)])
    };
    let cleaner = MemberSpec {
        behaviour: Behaviour { unit: Some(Unit::Whole(2_500)), ..Behaviour::DEFAULT },
        orders: Vec::leak(vec![order(Direction::After, &relay), order(Direction::Before, &db)]),
        ..item(3, "cleaner", Kind::Hook)
    };
    let part = leak(PlanSpec { part: true, name: "Web", ..sequence(vec![("http", vec![relay])]) });
    let base = sequence(vec![("web", vec![]), ("work", vec![]), ("storage", vec![db])]);
    let mut fields = base.fields.to_vec();
    fields[0] = FieldSpec { node: Node::Part(part), ..fields[0] };
    let task = leak(Node::Member(leak(item(4, "extra", Kind::Task))));
    let several = Node::Many(leak(Node::Member(leak(cleaner))));
    let nodes = vec![several, Node::Optional(task), Node::Empty];
    fields[1] =
        FieldSpec { node: Node::All(Vec::leak(nodes)), budget: Some(4_000), declared: true, ..fields[1] };
    let path = Vec::leak(vec![16_500, 9_000, 5_000]);
    Graph::new(leak(PlanSpec {
        fields: Vec::leak(fields),
        path,
        budget: 30_500,
        pre_stop: 5_001,
        lame_duck: 1_000,
        ..base
    }))
}

/// Lines as they are, less the indentation that they have in this file.
fn lines(text: &str) -> String {
    text.lines().map(|line| line.strip_prefix("        ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn as_text() {
    let expected = lines(
        "Service: stops from top to bottom
           1. web              7500ms  first
                task `relay` 7500ms, unit 50 x 100ms = 5s, part `Web`, uses Db
           2. work                 4s  after web (declared order)
                several hook `cleaner` 4s, unit 2500ms, declared after relay, declared before Db
                optional task `extra` 4s
           3. storage              5s  after work (field order)
                resource `Db` 5s
        pre_stop 5001ms + lame_duck 1s + longest path 16500ms + margin 2s = 24501ms of 30500ms, 5999ms left
        ",
    );
    assert_eq!(service().text(), expected);
    let part = leak(PlanSpec { part: true, ..sequence(vec![("only", vec![item(1, "a", Kind::Task)])]) });
    assert!(Graph::new(part).text().ends_with("`a` 10s\nlongest path 10s\n"), "{}", Graph::new(part));
}

#[test]
fn as_mermaid_and_as_dot() {
    let mermaid = lines(
        "flowchart TD
            p0[\"web: relay (7500ms, unit 50 x 100ms = 5s)\"]
            p1[\"work: cleaner (4s, unit 2500ms), extra (4s)\"]
            p2[\"storage: Db (5s)\"]
            p0 --> p1
            p1 --> p2
            p0 -. \"relay uses Db\" .-> p2
        ",
    );
    assert_eq!(service().mermaid(), mermaid);
    let dot = lines(
        "digraph Service {
            rankdir = TB;
            p0 [shape = box, label = \"web\\nrelay (7500ms, unit 50 x 100ms = 5s)\"];
            p1 [shape = box, label = \"work\\ncleaner (4s, unit 2500ms)\\nextra (4s)\"];
            p2 [shape = box, label = \"storage\\nDb (5s)\"];
            p0 -> p1;
            p1 -> p2;
            p0 -> p2 [style = dotted, label = \"relay uses Db\"];
        }
        ",
    );
    assert_eq!(service().dot(), dot);
}

#[test]
fn as_json() {
    let relay = r#"{"name":"relay","kind":"task","budget_ms":7500,"unit_ms":5000,"at_drain":false,"part":"Web","uses":["Db"],"declared_orders":[]}"#;
    let cleaner = r#"{"name":"cleaner","kind":"hook","budget_ms":4000,"unit_ms":2500,"at_drain":false,"part":null,"uses":[],"declared_orders":["relay","Db"]}"#;
    let extra = r#"{"name":"extra","kind":"task","budget_ms":4000,"unit_ms":null,"at_drain":false,"part":null,"uses":[],"declared_orders":[]}"#;
    let db = r#"{"name":"Db","kind":"resource","budget_ms":5000,"unit_ms":null,"at_drain":false,"part":null,"uses":[],"declared_orders":[]}"#;
    let expected = format!(
        "{{{}[{},{},{}]}}\n",
        r#""plan":"Service","budget_ms":30500,"pre_stop_ms":5001,"at_drain_ms":0,"lame_duck_ms":1000,"margin_ms":2000,"longest_path_ms":16500,"phases":"#,
        format_args!(
            r#"{{"name":"web","budget_ms":7500,"after":[],"why":"field order","members":[{relay}]}}"#
        ),
        format_args!(
            r#"{{"name":"work","budget_ms":4000,"after":["web"],"why":"declared order","members":[{cleaner},{extra}]}}"#
        ),
        format_args!(
            r#"{{"name":"storage","budget_ms":5000,"after":["work"],"why":"field order","members":[{db}]}}"#
        ),
    );
    assert_eq!(service().json(), expected);
}

#[test]
fn for_kubernetes_whole_seconds_are_asked_for_and_never_too_few() {
    let expected = lines(
        "# what the plan `Service` asks of its Deployment
        spec:
          template:
            spec:
              terminationGracePeriodSeconds: 31
              containers:
                - name: service
                  lifecycle:
                    preStop:
                      sleep:
                        seconds: 6
                  # where the service answers probes, as with an admin server in its last phase:
                  # livenessProbe: { httpGet: { path: /livez, port: admin } }
                  # readinessProbe: { httpGet: { path: /readyz, port: admin } }
        ",
    );
    assert_eq!(service().kubernetes(), expected);
    let short = Graph::new(leak(PlanSpec { pre_stop: 1, ..sequence(vec![]) })).kubernetes();
    assert!(short.contains("                seconds: 1\n"), "{short}");
    let without = Graph::new(leak(sequence(vec![]))).kubernetes();
    assert!(!without.contains("lifecycle") && without.contains("Seconds: 600\n"), "{without}");
}

#[test]
fn a_use_points_to_the_resource_of_that_name_and_to_no_other() {
    let db = item(1, "Db", Kind::Resource);
    let (cache, task) = (item(2, "Cache", Kind::Resource), item(3, "Db", Kind::Task));
    let relay = holder(4, "relay", vec![one(&db)]);
    let plan = sequence(vec![("cache", vec![cache]), ("work", vec![relay, task]), ("storage", vec![db])]);
    let mermaid = Graph::new(leak(plan)).mermaid();
    let uses: Vec<_> = mermaid.lines().filter(|line| line.contains("uses")).collect();
    assert_eq!(uses, ["    p1 -. \"relay uses Db\" .-> p2"]);
}
