//! The second half of the classifier: the wordings people use for what is worth keeping.
//!
//! Enters: a message and what it answers. Leaves: a number, above zero for worth keeping. A linear model over
//! hashed words, pairs and triples, made by `training/wording.py` from labelled messages. The encoder hears
//! meaning and overlooks small words; this hears nothing else, so the two are wrong at different places.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The bias, what one step is worth, and a signed byte for each place.
const MODEL: &[u8] = include_bytes!("wording.bin");
/// Places of the model.
const SIZE: u64 = 1 << 15;
/// Words of a message that are looked at; of what it answers; and of its beginning.
const WORDS: usize = 200;
const EARLIER: usize = 40;
const OPENING: usize = 6;
/// Words that two messages share by chance.
const SMALL: &[&str] = &["i", "the", "a", "to", "of", "and", "in", "it", "is"];

/// How far the wording speaks for keeping a message; the logarithm of the odds.
pub(super) fn weigh(text: &str, before: &str) -> f32 {
    let (bias, step) = (float(0), float(4));
    let sum: i32 = places(text, before).into_iter().map(|place| i32::from(weight(place))).sum();
    bias + step * sum as f32
}

fn float(at: usize) -> f32 {
    let bytes = MODEL.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
    f32::from_le_bytes(bytes)
}

fn weight(place: usize) -> i8 {
    MODEL.get(8 + place).map_or(0, |byte| i8::from_le_bytes([*byte]))
}

/// The places of everything the message says; each counts once.
fn places(text: &str, before: &str) -> BTreeSet<usize> {
    let (lower, earlier) = (text.to_lowercase(), before.to_lowercase());
    let mut words = vec!["^"];
    words.extend(tokens(&lower).take(WORDS));
    words.push("$");
    let mut found = BTreeSet::new();
    let mut feature = String::new();
    let mut put = |parts: std::fmt::Arguments<'_>| {
        feature.clear();
        let _ = feature.write_fmt(parts);
        found.insert(place(&feature));
    };
    for (at, word) in words.iter().enumerate() {
        put(format_args!("u{word}"));
        if let Some(next) = words.get(at + 1) {
            put(format_args!("b{word} {next}"));
            if let Some(third) = words.get(at + 2) {
                put(format_args!("t{word} {next} {third}"));
            }
        }
    }
    put(format_args!("f{}", words[1]));
    put(format_args!("l{}", (words.len() / 4).min(9)));
    let earlier: Vec<&str> =
        tokens(&earlier).filter(|word| word.chars().all(char::is_alphanumeric)).take(EARLIER).collect();
    put(format_args!("{}", if earlier.is_empty() { "q" } else { "p" }));
    for word in earlier.iter().take(OPENING) {
        put(format_args!("p{word}"));
    }
    let telling: BTreeSet<&str> = earlier.into_iter().filter(|word| !SMALL.contains(word)).collect();
    put(format_args!("o{}", telling.iter().filter(|word| words.contains(word)).count().min(3)));
    found
}

/// Words of Latin letters and digits, single Chinese characters, and the marks that end clauses.
fn tokens(lower: &str) -> impl Iterator<Item = &str> {
    let mut rest = lower;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| is_word(c) || is_single(c))?;
        let tail = &rest[start..];
        let first = tail.chars().next()?;
        let end =
            if is_single(first) { first.len_utf8() } else { tail.find(|c: char| !is_word(c)).unwrap_or(tail.len()) };
        rest = &tail[end..];
        Some(&tail[..end])
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '\''
}

fn is_single(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter) || "?!:;,.\n".contains(letter)
}

/// FNV-1a, folded to 32 bits.
fn place(feature: &str) -> usize {
    let hash = feature
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (((hash >> 32) ^ (hash & 0xffff_ffff)) % SIZE) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_cut_as_in_training() {
        let words: Vec<&str> = tokens("don't push, é 3.5 注释!").collect();
        assert_eq!(words, ["don't", "push", ",", "3", ".", "5", "注", "释", "!"]);
        // Python's answer for the same feature.
        assert_eq!(place("unever"), 20588);
        assert_eq!(MODEL.len(), 8 + SIZE as usize);
    }

    #[test]
    fn rules_outweigh_tasks() {
        for (kept, passing) in [
            ("never push to main without asking me", "push it to main now"),
            ("以后改配置先给我看 diff", "把这个函数改个名字"),
            ("I'm a data analyst, new to kubernetes", "why does this pod restart?"),
        ] {
            assert!(weigh(kept, "") > weigh(passing, ""), "{kept} / {passing}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_weighed(text in "(?s).{0,200}", before in "(?s).{0,80}") {
            prop_assert!(weigh(&text, &before).is_finite());
        }
    }
}
