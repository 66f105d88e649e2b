//! The nouns of the graph: what a declared item says about itself, and how a plan arranges items.

use super::behaviour::{Behaviour, Conduct};

/// Which declared item this is: the same number for the same item everywhere, and for no other.
///
/// A hash over the package's name and version, the module path, and the name, line and column of the declaration, so
/// that function-local items, items stamped by one macro and two versions of one crate stay apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(pub(super) u64);

impl Identity {
    /// Mixes what the macro knew of an item (`seed`) with where the compiler says it stands.
    ///
    /// Evaluated for every item while its crate is compiled, so without a call inside the loop: each costs far more than
    /// the arithmetic.
    pub const fn new(seed: u64, module_path: &str, line: u32, column: u32) -> Self {
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
        let bytes = module_path.as_bytes();
        // Mixed before the path comes, or a letter of a short one could undo a column.
        let mut hash = ((seed ^ ((line as u64) << 32 | column as u64)) as u128 * FACTOR) as u64;
        hash ^= hash >> 29;
        let mut at = 0;
        while at < bytes.len() {
            let mut word = 0;
            let end = if at + 8 < bytes.len() { at + 8 } else { bytes.len() };
            while at < end {
                word = word << 8 | bytes[at] as u64;
                at += 1;
            }
            hash = ((hash ^ word) as u128 * FACTOR) as u64;
            hash ^= hash >> 29;
        }
        hash = (hash as u128 * FACTOR) as u64;
        Self(hash ^ (hash >> 29))
    }

    /// The number itself, for tables keyed by it.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// Whether both name the same item (`==` is not yet `const`).
    pub const fn is(self, other: Self) -> bool {
        self.0 == other.0
    }
}

/// Where something was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The source file, as rustc was given it.
    pub file: &'static str,
    /// The line in it, from 1.
    pub line: u32,
}

/// What kind of member an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Runs from the start until its phase stops.
    Task,
    /// Runs once, when its phase is reached.
    Hook,
    /// Is closed, once all who use it are over.
    Resource,
}

impl Kind {
    /// Its name in what programs read: `task`, `hook`, `resource`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Hook => "hook",
            Self::Resource => "resource",
        }
    }
}

/// The resources that a value holds leases of.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// None.
    Nothing,
    /// One of this resource.
    One(&'static ResourceName),
    /// Those of several parts.
    All(&'static [&'static Held]),
    /// What the type itself says; where it says nothing, what its type arguments hold.
    Inside(&'static Held, &'static [&'static Held]),
}

impl Held {
    /// What is there to look at: the type's own answer, or those of its type arguments.
    pub(crate) const fn parts(&'static self) -> &'static [&'static Held] {
        match self {
            Self::Nothing | Self::One(_) => &[],
            Self::All(parts) => parts,
            // A slice of one, borrowed from the pair, where the type answers for itself.
            Self::Inside(own, inner) => {
                if own.is_empty() {
                    inner
                } else {
                    std::slice::from_ref(own)
                }
            }
        }
    }

    /// Whether it names no resource at all.
    const fn is_empty(&'static self) -> bool {
        if matches!(self, Self::One(_)) {
            return false;
        }
        let parts = self.parts();
        let mut at = 0;
        while at < parts.len() {
            if !parts[at].is_empty() {
                return false;
            }
            at += 1;
        }
        true
    }
}

/// A resource as those see it who use it.
#[derive(Clone, Copy, Debug)]
pub struct ResourceName {
    /// Which resource.
    pub identity: Identity,
    /// Its name, as users wrote it.
    pub name: &'static str,
}

/// One way in which a member uses resources.
#[derive(Clone, Copy, Debug)]
pub struct UseSpec {
    /// The resources.
    pub held: &'static Held,
    /// How, in the user's own words: "takes `db: &Db`".
    pub how: &'static str,
    /// Whether only `uses(...)` says so: leases that cannot be reached are then this member's.
    pub declared: bool,
}

/// Which of two items stops first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The declaring item stops after the other.
    After,
    /// The declaring item stops before the other.
    Before,
}

/// A `#[shutdown_order]` on an item: every plan that holds both must have a path between them.
#[derive(Clone, Copy, Debug)]
pub struct OrderSpec {
    /// The item that is named.
    pub other: Identity,
    /// Its name as it was written.
    pub name: &'static str,
    /// Which of the two stops first.
    pub direction: Direction,
}

/// What a declared task, hook or resource says about itself.
#[derive(Clone, Copy, Debug)]
pub struct MemberSpec {
    /// Which item it is.
    pub identity: Identity,
    /// Its name, without `r#`.
    pub name: &'static str,
    /// Task, hook or resource.
    pub kind: Kind,
    /// The budget that was written, in milliseconds.
    pub budget: Option<u64>,
    /// What it uses.
    pub uses: &'static [UseSpec],
    /// The orders that travel with it.
    pub orders: &'static [OrderSpec],
    /// How it behaves at run time.
    pub behaviour: Behaviour,
    /// Where it is declared.
    pub place: Place,
}

impl MemberSpec {
    /// The default budget, in milliseconds: 10 s for a task, 5 s for a hook or a resource.
    pub const fn default_budget(&self) -> u64 {
        match self.kind {
            Kind::Task => 10_000,
            Kind::Hook | Kind::Resource => 5_000,
        }
    }
}

/// What stands in a field of a plan, as far as its type tells.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// Nothing: the field was compiled out.
    Empty,
    /// A task, a hook or a resource.
    Member(&'static MemberSpec),
    /// A tuple: all stop together.
    All(&'static [Node]),
    /// An `Option`.
    Optional(&'static Node),
    /// A `Vec`.
    Many(&'static Node),
    /// Another plan, declared `#[shutdown_plan(part)]`.
    Part(&'static PlanSpec),
}

/// All fields that a field follows, directly or not.
#[derive(Clone, Copy, Debug)]
pub enum Follows {
    /// Every field above it.
    Above,
    /// Those whose bit is set: field `n` is bit `n % 64` of word `n / 64`.
    Just(&'static [u64]),
}

impl Follows {
    /// Whether the field numbered `this`, of which this is the order, stops after the field numbered `other`.
    pub const fn contains(&self, this: usize, other: usize) -> bool {
        match self {
            Self::Above => other < this,
            Self::Just(words) => other / 64 < words.len() && words[other / 64] >> (other % 64) & 1 == 1,
        }
    }
}

/// A field of a plan: one phase.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// The field's name, without `r#`.
    pub name: &'static str,
    /// What stands in it.
    pub node: Node,
    /// What `#[phase(budget)]` wrote, in milliseconds.
    pub budget: Option<u64>,
    /// The fields that it directly follows; one that follows from another is left out.
    pub after: &'static [u16],
    /// The closure of `after`.
    pub follows: Follows,
    /// Whether a `#[shutdown_order]` was written on it; else it follows every field above.
    pub declared: bool,
    /// How many phases stop one after another up to and including this one; 1 for the first.
    pub rank: u16,
}

/// A field on a cycle, and why it must stop after the next one.
#[derive(Clone, Copy, Debug)]
pub struct CycleStep {
    /// The field's number.
    pub field: u16,
    /// What says so.
    pub because: Because,
}

/// Why one field must stop after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// It stands below the other.
    Below,
    /// Its own `after` names the other.
    After,
    /// The other's `before` names it.
    Before,
}

/// A plan, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct PlanSpec {
    /// The struct's name.
    pub name: &'static str,
    /// Whether it was declared `#[shutdown_plan(part)]`.
    pub part: bool,
    /// Its phases, in the order of their declaration.
    pub fields: &'static [FieldSpec],
    /// The numbers of the fields, each after all that it follows. Shorter than `fields` where orders form a cycle.
    pub order: &'static [u16],
    /// For each field the longest path from its beginning to the end of the plan, in milliseconds.
    pub path: &'static [u64],
    /// A cycle that the fields' own orders form: each field must stop after the next one; empty where there is none.
    pub cycle: &'static [CycleStep],
    /// What the platform grants, in milliseconds.
    pub budget: u64,
    /// What the `preStop` hook spends of it before the signal, in milliseconds.
    pub pre_stop: u64,
    /// The time between readiness off and the first phase, in milliseconds.
    pub lame_duck: u64,
    /// What is kept for joins, report and exit, in milliseconds.
    pub margin: u64,
    /// How it behaves as a whole.
    pub conduct: Conduct,
    /// Where it is declared.
    pub place: Place,
}

impl PlanSpec {
    /// The default and the least `margin`, in milliseconds.
    pub const MARGIN: u64 = 2_000;
}
