//! The nearest known word to a misspelt one.

/// The word among `known` that is nearest to `written`, if any is near.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (distance(written, word), word))
        .filter(|(distance, word)| {
            let (one, other) = (word.chars().count(), written.chars().count());
            // No word is near to one of two letters from which both had to go.
            *distance <= one.max(other) / 2 && *distance < one.min(other)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// The words as prose: `` `a`, `b` and `c` ``.
pub(crate) fn list<'a, W: IntoIterator<Item = &'a str>>(words: W) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// How many characters must be inserted, removed, replaced or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut previous: Option<char> = None;
    for (row, from) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, to) in right.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let replaced = get(&last, column) + usize::from(from != *to);
            let removed = get(&last, column + 1) + 1;
            let inserted = get(&current, column) + 1;
            let mut best = replaced.min(removed).min(inserted);
            let swapped = column > 0 && previous == Some(*to) && right.get(column - 1) == Some(&from);
            if swapped {
                best = best.min(get(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = last;
        last = current;
        previous = Some(from);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{distance, list, nearest};

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("budget", "bugdet"), 1);
        assert_eq!(distance("evry", "every"), 1);
        assert_eq!(distance("timeout", "budget"), 6);
    }

    #[test]
    fn the_nearest_or_none() {
        assert_eq!(nearest("buget", ["every", "budget"]), Some("budget"));
        assert_eq!(nearest("xyzzy", ["every", "budget"]), None);
        assert_eq!(nearest("last", ["at", "budget"]), None);
        assert_eq!(nearest("ta", ["at", "budget"]), Some("at"));
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(list(["a"]), "`a`");
    }
}
