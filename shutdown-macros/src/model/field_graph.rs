//! The order among a plan's fields, computed from what is written on them.

/// What a field's own `#[shutdown_order]` says.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldOrder {
    /// `after = [...]`, as field numbers; `None` where it is not written.
    pub(crate) after: Option<Vec<usize>>,
    /// `before = [...]`, as field numbers.
    pub(crate) before: Vec<usize>,
}

impl FieldOrder {
    /// Whether anything is written.
    pub(crate) fn is_declared(&self) -> bool {
        self.after.is_some() || !self.before.is_empty()
    }
}

/// Why one field must stop after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Because {
    /// It stands below the other.
    Below,
    /// Its own `after` names the other.
    After,
    /// The other's `before` names it.
    Before,
}

/// The order among the fields, solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldGraph {
    /// For each field those that it directly follows, without those that follow from another.
    pub(crate) after: Vec<Vec<usize>>,
    /// For each field all those that it follows.
    pub(crate) follows: Vec<Bits>,
    /// For each field how many stop one after another up to and including it, from 1.
    pub(crate) rank: Vec<usize>,
    /// The fields, each after all that it follows; shorter than the plan where there is a cycle.
    pub(crate) order: Vec<usize>,
    /// One closed path, each field followed by the one that it must stop after; empty where there is none.
    pub(crate) cycle: Vec<(usize, Because)>,
}

impl FieldGraph {
    /// Whether a field follows exactly those above it.
    pub(crate) fn follows_above(&self, field: usize) -> bool {
        self.follows.get(field).is_some_and(|bits| bits.is_exactly_below(field))
    }
}

/// A set of field numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    /// Bit `n % 64` of word `n / 64` stands for field `n`.
    pub(crate) words: Vec<u64>,
}

impl Bits {
    fn new(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(64)] }
    }

    fn insert(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn insert_all(&mut self, others: &Self) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word |= other;
        }
    }

    fn is_exactly_below(&self, limit: usize) -> bool {
        self.words.iter().enumerate().all(|(at, word)| {
            let below = match limit.saturating_sub(at * 64) {
                64.. => u64::MAX,
                left => (1 << left) - 1,
            };
            *word == below
        })
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|number| self.contains(*number))
    }
}

/// Solves the order: a field without its own follows every field above it.
pub(crate) fn solve(fields: &[FieldOrder]) -> FieldGraph {
    if !fields.iter().any(FieldOrder::is_declared) {
        return sequence(fields.len());
    }
    let predecessors = predecessors(fields);
    let order = sort(&predecessors);
    let cycle = cycle(&predecessors, &order);
    let next = cycle.iter().cycle().skip(1);
    let cycle = cycle.iter().zip(next).map(|(this, next)| (*this, because(fields, *this, *next))).collect();
    let mut place = vec![0; fields.len()];
    for (at, field) in order.iter().enumerate() {
        if let Some(place) = place.get_mut(*field) {
            *place = at;
        }
    }
    let mut follows = vec![Bits::new(fields.len()); fields.len()];
    let mut after = vec![Vec::new(); fields.len()];
    // Those on a cycle have no rank; the place in the struct is the nearest thing.
    let mut rank: Vec<usize> = (1..=fields.len()).collect();
    for field in &order {
        let Some(all) = predecessors.get(*field) else { continue };
        let mut nearest_first: Vec<usize> = all.numbers().collect();
        nearest_first.sort_by_key(|number| std::cmp::Reverse(place.get(*number).copied()));
        let mut closure = Bits::new(fields.len());
        let mut direct = Vec::new();
        for number in nearest_first {
            if !closure.contains(number) {
                closure.insert(number);
                if let Some(further) = follows.get(number) {
                    closure.insert_all(further);
                }
                direct.push(number);
            }
        }
        direct.sort_unstable();
        let highest = direct.iter().filter_map(|number| rank.get(*number)).max().copied();
        if let Some(rank) = rank.get_mut(*field) {
            *rank = highest.unwrap_or(0) + 1;
        }
        if let (Some(follows), Some(after)) = (follows.get_mut(*field), after.get_mut(*field)) {
            *follows = closure;
            *after = direct;
        }
    }
    FieldGraph { after, follows, rank, order, cycle }
}

/// What most plans are, without the search: it would take a procedural macro, built without optimisation as those are, a
/// noticeable time in a plan of a thousand fields.
fn sequence(count: usize) -> FieldGraph {
    let mut graph =
        FieldGraph { order: (0..count).collect(), rank: (1..=count).collect(), ..FieldGraph::default() };
    let mut above = Bits::new(count);
    for field in 0..count {
        graph.after.push(field.checked_sub(1).into_iter().collect());
        graph.follows.push(above.clone());
        above.insert(field);
    }
    graph
}

fn predecessors(fields: &[FieldOrder]) -> Vec<Bits> {
    let mut predecessors = vec![Bits::new(fields.len()); fields.len()];
    for (number, field) in fields.iter().enumerate() {
        let own = field.after.clone().unwrap_or_else(|| above(number, field).collect());
        if let Some(bits) = predecessors.get_mut(number) {
            for earlier in own {
                bits.insert(earlier);
            }
        }
        for later in &field.before {
            if let Some(bits) = predecessors.get_mut(*later) {
                bits.insert(number);
            }
        }
    }
    predecessors
}

/// The fields that one without an `after` follows.
fn above(number: usize, field: &FieldOrder) -> std::ops::Range<usize> {
    // Fields between itself and one that it names further down follow it, as they follow every field above.
    0..field.before.iter().fold(number, |lowest, named| lowest.min(*named))
}

fn because(fields: &[FieldOrder], this: usize, next: usize) -> Because {
    match fields.get(this) {
        Some(FieldOrder { after: Some(after), .. }) if after.contains(&next) => Because::After,
        Some(field @ FieldOrder { after: None, .. }) if above(this, field).contains(&next) => Because::Below,
        _ => Because::Before,
    }
}

/// Each field once all that it follows are there, the uppermost first.
fn sort(predecessors: &[Bits]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); predecessors.len()];
    let mut waiting: Vec<usize> = vec![0; predecessors.len()];
    for (field, earlier) in predecessors.iter().enumerate() {
        for number in earlier.numbers() {
            if let (Some(list), Some(count)) = (successors.get_mut(number), waiting.get_mut(field)) {
                list.push(field);
                *count += 1;
            }
        }
    }
    let free = waiting.iter().enumerate().filter(|(_, count)| **count == 0);
    let mut ready: std::collections::BTreeSet<usize> = free.map(|(field, _)| field).collect();
    let mut order = Vec::new();
    while let Some(field) = ready.pop_first() {
        order.push(field);
        for later in successors.get(field).into_iter().flatten() {
            if let Some(count) = waiting.get_mut(*later) {
                *count -= 1;
                if *count == 0 {
                    ready.insert(*later);
                }
            }
        }
    }
    order
}

/// A closed path among the fields that could not be sorted: from each to one that it follows, until one comes again.
fn cycle(predecessors: &[Bits], order: &[usize]) -> Vec<usize> {
    let unsorted = |field: &usize| !order.contains(field);
    let mut path: Vec<usize> = Vec::new();
    let mut next = (0..predecessors.len()).find(unsorted);
    while let Some(field) = next {
        if let Some(start) = path.iter().position(|earlier| *earlier == field) {
            return path.split_off(start);
        }
        path.push(field);
        next = predecessors.get(field).and_then(|earlier| earlier.numbers().find(unsorted));
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::{Because, FieldOrder, solve};

    fn plain() -> FieldOrder {
        FieldOrder::default()
    }

    fn after(fields: &[usize]) -> FieldOrder {
        FieldOrder { after: Some(fields.to_vec()), before: Vec::new() }
    }

    fn before(fields: &[usize]) -> FieldOrder {
        FieldOrder { after: None, before: fields.to_vec() }
    }

    #[test]
    fn a_sequence_keeps_only_its_neighbours() {
        let graph = solve(&[plain(), plain(), plain()]);
        assert_eq!(graph.after, [vec![], vec![0], vec![1]]);
        assert_eq!(graph.order, [0, 1, 2]);
        assert!((0..3).all(|field| graph.follows_above(field)));
        assert!(graph.cycle.is_empty());
    }

    #[test]
    fn the_short_way_for_a_sequence_gives_what_the_search_gives() {
        for count in [1, 2, 63, 64, 65, 130] {
            let written: Vec<_> = (0..count).map(|field| after(&(0..field).collect::<Vec<_>>())).collect();
            let (short, searched) = (solve(&vec![plain(); count]), solve(&written));
            assert_eq!(short.after, searched.after, "{count}");
            assert_eq!(short.follows, searched.follows, "{count}");
            assert_eq!((&short.rank, &short.order), (&searched.rank, &searched.order), "{count}");
            assert!((0..count).all(|field| searched.follows_above(field)), "{count}");
        }
    }

    #[test]
    fn fields_after_nothing_run_beside_the_others_and_are_followed() {
        let graph = solve(&[plain(), after(&[]), plain()]);
        assert_eq!(graph.after, [vec![], vec![], vec![0, 1]]);
        assert!(!graph.follows_above(1));
        assert!(graph.follows_above(2));
    }

    #[test]
    fn before_follows_what_stands_above_the_earliest_named() {
        let graph = solve(&[plain(), plain(), plain(), before(&[1])]);
        assert_eq!(graph.after, [vec![], vec![3], vec![1], vec![0]]);
        assert_eq!(graph.rank, [1, 3, 4, 2]);
        assert_eq!(graph.order, [0, 3, 1, 2]);
    }

    #[test]
    fn before_a_field_further_down_adds_nothing() {
        let graph = solve(&[plain(), before(&[3]), plain(), plain()]);
        assert_eq!(graph.after, [vec![], vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn a_cycle_is_a_closed_path() {
        let graph = solve(&[plain(), after(&[2]), plain()]);
        assert_eq!(graph.order, [0]);
        assert_eq!(graph.cycle, [(1, Because::After), (2, Because::Below)]);
        let graph = solve(&[plain(), before(&[0]), FieldOrder { after: Some(vec![0]), before: vec![1] }]);
        assert_eq!(graph.cycle, [(0, Because::Before), (1, Because::Before), (2, Because::After)]);
    }

    #[test]
    fn many_fields() {
        let mut fields = vec![plain(); 300];
        fields.push(after(&[5]));
        let graph = solve(&fields);
        assert_eq!(graph.order.len(), 301);
        assert_eq!(graph.after.last(), Some(&vec![5]));
        assert!(graph.follows.last().is_some_and(|bits| bits.contains(4) && !bits.contains(6)));
    }
}
