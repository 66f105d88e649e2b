//! What a task counts for the report, by name.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::guarded::tell;
use crate::ledger::lock;

/// How many names one member may have: the report is read by people.
const NAMES: usize = 16;

/// A number in the report of its task, as [`Shutdown::counter`](crate::Shutdown::counter) makes it.
///
/// A clone counts into the same number. Adding costs one atomic addition.
#[derive(Clone, Debug)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Adds so many.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// What it has come to.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counters of one member.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    named: Mutex<Vec<(&'static str, Counter)>>,
}

impl Counters {
    /// The counter of that name; one name too many gives a counter that no report shows.
    pub(crate) fn named(&self, name: &'static str) -> Counter {
        let mut named = lock(&self.named);
        if let Some((_, counter)) = named.iter().find(|(known, _)| *known == name) {
            return counter.clone();
        }
        let counter = Counter(Arc::default());
        if named.len() < NAMES {
            named.push((name, counter.clone()));
        } else {
            drop(named);
            tell!(
                warn,
                counter = name,
                "more than {NAMES} counters in one task: the report leaves this one out"
            );
        }
        counter
    }

    /// In the order in which they were first asked for.
    pub(crate) fn read(&self) -> Vec<(&'static str, u64)> {
        lock(&self.named).iter().map(|(name, counter)| (*name, counter.get())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Counters, NAMES};

    #[test]
    fn one_name_is_one_number_and_the_names_are_bounded() {
        let counters = Counters::default();
        counters.named("cut").add(2);
        counters.named("cut").add(1);
        assert_eq!(counters.read(), [("cut", 3)]);
        for number in 0..2 * NAMES {
            counters.named(Box::leak(number.to_string().into_boxed_str())).add(1);
        }
        assert_eq!(counters.read().len(), NAMES);
    }
}
