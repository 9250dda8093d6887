//! What is said of each word: that it is so, or that it is not.
//!
//! Enters: text. Leaves: for every content word whether it was affirmed, denied, or both. A denial
//! reaches a few words or to the end of its clause. Never crosses a line, so that the polarities of
//! a text are those of its lines together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use memdir_lexicon as lexicon;

use super::words::for_each;
use crate::han::is_unspaced;

/// How a word was said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Polarity {
    affirmed: bool,
    denied: bool,
}

impl Polarity {
    /// Whether everything in `other` is here too.
    pub(super) fn covers(self, other: Polarity) -> bool {
        (self.affirmed || !other.affirmed) && (self.denied || !other.denied)
    }

    /// Whether both deny it.
    pub(super) fn denies_with(self, other: Polarity) -> bool {
        self.denied && other.denied
    }

    /// Whether the two can be said together.
    pub(super) fn meets(self, other: Polarity) -> bool {
        (self.affirmed && other.affirmed) || (self.denied && other.denied)
    }
}

/// Bytes that a denial reaches: about five English words or eight Chinese characters.
const REACH: usize = 32;

/// What a text says: its content words, and the lines that have none.
#[derive(Debug, Default)]
pub struct TextPolarity {
    pub(super) words: BTreeMap<String, Polarity>,
    bare: BTreeSet<String>,
}

impl TextPolarity {
    /// Reads a statement.
    pub fn read(text: &str) -> TextPolarity {
        let mut said = TextPolarity::default();
        for line in text.lines() {
            let denied = denials(line);
            let (mut next, mut bare) = (0, true);
            for_each(line, |word, at| {
                bare = false;
                while denied.get(next).is_some_and(|reach| reach.end <= at) {
                    next += 1;
                }
                let denied = denied.get(next).is_some_and(|reach| reach.contains(&at));
                let polarity = said.words.entry(word).or_default();
                polarity.denied |= denied;
                polarity.affirmed |= !denied;
            });
            if bare && !line.trim().is_empty() {
                said.bare.insert(line.trim().to_owned());
            }
        }
        said
    }

    /// The words that are said of how things are.
    pub fn affirmed(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|(_, how)| how.affirmed).map(|(word, _)| word.as_str())
    }

    /// Whether one of the two only denies what the other only affirms.
    pub fn opposes(&self, other: &TextPolarity) -> bool {
        self.words.iter().any(|(word, how)| other.words.get(word).is_some_and(|said| !how.meets(*said)))
    }

    /// Whether all that `other` says is said here, the same way.
    pub fn covers(&self, other: &TextPolarity) -> bool {
        other.words.iter().all(|(word, how)| self.words.get(word).is_some_and(|k| k.covers(*how)))
            && other.bare.is_subset(&self.bare)
    }
}

/// The stretches of a line that are denied, in order and without overlaps.
fn denials(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let tail = &line[at..];
        let (step, denies) = if is_unspaced(c) {
            let denial = lexicon::DENIAL.longest_prefix_of(tail);
            (denial.map_or(c.len_utf8(), str::len), denial.is_some())
        } else if c.is_alphanumeric() {
            let inside = |c: char| (c.is_alphanumeric() && !is_unspaced(c)) || matches!(c, '\'' | '’');
            let word = tail.find(|c| !inside(c)).map_or(tail, |end| &tail[..end]);
            // No denial is longer; most words need not be compared.
            let denies = word.len() <= 12 && is_denial(&word.replace('’', "'"));
            (word.len(), denies)
        } else {
            (c.len_utf8(), false)
        };
        at += step;
        if !denies {
            continue;
        }
        let near = &line[at..line.floor_char_boundary(at + REACH)];
        let stop = near.find(['.', ',', ';', ':', '!', '?', '。', '，', '；', '：', '、']).unwrap_or(near.len());
        match found.last_mut() {
            Some(last) if last.end >= at => last.end = last.end.max(at + stop),
            _ => found.push(at..at + stop),
        }
    }
    found
}

fn is_denial(word: &str) -> bool {
    lexicon::DENIAL.contains(&word.to_ascii_lowercase())
}
