//! Which memories may say the same thing.
//!
//! Enters: the desk. Leaves: for each memory the few that are nearest to it by words and by meaning,
//! with one score. Words come from an inverted index without the common ones, meaning from vectors:
//! in a small store each is compared with each, in a large one only those that share a telling word.
//! So the cost grows with the number of memories, hardly more.

use std::collections::{HashMap, HashSet};

use memdir_encoder::QuantVector;

use super::desk::{Desk, Sheet};
use crate::text::likeness::{Note, words};

/// Memories each one is looked at against.
const NEAREST: usize = 6;
/// Up to so many memories each is compared with each by meaning.
const ALL_PAIRS: usize = 2_000;
/// A word that more memories have says little about any of them.
const COMMON: usize = 64;
/// What shared words weigh beside shared meaning.
const WORDS: f32 = 0.7;
/// Below this no rule joins two memories.
const FLOOR: f32 = 0.5;

/// Two memories and how near they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) one: usize,
    pub(super) other: usize,
    /// From 0 to about 1.7.
    pub(super) score: f32,
    /// Each is what the other is nearest to.
    pub(super) mutual: bool,
}

/// The near pairs of a desk, the nearest first.
pub(super) fn nearest(desk: &Desk, notes: &[Note]) -> Vec<Near> {
    let candidates = candidates(desk);
    let mut scored: HashMap<(usize, usize), f32> = HashMap::new();
    let mut best: Vec<Option<(f32, usize)>> = vec![None; desk.sheets.len()];
    for (one, others) in candidates.iter().enumerate() {
        for &other in others {
            let key = (one.min(other), one.max(other));
            let score = *scored.entry(key).or_insert_with(|| score(desk, notes, key));
            for (of, with) in [(one, other), (other, one)] {
                if best[of].is_none_or(|(top, _)| score > top) {
                    best[of] = Some((score, with));
                }
            }
        }
    }
    let is_best = |of: usize, with: usize| best[of].is_some_and(|(_, top)| top == with);
    let mut near: Vec<Near> = scored
        .into_iter()
        .filter(|(_, score)| *score >= FLOOR)
        .map(|((one, other), score)| Near { one, other, score, mutual: is_best(one, other) && is_best(other, one) })
        .collect();
    near.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.one, a.other).cmp(&(b.one, b.other))));
    near
}

fn score(desk: &Desk, notes: &[Note], (one, other): (usize, usize)) -> f32 {
    let alike = notes[one].likeness(&notes[other]);
    let meant = match (&desk.sheets[one].vectors, &desk.sheets[other].vectors) {
        (Some(a), Some(b)) => cosine(&a.whole, &b.whole),
        _ => alike,
    };
    meant + WORDS * alike
}

/// The cosine of two unit vectors.
pub(super) fn cosine(a: &QuantVector, b: &QuantVector) -> f32 {
    let dot: i32 = a.values.iter().zip(&b.values).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    dot as f32 * a.scale * b.scale
}

fn comparable(a: &Sheet, b: &Sheet) -> bool {
    let kinds = a.kind().is_none() || b.kind().is_none() || a.kind() == b.kind();
    a.stays() && b.stays() && a.scope() == b.scope() && kinds
}

/// For each memory those that could be near.
fn candidates(desk: &Desk) -> Vec<Vec<usize>> {
    let sheets = &desk.sheets;
    let mut all: Vec<HashSet<usize>> = by_words(desk);
    if sheets.len() <= ALL_PAIRS {
        for (one, sheet) in sheets.iter().enumerate() {
            let Some(own) = &sheet.vectors else { continue };
            let mut near: Vec<(f32, usize)> = sheets
                .iter()
                .enumerate()
                .filter(|(other, with)| *other != one && comparable(sheet, with))
                .filter_map(|(other, with)| Some((cosine(&own.whole, &with.vectors.as_ref()?.whole), other)))
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            all[one].extend(near.iter().take(NEAREST).map(|(_, other)| *other));
        }
    }
    all.into_iter()
        .map(|others| {
            let mut others: Vec<usize> = others.into_iter().collect();
            others.sort_unstable();
            others
        })
        .collect()
}

/// For each memory those that share the most telling words with it.
fn by_words(desk: &Desk) -> Vec<HashSet<usize>> {
    let sheets = &desk.sheets;
    let own: Vec<HashSet<String>> = sheets
        .iter()
        .map(|sheet| {
            if sheet.stays() {
                words(&format!("{} {}", sheet.name(), sheet.description())).into_iter().collect()
            } else {
                HashSet::new()
            }
        })
        .collect();
    let mut have: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, words) in own.iter().enumerate() {
        for word in words {
            have.entry(word).or_default().push(at);
        }
    }
    own.iter()
        .enumerate()
        .map(|(one, words)| {
            let mut shared: HashMap<usize, f32> = HashMap::new();
            for others in
                words.iter().filter_map(|word| have.get(word.as_str())).filter(|others| others.len() <= COMMON)
            {
                let weight = (1.0 + sheets.len() as f32 / others.len() as f32).ln();
                for &other in others.iter().filter(|&&other| other != one && comparable(&sheets[one], &sheets[other])) {
                    *shared.entry(other).or_default() += weight;
                }
            }
            let mut found: Vec<(usize, f32)> = shared.into_iter().collect();
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            found.into_iter().take(NEAREST).map(|(other, _)| other).collect()
        })
        .collect()
}
