//! Durations as users write them: `"500ms"`, `"20s"`, `"1m 30s"`, `"2h"`.

use quote::ToTokens;
use syn::{Expr, Lit};

use crate::diag::{Problem, Problems};
use crate::parse::unwrap_group;

/// A duration in milliseconds, with the literal that gave it.
#[derive(Clone, Debug)]
pub(crate) struct Millis {
    /// How many.
    pub(crate) value: u64,
    /// What was written.
    pub(crate) written: Expr,
}

/// Stands for a budget that was refused: no plan that holds the item is told that it takes too long.
pub(crate) const UNKNOWN: u64 = 0;

/// The longest duration that is taken: a hundred years. It keeps every sum of a plan far from overflow.
pub(crate) const LONGEST: u64 = 100 * 366 * 24 * 3_600 * 1_000;

const FORM: &str = "write a number and a unit, such as \"500ms\", \"20s\", \"1m 30s\" or \"2h\"";

/// Reads the value of `key`. Zero is refused unless `zero_is_fine`.
pub(crate) fn duration(
    key: &str,
    value: &Expr,
    zero_is_fine: bool,
    problems: &mut Problems,
) -> Option<Millis> {
    let literal = match unwrap_group(value) {
        Expr::Lit(literal) => &literal.lit,
        other => {
            let what = format!("`{key}` takes a duration in quotes, not `{}`", shown(other));
            problems.push(Problem::at(other, "bad-duration", what).help(FORM));
            return None;
        }
    };
    let text = match literal {
        Lit::Str(text) => text.value(),
        Lit::Int(_) | Lit::Float(_) => {
            let digits = literal.to_token_stream().to_string();
            let what = format!("`{key} = {digits}` has no unit");
            let help = format!("write `{key} = \"{digits}s\"` for seconds, or `{key} = \"{digits}ms\"`");
            problems.push(Problem::at(literal, "bad-duration", what).help(help));
            return None;
        }
        other => {
            let what = format!("`{key}` takes a duration in quotes, not `{}`", shown(other));
            problems.push(Problem::at(other, "bad-duration", what).help(FORM));
            return None;
        }
    };
    match parse(&text) {
        Ok(0) if !zero_is_fine => {
            let what = format!("`{key}` is zero");
            let help = format!("give `{key}` a time, such as `{key} = \"500ms\"`");
            problems.push(Problem::at(literal, "zero-duration", what).help(help));
            None
        }
        Ok(millis) => Some(Millis { value: millis, written: value.clone() }),
        Err(reason) => {
            let what = format!("`{key} = {}`: {}", literal.to_token_stream(), reason.what);
            problems.push(Problem::at(literal, "bad-duration", what).help(reason.help));
            None
        }
    }
}

/// A duration in milliseconds as the texts of the graph write it: `12s`, `1500ms`.
pub(crate) fn as_written(millis: u128) -> String {
    if millis % 1_000 == 0 { format!("{}s", millis / 1_000) } else { format!("{millis}ms") }
}

fn shown(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// Why a text is no duration.
#[derive(Debug, PartialEq, Eq)]
struct Reason {
    what: String,
    help: String,
}

fn reason(what: impl Into<String>, help: impl Into<String>) -> Reason {
    Reason { what: what.into(), help: help.into() }
}

fn parse(text: &str) -> Result<u64, Reason> {
    let mut total: u64 = 0;
    let mut rest = text.trim();
    let mut smallest = u64::MAX;
    if rest.is_empty() {
        return Err(reason("nothing is written", FORM));
    }
    while !rest.is_empty() {
        let digits_end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(digits_end);
        if digits.is_empty() {
            return Err(reason(format!("expected a number at `{rest}`"), FORM));
        }
        let after = after.trim_start();
        let unit_end = after.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let scale = scale(digits, unit, after)?;
        if scale >= smallest {
            return Err(reason(format!("`{unit}` comes twice or after a smaller unit"), FORM));
        }
        smallest = scale;
        let too_long = || reason("longer than a hundred years", "write what the work takes, such as \"20s\"");
        let number: u64 = digits.parse().map_err(|_| too_long())?;
        total = number
            .checked_mul(scale)
            .and_then(|millis| millis.checked_add(total))
            .filter(|total| *total <= LONGEST)
            .ok_or_else(too_long)?;
        rest = after.trim_start();
    }
    Ok(total)
}

fn scale(digits: &str, unit: &str, after: &str) -> Result<u64, Reason> {
    let suggest = |unit: &str| {
        reason(format!("no unit is spelt that way; write `{unit}`"), format!("write \"{digits}{unit}\""))
    };
    match unit {
        "ms" => Ok(1),
        "s" => Ok(1_000),
        "m" => Ok(60_000),
        "h" => Ok(3_600_000),
        "" if after.starts_with('.') => {
            Err(reason("fractions are not taken", "write the smaller unit, such as \"1500ms\" for 1.5 s"))
        }
        "" if after.is_empty() => {
            Err(reason("the unit is missing", format!("write \"{digits}s\" for seconds, or \"{digits}ms\"")))
        }
        "sec" | "secs" | "second" | "seconds" | "S" => Err(suggest("s")),
        "min" | "mins" | "minute" | "minutes" | "M" => Err(suggest("m")),
        "hr" | "hrs" | "hour" | "hours" | "H" => Err(suggest("h")),
        "msec" | "millis" | "millisecond" | "milliseconds" | "MS" | "Ms" => Err(suggest("ms")),
        "us" | "ns" | "micros" | "nanos" => {
            Err(reason("the smallest unit is the millisecond", "write \"1ms\""))
        }
        _ => Err(reason(format!("`{unit}{after}` is no unit"), FORM)),
    }
}

#[cfg(test)]
mod tests {
    use super::{as_written, parse};

    #[test]
    fn what_is_shown_reads_back_as_the_same() {
        for millis in [1, 500, 999, 1_000, 1_001, 12_000, 90_500, 7_200_000, super::LONGEST] {
            assert_eq!(parse(&as_written(millis.into())), Ok(millis));
        }
    }

    #[test]
    fn durations() {
        assert_eq!(parse("500ms"), Ok(500));
        assert_eq!(parse("1ms"), Ok(1));
        assert_eq!(parse("20s"), Ok(20_000));
        assert_eq!(parse("1m 30s"), Ok(90_000));
        assert_eq!(parse("1m30s"), Ok(90_000));
        assert_eq!(parse("2h"), Ok(7_200_000));
        assert_eq!(parse("0s"), Ok(0));
        for bad in [
            "",
            "s",
            "10",
            "10 sec",
            "1.5s",
            "-1s",
            "1s 1m",
            "1s 1s",
            "10d",
            "99999999999999999999s",
            "9999999h",
            "10s,",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
