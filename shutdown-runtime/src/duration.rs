//! Durations as users write them: `500ms`, `20s`, `1m 30s`.

use std::time::Duration;

/// Reads a duration; `None` for anything else. Units are `ms`, `s`, `m`, `h`, each with a whole number.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return None;
    }
    let mut last = u8::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let (number, unit) = rest.split_at(digits);
        let end = unit.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at(end);
        let number: u64 = number.parse().ok()?;
        let (size, part) = match unit {
            "ms" => (0, Duration::from_millis(number)),
            "s" => (1, Duration::from_secs(number)),
            "m" => (2, Duration::from_secs(number.checked_mul(60)?)),
            "h" => (3, Duration::from_secs(number.checked_mul(3_600)?)),
            _ => return None,
        };
        // From large to small, each once.
        if size >= last {
            return None;
        }
        last = size;
        total = total.checked_add(part)?;
        rest = after.trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn reads_what_the_attributes_read() {
        assert_eq!(parse("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(parse(" 1m 30s "), Some(Duration::from_secs(90)));
        assert_eq!(parse("1h"), Some(Duration::from_secs(3_600)));
        for bad in [
            "",
            "10",
            "s",
            "1.5s",
            "-1s",
            "10 s x",
            "99999999999999999999s",
            "10S",
            "5y",
            "é1s",
            "3s3s",
            "1s 1m",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
