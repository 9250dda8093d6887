//! Dreaming: memory is put in order, offline and by rules (D3, L2).
//!
//! Enters: a store, the logs and the newest conversations. Leaves: the result of a run: which file is created, changed or goes, into
//! what, and why; the checks it passed, and what a person should look at. [`Memory::dream`] is the only way in. Nothing is changed
//! before a plan lands as one change; what may not land waits in the inbox. A memory that stands is changed only
//! because of something said since, a conflict or a proven duplicate (H1), and its text is never dated (H2).
//! When in doubt both memories stay.
//!
//! - `workspace`: every memory once, and what becomes of it. `tidy`: one memory on its own, for a person to decide.
//! - `versions`: what team sync could not decide. `raw_statements`, `statement`, `moment`: what logs and people said since, and when. `apply_statements`, `restate`: what it
//!   is to what is known. `pairs`, `relate`, `unite`: two memories.
//! - `run`: all of it in order, from the gates to the end. `request`: what it is asked for. `report`: its result.
//! - `gate`: whether it is time. `allowed`: whether it may change anything. `plan`: what lands and what waits. `index_lines`: the index.
//!   `checks`: what must not happen. `land`: the one change.
//! - `model`: the same by a forked agent, told by `signals` where to look; `audit` looks for what it lost, `sources` for what bears that out.

mod allowed;
mod apply_statements;
mod audit;
mod checks;
mod gate;
mod index_lines;
mod land;
mod model;
mod pairs;
mod plan;
mod progress;
mod raw_statements;
mod relate;
mod report;
mod request;
mod restate;
mod run;
mod signals;
mod sources;
mod statement;
mod tidy;
mod time_order;
mod unite;
mod versions;
mod wording;
mod workspace;

#[cfg(test)]
#[cfg(unix)]
mod race_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod time_tests;

pub use apply_statements::UnusedLogLine;
pub use checks::DreamCheck;
pub use land::LandedDream;
pub use model::ModelWaits;
pub use plan::{DreamChange, DreamPlan};
pub use progress::RunningDream;
pub use report::{DreamFailed, DreamReport, DreamResult, DreamScope};
pub use request::{DreamEnvironment, DreamProgress, DreamRequest};
pub use run::Dreaming;
pub use unite::PossibleContradiction;
pub(super) use wording::is_understood;
pub(super) use workspace::pointers;

use std::cell::RefCell;
use std::path::PathBuf;

use memdir_encoder::Encoder;
use serde::Serialize;

use super::judge::Readings;
use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_model::Cancel;
use memdir_store::Store;
use relate::MemoryRelation;
use request::TellDream;
use workspace::Workspace;

/// What a dream may look at, and how much it may let go.
#[derive(Clone, Debug)]
struct DreamInput {
    /// Which memory: the project's (private, with the team's) or the user's.
    scope: Scope,
    /// Conversations since the last dream, the newest first; only their last part is read.
    transcripts: Vec<PathBuf>,
    /// Somebody said yes beforehand: a first dream may land, and more than `dream.max_loss` may go.
    yes: bool,
    /// Memories that a model has changed in the same dream: they count for `dream.max_changes`.
    spent: u64,
    /// Stops it; nothing is changed then.
    cancel: Cancel,
}

impl DreamInput {
    /// A dream of a scope, without conversations.
    fn of(scope: Scope) -> DreamInput {
        DreamInput { scope, transcripts: Vec::new(), yes: false, spent: 0, cancel: Cancel::default() }
    }

    /// Whether nobody stopped it; else the error that says so.
    fn go_on(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::Refused(STOPPED.to_owned())) } else { Ok(()) }
    }
}

/// What a dream that was stopped says.
const STOPPED: &str = "the dream was stopped; nothing was changed";

/// The four phases (D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Phase {
    /// What is there.
    Orient,
    /// What was said and changed since.
    Gather,
    /// Merging, putting right.
    Consolidate,
    /// Letting go, and the index.
    Prune,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Phase; 4] = [Phase::Orient, Phase::Gather, Phase::Consolidate, Phase::Prune];

    /// Its place among the four.
    const fn number(self) -> u8 {
        self as u8
    }

    /// The word in listings and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Phase::Orient => "orient",
            Phase::Gather => "gather",
            Phase::Consolidate => "consolidate",
            Phase::Prune => "prune",
        }
    }
}

impl Dreaming<'_> {
    /// Plans a dream of one scope. Changes nothing but the search cache, which it brings up to date.
    fn plan(&self, input: &DreamInput, progress: TellDream<'_>) -> Result<DreamPlan, Error> {
        self.memory.require_on()?;
        let Some(store) = self.store(input.scope)? else { return Ok(DreamPlan::of(input.scope)) };
        progress(DreamProgress::Phase(Phase::Orient, "reading what is known"));
        store.notice(self.memory.now.timestamp())?;
        self.catch_up(store, input, progress)?;
        let mut workspace = Workspace::of(self.memory, store, Memory::cached_vectors(store))?;
        let known = workspace.candidates.len();
        progress(DreamProgress::Phase(
            Phase::Orient,
            &format!("{known} {}", if known == 1 { "memory" } else { "memories" }),
        ));
        let mut unsure = versions::decide(&mut workspace);
        input.go_on()?;

        let done = land::distilled(store);
        let (mut raw, distilled) = raw_statements::logs(self.memory, store, input.scope, &done)?;
        let lines = raw.len();
        raw.extend(raw_statements::conversations(self.memory, &input.transcripts));
        let talks = input.transcripts.len().min(limits::DREAM_TRANSCRIPTS);
        let gathered = format!(
            "{lines} new {} of logs, the end of {talks} {}",
            if lines == 1 { "line" } else { "lines" },
            if talks == 1 { "conversation" } else { "conversations" }
        );
        progress(DreamProgress::Phase(Phase::Gather, &gathered));
        input.go_on()?;

        progress(DreamProgress::Phase(Phase::Consolidate, "what was said since"));
        raw.sort_by_key(|one| one.when.map(|when| when.earliest));
        let mut left_out = Vec::new();
        let said = apply_statements::apply(&mut workspace, &raw, &mut unsure, &mut left_out)?;
        input.go_on()?;
        progress(DreamProgress::Phase(Phase::Consolidate, "what says the same"));
        let mut readings = Readings::of(store);
        let asked = self.memory.open_questions(store).into_iter();
        let asked = asked.map(|question| PossibleContradiction {
            files: question.files,
            why: format!("{}; the inbox asks", question.what),
        });
        let mut differing: Vec<PossibleContradiction> = asked.collect();
        let mut step = |done: usize, total| {
            if done.is_multiple_of(limits::DREAM_TELL_EVERY) {
                progress(DreamProgress::Step(Phase::Consolidate, "pairs compared", done, total));
            }
        };
        for pair in unite::unite(&mut workspace, &mut readings, &mut step) {
            let is_told = |other: &PossibleContradiction| pair.files.iter().all(|file| other.files.contains(file));
            if !differing.iter().any(is_told) {
                differing.push(pair);
            }
        }
        unsure.extend(self.untold(store, differing));
        readings.keep();
        input.go_on()?;
        progress(DreamProgress::Phase(Phase::Consolidate, "each memory on its own"));
        tidy::sort_out(&mut workspace);
        let taken_back = checks::take_back(&mut workspace);
        input.go_on()?;
        progress(DreamProgress::Phase(Phase::Prune, "what may land, and the index"));
        let mut plan = DreamPlan { known, unsure, left_out, taken_back, distilled, ..DreamPlan::of(input.scope) };
        plan.checks = checks::all(&workspace, &said);
        self.settle(store, &workspace, input, &mut plan)?;
        Ok(plan)
    }

    /// Makes the vectors that are missing, and says how far it is.
    fn catch_up(&self, store: &Store, input: &DreamInput, progress: TellDream<'_>) -> Result<(), Error> {
        let encoder = Encoder::new();
        let quiet = |name: &str, description: &str, body: &str| encoder.encode_memory(name, description, body);
        let stop = || input.cancel.is_cancelled();
        let total = self.memory.refresh_store(store, &quiet, 0, &stop)?;
        let told = RefCell::new((0_usize, String::new(), progress));
        let embed = |name: &str, description: &str, body: &str| {
            let mut told = told.borrow_mut();
            let (done, last, progress) = &mut *told;
            // A long memory has several vectors, one after the other.
            if last != name {
                name.clone_into(last);
                if done.is_multiple_of(limits::DREAM_TELL_EVERY) {
                    progress(DreamProgress::Step(Phase::Orient, "memories read", (*done).min(total), total));
                }
                *done += 1;
            }
            encoder.encode_memory(name, description, body)
        };
        self.memory.refresh_store(store, &embed, usize::MAX, &stop)?;
        input.go_on()
    }

    /// Memories of which both cannot hold, as far as they have vectors. Changes nothing.
    pub(in crate::engine) fn contradictions(
        &self,
        store: &Store,
        readings: &mut Readings<'_>,
    ) -> Result<Vec<StandingPair>, Error> {
        let workspace = Workspace::of(self.memory, store, Memory::cached_vectors(store))?;
        let related = unite::related(&workspace, readings, &mut |_, _| {});
        let pair = |(one, other, relation): (usize, usize, MemoryRelation)| {
            let (first, newer) = match relation {
                MemoryRelation::Contradict { first_later } => (first_later.unwrap_or(true), first_later.is_some()),
                MemoryRelation::Supersedes { first_wins, later } => (first_wins, later),
                _ => return None,
            };
            let (stands, goes) = if first { (one, other) } else { (other, one) };
            let file = |at: usize| workspace.candidates[at].file.clone();
            let says = [stands, goes].map(|at| unite::says(&workspace.candidates[at]));
            Some(StandingPair { stands: file(stands), other: file(goes), newer, says })
        };
        Ok(related.into_iter().filter_map(pair).collect())
    }
}

/// Two memories of which both cannot hold.
pub(in crate::engine) struct StandingPair {
    pub(in crate::engine) stands: RelPath,
    pub(in crate::engine) other: RelPath,
    /// The first was said later; else nobody knows.
    pub(in crate::engine) newer: bool,
    /// What each of them says.
    pub(in crate::engine) says: [String; 2],
}
