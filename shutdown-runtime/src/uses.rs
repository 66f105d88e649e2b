//! Which values hold leases: the [`Uses`] trait, its implementations for containers, and the probe that asks a type.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::graph::Held;
use crate::lease::{Issuer, Lease, Lend};
use crate::resource::ResourceSpec;

/// A value that holds leases, and says of which resources.
///
/// Derive it on a struct of leases, such as an axum state; a task that takes the struct then uses what it holds.
///
/// # Examples
///
/// ```
/// use shutdown_runtime::{Lease, Uses, resource};
///
/// #[resource(close = async |_: &Db| ())]
/// struct Db;
///
/// #[derive(Clone, Uses)]
/// struct App {
///     db: Lease<Db>,
///     title: String,
/// }
/// # fn assert_uses<T: Uses>() {}
/// # assert_uses::<Option<App>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "[hidden-lease] `{Self}` does not say which resources it holds",
    label = "derive `Uses` on it",
    note = "`#[derive(Uses)]` on a struct of leases makes what it holds visible to the plan"
)]
pub trait Uses {
    /// The resources of which a value of this type holds leases.
    const HELD: &'static Held;

    /// Replaces every lease that can be reached mutably, and accounts for the others.
    fn reissue(&mut self, issuer: &mut Issuer);

    /// Accounts for every lease that can be reached.
    fn account(&self, issuer: &mut Issuer);
}

impl<T: ResourceSpec> Uses for Lease<T> {
    const HELD: &'static Held = &Held::One(&T::NAME);

    fn reissue(&mut self, issuer: &mut Issuer) {
        issuer.reissue(self);
    }

    fn account(&self, issuer: &mut Issuer) {
        issuer.account(self);
    }
}

impl<T: Uses + ?Sized> Uses for Box<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        (**self).reissue(issuer);
    }

    fn account(&self, issuer: &mut Issuer) {
        (**self).account(issuer);
    }
}

impl<T: Uses + ?Sized> Uses for Arc<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        match Self::get_mut(self) {
            Some(inner) => inner.reissue(issuer),
            None => (**self).account(issuer),
        }
    }

    fn account(&self, issuer: &mut Issuer) {
        (**self).account(issuer);
    }
}

impl<T: Uses + ?Sized> Uses for Rc<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        match Self::get_mut(self) {
            Some(inner) => inner.reissue(issuer),
            None => (**self).account(issuer),
        }
    }

    fn account(&self, issuer: &mut Issuer) {
        (**self).account(issuer);
    }
}

impl<T: Uses> Uses for Mutex<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        self.get_mut().unwrap_or_else(PoisonError::into_inner).reissue(issuer);
    }

    fn account(&self, issuer: &mut Issuer) {
        self.lock().unwrap_or_else(PoisonError::into_inner).account(issuer);
    }
}

impl<T: Uses> Uses for RwLock<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        self.get_mut().unwrap_or_else(PoisonError::into_inner).reissue(issuer);
    }

    fn account(&self, issuer: &mut Issuer) {
        self.read().unwrap_or_else(PoisonError::into_inner).account(issuer);
    }
}

impl<T: Uses> Uses for tokio::sync::Mutex<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        self.get_mut().reissue(issuer);
    }

    /// One that is locked elsewhere at this moment stays unaccounted, and is then named at the start.
    fn account(&self, issuer: &mut Issuer) {
        if let Ok(inner) = self.try_lock() {
            inner.account(issuer);
        }
    }
}

impl<T: Uses> Uses for tokio::sync::RwLock<T> {
    const HELD: &'static Held = T::HELD;

    fn reissue(&mut self, issuer: &mut Issuer) {
        self.get_mut().reissue(issuer);
    }

    /// One that is locked elsewhere at this moment stays unaccounted, and is then named at the start.
    fn account(&self, issuer: &mut Issuer) {
        if let Ok(inner) = self.try_read() {
            inner.account(issuer);
        }
    }
}

macro_rules! sequences {
    ($([$($generics:tt)*] $container:ty;)+) => {
        $(impl<T: Uses, $($generics)*> Uses for $container {
            const HELD: &'static Held = T::HELD;

            fn reissue(&mut self, issuer: &mut Issuer) {
                for inner in self.iter_mut() {
                    inner.reissue(issuer);
                }
            }

            fn account(&self, issuer: &mut Issuer) {
                for inner in self.iter() {
                    inner.account(issuer);
                }
            }
        })+
    };
}

sequences! {
    [] Option<T>;
    [] Vec<T>;
    [] VecDeque<T>;
    [] [T];
    [const LENGTH: usize] [T; LENGTH];
}

macro_rules! maps {
    ($([$($generics:tt)*] $container:ty;)+) => {
        $(impl<T: Uses, $($generics)*> Uses for $container {
            const HELD: &'static Held = T::HELD;

            fn reissue(&mut self, issuer: &mut Issuer) {
                for inner in self.values_mut() {
                    inner.reissue(issuer);
                }
            }

            fn account(&self, issuer: &mut Issuer) {
                for inner in self.values() {
                    inner.account(issuer);
                }
            }
        })+
    };
}

maps! {
    [K: Ord] BTreeMap<K, T>;
    [K: Eq + Hash, S: BuildHasher] HashMap<K, T, S>;
}

macro_rules! tuples {
    ($($part:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($part: Uses),+> Uses for ($($part,)+) {
            const HELD: &'static Held = &Held::All(&[$($part::HELD),+]);

            fn reissue(&mut self, issuer: &mut Issuer) {
                #[allow(non_snake_case, reason = "the type parameters' names serve as the fields' names")]
                let ($($part,)+) = self;
                $($part.reissue(issuer);)+
            }

            fn account(&self, issuer: &mut Issuer) {
                #[allow(non_snake_case, reason = "the type parameters' names serve as the fields' names")]
                let ($($part,)+) = self;
                $($part.account(issuer);)+
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

/// A type that cannot hide a lease: every `Unpin` type, since a lease is not.
#[diagnostic::on_unimplemented(
    message = "[hidden-lease] `{Self}` may hide a lease from the plan",
    label = "neither `Uses` nor `Unpin`",
    note = "a struct of leases says what it holds with `#[derive(Uses)]`",
    note = "where that cannot be, say it on the item: `uses(A, B)`, or `uses()` where it holds no lease",
    note = "a `Resource` stands in the plan; a task takes it as `&T`, or its `Lease<T>`"
)]
pub trait NoHiddenLease {}

#[diagnostic::do_not_recommend]
impl<T: Unpin + ?Sized> NoHiddenLease for T {}

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

    /// Only for the refusal of what hides a lease.
    pub const fn hides_nothing() {}
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

    /// Nothing to do, and refused for a type that may hide a lease.
    fn account(_: &T, _: &mut Issuer)
    where
        T: NoHiddenLease,
    {
    }

    /// Nothing to do: the item said what its argument holds.
    fn reissue_declared(_: &mut T, _: &mut Issuer) {}

    /// Refused for a type that may hide a lease.
    fn hides_nothing()
    where
        T: NoHiddenLease,
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

/// Lends a `T`, or falls back on [`NoLend`], so that a `T` that is no resource gives one error, not one for
/// each place that needs it.
#[derive(Debug)]
pub struct LendProbe<T>(PhantomData<T>);

impl<T: ResourceSpec> LendProbe<T> {
    /// See [`Lend::lend`].
    pub fn lend(from: &dyn Lend<T>, issuer: &mut Issuer) -> Lease<T> {
        from.lend(issuer)
    }
}

/// What [`LendProbe`] answers for a type that is no resource, which is refused elsewhere.
pub trait NoLend<T> {
    /// Never called.
    fn lend<F: ?Sized>(_: &F, _: &mut Issuer) -> Box<T> {
        unreachable!("a parameter that lends no resource does not compile")
    }
}

impl<T> NoLend<T> for LendProbe<T> {}
