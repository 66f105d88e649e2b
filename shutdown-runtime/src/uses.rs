//! Which values hold leases: the [`Uses`] trait and its implementations for containers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::graph::Held;
use crate::lease::{Issuer, Lease};
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
    const HELD: &'static Held = T::HELD;

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
