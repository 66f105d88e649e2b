//! Docs, lints and conditions stay; items of every visibility.

use shutdown_runtime::{Shutdown, background_task, resource, shutdown_plan};

/// Docs stay, or `missing_docs` would speak.
#[background_task(every = "1s", unit = "500ms")]
#[inline]
#[cfg(not(any()))]
#[allow(clippy::unused_async)]
pub async fn documented(n: u32) {
    let _ = n;
}

/// Compiled out with all that belongs to it.
#[cfg(any())]
#[background_task]
pub async fn absent(_: Missing, shutdown: Shutdown) {}

/// A resource.
#[derive(Debug)]
#[resource(close = Journal::flush, budget = "1s")]
#[cfg(not(any()))]
#[non_exhaustive]
pub struct Journal {
    /// What is in it.
    pub lines: u32,
}

impl Journal {
    async fn flush(&self, closing: shutdown_runtime::Closing) -> std::io::Result<()> {
        let _ = (self.lines, closing.time_left());
        std::future::ready(Ok(())).await
    }
}

pub(crate) mod inner {
    use super::{Journal, Shutdown, background_task};

    #[background_task(
        stop = "signal",
        on_error = "log",
        on_exit = "continue",
        batch = 5_0u16,
        per_item = "1ms"
    )]
    pub(in crate::attributes) async fn scoped(
        journal: &Journal,
        shutdown: Shutdown,
    ) -> Result<(), std::fmt::Error> {
        shutdown.requested().await;
        let _ = journal.lines;
        Ok(())
    }
}

/// Old: that it was kept is what `assemble` expects.
#[background_task]
#[deprecated = "use `documented`"]
#[cold]
pub async fn old(shutdown: Shutdown) {
    shutdown.requested().await;
}

/// A lint that must speak where it is expected: of the function as written.
#[expect(unused_variables, clippy::unused_async)]
#[background_task(every = "1s")]
#[must_use = "as any task"]
pub async fn expecting(unused: u32) {}

/// A plan.
#[derive(Debug)]
#[shutdown_plan(budget = "60s", pre_stop = "5s", lame_duck = "0s", margin = "3s")]
pub struct Service {
    /// A phase.
    pub documented: documented,
    scoped: Vec<inner::scoped>,
    others: (old, expecting),
    journal: shutdown_runtime::Resource<Journal>,
}

impl Service {
    /// Its values; also what keeps the private task from being dead code.
    #[expect(deprecated)]
    pub fn assemble() -> Self {
        let journal = shutdown_runtime::Resource::new(Journal { lines: 1 });
        Self {
            documented: documented(1),
            scoped: vec![inner::scoped(&journal)],
            others: (old(), expecting(1)),
            journal,
        }
    }
}

#[cfg(test)]
#[tokio::test]
async fn the_body_is_the_function_as_written() {
    documented::body(1).await;
    assert!(format!("{:?}", Service::assemble()).contains("scoped"));
}
