//! When a task counts as started: `ready = "explicit"`, `ready_within = "30s"`.

use syn::Ident;

use crate::diag::{Problem, Problems};
use crate::parse::arguments::Arguments;
use crate::parse::duration::duration;

/// What a task that says itself when it is ready has for that, where nothing is written.
const WITHIN: u64 = 30_000;

/// A task that says itself when it is ready.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    /// The key `ready`.
    pub(crate) key: Ident,
    /// How long it may take, in milliseconds.
    pub(crate) within: u64,
}

impl Ready {
    /// Takes the keys out of the arguments of a task; those of a hook have none.
    pub(crate) fn take(arguments: &mut Arguments, problems: &mut Problems) -> Option<Self> {
        let explicit = arguments.take_word("ready", &["explicit"], 0, problems);
        let within = arguments.take_expr("ready_within", problems);
        if let (None, Some((key, _))) = (&explicit, &within) {
            let what =
                "`ready_within` without `ready`: a task that does not say when it is ready is not waited for";
            let problem = Problem::at(key, "conflicting-keys", what);
            problems.push(
                problem
                    .help("add `ready = \"explicit\"`, and call `shutdown.ready()` in the body")
                    .help("or remove `ready_within`"),
            );
        }
        let within = within
            .and_then(|(_, value)| duration("ready_within", &value, false, problems))
            .map_or(WITHIN, |millis| millis.value);
        explicit.map(|(key, _)| Self { key, within })
    }
}
