//! The report of a sync.
//!
//! Enters: what a round did. Leaves: the files that went out and came in, conflicts, and what was held back, each with its reason.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plan::IncomingFile;
use crate::base::Base;

/// Something that was held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeldItem {
    /// Which file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What a sync did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Synced {
    /// Files that went out.
    pub pushed: Vec<String>,
    /// Files that came in.
    pub pulled: Vec<String>,
    /// Files with two versions of something in them.
    pub conflicts: Vec<String>,
    /// Files that stay here.
    pub held_back: Vec<HeldItem>,
    /// Files that stay there.
    pub kept_out: Vec<HeldItem>,
    /// How often it was tried.
    pub rounds: u32,
}

/// What is not here because it was not let in.
pub(super) fn kept_out(base: &Base, theirs: &BTreeMap<String, IncomingFile>) -> Vec<HeldItem> {
    let before = base.files.iter().filter(|(path, _)| !theirs.contains_key(*path));
    let before = before.filter_map(|(path, known)| Some((path, known.held.clone()?)));
    let now = theirs.iter().filter_map(|(path, their)| Some((path, their.known.held.clone()?)));
    before.chain(now).map(|(file, reason)| HeldItem { file: file.clone(), reason }).collect()
}
