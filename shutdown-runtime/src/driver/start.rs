//! Starts the tasks, bottom to top: those of a phase once all phases that stop after it have started.
//!
//! A task with `ready = "explicit"` has started when it says so. A plan without any has started at the first poll.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, join, join_all, select};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::timeout;

use super::launch::{self, Alive};
use super::tree::{Branch, RunningPhase, Work, stop_order};
use crate::guarded::tell;
use crate::member::{MemberState, PlanState};
use crate::reason::Reason;
use crate::resource::BoxFuture;
use crate::timeline::short;

/// Starts everything, unless a stop begins meanwhile: what has not been started by then never is.
pub(crate) async fn start(mut tree: Branch, state: Arc<PlanState>) -> Branch {
    branch(&mut tree, &state).await;
    give_up(&mut tree, &state);
    tree
}

fn branch<'a>(branch: &'a mut Branch, state: &'a PlanState) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        let spec = branch.spec;
        // For each field how many of those that directly follow it have not started.
        let mut waiting = vec![0_usize; spec.fields.len()];
        for earlier in spec.fields.iter().flat_map(|field| field.after) {
            waiting[usize::from(*earlier)] += 1;
        }
        let order = stop_order(spec);
        let mut phases: Vec<_> = branch.phases.iter_mut().map(Some).collect();
        let mut starting = FuturesUnordered::new();
        loop {
            // Those that a field follows come before it in the order, so that one pass finds all that may start.
            for field in order.iter().copied().rev().filter(|_| !state.trigger.has_fired()) {
                if waiting[field] > 0 {
                    continue;
                }
                let Some(phase) = phases.get_mut(field).and_then(Option::take) else { continue };
                let unsettled = spawn(phase, state);
                if unsettled.is_empty() && phase.parts.is_empty() {
                    started(spec.fields[field].after, &mut waiting);
                    continue;
                }
                let parts = phase.parts.iter_mut().map(|part| self::branch(part, state));
                let whole = join(join_all(unsettled.into_iter().map(ready)), join_all(parts));
                starting.push(async move {
                    whole.await;
                    field
                });
            }
            match starting.next().await {
                Some(field) => started(spec.fields[field].after, &mut waiting),
                None => break,
            }
        }
        drop(starting);
        // Only tables with a cycle leave any: they never pass the compiler, but nobody is left out.
        for phase in phases.into_iter().flatten() {
            let _unsettled = spawn(phase, state);
            join_all(phase.parts.iter_mut().map(|part| self::branch(part, state))).await;
        }
    })
}

fn started(after: &[u16], waiting: &mut [usize]) {
    for earlier in after {
        waiting[usize::from(*earlier)] -= 1;
    }
}

/// Starts the tasks of a phase; those that have yet to say that they are ready.
fn spawn(phase: &mut RunningPhase, state: &PlanState) -> Vec<Arc<MemberState>> {
    let mut unsettled = Vec::new();
    for member in &mut phase.members {
        // A member that failed while others start has begun the stop: the rest is not started any more.
        if state.trigger.has_fired() {
            break;
        }
        let work = std::mem::replace(&mut member.work, Work::Unstarted);
        let Work::Waiting(task, call) = work else {
            member.work = work;
            continue;
        };
        let handle = state.runtime.spawn(launch::run(Arc::clone(&task), call, Alive::new(&task.plan)));
        if task.announcement.is_some() {
            unsettled.push(Arc::clone(&task));
        }
        member.work = Work::Task(task, handle);
    }
    unsettled
}

/// Waits until a task has said that it is ready; one that takes too long has failed, and so has the start.
async fn ready(task: Arc<MemberState>) {
    let (Some(announcement), Some(millis)) = (&task.announcement, task.spec.behaviour.ready_within) else {
        return;
    };
    let (name, within, trigger) = (task.spec.name, Duration::from_millis(millis), &task.plan.trigger);
    tell!(info, member = name, within = %short(within), "waiting until it is ready");
    let settled = std::pin::pin!(timeout(within, announcement.settled()));
    let stop = std::pin::pin!(trigger.draining());
    match select(settled, stop).await {
        Either::Left((Ok(()), _)) if announcement.was_said() => tell!(info, member = name, "ready"),
        // How it ended was judged where it ended; a stop has its reason.
        Either::Left((Ok(()), _)) | Either::Right(_) => {}
        Either::Left((Err(_), _)) => {
            let text = format!("it did not say within {} that it is ready", short(within));
            tell!(error, member = name, "{text}");
            trigger.fire(Reason::Failed(name, text.into()));
        }
    }
}

/// What has not been started when the start is over never will be.
fn give_up(branch: &mut Branch, state: &PlanState) {
    for phase in &mut branch.phases {
        for member in &mut phase.members {
            if matches!(member.work, Work::Waiting(..)) {
                member.work = Work::Unstarted;
                state.task_ended();
            }
        }
        phase.parts.iter_mut().for_each(|part| give_up(part, state));
    }
}
