//! The index in a proposal: memdir keeps it itself.
//!
//! A model that saves a memory also writes its pointer, as the manual says; the pointer is made
//! from the file instead, so what was written into the index is dropped without a word. Only when
//! lines would be gone that belong to nobody's change is that worth telling.

use std::collections::HashSet;

use super::{Rejection, RejectionRule};
use memdir_store::index::Index;
use memdir_store::staging::StagedChange;

/// What to say about a changed index.
pub(super) fn remark(change: &StagedChange, touched: &HashSet<&str>) -> Option<Rejection> {
    let before = Index::parse(change.before.clone().unwrap_or_default());
    let own = change.file.parent().map(|dir| format!("{dir}/")).unwrap_or_default();
    let about: HashSet<usize> = before
        .pointers()
        .into_iter()
        .filter(|pointer| touched.contains(format!("{own}{}", pointer.target).as_str()))
        .map(|pointer| pointer.line)
        .collect();
    let after = String::from_utf8_lossy(change.after.as_deref().unwrap_or_default()).into_owned();
    let kept: HashSet<&str> = after.lines().collect();
    let text = String::from_utf8_lossy(before.as_bytes()).into_owned();
    let gone = text
        .lines()
        .enumerate()
        .filter(|(at, line)| !line.trim().is_empty() && !about.contains(&(at + 1)) && !kept.contains(line))
        .count();
    let reason = format!("{gone} of its lines would be gone; memdir keeps the index itself, and it stays as it is");
    (gone > 0).then(|| Rejection::of(&change.file, RejectionRule::Index, reason))
}
