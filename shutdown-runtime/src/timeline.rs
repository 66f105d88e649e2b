//! The report as people read it: who took how long, drawn over the stop's time.

use std::fmt;
use std::time::Duration;

use crate::report::{MemberReport, Outcome, Report};

/// The timeline's columns.
const WIDTH: u32 = 32;

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_clean() { "clean" } else { "NOT clean" };
        writeln!(
            out,
            "shutdown of {}: {verdict}, {} of {} ({})",
            self.plan,
            short(self.total),
            short(self.granted),
            self.reason
        )?;
        // Every column of the drawing belongs to something: here the time before the first phase.
        if !bar_is_empty(self.taken_up, self.total) {
            write_before(out, "(not yet taken up)", Duration::ZERO, self.taken_up, self.total)?;
        }
        if !self.window.is_zero() {
            write_before(out, "window", self.window_began, self.window, self.total)?;
        }
        for phase in &self.phases {
            let mark = if phase.critical { "*" } else { " " };
            let Some(began) = phase.began else {
                writeln!(out, " {mark}{:<24} not reached", phase.name)?;
                // Hooks at the drain do not wait for it.
                for member in phase.members.iter().filter(|member| member.told.is_some()) {
                    write_member(out, member, self.total)?;
                }
                continue;
            };
            writeln!(
                out,
                " {mark}{:<24} {} {:>8}",
                phase.name,
                bar(began, phase.duration, self.total),
                short(phase.duration)
            )?;
            for member in &phase.members {
                write_member(out, member, self.total)?;
            }
        }
        let path: Vec<_> = self.critical_path().collect();
        if !path.is_empty() {
            writeln!(out, "  critical path (*): {}", path.join(" -> "))?;
        }
        Ok(())
    }
}

/// A line for a stretch before the phases.
fn write_before(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    began: Duration,
    length: Duration,
    total: Duration,
) -> fmt::Result {
    writeln!(out, "  {name:<24} {} {:>8}", bar(began, length, total), short(length))
}

fn write_member(out: &mut fmt::Formatter<'_>, member: &MemberReport, total: Duration) -> fmt::Result {
    write!(
        out,
        "    {:<22} {} {:>8} of {:>6}  {}",
        member.name,
        bar(member.told.unwrap_or(total), member.duration, total),
        short(member.duration),
        short(member.budget),
        member.outcome.name()
    )?;
    if member.limit < member.budget && member.told.is_some() {
        write!(out, " (limit {})", short(member.limit))?;
    }
    if let Some(text) = member.outcome.text() {
        write!(out, ": {text}")?;
    }
    match member.units_over_limit {
        0 => {}
        1 => write!(out, ", 1 unit over its limit")?,
        units => write!(out, ", {units} units over their limit")?,
    }
    for (name, amount) in member.counters.iter().filter(|(_, amount)| *amount > 0) {
        write!(out, ", {amount} {name}")?;
    }
    // An abort gives leases back, so that what closes later may be clean all the same.
    let (what, holders) = match &member.outcome {
        Outcome::Leaked(holders) => ("not returned", holders),
        _ => ("held when its time was over", &member.holders),
    };
    for holder in holders {
        write!(out, "\n        {what}: {holder}")?;
    }
    writeln!(out)
}

/// A bar from `start` for `length`, on a scale of `total`.
fn bar(start: Duration, length: Duration, total: Duration) -> String {
    let from = column(start, total).min(WIDTH - 1);
    let to = column(start + length, total).max(from + 1);
    (0..WIDTH).map(|at| if at >= from && at < to { '█' } else { '·' }).collect()
}

/// Whether a stretch at the beginning is too short to be seen.
fn bar_is_empty(length: Duration, total: Duration) -> bool {
    column(length, total) == 0
}

/// The column of a moment, on a scale of `total`.
fn column(at: Duration, total: Duration) -> u32 {
    let share = if total.is_zero() { 0.0 } else { at.as_secs_f64() / total.as_secs_f64() };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and WIDTH")]
    let column = (share.clamp(0.0, 1.0) * f64::from(WIDTH)).round() as u32;
    column
}

/// A duration with three digits that matter.
pub(crate) fn short(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds >= 100.0 {
        format!("{seconds:.0}s")
    } else if seconds >= 1.0 {
        format!("{seconds:.1}s").replace(".0s", "s")
    } else if seconds >= 0.001 || duration.is_zero() {
        format!("{}ms", duration.as_millis())
    } else {
        format!("{}µs", duration.as_micros())
    }
}

#[cfg(test)]
mod tests {
    use super::{bar, short};
    use std::time::Duration;

    #[test]
    fn durations_are_short() {
        let shorts: Vec<_> = [0, 7, 900_000, 12_000_000, 1_000_000_000, 12_340_000_000, 123_000_000_000]
            .map(Duration::from_nanos)
            .map(short)
            .into();
        assert_eq!(shorts, ["0ms", "0µs", "900µs", "12ms", "1s", "12.3s", "123s"]);
    }

    #[test]
    fn a_bar_is_never_empty_and_never_too_long() {
        let second = Duration::from_secs(1);
        assert_eq!(bar(second, second, second * 2).chars().filter(|column| *column == '█').count(), 16);
        assert_eq!(bar(second * 9, second, second).chars().count(), 32);
        assert!(bar(Duration::ZERO, Duration::ZERO, Duration::ZERO).starts_with('█'));
    }
}
