//! One sync, from look to publish.
//!
//! Enters: the local files ([`Local`]), what was common ([`Bases`]), a [`Transport`] and the rules ([`SharingRules`]). Leaves: both sides with
//! everything that both may have, and a report of it ([`Synced`]). Every step can be the last one before a crash; the next sync goes on from
//! there. Never lands what the rules refuse, never publishes it, never looks at a time.
//!
//! - `local`, `rules`: what a sync needs from its caller.
//! - `screen`: what is new there, as far as it may come in.
//! - `plan`, `pointers`: what becomes of each path, and of the lines of an index.
//! - `report`: what is said of it afterwards.

mod local;
mod plan;
mod pointers;
mod report;
mod rules;
mod screen;

pub use local::{Arrival, Local};
pub use plan::IncomingFile;
pub use report::{HeldItem, Synced};
pub use rules::{NoRules, RuleVerdict, SharingRules};

use std::collections::{BTreeMap, BTreeSet};

use super::base::{Base, Bases, KnownPath, PendingPath, hash};
use super::transport::{EntryKind, Published, RemoteChange, SharedRevision, SharedState, Transport, TransportError};
use memdir_core::limits;
use memdir_store::ChangeError;
use memdir_store::fs::FsError;
use plan::{RoundInput, RoundPlan};

/// Why a sync did not come to its end. What was done stays done, and the next one goes on from there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The shared side.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The local files.
    #[error(transparent)]
    RemoteChange(#[from] ChangeError),
    /// The state directory.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// Others kept being faster.
    #[error(
        "others published {0} times while this sync tried to; everything of theirs is here, and what is new here goes out with the next sync"
    )]
    Contended(u32),
}

impl SyncError {
    /// Whether the request cannot be met, rather than the machine being at fault.
    pub fn is_refusal(&self) -> bool {
        matches!(self, SyncError::Transport(_) | SyncError::Contended(_))
    }
}

/// One team's sync.
pub struct Sync<'s> {
    /// The local files.
    pub local: &'s mut dyn Local,
    /// What was common.
    pub bases: &'s mut dyn Bases,
    /// The shared side.
    pub transport: &'s mut dyn Transport,
    /// What may leave and come.
    pub rules: &'s dyn SharingRules,
    /// Called before another try, with how often it was tried.
    pub pause: &'s mut dyn FnMut(u32),
    /// Only says what would happen.
    pub dry: bool,
}

impl Sync<'_> {
    /// Syncs.
    pub fn run(&mut self) -> Result<Synced, SyncError> {
        let mut done = Synced::default();
        for round in 1..=limits::TEAM_ROUNDS {
            done.rounds = round;
            if self.round(&mut done)? {
                for list in [&mut done.pushed, &mut done.pulled, &mut done.conflicts] {
                    list.sort();
                    list.dedup();
                }
                return Ok(done);
            }
            (self.pause)(round);
        }
        Err(SyncError::Contended(limits::TEAM_ROUNDS))
    }

    /// One try; `false` when somebody was faster.
    fn round(&mut self, done: &mut Synced) -> Result<bool, SyncError> {
        let mut base = self.bases.load()?;
        let ours = self.local.list()?;
        let crashed = settle_landing(&mut base, &ours);
        // What landed before a crash is newer than the mark: a path may have gone and come back since, and would look unchanged.
        let since = base.mark.clone().filter(|_| !crashed);
        let (mark, entries) = match self.transport.look(since.as_ref())? {
            SharedState::Same => (since.unwrap_or_default(), Vec::new()),
            SharedState::Now(mark) => {
                let entries = self.transport.entries(since.as_ref(), &mark)?;
                (mark, entries)
            }
        };
        let theirs = self.take_in(&base, entries)?;
        done.kept_out = report::kept_out(&base, &theirs);
        let mut steps = self.plan(&RoundInput { base: &base, ours: &ours, theirs: &theirs })?;
        done.held_back = std::mem::take(&mut steps.held_back);
        done.conflicts.append(&mut steps.conflicts);
        if self.dry {
            done.pulled.extend(steps.arrivals.into_iter().map(|arrival| arrival.path));
            done.pushed.extend(steps.changes.into_iter().map(|change| change.path));
            return Ok(true);
        }
        if !self.land(&mut base, &mark, steps.arrivals, &mut steps.known, crashed, done)? {
            return Ok(false);
        }
        if steps.changes.is_empty() {
            return Ok(true);
        }
        match self.transport.publish(&mark, &steps.changes)? {
            Published::Overtaken => Ok(false),
            Published::As(mark) => {
                self.note_published(base, mark, &steps.changes, &steps.published)?;
                done.pushed.extend(steps.changes.into_iter().map(|change| change.path));
                Ok(true)
            }
        }
    }

    /// Lands what came in and notes what is common now.
    fn land(
        &mut self,
        base: &mut Base,
        mark: &SharedRevision,
        arrivals: Vec<Arrival>,
        known: &mut BTreeMap<String, (KnownPath, Vec<Vec<u8>>)>,
        crashed: bool,
        done: &mut Synced,
    ) -> Result<bool, SyncError> {
        let contents: Vec<Vec<u8>> = known.values_mut().flat_map(|(_, contents)| std::mem::take(contents)).collect();
        let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
        if !arrivals.is_empty() {
            base.landing = arrivals
                .iter()
                .filter_map(|arrival| {
                    let (known, _) = known.get(&arrival.path)?;
                    let after = arrival.after.as_deref().map(hash);
                    Some((arrival.path.clone(), PendingPath { after, known: known.clone() }))
                })
                .collect();
            self.bases.save(base, &contents)?;
            if !self.local.land(&arrivals)? {
                return Ok(false);
            }
            done.pulled.extend(arrivals.into_iter().map(|arrival| arrival.path));
        }
        if crashed || !known.is_empty() || base.mark.as_ref() != Some(mark) || !base.landing.is_empty() {
            base.files.extend(known.iter().map(|(path, (known, _))| (path.clone(), known.clone())));
            base.landing.clear();
            base.mark = Some(mark.clone());
            self.bases.save(base, &contents)?;
        }
        Ok(true)
    }

    fn note_published(
        &mut self,
        mut base: Base,
        mark: SharedRevision,
        changes: &[RemoteChange],
        common: &BTreeMap<String, Vec<u8>>,
    ) -> Result<(), SyncError> {
        let mut contents: Vec<&[u8]> = Vec::new();
        for change in changes {
            let known = base.files.entry(change.path.clone()).or_default();
            match &change.content {
                Some(content) => {
                    let shared = common.get(&change.path).unwrap_or(content);
                    known.common = Some(hash(shared));
                    known.full = (shared != content).then(|| hash(content));
                    known.remote = EntryKind::File { id: self.transport.id_of(content), bytes: 0 }.id();
                    contents.extend([shared.as_slice(), content.as_slice()]);
                }
                None => {
                    known.common = None;
                    known.full = None;
                    known.remote = format!("gone:{}", known.remote);
                }
            }
            known.author = super::transport::Authorship::default();
            known.held = None;
            known.marks.clear();
        }
        base.mark = Some(mark);
        Ok(self.bases.save(&base, &contents)?)
    }

    fn plan(&mut self, sides: &RoundInput<'_>) -> Result<RoundPlan, SyncError> {
        let RoundInput { base, ours, theirs } = *sides;
        let paths: BTreeSet<&String> = base.files.keys().chain(ours.keys()).chain(theirs.keys()).collect();
        let (indexes, files): (Vec<&String>, Vec<&String>) = paths.into_iter().partition(|path| plan::is_index(path));
        let mut step = RoundPlan::default();
        for path in files {
            self.plan_file(path, sides, &mut step)?;
        }
        for path in indexes {
            self.plan_index(path, sides, &mut step)?;
        }
        Ok(step)
    }
}

/// Finds out whether what was about to land has landed; `true` when there was something.
fn settle_landing(base: &mut Base, ours: &BTreeMap<String, String>) -> bool {
    let landing = std::mem::take(&mut base.landing);
    let crashed = !landing.is_empty();
    for (path, landing) in landing {
        if ours.get(&path) == landing.after.as_ref() {
            base.files.insert(path, landing.known);
        }
    }
    crashed
}
