//! The console's events through tokio, on a small runtime of the thread's own: the service's may be wedged.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::{Either, select};
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
                    let interrupt = async {
                        select(pin!(ctrl_c.recv()), pin!(ctrl_break.recv())).await;
                    };
                    let signal = async {
                        match select(pin!(interrupt), pin!(close.recv())).await {
                            Either::Left(_) => Signal::Interrupt,
                            Either::Right(_) => Signal::Terminate,
                        }
                    };
                    let time = async {
                        select(pin!(expires), pin!(woken.notified())).await;
                    };
                    let news = async {
                        match select(pin!(signal), pin!(time)).await {
                            Either::Left((signal, _)) => Some(signal),
                            Either::Right(_) => None,
                        }
                    };
                    match select(pin!(ended.notified()), pin!(news)).await {
                        Either::Left(_) => return,
                        Either::Right((Some(signal), _)) => shared.signal(signal, &mut last),
                        Either::Right((None, _)) => {
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
