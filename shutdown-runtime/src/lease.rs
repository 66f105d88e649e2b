//! Handing a resource out, so that its close can wait for whoever has it.

use std::fmt;
use std::marker::PhantomPinned;
use std::ops::Deref;
use std::panic::Location;
use std::sync::Arc;

use crate::graph::MemberSpec;
use crate::ledger::{MemberLedger, Note, Reached};
use crate::resource::{Core, Resource, ResourceSpec};

/// A share in a resource: cloneable, and waited for before the resource closes.
///
/// Derefs to the resource. A clone costs one atomic increment. It is `!Unpin` so that a type which hides one is
/// found at compile time (`hidden-lease`); that restricts nothing else.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Lease, Resource, resource};
///
/// #[resource(close = async |_: &Journal| ())]
/// struct Journal(Vec<u8>);
///
/// let journal = Resource::new(Journal(vec![1, 2, 3]));
/// let lease: Lease<Journal> = journal.lease();
/// assert_eq!(lease.clone().0.len(), 3);
/// ```
///
/// Without a bound on `T`, for the same reason as [`Lent`]: one error where `T` is no resource.
pub struct Lease<T> {
    issue: Arc<dyn Holds<T>>,
    _pinned: PhantomPinned,
}

/// What a lease points at. A trait object, so that rustc, which asks for every task's future whether it is `Send`, need
/// not look through resource and ledger each time.
trait Holds<T>: Send + Sync {
    fn issue(&self) -> &Issue<T>;
}

impl<T: Send + Sync> Holds<T> for Issue<T> {
    fn issue(&self) -> &Self {
        self
    }
}

/// What the clones of one lease share. The value goes before the note: "returned" must not be said too early.
struct Issue<T> {
    core: Arc<Core<T>>,
    note: Arc<Note>,
}

impl<T: ResourceSpec> Lease<T> {
    pub(crate) fn issue(core: &Arc<Core<T>>, place: &'static Location<'static>) -> Self {
        Self::issue_to(core, None, place)
    }

    fn issue_to(
        core: &Arc<Core<T>>,
        owner: Option<&Arc<MemberLedger>>,
        place: &'static Location<'static>,
    ) -> Self {
        let note = Note::issue(&core.ledger, owner, place);
        Self { issue: Arc::new(Issue { core: Arc::clone(core), note }), _pinned: PhantomPinned }
    }

    fn into_lent(self) -> Lent<T> {
        Lent { issue: self.issue }
    }
}

impl<T> Clone for Lease<T> {
    fn clone(&self) -> Self {
        Self { issue: Arc::clone(&self.issue), _pinned: PhantomPinned }
    }
}

impl<T> Deref for Lease<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.issue.issue().core.value
    }
}

impl<T> fmt::Debug for Lease<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Lease").field(&self.issue.issue().core.ledger.spec.name).finish()
    }
}

/// What a task's call takes for a `&T` parameter: `&Resource<T>` or `&Lease<T>`.
#[diagnostic::on_unimplemented(
    message = "[not-a-resource] `{Self}` does not lend a `{T}`",
    label = "expected `&Resource<{T}>` or `&Lease<{T}>`",
    note = "the call of a task takes the `Resource` for each `&{T}` parameter, and lends it for as long as the task runs",
    note = "to call the function as written, as a test does, write `name::body(..).await`"
)]
pub trait Lend<T> {
    #[doc(hidden)]
    fn lend(&self, issuer: &mut Issuer) -> Lent<T>;

    #[doc(hidden)]
    fn value(&self) -> &T;
}

/// What a call is lent, all of it: a tuple of `&dyn Lend<T>`, of further such tuples, and of `()` where a parameter
/// was compiled out.
pub trait Loans {
    /// The loans, as long as the task has them.
    type Lent: Send + Sync + 'static;

    /// Takes them.
    fn lend(self, issuer: &mut Issuer) -> Self::Lent;
}

impl<T: 'static> Loans for &dyn Lend<T> {
    type Lent = Lent<T>;

    fn lend(self, issuer: &mut Issuer) -> Lent<T> {
        Lend::lend(self, issuer)
    }
}

impl Loans for () {
    type Lent = ();

    fn lend(self, _: &mut Issuer) {}
}

macro_rules! tuples {
    ($($each:ident)+) => {
        impl<$($each: Loans),+> Loans for ($($each,)+) {
            type Lent = ($($each::Lent,)+);

            fn lend(self, issuer: &mut Issuer) -> Self::Lent {
                #[allow(non_snake_case, reason = "the type parameters' names serve as the fields' names")]
                let ($($each,)+) = self;
                ($($each.lend(issuer),)+)
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

/// What a task keeps of a resource that it takes as `&T`, and borrows from for as long as it runs.
///
/// Without a bound on `T`, so that a parameter of a type that is no resource gives one error, where the table of the
/// task names it, and none for each place that passes the loan on.
pub struct Lent<T> {
    issue: Arc<dyn Holds<T>>,
}

impl<T> Deref for Lent<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.issue.issue().core.value
    }
}

impl<T> fmt::Debug for Lent<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Lent").field(&self.issue.issue().core.ledger.spec.name).finish()
    }
}

impl<T: ResourceSpec> Lend<T> for Resource<T> {
    fn lend(&self, issuer: &mut Issuer) -> Lent<T> {
        let place = issuer.place;
        issuer.issue(self.core(), place).into_lent()
    }

    fn value(&self) -> &T {
        &self.core().value
    }
}

impl<T: ResourceSpec> Lend<T> for Lease<T> {
    fn lend(&self, issuer: &mut Issuer) -> Lent<T> {
        let place = issuer.place;
        issuer.issue(&self.issue.issue().core, place).into_lent()
    }

    fn value(&self) -> &T {
        self
    }
}

/// Issues the leases of one member anew, so that it has holders of its own, and notes what it reaches.
#[derive(Debug)]
pub struct Issuer {
    ledger: Arc<MemberLedger>,
    place: &'static Location<'static>,
    reached: Vec<Reached>,
}

impl Issuer {
    pub(crate) fn new(spec: &'static MemberSpec, place: &'static Location<'static>) -> Self {
        Self { ledger: MemberLedger::new(spec), place, reached: Vec::new() }
    }

    fn issue<T: ResourceSpec>(&mut self, core: &Arc<Core<T>>, place: &'static Location<'static>) -> Lease<T> {
        let lease = Lease::issue_to(core, Some(&self.ledger), place);
        self.reached.push(Reached::of(&lease.issue.issue().note));
        lease
    }

    /// Replaces a lease by one of this member's own, which remembers where the first was issued.
    pub fn reissue<T: ResourceSpec>(&mut self, lease: &mut Lease<T>) {
        let place = lease.issue.issue().note.place;
        *lease = self.issue(&lease.issue.issue().core, place);
    }

    /// Notes a lease that is shared and so cannot be replaced: it delays the resource's close alone.
    pub fn account<T: ResourceSpec>(&mut self, lease: &Lease<T>) {
        lease.issue.issue().note.account();
        self.reached.push(Reached::of(&lease.issue.issue().note));
    }

    pub(crate) fn spec(&self) -> &'static MemberSpec {
        self.ledger.spec
    }

    pub(crate) fn into_parts(self) -> (&'static MemberSpec, Arc<MemberLedger>, Vec<Reached>) {
        (self.ledger.spec, self.ledger, self.reached)
    }
}
