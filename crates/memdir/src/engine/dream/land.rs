//! A planned dream becomes one change, against what is there by then; the rest waits in the inbox.

use std::collections::{HashMap, HashSet};

use super::heard::Distilled;
use super::plan::DreamPlan;
use crate::engine::inbox::{NewProposal, ProposedFile};
use crate::engine::{Error, Memory, Signature, index_of};
use crate::guard::confine::RelPath;
use crate::store::fs::{self, Durability};
use crate::store::history::{Actor, Author, ChangeId};
use crate::store::{ChangeError, Edit, Intent, OnSecret, Store};

/// What a dream did.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Dreamt {
    /// The files that changed.
    pub files: Vec<String>,
    /// What stayed as it was, because somebody else changed it meanwhile.
    pub overtaken: Vec<String>,
    /// The change, for `undo`; `None` when nothing had to be done.
    pub change: Option<String>,
    /// What waits in the inbox.
    pub proposal: Option<String>,
}

impl Memory {
    /// Lands a plan: one change for what may land, one proposal for what waits.
    ///
    /// `may_land` is asked under the lock; a run that is not the owner any more lands nothing (D2).
    pub fn land_dream(
        &self,
        plan: &DreamPlan,
        group: Option<ChangeId>,
        may_land: &dyn Fn() -> bool,
    ) -> Result<Dreamt, Error> {
        let store = self.writable(plan.scope)?;
        let Signature { session, message, .. } = self.signature.clone();
        let author = Author { actor: Actor::Dream, session, message, time: self.now.timestamp() };
        let intent = Intent { group, on_secret: OnSecret::Redact, ..Intent::new(reason(plan)) };
        let (overtaken, change) = store.change(&author, &intent, |edit| {
            if !may_land() {
                return Err(ChangeError::Refused("another dream took over; this one lands nothing".to_owned()));
            }
            self.put_plan(edit, store, plan)
        })?;
        let proposal = if plan.holds.is_empty() { None } else { Some(self.hold_back(plan)?) };
        save_distilled(store, &plan.distilled)?;
        Ok(Dreamt {
            files: change
                .as_ref()
                .map(|change| change.paths().into_iter().map(str::to_owned).collect())
                .unwrap_or_default(),
            change: change.map(|change| change.id.to_string()),
            overtaken,
            proposal,
        })
    }

    /// Puts the clean part of a plan into a change. Returns what is not what it was.
    fn put_plan(&self, edit: &mut Edit<'_>, store: &Store, plan: &DreamPlan) -> Result<Vec<String>, ChangeError> {
        let mut clean: HashMap<&RelPath, bool> = HashMap::new();
        for planned in &plan.lands {
            clean.insert(&planned.file, edit.read(&planned.file)? == planned.before);
        }
        let mut overtaken = Vec::new();
        let mut removed: HashSet<&RelPath> = HashSet::new();
        let mut failed: HashSet<&RelPath> = HashSet::new();
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
                None => {
                    edit.remove(&planned.file)?;
                    removed.insert(&planned.file);
                }
            }
        }
        for shelving in &plan.shelves {
            let file = index_of(shelving.scope)?;
            let raw = edit.read(&file)?.unwrap_or_default();
            let mut gone = Vec::new();
            for (path, _) in &shelving.titles {
                let known = store.root().facts(path)?.is_some() || (clean.contains_key(path) && !failed.contains(path));
                if !known {
                    gone.push(path);
                }
            }
            let mut after = self.index_after(&raw, shelving, &|path| !removed.contains(path) && !gone.contains(&path));
            if after != raw {
                after = index_with_others(store, &raw, after, plan, &removed);
                edit.write(&file, after)?;
            }
        }
        Ok(overtaken)
    }

    fn hold_back(&self, plan: &DreamPlan) -> Result<String, Error> {
        let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let files = plan
            .holds
            .iter()
            .map(|planned| ProposedFile {
                file: planned.file.to_string(),
                before: text(&planned.before),
                after: text(&planned.after),
                why: planned.why.clone(),
            })
            .collect();
        self.propose(plan.scope, NewProposal { kind: "dream", reason: reason(plan), files })
    }
}

/// Files that came while the plan was made keep their pointers.
fn index_with_others(
    store: &Store,
    raw: &[u8],
    after: Vec<u8>,
    plan: &DreamPlan,
    removed: &HashSet<&RelPath>,
) -> Vec<u8> {
    use crate::store::index::Index;
    let planned: HashSet<&str> =
        plan.shelves.iter().flat_map(|shelving| &shelving.titles).map(|(_, title)| title.target.as_str()).collect();
    let (before, mut index) = (Index::parse(raw.to_vec()), Index::parse(after));
    let standing: HashSet<String> = index.pointers().into_iter().map(|pointer| pointer.target).collect();
    let dir = store.root().path();
    for pointer in before.pointers() {
        let goes = removed.iter().any(|file| file.as_str().ends_with(&pointer.target));
        let there = dir.join(&pointer.target).symlink_metadata().is_ok();
        if there && !goes && !standing.contains(&pointer.target) && !planned.contains(pointer.target.as_str()) {
            let edit = index.point(&pointer.target, &pointer.title, &pointer.hook);
            index.apply(&edit);
        }
    }
    index.into_bytes()
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
    format!(
        "dream: {} new, {} changed, {} merged or superseded, {} archived{into}",
        count("create"),
        count("update"),
        merged,
        count("remove") - merged
    )
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
