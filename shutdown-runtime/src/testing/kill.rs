//! A kill at every await of a future, and a fresh one after it.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Poll, ready};
use std::time::Duration;

use tokio::time::timeout;

use super::awaits::{Awaits, Pace};
use super::every_await::{Deed, EveryAwait, Swept, SweptUntil, fail, guarded};
use crate::driver::error_text;
use crate::output::{Output, TaskResult};

/// Kills a task once at each of its awaits and has a fresh one take over, with the limits of [`EveryAwait::new`]; see
/// [`EveryAwait::kill`].
///
/// # Panics
///
/// As [`EveryAwait::kill`].
///
/// # Examples
///
/// A consumer that notes a message as seen before its effect loses the effect where it is killed in between:
///
/// ```should_panic
/// use std::cell::Cell;
/// use shutdown_runtime::testing;
/// use tokio::task::yield_now;
///
/// #[derive(Default)]
/// struct Store {
///     seen: Cell<bool>,
///     effects: Cell<u32>,
/// }
///
/// async fn consume(store: &Store) {
///     yield_now().await; // begin, insert, commit
///     if store.seen.replace(true) {
///         return; // it was delivered before
///     }
///     yield_now().await; // a second transaction
///     store.effects.set(store.effects.get() + 1);
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// testing::kill_at_every_await(
///     async || Store::default(),
///     async |store| consume(store).await,
///     async |store| assert_eq!(store.effects.get(), 1, "the effect happens once"),
/// )
/// .await;
/// # }
/// ```
pub async fn kill_at_every_await<W, R, B, T, C>(world: B, task: T, check: C) -> Swept
where
    R: Output,
    B: AsyncFnMut() -> W,
    T: AsyncFnMut(&W) -> R,
    C: AsyncFnMut(&W),
{
    EveryAwait::new().kill(world, task, check).await
}

/// How the first future of a run ended.
enum First {
    /// By itself.
    Ended(TaskResult),
    /// It was dropped at the await that was meant.
    Killed,
    /// It came to no further await and was dropped where it waited.
    Quiet,
}

impl EveryAwait {
    /// Kills a task once at each of its awaits: its future is dropped there, as by a kill of the process, then `task` is run
    /// again to its end, and `check` looks at the world.
    ///
    /// For each run `world` makes what survives a kill (the database, the broker); `task` is one delivery or one iteration,
    /// such as `name::body(..)`. The last run is the one that is not killed: `check` follows without a fresh task. Whatever the
    /// task has spawned lives on, as the work of a server that it has asked would.
    ///
    /// # Panics
    ///
    /// If `check` or the task panics, the task fails, or a fresh one does not end within [`within`](Self::within): with the
    /// await, and how to run that one again.
    pub async fn kill<W, R, B, T, C>(&self, mut world: B, mut task: T, mut check: C) -> Swept
    where
        R: Output,
        B: AsyncFnMut() -> W,
        T: AsyncFnMut(&W) -> R,
        C: AsyncFnMut(&W),
    {
        for number in self.numbers() {
            let world = world().await;
            let awaits = Awaits::up_to(number);
            let first = guarded(first(task(&world), &awaits, self.within)).await;
            let place = awaits.reached();
            let fails = |what: &str| -> ! { fail(Deed::Killed, place.as_ref(), what, None) };
            let first = first.unwrap_or_else(|text| fails(&format!("the task panicked: {text}")));
            match &first {
                First::Ended(Err(error)) => {
                    fails(&format!("the task failed: {}", error_text(error.as_ref())))
                }
                First::Ended(Ok(())) => {}
                First::Killed | First::Quiet => {
                    if let Err(what) = fresh(task(&world), self.within).await {
                        fails(&what);
                    }
                }
            }
            if let Err(text) = guarded(check(&world)).await {
                fails(&text);
            }
            match first {
                First::Killed => {}
                First::Ended(_) => return Swept::before(number, SweptUntil::End),
                First::Quiet => return Swept::before(number, SweptUntil::TimeOver),
            }
        }
        self.limit()
    }
}

/// Runs a future up to the await that is meant, and drops it there.
async fn first<R: Output>(task: impl Future<Output = R>, awaits: &Awaits, limit: Duration) -> First {
    let mut task = pin!(task);
    let mut pace = Pace::new();
    let killed = poll_fn(|context| {
        ready!(pace.poll_rest(context));
        match task.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(First::Ended(output.into_result())),
            Poll::Pending if awaits.waits(None) => Poll::Ready(First::Killed),
            Poll::Pending => Poll::Pending,
        }
    });
    timeout(limit, killed).await.unwrap_or(First::Quiet)
}

/// Runs the task that takes over to its end.
async fn fresh<R: Output>(task: impl Future<Output = R>, limit: Duration) -> Result<(), String> {
    let (mut task, mut pace) = (pin!(task), Pace::new());
    let paced = poll_fn(|context| {
        ready!(pace.poll_rest(context));
        task.as_mut().poll(context)
    });
    match guarded(timeout(limit, paced)).await {
        Ok(Ok(output)) => output
            .into_result()
            .map_err(|error| format!("the fresh task failed: {}", error_text(error.as_ref()))),
        Ok(Err(_)) => Err(format!("the fresh task did not end within {limit:?}")),
        Err(text) => Err(format!("the fresh task panicked: {text}")),
    }
}
