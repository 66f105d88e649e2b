//! Other runtimes beside the plan's: what lives on one of them ends with it.

use std::sync::OnceLock;

use shutdown_runtime::{
    Lease, Outcome, Report, Resource, Shutdown, background_task, resource, shutdown_plan, testing,
};
use tokio::sync::{mpsc, oneshot};

use crate::support::stop;

/// A pool whose connections are made by a task of its own, spawned by whoever asks first, as several database clients do.
#[resource(close = close_pool, budget = "1s")]
#[derive(Default)]
struct Pool(OnceLock<mpsc::Sender<oneshot::Sender<()>>>);

impl Pool {
    async fn connection(&self) -> Result<(), String> {
        let maker = self.0.get_or_init(|| {
            let (maker, mut asked) = mpsc::channel::<oneshot::Sender<()>>(1);
            tokio::spawn(async move {
                while let Some(answer) = asked.recv().await {
                    let _ = answer.send(());
                }
            });
            maker
        });
        let (answer, made) = oneshot::channel();
        let gone = |_| String::from("the pool was disconnected");
        maker.send(answer).await.map_err(|_| String::from("the pool was disconnected"))?;
        made.await.map_err(gone)
    }
}

async fn close_pool(pool: &Pool) -> Result<(), String> {
    pool.connection().await
}

/// Works on a runtime of its own, which ends with its phase.
#[background_task(budget = "2s")]
async fn importer(pool: Lease<Pool>, used: oneshot::Sender<()>, shutdown: Shutdown) -> Result<(), String> {
    let own = shutdown.spawn_blocking({
        let shutdown = shutdown.clone();
        move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
            runtime.block_on(async {
                pool.connection().await?;
                let _ = used.send(());
                shutdown.requested().await;
                pool.connection().await
            })
        }
    });
    own.map_err(|error| error.to_string())?.await.map_err(|error| error.to_string())?
}

/// Stops after it, and has a last record to write.
#[background_task(budget = "1s")]
async fn writer(pool: &Pool, shutdown: Shutdown) -> Result<(), String> {
    shutdown.requested().await;
    pool.connection().await
}

#[shutdown_plan(budget = "20s")]
struct Service {
    imports: importer,
    writes: writer,
    storage: Resource<Pool>,
}

async fn stopped(pool: Resource<Pool>) -> Report {
    let (used, was_used) = oneshot::channel();
    let plan = Service { imports: importer(pool.lease(), used), writes: writer(&pool), storage: pool };
    let running = testing::start(plan).unwrap();
    was_used.await.unwrap();
    stop(running).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn field_report_30_a_pool_that_was_used_first_where_the_plan_runs_lives_until_its_own_phase() {
    let pool = Resource::new(Pool::default());
    pool.lease().connection().await.unwrap();
    let report = stopped(pool).await;
    assert!(report.is_clean(), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn field_report_30_one_that_lives_on_another_runtime_is_named_where_it_is_missed() {
    let report = stopped(Resource::new(Pool::default())).await;
    assert_eq!(report.member("importer").unwrap().outcome, Outcome::Completed, "{report}");
    let disconnected = Outcome::Failed(String::from("the pool was disconnected"));
    for name in ["writer", "Pool"] {
        assert_eq!(report.member(name).unwrap().outcome, disconnected, "{report}");
    }
}
