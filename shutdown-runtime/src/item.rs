//! What a declared item is to the graph: its identity, and for a phase's type what stands in it.

use crate::graph::{Identity, MemberSpec, Node};
use crate::phase::PhaseBuilder;
use crate::task::TaskValue;

/// A declared task, hook or resource: something that `#[shutdown_order]` can name.
///
/// The attributes implement it. Only the identity is read through it, so that items may name each other.
#[diagnostic::on_unimplemented(
    message = "[not-a-phase] `{Self}` is no task, hook or resource, so nothing can stop before or after it",
    label = "not declared with `#[background_task]`, `#[shutdown_hook]` or `#[resource]`",
    note = "name the function of a task or a hook, or the struct of a resource"
)]
pub trait Item {
    /// Which item this is.
    const IDENTITY: Identity;
}

/// What may stand in a field of a plan: a task, a hook, a `Resource<T>`, a part, or tuples, `Option`s and `Vec`s of these.
///
/// The attributes implement it for tasks, hooks and parts.
#[diagnostic::on_unimplemented(
    message = "[not-a-phase] `{Self}` cannot stand in a shutdown plan",
    label = "neither a task, a hook, a `Resource<T>`, nor a part of a plan",
    note = "a field holds a `#[background_task]`, a `#[shutdown_hook]`, a `Resource<T>`, a `#[shutdown_plan(part)]`, or a tuple (of at most 12), `Option` or `Vec` of these",
    note = "what is declared `#[resource] struct T` stands in the plan as `Resource<T>`, not as `T` or `Lease<T>`",
    note = "a whole plan stands in no other: a part of one is declared `#[shutdown_plan(part)]`"
)]
pub trait Phase: Sized {
    /// What stands in the field, as far as its type tells.
    ///
    /// By value: each reference is one more constant that rustc evaluates, for every member of every plan.
    const NODE: Node;

    /// Hands the members over to the driver.
    fn enlist(self, phase: &mut PhaseBuilder);
}

/// The type of a declared task or hook. The attributes implement it; [`Item`] and [`Phase`] follow from it.
///
/// One implementation for each task, since every further one costs all users of a plan compile time.
pub trait TaskSpec: Sized {
    /// What it says about itself.
    const SPEC: &'static MemberSpec;
    /// Which item this is. Written out where the table holds orders: two items may name each other in theirs.
    const IDENTITY: Identity = Self::SPEC.identity;

    /// The value that the plan starts.
    fn into_value(self) -> TaskValue;
}

#[diagnostic::do_not_recommend]
impl<T: TaskSpec> Item for T {
    const IDENTITY: Identity = <T as TaskSpec>::IDENTITY;
}

#[diagnostic::do_not_recommend]
impl<T: TaskSpec> Phase for T {
    const NODE: Node = Node::Member(T::SPEC);

    fn enlist(self, phase: &mut PhaseBuilder) {
        phase.task_or_hook(self.into_value());
    }
}

#[diagnostic::do_not_recommend]
impl<P: Phase> Phase for Option<P> {
    const NODE: Node = Node::Optional(&P::NODE);

    fn enlist(self, phase: &mut PhaseBuilder) {
        if let Some(inner) = self {
            inner.enlist(phase);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<P: Phase> Phase for Vec<P> {
    const NODE: Node = Node::Many(&P::NODE);

    fn enlist(self, phase: &mut PhaseBuilder) {
        for inner in self {
            inner.enlist(phase);
        }
    }
}

macro_rules! tuples {
    ($($member:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<$($member: Phase),+> Phase for ($($member,)+) {
            const NODE: Node = Node::All(&[$($member::NODE),+]);

            fn enlist(self, phase: &mut PhaseBuilder) {
                #[allow(non_snake_case, reason = "the type parameters' names serve as the fields' names")]
                let ($($member,)+) = self;
                $($member.enlist(phase);)+
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
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);
