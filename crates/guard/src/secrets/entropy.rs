//! How random a string looks: numbers only, no verdict.
//!
//! Enters: a candidate value, ASCII as the patterns match it. Leaves: bits and counts.

/// Which characters a value is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mix {
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    /// Anything that is neither letter, digit nor a joint of words (`-`, `_`, `.`, `/`, `:`).
    pub(super) symbols: usize,
}

impl Mix {
    pub(super) fn of(value: &str) -> Mix {
        value.bytes().fold(Mix::default(), |mut mix, byte| {
            match byte {
                b'a'..=b'z' => mix.lower += 1,
                b'A'..=b'Z' => mix.upper += 1,
                b'0'..=b'9' => mix.digits += 1,
                b'-' | b'_' | b'.' | b'/' | b':' => {}
                _ => mix.symbols += 1,
            }
            mix
        })
    }

    pub(super) fn letters(self) -> usize {
        self.lower + self.upper
    }
}

/// Shannon entropy in bits a byte: 0 for one repeated byte, 4 for even hex, 6 for even base64.
pub(super) fn bits(value: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let total = value.len() as f64;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| {
            let share = f64::from(count) / total;
            -share * share.log2()
        })
        .sum()
}

/// The longest stretch of one byte.
pub(super) fn longest_run(value: &str) -> usize {
    longest(value, |before, after| before == after)
}

/// The longest stretch in which each byte follows its neighbour, as in `12345` or `abcde`.
pub(super) fn longest_climb(value: &str) -> usize {
    longest(value, |before, after| before.checked_add(1) == Some(after))
}

fn longest(value: &str, goes_on: impl Fn(u8, u8) -> bool) -> usize {
    let (mut best, mut here, mut before) = (0, 0, None);
    for byte in value.bytes().map(|byte| byte.to_ascii_lowercase()) {
        here = if before.is_some_and(|before| goes_on(before, byte)) { here + 1 } else { 1 };
        best = best.max(here);
        before = Some(byte);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Mix, bits, longest_climb, longest_run};

    #[test]
    fn entropy_orders_words_hashes_and_keys() {
        assert!(bits("") == 0.0 && bits("aaaaaaaa") == 0.0);
        assert!((bits("0123456789abcdef") - 4.0).abs() < 1e-9);
        assert!(bits("password") < bits("9f86d081884c7d65") && bits("9f86d081884c7d65") < 4.0);
        assert!(bits("qL7zR2mX9vB4nK8tW3pJ") > 4.0);
    }

    #[test]
    fn runs_and_climbs_are_measured_without_case() {
        assert_eq!((longest_run(""), longest_run("abc"), longest_run("xXxX-y")), (0, 1, 4));
        assert_eq!(longest_climb("zz-ABcdef-1234"), 6);
        assert_eq!(longest_climb("\u{ff}"), 1);
    }

    #[test]
    fn a_mix_counts_each_class() {
        let mix = Mix { lower: 2, upper: 1, digits: 3, symbols: 1 };
        assert_eq!(Mix::of("aB-c/123!"), mix);
        assert_eq!(mix.letters(), 3);
    }
}
