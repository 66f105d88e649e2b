//! How long one unit of a task's work may take.

/// What one unit of work (a request, a message, an iteration) may take at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `unit = "10s"`, in milliseconds.
    Whole(u64),
    /// `batch = 50, per_item = "100ms"`: a unit handles so many items, one after another.
    Batch {
        /// How many at most.
        items: u32,
        /// How long each may take, in milliseconds.
        per_item: u64,
    },
}

impl Unit {
    /// The whole unit in milliseconds.
    pub const fn millis(self) -> u64 {
        match self {
            Self::Whole(millis) => millis,
            Self::Batch { items, per_item } => (items as u64).saturating_mul(per_item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn a_batch_takes_as_long_as_its_items_and_never_wraps() {
        assert_eq!(Unit::Batch { items: 50, per_item: 100 }.millis(), 5_000);
        assert_eq!(Unit::Batch { items: 1, per_item: 1 }.millis(), 1);
        assert_eq!(Unit::Batch { items: 24, per_item: 3_600_000 }.millis(), 86_400_000);
        assert_eq!(Unit::Batch { items: u32::MAX, per_item: u64::MAX }.millis(), u64::MAX);
        assert_eq!(Unit::Whole(1).millis(), 1);
    }
}
