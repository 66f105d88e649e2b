//! A plan written out by hand, as the macros would: the public traits are enough.
#![cfg(feature = "test-util")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use shutdown_runtime::graph::{
    Behaviour, Conduct, FieldSpec, Follows, Held, Identity, Kind, MemberSpec, Node, Place, PlanSpec,
    ResourceName, Solved, UseSpec, capacity, check, failures, longest_path_from, members, solve,
    verify_field,
};
use shutdown_runtime::{
    BoxFuture, Closing, Issuer, Item, Lend, Outcome, Phase, Phases, Plan, Resource, ResourceSpec, TaskResult,
    TaskSpec, TaskValue, testing,
};

type Log = Arc<Mutex<Vec<&'static str>>>;

struct Db(Log);

impl Item for Db {
    const IDENTITY: Identity = Identity::new(1, module_path!(), line!(), column!());
}

impl ResourceSpec for Db {
    const SPEC: &'static MemberSpec = &MemberSpec {
        identity: Self::IDENTITY,
        name: "Db",
        kind: Kind::Resource,
        budget: Some(3_000),
        uses: &[],
        orders: &[],
        behaviour: Behaviour::DEFAULT,
        place: Place { file: file!(), line: line!() },
    };

    fn reissue(&mut self, _: &mut Issuer) {}

    fn close(&self, closing: Closing) -> BoxFuture<'_, TaskResult> {
        Box::pin(async move {
            assert!(closing.time_left() > Duration::ZERO);
            self.0.lock().unwrap().push("Db closed");
            Ok(())
        })
    }
}

struct Relay(TaskValue);

const RELAY: &MemberSpec = &MemberSpec {
    identity: Identity::new(2, module_path!(), line!(), column!()),
    name: "relay",
    kind: Kind::Task,
    budget: Some(2_000),
    uses: &[UseSpec { held: &Held::One(&DB), how: "takes `db: &Db`", declared: false }],
    orders: &[],
    behaviour: Behaviour::DEFAULT,
    place: Place { file: file!(), line: line!() },
};
const DB: ResourceName = Db::NAME;

fn relay(db: &dyn Lend<Db>) -> Relay {
    let mut issuer = TaskValue::issuer(RELAY);
    let db = Lend::lend(db, &mut issuer);
    Relay(TaskValue::new(issuer, None, move |shutdown| {
        Box::pin(async move {
            shutdown.requested().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
            db.0.lock().unwrap().push("relay done");
            Ok(())
        })
    }))
}

impl TaskSpec for Relay {
    const SPEC: &'static MemberSpec = RELAY;

    fn into_value(self) -> TaskValue {
        self.0
    }
}

struct Service {
    workers: Relay,
    storage: Resource<Db>,
}

const FIELDS: &[FieldSpec] = &[
    FieldSpec {
        name: "workers",
        node: Relay::NODE,
        budget: None,
        after: &[],
        follows: Follows::Above,
        declared: false,
        rank: 1,
    },
    FieldSpec {
        name: "storage",
        node: <Resource<Db> as Phase>::NODE,
        budget: None,
        after: &[0],
        follows: Follows::Above,
        declared: false,
        rank: 2,
    },
];

const SWAPPED: &[FieldSpec] =
    &[FieldSpec { after: &[], rank: 1, ..FIELDS[1] }, FieldSpec { after: &[0], rank: 2, ..FIELDS[0] }];

const fn plan(fields: &'static [FieldSpec], path: &'static [u64], budget: u64) -> PlanSpec {
    PlanSpec {
        name: "Service",
        part: false,
        fields,
        order: &[0, 1],
        path,
        cycle: &[],
        budget,
        pre_stop: 1_000,
        lame_duck: 0,
        margin: 2_000,
        conduct: Conduct::DEFAULT,
        place: Place { file: file!(), line: line!() },
    }
}

const SERVICE: &PlanSpec = &plan(FIELDS, &longest_path_from::<2>(FIELDS, &[0, 1]), 10_000);
const SOLVED: &Solved<{ members(SERVICE) }, { capacity(SERVICE) }, 2> = &solve(SERVICE);
// This is what makes `cargo check` refuse a wrong plan.
const _: () = verify_field(SOLVED, 0);
const _: () = verify_field(SOLVED, 1);

impl Plan for Service {
    const SPEC: &'static PlanSpec = SERVICE;

    fn phases(self, phases: &mut Phases) {
        phases.field(0, self.workers);
        phases.field(1, self.storage);
    }
}

#[tokio::test(start_paused = true)]
async fn stops_in_the_order_of_its_fields() {
    let log = Log::default();
    let db = Resource::new(Db(Arc::clone(&log)));
    let running = testing::start(Service { workers: relay(&db), storage: db }).unwrap();
    assert!(running.readiness().is_ready());
    running.handle().request_now("the test");
    let report = running.stopped().await;
    assert_eq!(*log.lock().unwrap(), ["relay done", "Db closed"]);
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.member("relay").unwrap().outcome, Outcome::Completed);
    assert_eq!(
        report.critical_path().collect::<Vec<_>>(),
        ["storage", "workers"].into_iter().rev().collect::<Vec<_>>()
    );
}

#[test]
fn the_swapped_plan_is_refused() {
    const PATH: &[u64] = &longest_path_from::<2>(SWAPPED, &[0, 1]);
    static PLAN: PlanSpec = plan(SWAPPED, PATH, 7_000);
    let solved: Solved<2, 8, 2> = solve(&PLAN);
    let failures = check(&solved);
    assert_eq!(failures.len(), 2, "{failures:#?}");
    assert_eq!(
        failures[0],
        "[close-before-wait] `Db` closes before `relay` has been waited for\n\
         `relay` (phase `workers`, 2nd to stop) takes `db: &Db`\n\
         `Db` (phase `storage`, 1st to stop) would already be closed\n\
         help: move the field `storage` below `workers`"
    );
    assert_eq!(
        failures[1],
        "[over-budget] `Service` may need 8s of the 7s that its platform grants\n\
         pre_stop 1s + storage 3s + workers 2s + margin 2s = 8s\n\
         help: 1s must go: write smaller budgets (`budget` on a task, hook or resource, `#[phase(budget)]` on a field),\n\
         or let phases that do not need each other stop together, as one field with a tuple"
    );
}

#[test]
fn a_resource_in_two_places_is_judged_in_both() {
    const BELOW: FieldSpec = FieldSpec { after: &[1], rank: 3, ..FIELDS[1] };
    const THREE: &[FieldSpec] = &[SWAPPED[0], SWAPPED[1], BELOW];
    const PATH: &[u64] = &longest_path_from::<3>(THREE, &[0, 1, 2]);
    static PLAN: PlanSpec = PlanSpec { order: &[0, 1, 2], ..plan(THREE, PATH, 60_000) };
    let solved: Solved<3, 8, 3> = solve(&PLAN);
    let failures = failures(&solved);
    let begins = |at: usize, field: usize, id: &str| {
        failures[at].field == Some(field) && failures[at].text.starts_with(id)
    };
    assert_eq!(failures.len(), 2, "{failures:#?}");
    assert!(begins(0, 0, "[close-before-wait]") && begins(1, 2, "[closed-twice]"), "{failures:#?}");
}

#[test]
fn a_total_of_windows_alone_adds_up() {
    const EMPTY: &[FieldSpec] = &[FieldSpec { node: Node::Empty, ..FIELDS[0] }];
    static PLAN: PlanSpec = PlanSpec { order: &[0], ..plan(EMPTY, &[0], 2_500) };
    let solved: Solved<1, 4, 1> = solve(&PLAN);
    let failures = check(&solved);
    assert_eq!(failures.len(), 1, "{failures:#?}");
    assert!(failures[0].contains("\npre_stop 1s + margin 2s = 3s\n"), "{}", failures[0]);
}
