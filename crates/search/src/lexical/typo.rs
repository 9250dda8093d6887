//! Terms that a misspelt word may have meant.
//!
//! Enters: a word that no memory holds, and a dictionary. Leaves: the few dictionary terms nearest to
//! it. Only plain words with the same first letter are tried: people rarely miss the first key, and it
//! keeps the walk to a twentieth of the dictionary.

use super::BadSegment;
use super::segment::{DictionaryEntry, Segment};

/// One slip is forgiven from here on.
const ONE_SLIP: usize = 5;
/// Two slips are forgiven from here on.
const TWO_SLIPS: usize = 9;
/// A misspelt ending keeps the stemmer from cutting it: this many letters too many are one slip.
const ENDING: usize = 3;
/// Longer words are not prose.
const LONGEST: usize = 30;

/// A term near the one looked for.
pub(super) struct NearTerm {
    pub(super) slips: u8,
    pub(super) entry: DictionaryEntry,
    pub(super) term: String,
}

/// How many slips a word of this length may hold.
pub(super) fn slips_allowed(word: &str) -> u8 {
    if !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return 0;
    }
    match word.len() {
        ONE_SLIP..TWO_SLIPS => 1,
        TWO_SLIPS..=LONGEST => 2,
        _ => 0,
    }
}

/// The terms of a segment within the allowed slips of `word`.
pub(super) fn near(segment: &Segment<'_>, word: &str) -> Result<Vec<NearTerm>, BadSegment> {
    let (word, allowed) = (word.as_bytes(), slips_allowed(word));
    let mut out = Vec::new();
    let Some((&first, _)) = word.split_first().filter(|_| allowed > 0) else {
        return Ok(out);
    };
    let mut distance = Distance::new(word, allowed);
    let start = segment.block_of(&[first])?.unwrap_or(0);
    for block in start..segment.block_count() {
        let mut entries = segment.entries(block)?;
        let mut same = usize::MAX;
        while let Some(entry) = entries.next()? {
            // A skipped neighbour may have shared less than this one does with it.
            same = same.min(entry.shared);
            let term = entries.term();
            match term.first().map(|letter| letter.cmp(&first)) {
                Some(std::cmp::Ordering::Equal) => {}
                Some(std::cmp::Ordering::Greater) => return Ok(out),
                _ => continue,
            }
            let (shortest, longest) = (word.len().saturating_sub(ENDING), word.len() + usize::from(allowed));
            if !(shortest..=longest).contains(&term.len()) {
                continue;
            }
            let slips = distance.to(term, same);
            same = usize::MAX;
            if let (Some(slips), Ok(text)) = (slips, std::str::from_utf8(term)) {
                out.push(NearTerm { slips, entry, term: text.to_string() });
            }
        }
    }
    Ok(out)
}

/// Edit distance with swaps of neighbours, a row a letter, rows of a shared prefix kept.
struct Distance<'w> {
    word: &'w [u8],
    allowed: u8,
    rows: Vec<[u8; LONGEST + 1]>,
    term: Vec<u8>,
}

impl<'w> Distance<'w> {
    fn new(word: &'w [u8], allowed: u8) -> Self {
        let mut first = [0; LONGEST + 1];
        for (cell, cost) in first.iter_mut().zip(0..) {
            *cell = cost;
        }
        Distance { word, allowed, rows: vec![first], term: Vec::new() }
    }

    /// The distance to a term whose first `shared` bytes are those of the term before, if allowed.
    fn to(&mut self, term: &[u8], shared: usize) -> Option<u8> {
        let keep = shared.min(self.term.len()).min(self.rows.len() - 1);
        self.term.truncate(keep);
        self.rows.truncate(keep + 1);
        while self.term.len() < term.len() {
            if self.row(self.rows.len() - 1).iter().min()? > &self.allowed {
                return None;
            }
            self.push(*term.get(self.term.len())?);
        }
        let row = self.row(self.rows.len() - 1);
        let ending = row.len().saturating_sub(1 + ENDING)..row.len().saturating_sub(1);
        let unstemmed = row
            .get(ending)
            .filter(|_| term.len() >= ONE_SLIP)
            .and_then(|cells| cells.iter().min())
            .map(|slips| slips + 1);
        row.last().copied().into_iter().chain(unstemmed).min().filter(|slips| *slips <= self.allowed)
    }

    fn row(&self, number: usize) -> &[u8] {
        self.rows.get(number).and_then(|row| row.get(..=self.word.len())).unwrap_or(&[])
    }

    fn push(&mut self, letter: u8) {
        let before = self.rows[self.rows.len() - 1];
        let mut row = [0; LONGEST + 1];
        row[0] = before[0].saturating_add(1);
        for (at, &wanted) in self.word.iter().enumerate() {
            let same = u8::from(wanted != letter);
            let mut cost = (before[at] + same).min(before[at + 1].saturating_add(1)).min(row[at] + 1);
            let swapped = at > 0 && self.word[at - 1] == letter && self.term.last() == Some(&wanted);
            if swapped && let Some(earlier) = self.rows.len().checked_sub(2).and_then(|n| self.rows.get(n)) {
                cost = cost.min(earlier[at - 1] + 1);
            }
            row[at + 1] = cost;
        }
        self.term.push(letter);
        self.rows.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(word: &str, term: &str) -> Option<u8> {
        Distance::new(word.as_bytes(), slips_allowed(word)).to(term.as_bytes(), 0)
    }

    #[test]
    fn slips_are_counted() {
        let table = [
            ("refund", "refund", Some(0)),
            ("refudn", "refund", Some(1)),
            ("refnd", "refund", Some(1)),
            ("refunnd", "refund", Some(1)),
            ("rexunx", "refund", None),
            ("kubernets", "kubernetes", Some(1)),
            ("kuebrnets", "kubernetes", Some(2)),
            ("abc", "abd", None),
            ("migraton", "migrat", Some(1)),
            ("migrations", "migra", None),
        ];
        for (word, term, expected) in table {
            assert_eq!(slips(word, term), expected, "{word} {term}");
        }
    }

    #[test]
    fn rows_of_a_shared_prefix_are_right_for_the_next_term() {
        let terms = ["settl", "settled", "settlement", "settler", "seven", "settlemnt"];
        let mut walked = Distance::new(b"setlement", 2);
        let mut before: &[u8] = b"";
        for term in terms {
            let shared = before.iter().zip(term.as_bytes()).take_while(|(a, b)| a == b).count();
            assert_eq!(walked.to(term.as_bytes(), shared), slips("setlement", term), "{term}");
            before = term.as_bytes();
        }
    }
}
