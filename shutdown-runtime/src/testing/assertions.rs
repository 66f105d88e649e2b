//! Assertions about a report, which show its timeline where they fail.

use std::time::Duration;

use crate::report::{MemberReport, Outcome, Report};

/// Assertions about a report: `report.assert_clean().assert_before("http", "Db")`. Each panics with the report's timeline.
///
/// A name is a member's; where several bear it (a `Vec`), all of them are meant.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::testing::{self, ReportAssertions as _};
/// use shutdown_runtime::{Outcome, Resource, Shutdown, background_task, resource, shutdown_plan};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db;
///
/// #[background_task]
/// async fn http(_db: &Db, shutdown: Shutdown) {
///     shutdown.requested().await;
/// }
///
/// #[shutdown_plan(budget = "30s")]
/// struct Service {
///     ingress: http,
///     storage: Resource<Db>,
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let db = Resource::new(Db);
/// let running = testing::start(Service { ingress: http(&db), storage: db }).unwrap();
/// running.handle().request_now("the test");
/// running
///     .stopped()
///     .await
///     .assert_clean()
///     .assert_before("http", "Db")
///     .assert_outcome("Db", &Outcome::Completed);
/// # }
/// ```
pub trait ReportAssertions {
    /// Every member ended well, and no failure began the stop or followed.
    ///
    /// # Panics
    ///
    /// Else, with the members that did not.
    #[track_caller]
    fn assert_clean(&self) -> &Self;

    /// `earlier` was over before `later` was told to stop.
    ///
    /// # Panics
    ///
    /// Else, with both moments; also where one of them is not in the report or was not reached.
    #[track_caller]
    fn assert_before(&self, earlier: &str, later: &str) -> &Self;

    /// The member ended so.
    ///
    /// # Panics
    ///
    /// Else, with how it did end; also where it is not in the report.
    #[track_caller]
    fn assert_outcome(&self, member: &str, outcome: &Outcome) -> &Self;

    /// The stop took no longer than this, from the trigger.
    ///
    /// # Panics
    ///
    /// Else, with how long it took.
    #[track_caller]
    fn assert_within(&self, limit: Duration) -> &Self;
}

impl ReportAssertions for Report {
    #[track_caller]
    fn assert_clean(&self) -> &Self {
        let unclean: Vec<_> = self
            .members()
            .filter(|member| !member.outcome.is_clean())
            .map(|member| format!("`{}` {}", member.name, member.outcome.name()))
            .collect();
        assert!(
            self.is_clean(),
            "the stop was not clean ({}): {}\n{self}",
            self.reason,
            if unclean.is_empty() {
                String::from("a failure, though every member ended well")
            } else {
                unclean.join(", ")
            },
        );
        self
    }

    #[track_caller]
    fn assert_before(&self, earlier: &str, later: &str) -> &Self {
        let (firsts, seconds) = (named(self, earlier), named(self, later));
        for (first, second) in
            firsts.iter().flat_map(|first| seconds.iter().map(move |second| (first, second)))
        {
            let (Some(begins), Some(told)) = (first.told, second.told) else {
                panic!("`{earlier}` and `{later}` were not both told to stop\n{self}");
            };
            let over = begins.saturating_add(first.duration);
            assert!(
                over <= told,
                "`{earlier}` was over {over:?} after the trigger, and `{later}` had been told to stop at {told:?}\n{self}"
            );
        }
        self
    }

    #[track_caller]
    fn assert_outcome(&self, member: &str, outcome: &Outcome) -> &Self {
        for found in named(self, member) {
            assert!(
                found.outcome == *outcome,
                "`{member}` ended {:?}, not {outcome:?}\n{self}",
                found.outcome
            );
        }
        self
    }

    #[track_caller]
    fn assert_within(&self, limit: Duration) -> &Self {
        assert!(self.total <= limit, "the stop took {:?}, more than {limit:?}\n{self}", self.total);
        self
    }
}

/// The members of that name, of which there is one at least.
#[track_caller]
fn named<'a>(report: &'a Report, name: &str) -> Vec<&'a MemberReport> {
    let found: Vec<_> = report.members().filter(|member| member.name == name).collect();
    let names: Vec<_> = report.members().map(|member| member.name).collect();
    assert!(!found.is_empty(), "no member is named `{name}`; there are: {}\n{report}", names.join(", "));
    found
}
