//! Asking a type what it can do, before rustc would complain in its own words.
//!
//! Inherent items under a bound win over a trait's for types that meet it; others find the trait's.

use std::marker::PhantomData;

use crate::graph::Held;
use crate::lease::Issuer;
use crate::uses::Uses;

/// A type that cannot hide a lease: every `Unpin` type, since a lease is not.
///
/// As a bound it says of a type parameter or an `impl Trait` that what it stands for holds no lease.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{NoHiddenLease, Shutdown, background_task};
///
/// #[background_task]
/// async fn relay<S: Send + NoHiddenLease + 'static>(sink: S, shutdown: Shutdown) {
///     shutdown.requested().await;
///     drop(sink);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "[hidden-lease] `{Self}` may hide a lease from the plan",
    label = "neither `Uses` nor `Unpin`",
    note = "a struct of leases says what it holds with `#[derive(Uses)]`",
    note = "a type parameter or an `impl Trait` says by a bound that it holds none: `+ Unpin` or `+ NoHiddenLease`; a type parameter may also be `Uses`",
    note = "where that cannot be, say it on the item: `uses(A, B)`, or `uses()` where it holds no lease",
    note = "a `Resource` stands in the plan; who uses it takes its `Lease<T>`, and a task may also take `&T`"
)]
pub trait NoHiddenLease {}

#[diagnostic::do_not_recommend]
impl<T: Unpin + ?Sized> NoHiddenLease for T {}

/// What a type written `Lease<T>` must be when it is not [`Uses`]: a `Lease` of another crate's.
#[diagnostic::on_unimplemented(
    message = "[not-a-resource] `{Self}` leases what is no resource",
    label = "what it leases is not declared with `#[resource]`",
    note = "only a resource is leased: declare its struct with `#[resource(close = ...)]`, or take a plain value by value, or in an `Arc`"
)]
pub trait OtherLease {}

#[diagnostic::do_not_recommend]
impl<T: Unpin + ?Sized> OtherLease for T {}

/// Asks a concrete type for its [`Uses`]: the inherent items win where it has them, else those of [`Opaque`] are found.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: Uses + ?Sized> Probe<T> {
    /// What a value holds.
    pub const HELD: &'static Held = T::HELD;

    /// See [`Uses::reissue`].
    pub fn reissue(value: &mut T, issuer: &mut Issuer) {
        value.reissue(issuer);
    }

    /// See [`Uses::account`].
    pub fn account(value: &T, issuer: &mut Issuer) {
        value.account(issuer);
    }

    /// Leases that can be reached are re-issued whatever the item says about the others.
    pub fn reissue_declared(value: &mut T, issuer: &mut Issuer) {
        value.reissue(issuer);
    }

    /// [`Self::reissue`], of a type written `Lease<T>`.
    pub fn reissue_lease(value: &mut T, issuer: &mut Issuer) {
        value.reissue(issuer);
    }

    /// Only for the refusal of what hides a lease.
    pub const fn hides_nothing() {}

    /// Only for the refusal of a lease of what is no resource.
    pub const fn leases_a_resource() {}
}

/// What [`Probe`] answers for a type without [`Uses`]. Its methods' bounds are checked after they were chosen, which
/// gives the error our own text.
pub trait Opaque<T: ?Sized> {
    /// Nothing that is known.
    const HELD: &'static Held = &Held::Nothing;

    /// Nothing to do, and refused for a type that may hide a lease.
    fn reissue(_: &mut T, _: &mut Issuer)
    where
        T: NoHiddenLease,
    {
    }

    /// Nothing to do, and refused for a lease of what is no resource.
    fn reissue_lease(_: &mut T, _: &mut Issuer)
    where
        T: OtherLease,
    {
    }

    /// Nothing to do: what may hide a lease is refused where it would be re-issued.
    fn account(_: &T, _: &mut Issuer) {}

    /// Nothing to do: the item said what its argument holds.
    fn reissue_declared(_: &mut T, _: &mut Issuer) {}

    /// Refused for a type that may hide a lease.
    fn hides_nothing()
    where
        T: NoHiddenLease,
    {
    }

    /// Refused for a lease of what is no resource.
    fn leases_a_resource()
    where
        T: OtherLease,
    {
    }
}

impl<T: ?Sized> Opaque<T> for Probe<T> {}

/// Refuses an argument without a nameable type (`impl Trait`) that may hide a lease.
pub const fn need_no_hidden_lease<T: NoHiddenLease + ?Sized>(_: &T) {}

/// Asks a concrete type whether it is `Clone`: the inherent constant wins where it is, else [`NotClone`]'s is found.
#[derive(Debug)]
pub struct CloneProbe<T: ?Sized>(PhantomData<T>);

impl<T: Clone> CloneProbe<T> {
    /// It is.
    pub const IS_CLONE: bool = true;
}

/// What [`CloneProbe`] answers for a type that is not `Clone`.
pub trait NotClone {
    /// It is not.
    const IS_CLONE: bool = false;
}

impl<T: ?Sized> NotClone for CloneProbe<T> {}
