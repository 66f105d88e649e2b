//! Who holds what: one note for every lease that was issued, counted for its resource and for its holder.
//!
//! Issuing a lease takes a lock, which happens at start-up. Cloning or dropping one takes none.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::gate::Gate;
use crate::graph::{Identity, MemberSpec};

/// The leases that are out, counted, and the notes that tell about them.
#[derive(Debug, Default)]
struct Outstanding {
    gate: Gate,
    notes: Mutex<Vec<Weak<Note>>>,
}

impl Outstanding {
    fn record(&self, note: &Arc<Note>) {
        let mut notes = lock(&self.notes);
        // Those that came back would pile up where a task issues leases again and again.
        if notes.len() == notes.capacity() {
            notes.retain(|note| note.strong_count() > 0);
        }
        notes.push(Arc::downgrade(note));
    }

    fn alive(&self) -> Vec<Arc<Note>> {
        lock(&self.notes).iter().filter_map(Weak::upgrade).collect()
    }
}

/// One resource instance, as the leases of it see it.
#[derive(Debug)]
pub(crate) struct ResourceLedger {
    pub(crate) spec: &'static MemberSpec,
    /// Tells instances of one resource type apart.
    pub(crate) instance: u64,
    pub(crate) created: &'static Location<'static>,
    outstanding: Outstanding,
}

impl ResourceLedger {
    pub(crate) fn new(spec: &'static MemberSpec, created: &'static Location<'static>) -> Arc<Self> {
        static INSTANCES: AtomicU64 = AtomicU64::new(1);
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { spec, instance, created, outstanding: Outstanding::default() })
    }

    pub(crate) fn leases(&self) -> Vec<Arc<Note>> {
        self.outstanding.alive()
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.outstanding.gate.is_empty()
    }

    pub(crate) async fn all_returned(&self) {
        self.outstanding.gate.emptied().await;
    }
}

/// One member, as the leases issued to it see it.
#[derive(Debug)]
pub(crate) struct MemberLedger {
    pub(crate) spec: &'static MemberSpec,
    outstanding: Outstanding,
}

impl MemberLedger {
    pub(crate) fn new(spec: &'static MemberSpec) -> Arc<Self> {
        Arc::new(Self { spec, outstanding: Outstanding::default() })
    }

    pub(crate) fn leases(&self) -> Vec<Arc<Note>> {
        self.outstanding.alive()
    }

    pub(crate) async fn all_returned(&self) {
        self.outstanding.gate.emptied().await;
    }
}

/// One lease that was issued; its clones share it.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) resource: Arc<ResourceLedger>,
    pub(crate) owner: Option<Arc<MemberLedger>>,
    /// The `.lease()` or the member's call that issued it.
    pub(crate) place: &'static Location<'static>,
    /// Seen inside a member's argument that could not be re-issued (behind an `Arc`).
    accounted: AtomicBool,
}

impl Note {
    pub(crate) fn issue(
        resource: &Arc<ResourceLedger>,
        owner: Option<&Arc<MemberLedger>>,
        place: &'static Location<'static>,
    ) -> Arc<Self> {
        let note = Arc::new(Self {
            resource: Arc::clone(resource),
            owner: owner.cloned(),
            place,
            accounted: AtomicBool::new(owner.is_some()),
        });
        resource.outstanding.gate.enter();
        resource.outstanding.record(&note);
        if let Some(owner) = owner {
            owner.outstanding.gate.enter();
            owner.outstanding.record(&note);
        }
        note
    }

    pub(crate) fn account(&self) {
        self.accounted.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_accounted(&self) -> bool {
        self.accounted.load(Ordering::Relaxed)
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        if let Some(owner) = &self.owner {
            owner.outstanding.gate.leave();
        }
        self.resource.outstanding.gate.leave();
    }
}

/// A lease that did not come back: what, who had it, and where it was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The resource.
    pub resource: &'static str,
    /// The member it was issued to; `None` for a lease that no member's call re-issued.
    pub member: Option<&'static str>,
    /// The `.lease()` or the member's call that issued it.
    pub place: &'static Location<'static>,
}

impl Holder {
    pub(crate) fn of(note: &Note) -> Self {
        Self {
            resource: note.resource.spec.name,
            member: note.owner.as_ref().map(|owner| owner.spec.name),
            place: note.place,
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.resource)?;
        if let Some(member) = self.member {
            write!(formatter, " held by `{member}`")?;
        }
        write!(formatter, ", leased at {}:{}", self.place.file(), self.place.line())
    }
}

/// What a member reaches of one resource, for the accounting at start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) identity: Identity,
    pub(crate) instance: u64,
    pub(crate) place: &'static Location<'static>,
    pub(crate) name: &'static str,
}

impl Reached {
    pub(crate) fn of(note: &Note) -> Self {
        Self {
            identity: note.resource.spec.identity,
            instance: note.resource.instance,
            place: note.place,
            name: note.resource.spec.name,
        }
    }
}

/// Nothing panics while one of our locks is held, so a poisoned one is still sound.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
