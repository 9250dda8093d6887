//! Which memory a wish to forget means.
//!
//! Enters: the words of the wish, what was spoken of before it, and the memories near to it. Leaves: one memory, a few to choose from,
//! or none. The reader says whether a memory is meant; words and meaning say which of several.

use std::collections::BTreeSet;

use crate::engine::judge::{Judge, KnownMemory};
use memdir_reader::likeness;

/// Below this a memory is not meant.
const MEANT: f32 = 0.75;
/// By so much the best must lead the second.
const LEAD: f32 = 0.15;
/// What a word in common is worth: one of the wish, and one of what was spoken of before.
const SHARED: f32 = 0.15;
const SPOKEN_OF: f32 = 0.04;

/// The memory that a wish to forget means; places are among the known.
#[derive(Debug, PartialEq)]
pub(super) enum ForgetTarget {
    /// This one.
    One(usize),
    /// One of these; somebody has to say which.
    Several(Vec<usize>),
    /// None that is known.
    None,
}

/// Finds what should be forgotten by what is said of it.
pub(super) fn meant(judge: Judge, words: &str, context: &str, known: &[KnownMemory]) -> ForgetTarget {
    let said = likeness::words(words);
    let context = likeness::words(context);
    let mut scores: Vec<(f32, usize)> = Vec::new();
    for (at, one) in known.iter().enumerate() {
        let file = one.file.as_str().replace(['_', '.', '/', '-'], " ");
        let about: BTreeSet<String> =
            likeness::words(&format!("{file} {} {}", one.name(), one.description())).into_iter().collect();
        let shared = about.iter().filter(|word| said.contains(word)).count().min(3);
        let spoken_of = about.iter().filter(|word| context.contains(word)).count().min(2);
        let score = one.near + judge.meant(words, one) / 2.0 + SHARED * shared as f32 + SPOKEN_OF * spoken_of as f32;
        if score >= MEANT {
            scores.push((score, at));
        }
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    match scores.as_slice() {
        [] => ForgetTarget::None,
        [(_, at)] => ForgetTarget::One(*at),
        [(first, at), (second, _), ..] if first - second >= LEAD => ForgetTarget::One(*at),
        several => ForgetTarget::Several(several.iter().take(3).map(|(_, at)| *at).collect()),
    }
}
