//! Each assertion about a report holds, and where it does not, shows the timeline.

use shutdown_runtime::testing::{ReportAssertions as _, start};
use shutdown_runtime::{Outcome, Report, Resource, Shutdown, background_task, resource, shutdown_plan};
use tokio::time::sleep;

use crate::support::{failure, millis, seconds};

#[resource(close = async |_: &Db| ())]
struct Db;

#[background_task(budget = "3s")]
async fn http(_db: &Db, shutdown: Shutdown) {
    shutdown.requested().await;
    sleep(seconds(1)).await;
}

#[background_task(budget = "3s")]
async fn stuck(shutdown: Shutdown) {
    shutdown.requested().await;
    std::future::pending::<()>().await;
}

#[shutdown_plan(budget = "30s")]
struct Service {
    ingress: Vec<http>,
    beside: Option<stuck>,
    storage: Resource<Db>,
}

/// One of the kit's.
type Assertion = Box<dyn Fn(&Report) -> &Report>;

async fn report(beside: Option<stuck>) -> Report {
    let db = Resource::new(Db);
    let running = start(Service { ingress: vec![http(&db), http(&db)], beside, storage: db }).unwrap();
    running.handle().request_now("the test");
    running.stopped().await
}

#[tokio::test(start_paused = true)]
async fn what_holds_passes() {
    report(None)
        .await
        .assert_clean()
        .assert_before("http", "Db")
        .assert_outcome("http", &Outcome::Completed)
        .assert_within(millis(1_100));
    report(Some(stuck())).await.assert_outcome("stuck", &Outcome::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_hold_shows_the_timeline() {
    let unclean = report(Some(stuck())).await;
    let failures: [(&str, Assertion); 6] = [
        (
            "not clean (requested: the test): `stuck` TimedOut",
            Box::new(|report: &Report| report.assert_clean()),
        ),
        ("`Db` was over", Box::new(|report: &Report| report.assert_before("Db", "http"))),
        ("`http` was over 1", Box::new(|report: &Report| report.assert_before("http", "http"))),
        (
            "no member is named `Bd`; there are: http, http, stuck, Db",
            Box::new(|report: &Report| report.assert_before("http", "Bd")),
        ),
        (
            "`stuck` ended TimedOut, not Completed",
            Box::new(|report: &Report| report.assert_outcome("stuck", &Outcome::Completed)),
        ),
        ("more than 2s", Box::new(|report: &Report| report.assert_within(seconds(2)))),
    ];
    for (expected, assertion) in failures {
        let report = unclean.clone();
        let text = failure(async move {
            assertion(&report);
        })
        .await;
        assert!(text.contains(expected), "{expected}: {text}");
        assert!(text.contains("critical path (*): ingress -> beside -> storage"), "{text}");
    }
}
