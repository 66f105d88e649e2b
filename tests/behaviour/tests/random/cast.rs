//! The tasks, hooks and resources that stand in the random plans.

use std::sync::Arc;

use shutdown_runtime::{Lease, Resource, Shutdown, background_task, resource, shutdown_hook};

use crate::world::{Act, Stage, Step, World, play, step, wait};

#[resource(close = async |store: &Store| store.0.close().await, budget = "3s")]
pub(crate) struct Store(pub(crate) Stage);

#[resource(close = async |cache: &Cache| cache.stage.close().await, budget = "2s")]
pub(crate) struct Cache {
    pub(crate) stage: Stage,
    pub(crate) store: Lease<Store>,
}

#[background_task(budget = "1s")]
pub(crate) async fn quick(
    act: Act,
    store: &Store,
    world: Arc<World>,
    shutdown: Shutdown,
) -> Result<(), String> {
    play(act, world, shutdown, (), || store.0.touch()).await
}

/// One that is dropped at its phase's stop.
#[background_task(stop = "drop", budget = "1s")]
pub(crate) async fn dropped(act: Act, world: Arc<World>, never: Shutdown) -> Result<(), String> {
    play(act, world, never, (), || ()).await
}

#[background_task(every = "50ms", budget = "1s")]
pub(crate) async fn ticks(takes: u64, store: &Store, world: Arc<World>) {
    let _alive = world.enter();
    store.0.touch();
    wait(takes).await;
    store.0.touch();
}

#[background_task(budget = "2s")]
pub(crate) async fn worker(
    act: Act,
    store: Lease<Store>,
    world: Arc<World>,
    shutdown: Shutdown,
) -> Result<(), String> {
    let lease = store.clone();
    play(act, world, shutdown, lease, || store.0.touch()).await
}

#[background_task(budget = "4s")]
pub(crate) async fn reader(
    act: Act,
    cache: Lease<Cache>,
    world: Arc<World>,
    shutdown: Shutdown,
) -> Result<(), String> {
    let lease = cache.clone();
    let touch = || {
        cache.stage.touch();
        cache.store.0.touch();
    };
    play(act, world, shutdown, lease, touch).await
}

#[shutdown_hook(budget = "1s")]
pub(crate) async fn leave(how: Step, store: Lease<Store>, world: Arc<World>) -> Result<(), String> {
    let _alive = world.enter();
    store.0.touch();
    if how == Step::ForgetsItsLease {
        std::mem::forget(store.clone());
    }
    step(how).await
}

/// What every plan is made of.
#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) ingress: (Vec<quick>, Vec<dropped>),
    pub(crate) workers: (Vec<worker>, Vec<ticks>),
    pub(crate) readers: Vec<reader>,
    pub(crate) leave: Option<leave>,
    pub(crate) cache: Resource<Cache>,
    pub(crate) store: Resource<Store>,
}
