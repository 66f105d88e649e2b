//! The console's events through tokio, on a small runtime of the thread's own: the service's may be wedged.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use tokio::signal::windows;
use tokio::sync::Notify;

use super::Shared;
use crate::reason::Signal;

/// The thread, and what wakes it.
#[derive(Debug)]
pub(super) struct Thread {
    wake: Arc<Notify>,
    over: Arc<Notify>,
}

impl Thread {
    pub(super) fn start(shared: Arc<Shared>) -> io::Result<Self> {
        let (wake, over) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // Registered before the thread runs: an event from now on is ours.
        let (mut ctrl_c, mut ctrl_break, mut close) = {
            let _context = runtime.enter();
            (windows::ctrl_c()?, windows::ctrl_break()?, windows::ctrl_close()?)
        };
        let (woken, ended) = (Arc::clone(&wake), Arc::clone(&over));
        let run = move || {
            runtime.block_on(async move {
                let mut last: Option<Instant> = None;
                loop {
                    let expires = async {
                        match shared.time_left() {
                            Some(left) => tokio::time::sleep(left).await,
                            None => std::future::pending().await,
                        }
                    };
                    let signal = async {
                        let interrupt = futures_util::future::select(
                            std::pin::pin!(ctrl_c.recv()),
                            std::pin::pin!(ctrl_break.recv()),
                        );
                        let event = futures_util::future::select(
                            std::pin::pin!(interrupt),
                            std::pin::pin!(close.recv()),
                        );
                        match event.await {
                            futures_util::future::Either::Left(_) => Signal::Interrupt,
                            futures_util::future::Either::Right(_) => Signal::Terminate,
                        }
                    };
                    let time = futures_util::future::select(
                        std::pin::pin!(expires),
                        std::pin::pin!(woken.notified()),
                    );
                    let news = futures_util::future::select(std::pin::pin!(signal), std::pin::pin!(time));
                    let over = std::pin::pin!(ended.notified());
                    match futures_util::future::select(over, std::pin::pin!(news)).await {
                        futures_util::future::Either::Left(_) => return,
                        futures_util::future::Either::Right((
                            futures_util::future::Either::Left((signal, _)),
                            _,
                        )) => {
                            shared.signal(signal, &mut last);
                        }
                        futures_util::future::Either::Right(_) => {
                            if shared.time_left().is_some_and(|left| left.is_zero()) {
                                shared.expired();
                            }
                        }
                    }
                }
            });
        };
        std::thread::Builder::new().name(String::from("stop watchdog")).spawn(run)?;
        Ok(Self { wake, over })
    }

    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.over.notify_one();
    }
}

/// There is no death by a signal here; the code says which one it was.
pub(super) fn die_by(signal: Signal) {
    std::process::exit(128 + i32::from(signal.number()));
}

/// Ends the process.
pub(super) fn exit_at_once(code: u8) {
    std::process::exit(i32::from(code));
}
