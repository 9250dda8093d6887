//! What speaks for and against each candidate, as numbers.
//!
//! Enters: a prompt looked up and compared, and what is known about each candidate. Leaves: one row of
//! numbers a candidate, in the order of [`NAMES`], each about 0 to 1 and free of the size of the store,
//! so that one set of weights holds for ten memories and for a hundred thousand.

use super::language::TextLanguage;
use super::lexical::{FoundDoc, Lookup, TermCounts};
use super::rank::Known;
use super::semantic::{Compared, Nearness};
use super::tokens::TokenShape;

/// What each number is.
pub(crate) const NAMES: [&str; 15] = [
    "whole",
    "header",
    "lead",
    "bm25",
    "bm25 lead",
    "rarest",
    "identifier",
    "age",
    "user",
    "feedback",
    "project",
    "reference",
    "other language",
    "above",
    "header above",
];
/// A memory of which nobody knows the age is taken for one of this many days: neither fresh nor old.
const UNKNOWN_AGE_DAYS: u32 = 30;

/// How many numbers there are.
pub(crate) const COUNT: usize = NAMES.len();
/// How many of them count for a prompt in English or Chinese.
pub(crate) const FITTED: usize = 12;

/// One candidate's numbers.
pub(crate) type FeatureRow = [f32; COUNT];

/// The rows of a prompt's candidates.
pub(super) fn rows(
    asked_in: TextLanguage,
    lookup: &Lookup<'_, '_>,
    found: &[FoundDoc],
    compared: Option<&Compared<'_>>,
    evidence: &TermCounts,
    candidates: &[(usize, u32, Known<'_>)],
) -> Vec<FeatureRow> {
    let near: Vec<Option<Nearness>> =
        candidates.iter().map(|(_, doc, _)| compared.and_then(|compared| compared.of(*doc))).collect();
    // The whole memory tells more than its header which of two is meant.
    let cosines: Vec<f32> = near.iter().map(|near| near.map_or(0.0, |near| near.whole)).collect();
    let scores: Vec<f32> = candidates
        .iter()
        .map(|(_, doc, _)| found.iter().find(|hit| hit.doc == *doc).map_or(0.0, |hit| hit.score))
        .collect();
    let headers: Vec<f32> = near.iter().map(|near| near.map_or(0.0, |near| near.header)).collect();
    // Texts of one language or one trade are all near each other; what counts is how far one is above them.
    let usual = (median(&cosines), median(&headers));
    let most = lookup.highest_idf();
    let mut out = Vec::with_capacity(candidates.len());
    for (place, (asked, _, known)) in candidates.iter().enumerate() {
        let mut row = [0.0; COUNT];
        if let Some(near) = near[place] {
            row[0] = near.whole;
            row[1] = near.header;
            row[2] = lead(place, &cosines);
            row[13] = near.whole - usual.0;
            row[14] = near.header - usual.1;
        }
        row[3] = scores[place];
        row[4] = lead(place, &scores);
        for (term, counts) in lookup.terms.iter().zip(evidence.of(*asked)) {
            if counts.any() {
                let sure = if term.misspelt { 0.7 } else { 1.0 };
                row[5] = row[5].max(term.idf / most * sure);
                row[6] = row[6].max(f32::from(term.shape == TokenShape::Whole));
            }
        }
        // Today and yesterday alike (R11).
        row[7] = (known.age_days.unwrap_or(UNKNOWN_AGE_DAYS).saturating_sub(1) as f32).ln_1p() / 6.0;
        if let Some(kind) = known.kind {
            row[8 + kind as usize] = 1.0;
        }
        // Two languages have no words in common: nearness alone must do.
        if asked_in.differs_from(TextLanguage::of(&format!("{} {}", known.name, known.description))) {
            row[12] = 1.0;
        }
        out.push(row);
    }
    out
}

fn median(all: &[f32]) -> f32 {
    let mut sorted = all.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let (low, high) = (sorted.len().saturating_sub(1) / 2, sorted.len() / 2);
    sorted.get(low).zip(sorted.get(high)).map_or(0.0, |(low, high)| f32::midpoint(*low, *high))
}

/// How far a score is ahead of the best other one, or behind it.
fn lead(place: usize, all: &[f32]) -> f32 {
    let others = all.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, score)| *score);
    all[place] - others.fold(0.0, f32::max)
}
