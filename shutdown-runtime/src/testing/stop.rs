//! A graceful stop at every await of a plan's tasks.

use std::future::{self, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::ready;

use futures_util::future::{Either, select};

use super::awaits::{Awaits, Pace};
use super::every_await::{Deed, EveryAwait, Swept, SweptUntil, fail, guarded};
use super::start_with;
use crate::driver::Options;
use crate::graph::PlanSpec;
use crate::phase::{Entry, Phases};
use crate::plan::Plan;
use crate::reason::Reason;
use crate::report::Report;
use crate::task::Call;
use crate::trigger::Trigger;

/// Stops a plan once at each await of its tasks, with the limits of [`EveryAwait::new`]; see [`EveryAwait::stop`].
///
/// # Panics
///
/// As [`EveryAwait::stop`].
///
/// # Examples
///
/// Whatever is taken from the queue is done, wherever the stop comes:
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
/// use std::time::Duration;
/// use shutdown_runtime::testing::{self, ReportAssertions as _, SweptUntil};
/// use shutdown_runtime::{Shutdown, background_task};
/// use tokio::sync::mpsc;
///
/// #[background_task]
/// async fn worker(mut jobs: mpsc::Receiver<u8>, done: Arc<AtomicUsize>, shutdown: Shutdown) {
///     while let Some(Some(_)) = shutdown.run_until_requested(jobs.recv()).await {
///         tokio::time::sleep(Duration::from_millis(20)).await;
///         done.fetch_add(1, Relaxed);
///     }
///     done.fetch_add(jobs.len(), Relaxed); // what was not begun is given back
///     shutdown.requested().await;
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let swept = testing::stop_at_every_await(
///     async || {
///         let (sender, jobs) = mpsc::channel(3);
///         for job in 0..3 {
///             sender.send(job).await.unwrap();
///         }
///         let done = Arc::new(AtomicUsize::new(0));
///         (testing::alone(worker(jobs, done.clone())), done)
///     },
///     async |done, report| {
///         report.assert_clean();
///         assert_eq!(done.load(Relaxed), 3);
///     },
/// )
/// .await;
/// assert_eq!(swept.until, SweptUntil::TimeOver); // at last it waits for a stop
/// # }
/// ```
pub async fn stop_at_every_await<P, W, B, C>(build: B, check: C) -> Swept
where
    P: Plan,
    B: AsyncFnMut() -> (P, W),
    C: AsyncFnMut(W, &Report),
{
    EveryAwait::new().stop(build, check).await
}

impl EveryAwait {
    /// Stops a plan gracefully, once at each await of its tasks, parts included.
    ///
    /// For each run `build` makes the plan and what `check` will look at; `check` gets that and the report once the plan has
    /// stopped. The stop is a `request_now`: it has no window. The last run is stopped at its end, or once its time is over. A
    /// periodic task has ever more awaits: its sweep ends at [`SweptUntil::Limit`], so choose [`at_most`](Self::at_most).
    ///
    /// # Panics
    ///
    /// If the plan does not start, or `check` panics: with the await, the report's timeline, and how to run that one again.
    pub async fn stop<P, W, B, C>(&self, mut build: B, mut check: C) -> Swept
    where
        P: Plan,
        B: AsyncFnMut() -> (P, W),
        C: AsyncFnMut(W, &Report),
    {
        for number in self.numbers() {
            let (plan, world) = build().await;
            let awaits = Awaits::up_to(number);
            let (report, quiet) = self.stopped_once(plan, &awaits).await;
            let place = awaits.reached();
            if let Err(text) = guarded(check(world, &report)).await {
                fail(Deed::Stopped, place.as_ref(), &text, Some(&report));
            }
            if place.is_none() {
                return Swept::before(number, if quiet { SweptUntil::TimeOver } else { SweptUntil::End });
            }
        }
        self.limit()
    }

    /// Returns also whether the plan was stopped only because no further await came.
    async fn stopped_once<P: Plan>(&self, plan: P, awaits: &Arc<Awaits>) -> (Report, bool) {
        let trigger = Trigger::new();
        let plan = Watched { plan, awaits: Arc::clone(awaits), trigger: Arc::clone(&trigger) };
        let options = Options { trigger: Some(Arc::clone(&trigger)), ..Options::default() };
        let running = match start_with(plan, options) {
            Ok(running) => running,
            Err(error) => panic!("the plan does not start: {error}"),
        };
        let (stopped, quiet) = (pin!(running.stopped()), pin!(tokio::time::sleep(self.within)));
        match select(stopped, quiet).await {
            Either::Left((report, _)) => (report, false),
            Either::Right(((), stopped)) => {
                let quiet = !trigger.has_fired();
                if quiet {
                    trigger.fire_now(Reason::Requested("no further await".into()));
                }
                (stopped.await, quiet)
            }
        }
    }
}

/// A plan whose tasks count their awaits, and stop it at one of them.
#[derive(Debug)]
struct Watched<P> {
    plan: P,
    awaits: Arc<Awaits>,
    trigger: Arc<Trigger>,
}

impl<P: Plan> Plan for Watched<P> {
    const SPEC: &'static PlanSpec = P::SPEC;

    fn phases(self, phases: &mut Phases) {
        self.plan.phases(phases);
        watch(phases, &self.awaits, &self.trigger);
    }
}

fn watch(phases: &mut Phases, awaits: &Arc<Awaits>, trigger: &Arc<Trigger>) {
    for entry in phases.fields.iter_mut().flat_map(|field| &mut field.entries) {
        match entry {
            Entry::Task(call) => watch_task(call, Arc::clone(awaits), Arc::clone(trigger)),
            Entry::Part(part) => watch(part, awaits, trigger),
            // Neither runs before the stop.
            Entry::Hook(_) | Entry::Resource(_) => {}
        }
    }
}

fn watch_task(call: &mut Call, awaits: Arc<Awaits>, trigger: Arc<Trigger>) {
    let name = call.spec.name;
    let body = std::mem::replace(&mut call.body, Box::new(|_| Box::pin(future::ready(Ok(())))));
    call.body = Box::new(move |shutdown| {
        let (mut body, mut pace) = (body(shutdown), Pace::new());
        Box::pin(poll_fn(move |context| {
            ready!(pace.poll_rest(context));
            let polled = body.as_mut().poll(context);
            if polled.is_pending() && awaits.waits(Some(name)) {
                trigger.fire_now(Reason::Requested("a stop at every await".into()));
            }
            polled
        }))
    });
}
