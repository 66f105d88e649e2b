//! A text that can be composed while a constant is evaluated.

/// A bounded text; what does not fit is cut at a character's border and ends in `...`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<const SIZE: usize> {
    bytes: [u8; SIZE],
    length: usize,
    cut: bool,
}

const ELLIPSIS: &str = "...";

impl<const SIZE: usize> Text<SIZE> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; SIZE], length: 0, cut: false }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether something did not fit, and so nothing more will.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    pub(crate) const fn push(&mut self, text: &str) {
        if self.cut {
            return;
        }
        let bytes = text.as_bytes();
        let mut end = bytes.len();
        if self.length + end + ELLIPSIS.len() > SIZE {
            self.cut = true;
            end = SIZE.saturating_sub(self.length + ELLIPSIS.len());
            while end > 0 && bytes[end] & 0b1100_0000 == 0b1000_0000 {
                end -= 1;
            }
        }
        self.copy(bytes, end);
        if self.cut && SIZE >= self.length + ELLIPSIS.len() {
            self.copy(ELLIPSIS.as_bytes(), ELLIPSIS.len());
        }
    }

    const fn copy(&mut self, bytes: &[u8], end: usize) {
        let mut at = 0;
        while at < end {
            self.bytes[self.length] = bytes[at];
            self.length += 1;
            at += 1;
        }
    }

    pub(crate) const fn push_number(&mut self, number: u64) {
        let mut digits = [0u8; 20];
        let mut first = digits.len();
        let mut rest = number;
        loop {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let (_, digits) = digits.split_at(first);
        match core::str::from_utf8(digits) {
            Ok(digits) => self.push(digits),
            Err(_) => self.push("?"),
        }
    }

    /// A duration as users write it and add it up: `60s`, `1m 30s` as `90s`, `500ms`, `1s 500ms` as `1500ms`; from
    /// ten minutes on with the larger units.
    pub(crate) const fn push_duration(&mut self, millis: u64) {
        const MINUTE: u64 = 60_000;
        if millis >= 10 * MINUTE {
            self.push_long_duration(millis);
        } else if millis % 1_000 == 0 {
            self.push_number(millis / 1_000);
            self.push("s");
        } else {
            self.push_number(millis);
            self.push("ms");
        }
    }

    const fn push_long_duration(&mut self, millis: u64) {
        let units = [
            (millis / 3_600_000, "h"),
            (millis / 60_000 % 60, "m"),
            (millis / 1_000 % 60, "s"),
            (millis % 1_000, "ms"),
        ];
        let mut begun = false;
        let mut at = 0;
        while at < units.len() {
            if units[at].0 > 0 {
                self.push(if begun { " " } else { "" });
                self.push_number(units[at].0);
                self.push(units[at].1);
                begun = true;
            }
            at += 1;
        }
    }

    /// `1st`, `2nd`, `3rd`, `4th`, ..., `11th`, ...
    pub(crate) const fn push_ordinal(&mut self, number: u64) {
        self.push_number(number);
        self.push(match (number % 10, number % 100) {
            (1, last) if last != 11 => "st",
            (2, last) if last != 12 => "nd",
            (3, last) if last != 13 => "rd",
            _ => "th",
        });
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "(a text that is not UTF-8)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn numbers_ordinals_and_durations() {
        let mut text = Text::<200>::new();
        for number in [0, 1, 2, 3, 4, 11, 12, 13, 21, 102, 111] {
            text.push_ordinal(number);
            text.push(" ");
        }
        text.push_duration(90_000);
        text.push(" ");
        text.push_duration(1_500);
        text.push(" ");
        for seconds in [480, 599, 600] {
            text.push_duration(seconds * 1_000);
            text.push(" ");
        }
        text.push_duration(8_192_001);
        text.push(" ");
        text.push_number(u64::MAX);
        assert_eq!(
            text.as_str(),
            "0th 1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 90s 1500ms 480s 599s 10m 2h 16m 32s 1ms 18446744073709551615"
        );
    }

    #[test]
    fn what_does_not_fit_is_cut_between_characters() {
        let mut text = Text::<10>::new();
        text.push("abcdefé and more");
        text.push("never seen");
        assert_eq!(text.as_str(), "abcdef...");
        assert!(text.is_cut() && !text.is_empty());
        let mut whole = Text::<10>::new();
        assert!(whole.is_empty());
        whole.push("abcdefg");
        assert_eq!((whole.as_str(), whole.is_cut()), ("abcdefg", false));
        let mut tiny = Text::<2>::new();
        tiny.push("abcdef");
        assert_eq!(tiny.as_str(), "");
    }
}
