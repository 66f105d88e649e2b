//! What is wrong with a plan, as both sides say it.

use std::collections::BTreeSet;
use std::fmt;

/// A rule of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// `close-before-wait`
    CloseBeforeWait,
    /// `never-closed`
    NeverClosed,
    /// `closed-twice`
    ClosedTwice,
    /// `order-violated`
    OrderViolated,
    /// `order-cycle`
    OrderCycle,
    /// `over-budget`
    OverBudget,
    /// `phase-under-member`
    PhaseUnderMember,
    /// `part-over-budget`
    PartOverBudget,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::CloseBeforeWait,
        Self::NeverClosed,
        Self::ClosedTwice,
        Self::OrderViolated,
        Self::OrderCycle,
        Self::OverBudget,
        Self::PhaseUnderMember,
        Self::PartOverBudget,
    ];

    /// Its id, as messages begin with it.
    pub const fn id(self) -> &'static str {
        match self {
            Self::CloseBeforeWait => "close-before-wait",
            Self::NeverClosed => "never-closed",
            Self::ClosedTwice => "closed-twice",
            Self::OrderViolated => "order-violated",
            Self::OrderCycle => "order-cycle",
            Self::OverBudget => "over-budget",
            Self::PhaseUnderMember => "phase-under-member",
            Self::PartOverBudget => "part-over-budget",
        }
    }

    /// The rules whose messages begin in a text.
    pub fn named_in(text: &str) -> impl Iterator<Item = Self> + '_ {
        let bracketed = text.lines().filter_map(|line| line.trim_start().strip_prefix('[')?.split_once(']'));
        bracketed.filter_map(|(id, _)| Self::ALL.into_iter().find(|rule| rule.id() == id))
    }
}

/// What is underlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The field of that number.
    Field(usize),
    /// The plan's `budget`.
    Budget,
}

/// A rule that is broken, and where that is said.
pub type Finding = (Place, Rule);

/// What is wrong with one plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Exactly this; nothing for a sound plan.
    Findings(BTreeSet<Finding>),
    /// The fields' own orders form a cycle: that alone is said, on one of these fields.
    FieldCycle(BTreeSet<usize>),
}

impl Verdict {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        matches!(self, Self::Findings(findings) if findings.is_empty())
    }

    /// The rules that are broken.
    pub fn rules(&self) -> BTreeSet<Rule> {
        match self {
            Self::Findings(findings) => findings.iter().map(|(_, rule)| *rule).collect(),
            Self::FieldCycle(_) => BTreeSet::from([Rule::OrderCycle]),
        }
    }

    /// Whether the other side said the same.
    pub fn agrees(&self, said: &BTreeSet<Finding>) -> bool {
        match self {
            Self::Findings(findings) => findings == said,
            Self::FieldCycle(fields) => {
                let mut said = said.iter();
                let first = said.next();
                said.next().is_none()
                    && matches!(first, Some((Place::Field(field), Rule::OrderCycle)) if fields.contains(field))
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Findings(findings) => shown(findings).fmt(formatter),
            Self::FieldCycle(fields) => write!(formatter, "order-cycle at one of the fields {fields:?}"),
        }
    }
}

/// Findings as a text.
pub fn shown(findings: &BTreeSet<Finding>) -> String {
    if findings.is_empty() {
        return "sound".to_owned();
    }
    let each = findings.iter().map(|(place, rule)| match place {
        Place::Field(field) => format!("{} at field {field}", rule.id()),
        Place::Budget => format!("{} at the budget", rule.id()),
    });
    each.collect::<Vec<_>>().join(", ")
}
