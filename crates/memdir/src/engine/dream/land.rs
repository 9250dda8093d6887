//! A planned dream becomes one change, against what is there by then; the rest waits in the inbox.
//!
//! Enters: a plan, and the lock of the dream. Leaves: the change, what was overtaken by somebody else's edit, what waits, and a note of what
//! was told, so that it is not told twice. Never writes over a file that is not what the plan read.

use std::collections::{HashMap, HashSet};

use super::Dreaming;
use super::index_lines::{self, LineStep};
use super::model::ModelWaits;
use super::plan::{DreamPlan, proposed};
use super::raw_statements::Distilled;
use super::unite::PossibleContradiction;
use crate::engine::inbox::NewProposal;
use crate::engine::{Error, Signature, index_of};
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::fs::{self, Durability};
use memdir_store::history::{Actor, Author, ChangeId};
use memdir_store::{ChangeError, Edit, Intent, OnSecret, Store};

/// What a dream did.
#[derive(Clone, Debug, Default)]
pub struct LandedDream {
    /// The files that changed.
    pub files: Vec<String>,
    /// What stayed as it was, because somebody else changed it meanwhile.
    pub overtaken: Vec<String>,
    /// The change, for `undo`; `None` when nothing had to be done.
    pub change: Option<String>,
    /// What the rules put into the inbox.
    pub proposals: Vec<String>,
    /// What a model dreamt before them, where that waits too.
    pub model_waits: Option<ModelWaits>,
}

impl Dreaming<'_> {
    /// Lands a plan: one change for what may land, and proposals for what waits.
    ///
    /// `may_land` is asked under the lock; a run that is not the owner any more lands nothing (D2).
    pub(super) fn land(
        &self,
        plan: &DreamPlan,
        group: Option<ChangeId>,
        may_land: &dyn Fn() -> bool,
    ) -> Result<LandedDream, Error> {
        let store = self.memory.writable(plan.scope)?;
        let Signature { session, message, .. } = self.memory.signature.clone();
        let author = Author { actor: Actor::Dream, session, message, time: self.memory.now.timestamp() };
        let intent = Intent { group, on_secret: OnSecret::Redact, ..Intent::new(reason(plan)) };
        let (overtaken, change) = store.change(&author, &intent, |edit| {
            if !may_land() {
                return Err(ChangeError::Refused("another dream took over; this one lands nothing".to_owned()));
            }
            put_plan(edit, plan)
        })?;
        let landed = plan.lands.iter().map(|planned| proposed(planned).fingerprint()).collect();
        self.memory.clear_landed(store, &landed)?;
        let mut proposals = Vec::new();
        for held in &plan.holds {
            let files = held.files.iter().map(proposed).collect();
            let reason = format!("dream: {}", held.why);
            proposals.push(self.memory.propose(plan.scope, NewProposal { kind: "dream", reason, files })?);
        }
        save_distilled(store, &plan.distilled)?;
        save_told(store, &plan.unsure)?;
        // A first dream that has nothing to ask is as good as a yes.
        if plan.yes || (plan.first && !self.memory.settings.review && !self.memory.dream_waits(store)) {
            self.memory.allow_dreams(store)?;
        }
        Ok(LandedDream {
            files: change
                .as_ref()
                .map(|change| change.paths().into_iter().map(str::to_owned).collect())
                .unwrap_or_default(),
            change: change.map(|change| change.id.to_string()),
            overtaken,
            proposals,
            model_waits: None,
        })
    }

    /// Pairs that no dream has told of yet, as they are now; a few.
    pub(super) fn untold(&self, store: &Store, unsure: Vec<PossibleContradiction>) -> Vec<PossibleContradiction> {
        let told = told(store);
        let new = unsure.into_iter().filter(|one| !told.contains(&mark(store, one)));
        new.take(limits::DREAM_UNSURE).collect()
    }
}

/// Puts the clean part of a plan into a change. Returns what is not what it was.
fn put_plan(edit: &mut Edit<'_>, plan: &DreamPlan) -> Result<Vec<String>, ChangeError> {
    let mut clean: HashMap<&RelPath, bool> = HashMap::new();
    for planned in &plan.lands {
        clean.insert(&planned.file, edit.read(&planned.file)? == planned.before);
    }
    let mut overtaken = Vec::new();
    let (mut failed, mut renamed): (HashSet<&RelPath>, HashSet<&RelPath>) = (HashSet::new(), HashSet::new());
    for planned in &plan.lands {
        // What should live on in another memory goes only when that one took it over.
        let heir_is_clean = planned.into.as_ref().is_none_or(|into| clean.get(into).copied().unwrap_or(true));
        if !clean[&planned.file] || !heir_is_clean {
            overtaken.push(planned.file.to_string());
            failed.insert(&planned.file);
            continue;
        }
        match &planned.after {
            Some(after) => edit.write(&planned.file, after.clone())?,
            None => edit.remove(&planned.file)?,
        }
        let free = match &planned.renamed {
            Some(to) => edit.read(to)?.is_none().then_some(to),
            None => None,
        };
        if let Some(to) = free {
            edit.rename_file(&planned.file, to)?;
            renamed.insert(&planned.file);
        }
        if let Some(at) = planned.heard_at {
            edit.written_at(free.unwrap_or(&planned.file), at)?;
        }
    }
    // A name that somebody took meanwhile is not given, and the line leads where it led.
    let counts = |step: &&LineStep| !failed.contains(&step.file) && (!step.renames || renamed.contains(&step.file));
    for lines in &plan.index_edits {
        let file = index_of(lines.scope)?;
        let raw = edit.read(&file)?.unwrap_or_default();
        let steps: Vec<LineStep> = lines.steps.iter().filter(|step| counts(step)).cloned().collect();
        let after = index_lines::apply(&raw, &steps);
        if after != raw {
            edit.write(&file, after)?;
        }
    }
    Ok(overtaken)
}

/// A pair as it was told of; when one of them changes it is another pair.
fn mark(store: &Store, unsure: &PossibleContradiction) -> String {
    let content = |file: &String| RelPath::parse(file).ok().and_then(|file| store.root().read(&file).ok().flatten());
    let parts: Vec<Vec<u8>> =
        unsure.files.iter().flat_map(|file| [file.clone().into_bytes(), content(file).unwrap_or_default()]).collect();
    ChangeId::derive(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()).to_string()
}

/// The pairs that dreams have told of.
fn told(store: &Store) -> Vec<String> {
    let bytes = fs::read_beside(&store.state_dir().join("told.json")).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn save_told(store: &Store, unsure: &[PossibleContradiction]) -> Result<(), Error> {
    let mut all = told(store);
    let new: Vec<String> = unsure.iter().map(|one| mark(store, one)).filter(|one| !all.contains(one)).collect();
    if new.is_empty() {
        return Ok(());
    }
    all.extend(new);
    let from = all.len().saturating_sub(limits::INBOX_REJECTED);
    let bytes = serde_json::to_vec(&all[from..]).unwrap_or_default();
    Ok(fs::replace(&store.state_dir().join("told.json"), &bytes, Durability::Synced)?)
}

/// What the history says a dream did.
fn reason(plan: &DreamPlan) -> String {
    let count = |action: &str| plan.changes.iter().filter(|change| change.action == action).count();
    let merged = plan.changes.iter().filter(|change| change.into.is_some()).count();
    let told: Vec<String> = plan
        .changes
        .iter()
        .filter_map(|change| Some(format!("{} → {}", change.file, change.into.as_ref()?)))
        .take(20)
        .collect();
    let into = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
    format!("dream: {} new, {} changed, {merged} merged or superseded{into}", count("create"), count("update"))
}

/// How far logs were distilled, as the last dream left it.
pub(super) fn distilled(store: &Store) -> Distilled {
    fs::read_beside(&store.state_dir().join("distilled.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

fn save_distilled(store: &Store, distilled: &Distilled) -> Result<(), Error> {
    let bytes = serde_json::to_vec(distilled).unwrap_or_default();
    Ok(fs::replace(&store.state_dir().join("distilled.json"), &bytes, Durability::Synced)?)
}
