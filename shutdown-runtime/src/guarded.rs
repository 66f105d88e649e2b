//! What is not ours may panic: a subscriber that cannot write, a panic's payload, a destructor. None of it may cost a stop.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs foreign code whose panic has no meaning for the stop. The panic hook has told of it.
pub(crate) fn guarded(foreign: impl FnOnce()) {
    let panicked = catch_unwind(AssertUnwindSafe(foreign)).err();
    if let Some(payload) = panicked {
        discard(payload);
    }
}

/// Drops a panic's payload, which may itself panic, and then is left where it is.
pub(crate) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}

/// The text of a panic, as `panic!` and its kin give it.
pub(crate) fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let text = if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        String::from("(a panic without a text)")
    };
    discard(payload);
    text
}

/// Tells the subscriber something; tracing's own macros panic where a subscriber does, for instance when its pipe is gone.
macro_rules! tell {
    ($level:ident, $($event:tt)*) => {
        $crate::guarded::guarded(|| ::tracing::$level!($($event)*))
    };
}
pub(crate) use tell;

#[cfg(test)]
mod tests {
    use super::{guarded, panic_text};
    use std::panic::catch_unwind;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }

    #[test]
    fn a_payload_that_panics_is_survived() {
        let payload = catch_unwind(|| std::panic::panic_any(Bomb)).unwrap_err();
        assert_eq!(panic_text(payload), "(a panic without a text)");
        guarded(|| std::panic::panic_any(Bomb));
    }

    #[test]
    fn texts_are_kept() {
        assert_eq!(panic_text(catch_unwind(|| panic!("plain")).unwrap_err()), "plain");
        assert_eq!(panic_text(catch_unwind(|| panic!("number {}", 7)).unwrap_err()), "number 7");
    }
}
