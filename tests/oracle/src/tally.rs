//! How often what occurred among the programs, so that a comparison cannot become empty unseen.

use std::collections::BTreeMap;
use std::fmt;

use crate::generate::Origin;
use crate::model::{Kind, Plan, Program};
use crate::verdict::{Rule, Verdict};

/// Counts by name.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts one program.
    pub fn program(&mut self, program: &Program, origin: Origin, verdicts: &[Verdict]) {
        self.add("programs", 1);
        self.add("plans", program.plans.len() as u64);
        self.add(
            match origin {
                Origin::Sound => "made sound",
                Origin::NearSound => "made near-sound",
                Origin::Wild => "made wild",
            },
            1,
        );
        let sound = verdicts.iter().all(Verdict::is_sound);
        self.add("sound", u64::from(sound));
        self.add("near-sound and refused", u64::from(!sound && origin == Origin::NearSound));
        for rule in Rule::ALL {
            let broken = verdicts.iter().any(|verdict| verdict.rules().contains(&rule));
            self.add(rule.id(), u64::from(broken));
            self.add(&format!("only {}", rule.id()), u64::from(broken && is_alone(verdicts)));
        }
        let in_part = verdicts[..program.root()].iter().any(|verdict| !verdict.is_sound());
        self.add("refused in a part", u64::from(in_part));
        let cyclic = verdicts.iter().any(|verdict| matches!(verdict, Verdict::FieldCycle(_)));
        self.add("cycle of fields", u64::from(cyclic));
        self.shape(program, verdicts);
    }

    fn shape(&mut self, program: &Program, verdicts: &[Verdict]) {
        let members = program.members(program.root());
        self.add("40 members or more", u64::from(members >= 40));
        let big = verdicts.iter().all(Verdict::is_sound) && members >= 20;
        self.add("sound, 20 members or more", u64::from(big));
        self.add("3 members or fewer", u64::from(members <= 3));
        let any = |wanted: fn(&Plan) -> bool| u64::from(program.plans.iter().any(wanted));
        self.add("with parts", u64::from(program.root() > 0));
        let nested = |plan: &Plan| plan.total.is_none() && holds_part(plan);
        self.add("with parts in parts", any(nested));
        self.add("with orders of fields", any(|plan| plan.fields.iter().any(|field| field.after.is_some())));
        self.add(
            "with `before` on fields",
            any(|plan| plan.fields.iter().any(|field| !field.before.is_empty())),
        );
        let items = |wanted: fn(&crate::model::Item) -> bool| u64::from(program.items.iter().any(wanted));
        self.add("with orders of items", items(|item| !item.orders.is_empty()));
        self.add("with uses", items(|item| !item.uses.is_empty()));
        let by_resource = items(|item| item.kind == Kind::Resource && !item.uses.is_empty());
        self.add("with uses by resources", by_resource);
        self.add("with hooks at the drain", items(|item| item.at_drain));
        let user = items(|item| item.at_drain && !item.uses.is_empty());
        self.add("with hooks at the drain that use something", user);
        let ordered = items(|item| item.at_drain && !item.orders.is_empty());
        self.add("with hooks at the drain that have orders", ordered);
    }

    /// Counts something.
    pub fn add(&mut self, name: &str, count: u64) {
        *self.counts.entry(name.to_owned()).or_default() += count;
    }

    /// How often it was counted.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// How often it was counted among a thousand programs.
    pub fn per_mille(&self, name: &str) -> u64 {
        self.count(name) * 1_000 / self.count("programs").max(1)
    }

    /// Adds what another counted.
    pub fn join(&mut self, other: &Self) {
        other.counts.iter().for_each(|(name, count)| self.add(name, *count));
    }

    /// Reads what [`Display`](fmt::Display) wrote, among other lines.
    pub fn read(text: &str) -> Self {
        let mut tally = Self::default();
        for line in text.lines() {
            let counted = line.strip_prefix("tally ").and_then(|line| line.split_once(' '));
            if let Some((count, name)) = counted {
                tally.add(name, count.parse().unwrap_or_default());
            }
        }
        tally
    }
}

fn holds_part(plan: &Plan) -> bool {
    plan.fields.iter().any(|field| !field.node.parts().is_empty())
}

fn is_alone(verdicts: &[Verdict]) -> bool {
    let mut rules = verdicts.iter().flat_map(Verdict::rules);
    rules.next().is_some_and(|first| rules.all(|rule| rule == first))
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.iter().try_for_each(|(name, count)| writeln!(formatter, "tally {count} {name}"))
    }
}
