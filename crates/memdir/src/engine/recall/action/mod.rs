//! What is known about a call that a tool is about to make (V1, V2).
//!
//! Enters: the action. Leaves: at most two memories that speak about it, as one reminder, and whether one of them forbids it. What
//! each memory is about was understood since it was saved and lies in the search cache; nothing here reads a memory to decide, but the
//! few that are new.
//! Never tells a memory twice in a session, and never holds a call twice for the same one.
//!
//! - [`operation`], [`command`], [`paths`], [`written`]: what a call does.
//! - [`intent`]: what a prompt asks to be done.
//! - [`understood`]: what a memory is about, in the cache.
//! - [`things`], [`clause_match`], [`target`], [`verdict`]: whether the two have to do with each other.

mod clause_match;
mod command;
pub(super) mod intent;
mod operation;
mod paths;
mod target;
mod things;
pub(super) mod understood;
mod verdict;
mod written;

use std::collections::HashSet;

use memdir_core::kind::Scope;
use memdir_core::limits::{ACTION_BYTES, ACTION_CANDIDATES, ACTION_FILES, SESSION_BYTES};
use memdir_core::settings::BeforeAction;
use memdir_hosts::Action;
use memdir_store::Store;

use super::segment::Doc;
use super::session::SessionSeen;
use super::{Budget, Error, Memory, Ratings, Recalled, Selected, SkippedMemory, Uses};
use operation::Operation;
use verdict::ActionVerdict;

/// What is said before an action.
pub(crate) struct BeforeTool {
    /// The memories, and why.
    pub(crate) recalled: Recalled,
    /// Whether the call is refused this once.
    pub(crate) holds: bool,
}

/// What is looked for in a store.
struct Sought<'s> {
    operations: &'s [Operation],
    keys: &'s HashSet<u32>,
    ratings: &'s Ratings,
}

impl Memory {
    /// Finds the memories that speak about what a tool is about to do. `may_hold`: whether the host lets a hook refuse a call.
    pub(crate) fn recall_action(
        &self,
        action: &Action,
        session: Option<&str>,
        room: usize,
        may_hold: bool,
    ) -> Result<BeforeTool, Error> {
        let root = self.place.project.cwd.display().to_string();
        let operations = Operation::all(action, &root);
        let mut recalled = Recalled {
            selected: Vec::new(),
            skipped: Vec::new(),
            reminder: String::new(),
            bytes: 0,
            budget: Budget { used: 0, limit: SESSION_BYTES },
            reason: self.no_action(&operations),
            selector: "local",
            behind: false,
            partial: false,
        };
        if recalled.reason.is_some() {
            return Ok(BeforeTool { recalled, holds: false });
        }
        let mut seen = session.map(|session| self.seen(session)).transpose()?;
        recalled.budget.used = seen.as_ref().map_or(0, |file| file.seen.bytes);
        let keys = understood::keys(&operations);
        let mut found = Vec::new();
        let ratings = self.ratings()?;
        for (scope, store) in self.stores()? {
            self.find_verdicts(
                &Sought { operations: &operations, keys: &keys, ratings: &ratings },
                scope,
                store,
                &mut found,
                &mut recalled.behind,
            )?;
        }
        found.sort_by(|a, b| {
            (b.0.forbids, b.1.score).partial_cmp(&(a.0.forbids, a.1.score)).unwrap_or(std::cmp::Ordering::Equal)
        });
        // Without a session nobody would know that the same call comes again.
        let may_hold = may_hold && seen.is_some() && self.settings.recall_before_action == BeforeAction::Hold;
        let nothing = SessionSeen::default();
        let before = seen.as_ref().map_or(&nothing, |file| &file.seen);
        let is_held =
            |verdict: &ActionVerdict, path: &String| may_hold && verdict.forbids && !before.held.contains(path);
        found.retain(|(verdict, one)| {
            let is_new = is_held(verdict, &one.path) || !before.files.contains(&one.path);
            if !is_new {
                recalled.skipped.push(SkippedMemory::seen(one.file.clone(), one.scope));
            }
            is_new
        });
        let holds = found.first().is_some_and(|(verdict, one)| is_held(verdict, &one.path));
        found.truncate(ACTION_FILES);
        let held: Vec<String> = found
            .iter()
            .filter(|(verdict, one)| is_held(verdict, &one.path))
            .map(|(_, one)| one.path.clone())
            .collect();
        recalled.selected = found.into_iter().map(|(_, one)| one).collect();
        self.surface(room.min(ACTION_BYTES).min(SESSION_BYTES.saturating_sub(recalled.budget.used)), &mut recalled)?;
        match &mut seen {
            Some(file) if !recalled.selected.is_empty() => {
                file.seen.held.extend(held);
                self.keep_seen(file, &mut recalled)?;
            }
            _ => {}
        }
        if recalled.selected.is_empty() {
            recalled.reason = Some("no memory speaks about it");
        }
        Ok(BeforeTool { holds: holds && !recalled.selected.is_empty(), recalled })
    }

    fn no_action(&self, operations: &[Operation]) -> Option<&'static str> {
        if !self.place.enabled {
            Some("memory is off")
        } else if !self.settings.recall_enabled {
            Some("recall.enabled is false")
        } else if !self.settings.recall_actions {
            Some("recall.actions is false")
        } else if self.settings.recall_before_action == BeforeAction::Off {
            Some("recall.before_action is off")
        } else if operations.is_empty() {
            Some("it has nothing that a memory could speak about")
        } else {
            None
        }
    }

    fn find_verdicts(
        &self,
        sought: &Sought<'_>,
        scope: Scope,
        store: &Store,
        found: &mut Vec<(ActionVerdict, Selected)>,
        behind: &mut bool,
    ) -> Result<(), Error> {
        let cache = self.search_cache_of(store, behind)?.with_subjects_if_few(store);
        *behind |= cache.lacks_vectors();
        let mut candidates: Vec<(usize, &[u8], Doc<'_>)> = Vec::new();
        for (_, doc) in cache.docs() {
            // What nobody has understood yet is left to the background.
            let Some(subjects) = cache.subjects_of(&doc.hash) else {
                *behind = true;
                continue;
            };
            let shared = understood::shared(subjects, sought.keys);
            if shared > 0 {
                candidates.push((shared, subjects, doc));
            }
        }
        let uses = Uses::of(store);
        candidates.sort_by_key(|(shared, ..)| std::cmp::Reverse(*shared));
        for (_, subjects, doc) in candidates.into_iter().take(ACTION_CANDIDATES) {
            let Some(subjects) = understood::subjects(subjects) else { continue };
            let Some(verdict) = verdict::judge(&subjects, doc.kind, sought.operations) else { continue };
            let team = scope == Scope::Private && doc.path.starts_with("team/");
            let scope = if team { Scope::Team } else { scope };
            // What speaks about a call is told; experience only decides which two, where there are more.
            let experience = self.experience(&uses, sought.ratings, doc.path, scope);
            let does = if verdict.forbids { "it forbids" } else { "it speaks about" };
            let why = format!("{does} {}", verdict.words);
            let one = Selected {
                file: doc.path.to_owned(),
                path: store.root().path().join(doc.path).display().to_string(),
                scope,
                kind: doc.kind,
                title: doc.name.to_owned(),
                description: doc.description.to_owned(),
                age_days: self.files().age(&doc.written),
                score: experience.applied(verdict.score),
                grounds: why.clone(),
                why: experience.words().map_or(why.clone(), |words| format!("{why}; {words}")),
                learned: experience.shift(),
                evidence: Vec::new(),
                from: None,
                written: doc.written,
                passage: 0,
            };
            found.push((verdict, one));
        }
        self.put_back(store, cache);
        Ok(())
    }
}
