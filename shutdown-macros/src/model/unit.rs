//! How long one unit of a task's work may take: `unit = "10s"`, or `batch = 50, per_item = "100ms"`.

use syn::{Expr, Ident};

use crate::diag::{Problem, Problems, list};
use crate::model::number::whole_number;
use crate::parse::arguments::Arguments;
use crate::parse::duration::{Millis, duration};

/// How long one unit of work (a request, a message, an iteration) may take.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// What `unit` gave, or `per_item` for each item of a batch.
    pub(crate) time: Millis,
    /// What `batch` gave: the most items that one unit handles, one after another.
    pub(crate) batch: Option<Batch>,
}

/// The number of items in a batch.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// How many at most.
    pub(crate) items: u32,
    /// What was written.
    pub(crate) written: Expr,
}

impl Unit {
    /// The whole unit in milliseconds. Wider than a duration, so that no product of two keys is cut to one that fits.
    pub(crate) fn millis(&self) -> u128 {
        let items = self.batch.as_ref().map_or(1, |batch| batch.items);
        u128::from(items) * u128::from(self.time.value)
    }

    /// Takes the keys out of the arguments of a task; those of a hook have none.
    pub(crate) fn take(arguments: &mut Arguments, problems: &mut Problems) -> Option<Self> {
        // A malformed key is no missing one.
        let written = ["unit", "batch", "per_item"].map(|key| arguments.wrote(key));
        let whole = arguments.take_expr("unit", problems);
        let batch = arguments.take_expr("batch", problems);
        let per_item = arguments.take_expr("per_item", problems);
        match (written, &whole, &batch, &per_item) {
            ([true, batch, per_item], Some((key, _)), _, _) if batch || per_item => {
                both(key, batch, per_item, problems);
            }
            ([false, true, false], _, Some((key, _)), _) | ([false, false, true], _, _, Some((key, _))) => {
                alone(key, problems);
            }
            _ => {}
        }
        let whole = whole.and_then(|(_, value)| duration("unit", &value, false, problems));
        let batch = batch.and_then(|(_, value)| items(value, problems));
        let per_item = per_item.and_then(|(_, value)| duration("per_item", &value, false, problems));
        match (whole, batch, per_item) {
            (Some(time), None, None) => Some(Self { time, batch: None }),
            (None, Some(batch), Some(time)) => Some(Self { time, batch: Some(batch) }),
            _ => None,
        }
    }
}

/// Each would do alone.
fn both(unit: &Ident, batch: bool, per_item: bool, problems: &mut Problems) {
    let others = [("batch", batch), ("per_item", per_item)];
    let others = list(others.into_iter().filter(|(_, written)| *written).map(|(key, _)| key));
    let what = format!("`unit` with {others}: two answers to how long one unit of work may take");
    let help = "keep `unit` alone, or keep `batch` and `per_item` together and remove `unit`";
    problems.push(Problem::at(unit, "conflicting-keys", what).help(help));
}

/// Neither half of a batch says how long it takes.
fn alone(key: &Ident, problems: &mut Problems) {
    let problem = if key == "batch" {
        let what = "`batch` without `per_item`: nothing says how long a batch may take";
        Problem::at(key, "conflicting-keys", what)
            .help("add how long one item may take, such as `per_item = \"100ms\"`")
    } else {
        let what = "`per_item` without `batch`: nothing says how many items one unit handles";
        Problem::at(key, "conflicting-keys", what)
            .help("add the most items that one unit handles, such as `batch = 50`")
    };
    problems.push(problem.help("or write `unit = \"5s\"`, how long the whole may take, instead"));
}

/// The number of items in a batch.
fn items(written: Expr, problems: &mut Problems) -> Option<Batch> {
    let help = "write the most items that one unit handles, such as `batch = 50`";
    whole_number("batch", &written, help, problems).map(|items| Batch { items, written })
}
