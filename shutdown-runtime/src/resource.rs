//! What is closed at the stop: [`Resource`], and what a declared resource says about itself.

use std::fmt;
use std::future::Future;
use std::marker::PhantomPinned;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;

use crate::closing::Closing;
use crate::graph::{Held, MemberSpec, Node, ResourceName};
use crate::item::Phase;
use crate::lease::{Issuer, Lease};
use crate::ledger::{Reached, ResourceLedger};
use crate::output::TaskResult;
use crate::phase::PhaseBuilder;
use crate::startup;

/// A boxed future of one step of a member.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A struct that was declared `#[resource]`.
///
/// The attribute implements it; by hand it is needed only where no macro may run.
#[diagnostic::on_unimplemented(
    message = "[not-a-resource] `{Self}` is no resource",
    label = "not declared with `#[resource]`",
    note = "a `&T` parameter lends a resource; take a plain value by value, or in an `Arc`",
    note = "to make `{Self}` a resource, declare its struct with `#[resource(close = ...)]`"
)]
pub trait ResourceSpec: Sized + Send + Sync + 'static {
    /// What it says about itself.
    const SPEC: &'static MemberSpec;

    /// How its users see it. Of two resources that use each other at least one writes it out: reading the tables here
    /// would make a cycle in the compiler.
    const NAME: ResourceName = ResourceName { identity: Self::SPEC.identity, name: Self::SPEC.name };

    /// What a value holds that borrows or shares it.
    const HELD: &'static Held = &Held::One(&Self::NAME);

    /// Re-issues the leases of other resources in its fields to itself.
    fn reissue(&mut self, issuer: &mut Issuer);

    /// Closes it. Called once, after every lease is back or half the budget has passed.
    fn close(&self, closing: Closing) -> BoxFuture<'_, TaskResult>;
}

/// How a resource closes whose attribute names no `close`.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Close, Closing, resource};
///
/// #[resource(budget = "2s")]
/// struct Journal(Vec<u8>);
///
/// impl Close for Journal {
///     type Error = std::io::Error;
///
///     async fn close(&self, closing: Closing) -> Result<(), Self::Error> {
///         println!("{} bytes within {:?}", self.0.len(), closing.time_left());
///         Ok(())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "[no-close] nothing says how `{Self}` closes",
    label = "no `close = ...` in its `#[resource]`, and no `Close`",
    note = "write `#[resource(close = path)]` with an async function that takes `&{Self}`, or implement `Close`"
)]
pub trait Close {
    /// What may go wrong.
    type Error: Into<Box<dyn std::error::Error + Send + Sync>>;

    /// Closes the resource, within [`Closing::time_left`].
    fn close(&self, closing: Closing) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// The owner of a resource: hands out leases, and stands in the plan, which closes it.
///
/// Not `Clone`; it is one value, moved into the plan.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Resource, resource};
///
/// #[resource(close = close_db)]
/// struct Db(u32);
///
/// async fn close_db(db: &Db) {
///     println!("closing {}", db.0);
/// }
///
/// let db = Resource::new(Db(7));
/// let lease = db.lease();
/// assert_eq!(lease.0, 7);
/// ```
#[must_use = "a resource that stands in no plan is never closed"]
pub struct Resource<T: ResourceSpec> {
    core: Arc<Core<T>>,
    /// Hides no better than a lease: taken into a task's argument, it would never close.
    _pinned: PhantomPinned,
}

/// What a resource and its leases share.
pub(crate) struct Core<T> {
    pub(crate) value: T,
    pub(crate) ledger: Arc<ResourceLedger>,
    reached: Vec<Reached>,
}

impl<T: ResourceSpec> Resource<T> {
    /// Takes the value into ownership. Inside the body of `main` it is remembered, and closed if the start-up fails.
    #[track_caller]
    pub fn new(value: T) -> Self {
        let place = Location::caller();
        let mut value = value;
        let mut issuer = Issuer::new(T::SPEC, place);
        value.reissue(&mut issuer);
        let (_, _, reached) = issuer.into_parts();
        let core = Arc::new(Core { value, ledger: ResourceLedger::new(T::SPEC, place), reached });
        startup::remember(&(Arc::clone(&core) as Arc<dyn AnyResource>));
        Self { core, _pinned: PhantomPinned }
    }

    /// Hands out a share. Give it to a member of the plan: a lease that no member holds is refused at the start.
    #[track_caller]
    pub fn lease(&self) -> Lease<T> {
        Lease::issue(&self.core, Location::caller())
    }

    pub(crate) fn core(&self) -> &Arc<Core<T>> {
        &self.core
    }
}

impl<T: ResourceSpec> fmt::Debug for Resource<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Resource").field(&T::SPEC.name).finish()
    }
}

impl<T: ResourceSpec> Phase for Resource<T> {
    const NODE: Node = Node::Member(T::SPEC);

    fn enlist(self, phase: &mut PhaseBuilder) {
        phase.resource(self.core);
    }
}

/// A resource whose type has been forgotten, as the driver and the start-up's memory hold it.
pub(crate) trait AnyResource: Send + Sync {
    fn ledger(&self) -> &Arc<ResourceLedger>;
    fn reached(&self) -> &[Reached];
    fn close(&self, closing: Closing) -> BoxFuture<'_, TaskResult>;
}

impl<T: ResourceSpec> AnyResource for Core<T> {
    fn ledger(&self) -> &Arc<ResourceLedger> {
        &self.ledger
    }

    fn reached(&self) -> &[Reached] {
        &self.reached
    }

    fn close(&self, closing: Closing) -> BoxFuture<'_, TaskResult> {
        self.value.close(closing)
    }
}

impl fmt::Debug for dyn AnyResource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Resource").field(&self.ledger().spec.name).finish()
    }
}
