//! What a dream would do: a list for people, and the same file by file for whoever lands it.
//!
//! Enters: the workspace when every rule has spoken. Leaves: units (files that only make sense together), each landing now or
//! waiting for a yes. What waits or was turned down before is not asked again, and a dream that nobody
//! allowed lands nothing (H4).

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use serde::Serialize;

use super::apply_statements::UnusedLogLine;
use super::checks::DreamCheck;
use super::index_lines::{self, IndexEdit, LineStep};
use super::raw_statements::Distilled;
use super::unite::PossibleContradiction;
use super::workspace::{MemoryFate, Workspace, WorkspaceMemory};
use super::{DreamInput, Dreaming};
use crate::engine::Error;
use crate::engine::inbox::ProposedFile;
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::Store;

/// One change of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DreamChange {
    /// The file.
    pub file: String,
    /// `create`, `update` or `remove`.
    pub action: &'static str,
    /// The memory that says it now.
    pub into: Option<String>,
    /// Why, for a person.
    pub why: String,
}

/// What a dream would do.
#[derive(Debug)]
pub struct DreamPlan {
    /// Which memory it is about.
    pub scope: Scope,
    /// How many memories there are.
    pub known: usize,
    /// What would land now.
    pub changes: Vec<DreamChange>,
    /// What waits for a yes.
    pub waiting: Vec<DreamChange>,
    /// Nothing lands, as this is the first dream here and nobody has said yes yet (H4).
    pub first: bool,
    /// The checks.
    pub checks: Vec<DreamCheck>,
    /// What a person should look at.
    pub unsure: Vec<PossibleContradiction>,
    /// Lines of logs in our own form that no memory was made of.
    pub left_out: Vec<UnusedLogLine>,
    /// Merges that were taken back, as a fact would have been lost.
    pub taken_back: Vec<String>,
    pub(super) lands: Vec<Planned>,
    pub(super) holds: Vec<HeldChange>,
    pub(super) index_edits: Vec<IndexEdit>,
    pub(super) indexes: Vec<String>,
    pub(super) distilled: Distilled,
    /// Somebody said yes to it beforehand.
    pub(super) yes: bool,
}

/// Files that wait together, and why.
#[derive(Debug)]
pub(super) struct HeldChange {
    pub(super) why: String,
    pub(super) files: Vec<Planned>,
}

/// A file, as it must be and as it should become.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) file: RelPath,
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Option<Vec<u8>>,
    pub(super) into: Option<RelPath>,
    /// What it says is no longer true, and `into` tells what is.
    pub(super) outdated: bool,
    /// Another name for the file, under which it goes on.
    pub(super) renamed: Option<RelPath>,
    /// When what it becomes was said, where that is known (K6).
    pub(super) heard_at: Option<Timestamp>,
    pub(super) why: String,
}

impl DreamPlan {
    /// Nothing to do in a scope.
    pub(super) fn of(scope: Scope) -> DreamPlan {
        DreamPlan {
            scope,
            known: 0,
            changes: Vec::new(),
            waiting: Vec::new(),
            first: false,
            checks: Vec::new(),
            unsure: Vec::new(),
            left_out: Vec::new(),
            taken_back: Vec::new(),
            lands: Vec::new(),
            holds: Vec::new(),
            index_edits: Vec::new(),
            indexes: Vec::new(),
            distilled: Distilled::new(),
            yes: false,
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.waiting.is_empty() && self.indexes.is_empty()
    }

    /// What would land, as a unified diff; what waits comes after it.
    pub fn diff(&self) -> String {
        self.lands.iter().chain(self.holds.iter().flat_map(|held| &held.files)).map(diff_of).collect()
    }
}

fn diff_of(planned: &Planned) -> String {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
    let name =
        |there: bool, side: &str| if there { format!("{side}/{}", planned.file) } else { "/dev/null".to_owned() };
    let mut options = diffy::DiffOptions::new();
    options
        .set_original_filename(name(planned.before.is_some(), "a"))
        .set_modified_filename(name(planned.after.is_some(), "b"));
    options.create_patch(&text(&planned.before), &text(&planned.after)).to_string()
}

/// One candidate as a change.
pub(super) fn planned(workspace: &Workspace, candidate: &WorkspaceMemory) -> (Planned, DreamChange) {
    let heir = match candidate.fate {
        MemoryFate::Merged(into) | MemoryFate::Superseded(into) => {
            Some(workspace.candidates[workspace.heir(into)].file.clone())
        }
        _ => None,
    };
    let why = match (&candidate.fate, &heir) {
        (MemoryFate::Merged(_), Some(into)) => format!("{into} says all of it now"),
        (MemoryFate::Superseded(_), Some(into)) => format!("{into} says what is true now"),
        (MemoryFate::Archived(why), _) => why.clone(),
        _ => {
            let mut notes = candidate.notes.clone();
            notes.dedup();
            notes.join("; ")
        }
    };
    let after = candidate.stays().then(|| candidate.topic.as_bytes().to_vec());
    let action = match (&candidate.before, &after) {
        (None, _) => "create",
        (_, None) => "remove",
        _ => "update",
    };
    let change = DreamChange {
        file: candidate.file.to_string(),
        action,
        into: heir.as_ref().map(ToString::to_string),
        why: why.clone(),
    };
    let outdated = matches!(candidate.fate, MemoryFate::Superseded(_));
    (
        Planned {
            file: candidate.file.clone(),
            before: candidate.before.clone(),
            after,
            into: heir,
            outdated,
            renamed: candidate.renamed.clone().filter(|_| candidate.stays()),
            heard_at: candidate.heard_at.filter(|_| candidate.stays()),
            why,
        },
        change,
    )
}

/// Candidates that only make sense together: a memory and those that go into it.
struct CandidateGroup<'d> {
    candidates: Vec<&'d WorkspaceMemory>,
}

impl CandidateGroup<'_> {
    /// Memories that stand and would be changed or removed.
    fn cost(&self) -> u64 {
        self.candidates.iter().filter(|candidate| candidate.before.is_some()).count() as u64
    }

    /// Why a person should decide, whoever dreams.
    fn held(&self) -> Option<&str> {
        self.candidates.iter().find_map(|candidate| candidate.held.as_deref())
    }

    fn loses(&self) -> bool {
        self.candidates.iter().any(|candidate| matches!(candidate.fate, MemoryFate::Superseded(_)))
    }
}

/// The units of a workspace, the surest first.
fn units(workspace: &Workspace) -> Vec<CandidateGroup<'_>> {
    let mut by_heir: BTreeMap<usize, Vec<&WorkspaceMemory>> = BTreeMap::new();
    for (at, candidate) in workspace.candidates.iter().enumerate() {
        // What the dream brought and then took into another memory was never there.
        if candidate.changed() || (!candidate.stays() && candidate.before.is_some()) {
            by_heir.entry(workspace.heir(at)).or_default().push(candidate);
        }
    }
    let mut units: Vec<CandidateGroup<'_>> =
        by_heir.into_values().map(|candidates| CandidateGroup { candidates }).collect();
    units.sort_by_key(|unit| unit.candidates.iter().map(|candidate| candidate.grounds).max());
    units
}

impl Dreaming<'_> {
    /// Sorts what should become of the workspace into what lands and what waits.
    pub(super) fn settle(
        &self,
        store: &Store,
        workspace: &Workspace,
        input: &DreamInput,
        plan: &mut DreamPlan,
    ) -> Result<(), Error> {
        let (rejected, waiting, yes) = (self.memory.rejected(store), self.memory.waiting(store), input.yes);
        let allowed = yes || self.is_allowed(store)?;
        let all = units(workspace);
        let goes = all.iter().filter(|unit| unit.held().is_none() && unit.loses()).count();
        let share = if plan.known == 0 { 0.0 } else { goes as f64 / plan.known as f64 };
        let bound = self.memory.settings.dream_max_loss;
        let percent = |share: f64| (share * 100.0).round();
        let detail = format!(
            "{goes} of {} memories are outdated by others ({} %); {} % may go without a yes",
            plan.known,
            percent(share),
            percent(bound)
        );
        plan.checks.push(DreamCheck { name: "loss-bound", ok: share <= bound, detail });
        let mut budget = self.memory.settings.dream_max_changes.saturating_sub(input.spent);
        let (mut waits, mut judged) = (Vec::new(), 0);
        let mut index_edits: BTreeMap<bool, Vec<LineStep>> = BTreeMap::new();
        for unit in &all {
            let (files, changes): (Vec<Planned>, Vec<DreamChange>) =
                unit.candidates.iter().map(|candidate| planned(workspace, candidate)).unzip();
            let all_in =
                |known: &HashSet<String>| files.iter().all(|file| known.contains(&proposed(file).fingerprint()));
            let waits_already = all_in(&waiting);
            if all_in(&rejected) || (waits_already && !yes) {
                continue;
            }
            let over = unit.cost() > budget || (unit.loses() && share > bound && !yes);
            let lands = unit.held().is_none() && allowed && !self.memory.settings.review && !over;
            if !lands && waits_already {
                continue;
            }
            if let Some(why) = unit.held() {
                judged += 1;
                if judged <= limits::DREAM_JUDGEMENTS {
                    plan.holds.push(HeldChange { why: why.to_owned(), files });
                    plan.waiting.extend(changes);
                }
            } else if !lands {
                waits.extend(files);
                plan.waiting.extend(changes);
            } else {
                budget -= unit.cost();
                for candidate in &unit.candidates {
                    let steps = index_lines::steps(workspace, candidate, self.memory.settings.index_required);
                    index_edits.entry(candidate.file.in_team()).or_default().extend(steps);
                }
                plan.lands.extend(files);
                plan.changes.extend(changes);
            }
        }
        if !waits.is_empty() {
            let why = match () {
                () if self.memory.settings.review => "everything waits for a yes (the setting review)",
                () if !allowed => "the first dream in this directory only proposes",
                () => "more than one dream may change by itself (dream.max_changes, dream.max_loss)",
            };
            plan.holds.insert(0, HeldChange { why: why.to_owned(), files: waits });
        }
        plan.first = !allowed;
        plan.yes = yes;
        // The user's memory has no team.
        let scopes: &[Scope] =
            if plan.scope == Scope::User { &[Scope::Private] } else { &[Scope::Private, Scope::Team] };
        for scope in scopes {
            let steps = index_edits.remove(&(*scope == Scope::Team)).unwrap_or_default();
            plan.index_edits.push(IndexEdit { scope: *scope, steps });
        }
        index_lines::check_index(store, plan, allowed && !self.memory.settings.review)
    }
}

/// A file as the inbox keeps it.
pub(super) fn proposed(planned: &Planned) -> ProposedFile {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    ProposedFile {
        file: planned.file.to_string(),
        before: text(&planned.before),
        after: text(&planned.after),
        into: planned.into.as_ref().map(ToString::to_string),
        outdated: planned.outdated,
        renamed: planned.renamed.as_ref().map(ToString::to_string),
        why: planned.why.clone(),
    }
}
