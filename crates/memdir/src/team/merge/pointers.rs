//! An index, pointer by pointer.
//!
//! A memory has one line, whoever changed it. One that both sides rewrote keeps one of the two: a pointer is never doubled. One
//! that a side took away goes with its memory, and stays where the memory stays: an index leaves out nothing that is there.
//! Lines that are no pointers are kept if either side added them.

use std::collections::{BTreeSet, HashMap};

use super::sequence::{digest, unite_unique};
use crate::store::index::Index;

/// What became of the memories that an index points to.
#[derive(Clone, Debug, Default)]
pub struct Fates {
    /// Those that are there once all is merged.
    pub there: BTreeSet<String>,
}

/// Merges two versions of an index.
pub fn merge_index(base: Option<&str>, ours: &str, theirs: &str, fates: &Fates) -> String {
    if ours == theirs {
        return ours.to_owned();
    }
    let (one, other) = if digest(ours) <= digest(theirs) { (ours, theirs) } else { (theirs, ours) };
    let (unknown, before) = (base.is_none(), base);
    let (one, other, base) = (Lines::of(one), Lines::of(other), base.map(Lines::of).unwrap_or_default());
    // A side that nobody touched takes the other as it is, byte by byte, unless a line is missing there.
    let missing = |id: &String| {
        one.text.contains_key(id) != other.text.contains_key(id)
            && id.strip_prefix(POINTER).is_some_and(|target| fates.there.contains(target))
    };
    if !base.order.iter().any(missing) {
        match before {
            Some(before) if before == theirs => return ours.to_owned(),
            Some(before) if before == ours => return theirs.to_owned(),
            _ => {}
        }
    }
    let kept = |id: &String| {
        let (a, b) = (one.text.contains_key(id), other.text.contains_key(id));
        let pointer = id.strip_prefix(POINTER);
        // Where nobody knows what was common, a line may be old: its memory tells.
        let added = !(base.text.contains_key(id) || unknown && pointer.is_some());
        a && b || added || pointer.is_some_and(|target| fates.there.contains(target))
    };
    let there = |order: &[String]| -> Vec<String> { order.iter().filter(|id| kept(id)).cloned().collect() };
    let mut out = String::new();
    for id in unite_unique(&there(&one.order), &there(&other.order)) {
        let (before, a, b) = (base.text.get(&id), one.text.get(&id), other.text.get(&id));
        let text = match (a, b) {
            (Some(a), Some(b)) if before == Some(a) => b,
            (Some(a), Some(b)) if before == Some(b) => a,
            (Some(a), Some(b)) => std::cmp::min_by_key(a, b, |text| digest(text)),
            (Some(text), None) | (None, Some(text)) => text,
            (None, None) => continue,
        };
        out.push_str(text);
        out.push('\n');
    }
    out
}

/// Begins the name of a line that is a pointer.
const POINTER: &str = "\0";

/// The lines of an index by name: a pointer by its target, another by its text and how often that came before.
#[derive(Default)]
struct Lines {
    order: Vec<String>,
    text: HashMap<String, String>,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let index = Index::parse(text.as_bytes().to_vec());
        let targets: HashMap<usize, String> =
            index.pointers().into_iter().map(|pointer| (pointer.line, pointer.target)).collect();
        let mut lines = Lines::default();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            let id = targets.get(&(at + 1)).map_or_else(
                || {
                    let times = seen.entry(line).or_default();
                    *times += 1;
                    format!("{times} {line}")
                },
                |target| format!("{POINTER}{target}"),
            );
            if lines.text.insert(id.clone(), line.to_owned()).is_none() {
                lines.order.push(id);
            }
        }
        lines
    }
}
