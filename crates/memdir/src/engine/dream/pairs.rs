//! Which memories may say the same thing.
//!
//! Enters: the workspace. Leaves: for each memory the few that are nearest to it by words and by meaning,
//! with one score. Words come from an inverted index without the common ones, meaning from vectors:
//! in a small store each is compared with each, in a large one only those in the same block of some
//! dimensions. So the cost grows with the number of memories, hardly more.

use std::collections::HashMap;

use memdir_encoder::QuantVector;

use super::workspace::{Workspace, WorkspaceMemory};
use memdir_core::kind::{Scope, Type};
use memdir_reader::likeness::{Note, words};

/// Memories each one is looked at against.
const NEAREST: usize = 6;
/// Up to this many memories each is compared with each by meaning.
const ALL_PAIRS: usize = 1_000;
/// Memories that one is compared with in a block of a larger store.
const BLOCK: usize = 48;
/// How often a larger store is sorted into blocks, each time by other dimensions.
const BANDS: usize = 12;
/// A word that more memories have says little about any of them.
const COMMON: usize = 64;
/// What shared words weigh beside shared meaning.
const WORDS: f32 = 0.7;
/// Below this no rule joins two memories.
const FLOOR: f32 = 0.5;

/// Two memories and how near they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPair {
    pub(super) one: usize,
    pub(super) other: usize,
    /// From 0 to about 1.7.
    pub(super) score: f32,
    /// Each is what the other is nearest to.
    pub(super) mutual: bool,
}

/// The near pairs of a workspace, the nearest first.
pub(super) fn nearest(workspace: &Workspace, notes: &[Note]) -> Vec<NearPair> {
    let neighbours = neighbours(workspace);
    let mut scored: HashMap<(usize, usize), f32> = HashMap::new();
    let mut best: Vec<Option<(f32, usize)>> = vec![None; workspace.candidates.len()];
    for (one, others) in neighbours.iter().enumerate() {
        for &other in others {
            let key = (one.min(other), one.max(other));
            let score = *scored.entry(key).or_insert_with(|| score(workspace, notes, key));
            for (of, with) in [(one, other), (other, one)] {
                if best[of].is_none_or(|(top, _)| score > top) {
                    best[of] = Some((score, with));
                }
            }
        }
    }
    let is_best = |of: usize, with: usize| best[of].is_some_and(|(_, top)| top == with);
    let mut near: Vec<NearPair> = scored
        .into_iter()
        .filter(|(_, score)| *score >= FLOOR)
        .map(|((one, other), score)| NearPair { one, other, score, mutual: is_best(one, other) && is_best(other, one) })
        .collect();
    near.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.one, a.other).cmp(&(b.one, b.other))));
    near
}

fn score(workspace: &Workspace, notes: &[Note], (one, other): (usize, usize)) -> f32 {
    let alike = notes[one].likeness(&notes[other]);
    let meant = match (&workspace.candidates[one].vectors, &workspace.candidates[other].vectors) {
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

/// What decides whether two memories are compared at all, looked up once.
#[derive(Clone, Copy)]
struct Class {
    kind: Option<Type>,
    scope: Scope,
    stays: bool,
}

impl Class {
    fn of(candidate: &WorkspaceMemory) -> Class {
        Class { kind: candidate.kind(), scope: candidate.scope(), stays: candidate.stays() && !candidate.torn }
    }

    fn compares(self, other: Class) -> bool {
        let kinds = self.kind.is_none() || other.kind.is_none() || self.kind == other.kind;
        kinds && self.stays && other.stays && self.scope == other.scope
    }
}

/// For each memory those that could be near.
fn neighbours(workspace: &Workspace) -> Vec<Vec<usize>> {
    let classes: Vec<Class> = workspace.candidates.iter().map(Class::of).collect();
    let mut all: Vec<Vec<usize>> = by_words(workspace, &classes);
    by_meaning(workspace, &classes, &mut all);
    for others in &mut all {
        others.sort_unstable();
        others.dedup();
    }
    all
}

/// Adds to each memory those that mean the nearest.
fn by_meaning(workspace: &Workspace, classes: &[Class], all: &mut [Vec<usize>]) {
    let candidates = &workspace.candidates;
    let near = |one: usize, other: usize| {
        let (own, with) = (candidates[one].vectors.as_ref()?, candidates[other].vectors.as_ref()?);
        (one != other && classes[one].compares(classes[other])).then(|| cosine(&own.whole, &with.whole))
    };
    let mut keep = |one: usize, mut found: Vec<(f32, usize)>| {
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.dedup();
        all[one].extend(found.iter().take(NEAREST).map(|(_, other)| *other));
    };
    if candidates.len() <= ALL_PAIRS {
        for one in 0..candidates.len() {
            keep(one, (0..candidates.len()).filter_map(|other| Some((near(one, other)?, other))).collect());
        }
        return;
    }
    let bands = bands(workspace);
    for one in 0..candidates.len() {
        let mut found = Vec::new();
        for band in &bands {
            let Some(block) = band.of.get(one).and_then(|key| band.blocks.get(&(*key)?)) else { continue };
            // Of a crowded block the neighbours in it are enough: it says little.
            let place = block.partition_point(|other| *other < one);
            let from = place.saturating_sub(BLOCK / 2);
            let some = &block[from..block.len().min(from + BLOCK)];
            found.extend(some.iter().filter_map(|other| Some((near(one, *other)?, *other))));
        }
        keep(one, found);
    }
}

/// Memories whose vectors point the same way in some dimensions.
struct Band {
    of: Vec<Option<u16>>,
    blocks: HashMap<u16, Vec<usize>>,
}

/// Sorts the memories into blocks, several times by different dimensions: two that mean the same share a block
/// in one of them almost surely, and a block is small.
fn bands(workspace: &Workspace) -> Vec<Band> {
    // About as many blocks as it takes for a block to hold a few dozen.
    let bits = (workspace.candidates.len() / BLOCK).max(2).ilog2().clamp(6, 14) as usize;
    (0..BANDS)
        .map(|band| {
            let key = |vector: &QuantVector| {
                let signs = vector.values.iter().skip(band * bits).take(bits);
                signs.fold(0_u16, |key, value| key << 1 | u16::from(*value > 0))
            };
            let of: Vec<Option<u16>> = workspace
                .candidates
                .iter()
                .map(|candidate| candidate.vectors.as_ref().map(|pair| key(&pair.whole)))
                .collect();
            let mut blocks: HashMap<u16, Vec<usize>> = HashMap::new();
            for (at, key) in of.iter().enumerate() {
                if let Some(key) = key {
                    blocks.entry(*key).or_default().push(at);
                }
            }
            Band { of, blocks }
        })
        .collect()
}

/// For each memory those that share the most telling words with it.
fn by_words(workspace: &Workspace, classes: &[Class]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut have: Vec<Vec<u32>> = Vec::new();
    let mut own: Vec<Vec<u32>> = Vec::with_capacity(workspace.candidates.len());
    for (at, candidate) in workspace.candidates.iter().enumerate() {
        let told = if candidate.stays() {
            words(&format!("{} {}", candidate.name(), candidate.description()))
        } else {
            Vec::new()
        };
        let mut mine: Vec<u32> = told
            .into_iter()
            .map(|word| {
                let next = numbers.len() as u32;
                *numbers.entry(word).or_insert(next)
            })
            .collect();
        mine.sort_unstable();
        mine.dedup();
        have.resize(numbers.len(), Vec::new());
        for word in &mine {
            // One more than is common is enough to see that it is.
            let list = &mut have[*word as usize];
            if list.len() <= COMMON {
                list.push(at as u32);
            }
        }
        own.push(mine);
    }
    let (mut weights, mut touched) = (vec![0.0_f32; own.len()], Vec::new());
    own.iter()
        .enumerate()
        .map(|(one, words)| {
            for others in words.iter().map(|word| &have[*word as usize]).filter(|others| others.len() <= COMMON) {
                let weight = (1.0 + own.len() as f32 / others.len() as f32).ln();
                for other in others.iter().map(|other| *other as usize) {
                    if other != one && classes[one].compares(classes[other]) {
                        if weights[other] == 0.0 {
                            touched.push(other);
                        }
                        weights[other] += weight;
                    }
                }
            }
            let mut found: Vec<(usize, f32)> = touched.drain(..).map(|other| (other, weights[other])).collect();
            for (other, _) in &found {
                weights[*other] = 0.0;
            }
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            found.into_iter().take(NEAREST).map(|(other, _)| other).collect()
        })
        .collect()
}
