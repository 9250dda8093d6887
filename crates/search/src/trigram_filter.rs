//! Which texts can hold another text at all: a filter over trigrams.
//!
//! Enters: a text, once. Leaves: a few hundred bytes that answer for any other text "certainly not" or "perhaps", so that a search
//! for a literal text reads only the files that may hold it. The filter is a set of bits, one for each three bytes that stand
//! side by side, in the one spelling that letters have when their case does not count. Never says no to a text that is there.

/// Bits for each byte of a text: about one bit in five is set, so that six groups of three are wrong once in 16,000.
const BITS_A_BYTE: usize = 3;
/// The smallest and the largest filter, in bits.
const FEWEST: usize = 512;
const MOST: usize = 1 << 18;

/// The filter of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrigramFilter {
    bits: Box<[u64]>,
}

/// What a text must have to hold another: its groups of three bytes, as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    groups: Vec<u32>,
}

impl TrigramFilter {
    /// The filter of a text.
    pub fn of(text: &str) -> TrigramFilter {
        let bits = (text.len() * BITS_A_BYTE).next_power_of_two().clamp(FEWEST, MOST);
        let mut filter = TrigramFilter { bits: vec![0; bits / 64].into_boxed_slice() };
        let mut last = 0_u32;
        let mut read = 0;
        fold(text, |byte| {
            last = (last << 8 | u32::from(byte)) & 0x00FF_FFFF;
            read += 1;
            if read >= 3 {
                let place = filter.place(last);
                filter.bits[place / 64] |= 1 << (place % 64);
            }
        });
        filter
    }

    /// Whether the text may hold the other; no is certain.
    pub fn may_hold(&self, needle: &Needle) -> bool {
        needle.groups.iter().all(|group| {
            let place = self.place(*group);
            self.bits[place / 64] >> (place % 64) & 1 == 1
        })
    }

    fn place(&self, group: u32) -> usize {
        let spread = group.wrapping_mul(0x9E37_79B1);
        (spread >> 8) as usize & (self.bits.len() * 64 - 1)
    }
}

impl Needle {
    /// What is looked for; `None` where a filter tells nothing about it.
    pub fn of(text: &str) -> Option<Needle> {
        let mut groups = Vec::new();
        // A letter that has a case and is not ASCII may be written in ways that only a table knows: what stands
        // on either side of it tells enough.
        for run in text.split(has_other_spellings) {
            let mut last = 0_u32;
            let mut read = 0;
            fold(run, |byte| {
                last = (last << 8 | u32::from(byte)) & 0x00FF_FFFF;
                read += 1;
                if read >= 3 {
                    groups.push(last);
                }
            });
        }
        groups.sort_unstable();
        groups.dedup();
        (!groups.is_empty()).then_some(Needle { groups })
    }
}

/// The bytes of a text in the one spelling that counts: of the letters outside ASCII two are ASCII letters in disguise.
fn fold(text: &str, mut each: impl FnMut(u8)) {
    let mut buffer = [0; 4];
    for letter in text.chars() {
        match letter {
            '\u{212a}' => each(b'k'),
            '\u{17f}' => each(b's'),
            letter if letter.is_ascii() => each(letter.to_ascii_lowercase() as u8),
            letter => letter.encode_utf8(&mut buffer).bytes().for_each(&mut each),
        }
    }
}

fn has_other_spellings(letter: char) -> bool {
    // Uncased scripts, digits and signs have one spelling only.
    !letter.is_ascii() && letter.is_alphabetic() && (letter.is_lowercase() || letter.is_uppercase() || changes(letter))
        || !letter.is_ascii() && !letter.is_alphabetic() && changes(letter)
}

fn changes(letter: char) -> bool {
    !letter.to_lowercase().eq([letter]) || !letter.to_uppercase().eq([letter])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(text: &str, term: &str) -> bool {
        let pattern = regex::RegexBuilder::new(&regex::escape(term)).case_insensitive(true).build().unwrap();
        pattern.is_match(text)
    }

    fn may_hold(text: &str, term: &str) -> bool {
        Needle::of(term).is_none_or(|needle| TrigramFilter::of(text).may_hold(&needle))
    }

    #[test]
    fn most_texts_without_a_word_are_told_from_those_with_it() {
        let texts: Vec<String> = (0..500)
            .map(|n| format!("The {n}th service keeps its ledger in region {}, and Ann owns it.", n * 7))
            .collect();
        let needle = Needle::of("quarterdeck").unwrap();
        assert_eq!(texts.iter().filter(|text| TrigramFilter::of(text).may_hold(&needle)).count(), 0);
        let needle = Needle::of("LEDGER in region 77,").unwrap();
        let found: Vec<&String> = texts.iter().filter(|text| TrigramFilter::of(text).may_hold(&needle)).collect();
        assert!(found.len() < 20 && found.contains(&&texts[11]), "{}", found.len());
    }

    #[test]
    fn letters_in_disguise_are_found_as_the_pattern_finds_them() {
        for (text, term) in [
            ("so many \u{212a}elvin", "kelvin"),
            ("a mi\u{17f}take", "MISTAKE"),
            ("STRA\u{1e9e}E 7", "stra\u{df}e 7"),
            (
                "\u{3a3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c2} rolls",
                "\u{3c3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c3} ROLLS",
            ),
            ("\u{91d1}\u{989d}\u{4e00}\u{5f8b}\u{7528}\u{5206}", "\u{4e00}\u{5f8b}"),
        ] {
            assert!(holds(text, term), "{text} {term}");
            assert!(may_hold(text, term), "{text} {term}");
        }
        assert!(Needle::of("ab").is_none());
    }

    proptest! {
        #[test]
        fn what_a_text_holds_is_never_ruled_out(
            text in "[a-zA-Z0-9 _./\u{e9}\u{c9}\u{df}\u{1e9e}\u{212a}\u{17f}\u{3c3}\u{3c2}\u{3a3}\u{130}\u{131}\u{4e00}-\u{4e10}\u{2160}\u{2170}\u{24b6}\u{24d0}]{0,60}",
            from in 0_usize..60,
            length in 1_usize..20,
            upper: bool,
        ) {
            let term: String = text.chars().skip(from).take(length).collect();
            let term = if upper { term.to_uppercase() } else { term.to_lowercase() };
            if !term.trim().is_empty() && holds(&text, &term) {
                prop_assert!(may_hold(&text, &term), "{text:?} {term:?}");
            }
        }

        #[test]
        fn any_two_texts(text in "\\PC{0,80}", term in "\\PC{1,6}") {
            if holds(&text, &term) {
                prop_assert!(may_hold(&text, &term));
            }
        }
    }
}
