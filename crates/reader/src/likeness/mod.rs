//! Whether two notes say the same thing, and the union of both.
//!
//! Enters: two notes. Leaves: a number from 0 to 1, a yes or no, or one body. Judged by shared
//! content words, by numbers that agree, and by what is said of a word: "use tabs" and "never use
//! tabs" share every word and say the opposite. Never by meaning beyond the words: a paraphrase
//! without a common word is not found here.

mod concepts;
mod merge;
mod polarity;
mod words;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

pub use merge::merge_body;
use polarity::Polarity;
pub use polarity::TextPolarity;
pub use words::words;

use super::plain::{Label, statement};

/// At or above this two notes are the same memory, and the newer one updates the older.
pub const SAME: f32 = 0.5;
/// From here to [`SAME`] they may be, and somebody should be asked.
pub const MAYBE: f32 = 0.28;

/// How much the reason and the use of a note count beside what it states.
const LABELLED: f32 = 0.5;
/// Shared words of this weight make an overlap believable; fewer are chance.
const ENOUGH: f32 = 2.0;

/// What is left of the likeness of two notes that say the opposite of the same words.
const OPPOSED: f32 = 0.35;

/// How far two notes say the same thing, from 0 to 1.
///
/// Whoever compares many notes reads each one once, with [`Note::read`].
pub fn likeness(a: &str, b: &str) -> f32 {
    Note::read(a).likeness(&Note::read(b))
}

/// Whether every content word of `short` is in `long`, said the same way.
///
/// A line without content words is contained when it is there as it is.
pub fn contains(long: &str, short: &str) -> bool {
    TextPolarity::read(long).covers(&TextPolarity::read(short))
}

/// What a body states before its reasons and uses, as one line of prose.
pub fn statement_of(body: &str) -> String {
    statement(body)
}

/// A note read once, to be compared with many. Words are kept as numbers, in order: a dream holds as many notes
/// as there are memories.
#[derive(Debug)]
pub struct Note {
    /// Weighted words of what it states.
    stated: Vec<(u32, f32)>,
    /// Weighted words of all of it.
    whole: Vec<(u32, f32)>,
    /// How each word of the statement is said.
    said: Vec<(u32, Polarity)>,
    numbers: BTreeSet<String>,
}

/// A word as a number; two words with one are a chance of one in billions.
fn number_of(word: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    // Half of it is enough, and takes half the room.
    (hasher.finish() >> 32) as u32
}

/// The words of a text with their weights, each once, in the order of their numbers.
fn weighted(text: &str) -> Vec<(u32, f32)> {
    let mut found: Vec<(u32, f32)> = words(text).iter().map(|word| (number_of(word), words::weight(word))).collect();
    found.sort_unstable_by_key(|(word, _)| *word);
    found.dedup_by_key(|(word, _)| *word);
    found.shrink_to_fit();
    found
}

/// What two lists in the order of their numbers have in common.
fn shared<'n, T, U>(a: &'n [(u32, T)], b: &'n [(u32, U)]) -> impl Iterator<Item = (&'n T, &'n U)> {
    let mut at = 0;
    a.iter().filter_map(move |(word, one)| {
        while b.get(at).is_some_and(|(other, _)| other < word) {
            at += 1;
        }
        b.get(at).filter(|(other, _)| other == word).map(|(_, other)| (one, other))
    })
}

impl Note {
    /// Reads a note: a statement, a body, or name, description and body on lines of their own.
    pub fn read(text: &str) -> Note {
        let line = statement(text);
        let rest = unlabelled(text);
        let whole = weighted(&rest);
        let stated = if line.is_empty() { whole.clone() } else { weighted(&line) };
        let numbers = words(if line.is_empty() { &rest } else { &line }).into_iter().filter(|w| words::is_number(w));
        let numbers = numbers.collect();
        let said = TextPolarity::read(if line.is_empty() { text } else { &line });
        let mut said: Vec<(u32, Polarity)> = said.words.iter().map(|(word, how)| (number_of(word), *how)).collect();
        said.sort_unstable_by_key(|(word, _)| *word);
        Note { stated, whole, said, numbers }
    }

    /// How far two notes say the same thing, from 0 to 1.
    pub fn likeness(&self, other: &Note) -> f32 {
        let stated = overlap(&self.stated, &other.stated);
        let whole = overlap(&self.whole, &other.whole);
        let share = (stated * (1.0 - LABELLED) + whole * LABELLED).max(stated * 0.95);
        (share * agreement(self, other) * numbers(self, other)).clamp(0.0, 1.0)
    }
}

impl Note {
    /// Whether one denies what the other affirms.
    pub fn opposes(&self, other: &Note) -> bool {
        agreement(self, other) <= OPPOSED
    }

    /// Whether both state numbers or dates and at least one of each is missing in the other.
    pub fn differs_in_numbers(&self, other: &Note) -> bool {
        let missing = |a: &Note, b: &Note| a.numbers.difference(&b.numbers).next().is_some();
        missing(self, other) && missing(other, self)
    }
}

/// The text without the words "Why" and "How to apply" themselves.
fn unlabelled(text: &str) -> String {
    text.lines().flat_map(|line| [Label::of(line).map_or(line, |(_, after)| after), "\n"]).collect()
}

/// A mix of how much of the smaller note the larger one has, and of both they share.
fn overlap(a: &[(u32, f32)], b: &[(u32, f32)]) -> f32 {
    let total = |note: &[(u32, f32)]| note.iter().map(|(_, weight)| weight).sum::<f32>();
    let shared: f32 = shared(a, b).map(|(weight, _)| weight).sum();
    let (small, all) = (total(a).min(total(b)), total(a) + total(b) - shared);
    if small <= 0.0 {
        return 0.0;
    }
    // Two notes that are equal are the same however short they are.
    let believable = if a.iter().map(|(word, _)| word).eq(b.iter().map(|(word, _)| word)) {
        1.0
    } else {
        (shared / ENOUGH).min(1.0)
    };
    (0.6 * shared / small + 0.4 * shared / all) * believable
}

/// Falls with the shared words that one note denies and the other does not.
fn agreement(a: &Note, b: &Note) -> f32 {
    let (mut both, mut opposed, mut denied) = (0.0_f32, 0.0_f32, false);
    for (one, other) in shared(&a.said, &b.said) {
        both += 1.0;
        opposed += f32::from(!one.meets(*other));
        denied |= one.denies_with(*other);
    }
    let part = if both > 0.0 { opposed / both } else { 0.0 };
    // Where both deny the same word, the others only are in another place of the sentence.
    match part {
        part if denied => 1.0 - 0.3 * part,
        part if part >= 0.5 => OPPOSED,
        part => 1.0 - part,
    }
}

/// Falls when both notes name numbers and these differ.
fn numbers(a: &Note, b: &Note) -> f32 {
    if a.numbers.is_empty() || b.numbers.is_empty() {
        return 1.0;
    }
    let shared = a.numbers.intersection(&b.numbers).count() as f32;
    let fewer = a.numbers.len().min(b.numbers.len()) as f32;
    0.55 + 0.45 * shared / fewer
}

#[cfg(test)]
mod tests;
