//! Dreaming: memory is put in order, offline and by rules (D3, L2).
//!
//! Enters: a store, the logs and the newest conversations. Leaves: a plan (which file is created,
//! changed or goes, into what, and why), the checks it passed, and what a person should look at.
//! Nothing is changed here; a plan lands as one change or waits in the inbox. When in doubt both
//! memories stay.
//!
//! - `desk`: every memory once, and what becomes of it. `tidy`: one memory on its own.
//! - `versions`: what team sync could not decide. `heard`, `learn`: what logs and people said since. `pairs`, `relate`, `unite`: two memories.
//! - `gate`: whether it is time. `salvage`, `shelve`: the index. `checks`: what must not happen. `land`: the one change.
//! - `model`: the same by a forked agent, told by `signals` where to look; `audit` looks for what it lost, `sources` for what bears that out.

mod audit;
mod checks;
mod desk;
mod gate;
mod heard;
mod land;
mod learn;
mod model;
mod pairs;
mod plan;
mod relate;
mod salvage;
mod shelve;
mod signals;
mod sources;
mod tidy;
mod unite;
mod versions;
mod wording;

#[cfg(test)]
#[cfg(unix)]
mod racing;
#[cfg(test)]
mod tests;

pub use checks::DreamCheck;
pub use land::Dreamt;
pub use model::{DreamJob, ModelDream};
pub use plan::{DreamChange, DreamPlan};
pub use unite::Unsure;

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;

use memdir_encoder::Encoder;
use serde::Serialize;

use super::{Error, Memory, index_of};
use crate::kind::Scope;
use crate::limits;
use crate::model::Cancel;
use crate::store::Store;
use desk::{Desk, Fate, Sheet};
use plan::planned;

/// What a dream may look at, and how much it may let go.
#[derive(Clone, Debug)]
pub struct DreamInput {
    /// Which memory: the project's (private, with the team's) or the user's.
    pub scope: Scope,
    /// Conversations since the last dream, the newest first; only their last part is read.
    pub transcripts: Vec<PathBuf>,
    /// Whether more than `dream.max_loss` may go without waiting in the inbox: somebody said yes.
    pub accept_loss: bool,
    /// Stops it; nothing is changed then.
    pub cancel: Cancel,
}

impl DreamInput {
    /// A dream of a scope, without conversations.
    pub fn of(scope: Scope) -> DreamInput {
        DreamInput { scope, transcripts: Vec::new(), accept_loss: false, cancel: Cancel::default() }
    }

    /// Whether nobody stopped it; else the error that says so.
    pub fn go_on(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::Refused(STOPPED.to_owned())) } else { Ok(()) }
    }
}

/// What a dream that was stopped says.
const STOPPED: &str = "the dream was stopped; nothing was changed";

/// The four phases (D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// What is there.
    Orient,
    /// What was said and changed since.
    Gather,
    /// Merging, dating, putting right.
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

impl Memory {
    /// Plans a dream of one scope. Changes nothing but the search cache, which it brings up to date.
    pub fn plan_dream(&self, input: &DreamInput, progress: &mut dyn FnMut(Phase, &str)) -> Result<DreamPlan, Error> {
        self.require_on()?;
        let Some(store) = self.dreamt_store(input.scope)? else { return Ok(DreamPlan::of(input.scope)) };
        progress(Phase::Orient, "reading what is known");
        store.notice(self.now.timestamp())?;
        self.catch_up(store, input, progress)?;
        let mut desk = Desk::of(self, store, Memory::cached_vectors(store))?;
        let known = desk.sheets.len();
        progress(Phase::Orient, &format!("{known} memories"));
        let mut unsure = versions::decide(&mut desk);
        input.go_on()?;

        let done = land::distilled(store);
        let (mut heard, distilled) = heard::logs(self, store, input.scope, &done)?;
        let lines = heard.len();
        heard.extend(heard::talks(self, &input.transcripts));
        let talks = input.transcripts.len().min(limits::DREAM_TRANSCRIPTS);
        progress(Phase::Gather, &format!("{lines} new lines of logs, the end of {talks} conversations"));
        // The user's memory has no team.
        let scopes: &[Scope] =
            if input.scope == Scope::User { &[Scope::Private] } else { &[Scope::Private, Scope::Team] };
        let mut gone = Vec::new();
        for &scope in scopes {
            gone.push((scope, self.salvage(store, &mut desk, scope)?));
        }
        input.go_on()?;

        progress(Phase::Consolidate, "each memory on its own");
        tidy::sort_out(&mut desk);
        tidy::date(&mut desk);
        input.go_on()?;
        progress(Phase::Consolidate, "what was said since");
        learn::learn(&mut desk, &heard)?;
        input.go_on()?;
        progress(Phase::Consolidate, "what says the same");
        unsure.extend(unite::unite(&mut desk));
        let taken_back = checks::take_back(&mut desk);
        input.go_on()?;
        progress(Phase::Prune, "the index");
        let mut plan = DreamPlan { known, unsure, taken_back, distilled, ..DreamPlan::of(input.scope) };
        plan.checks = checks::all(&desk);
        self.settle(&desk, known, input.accept_loss, &mut plan);
        // With `review` nothing lands by itself; accepted files get their pointers then.
        for (scope, gone) in gone.into_iter().filter(|_| !self.settings.review) {
            plan.shelves.push(self.shelving(&desk, &plan, scope, gone));
        }
        self.check_index(store, &mut plan)?;
        Ok(plan)
    }

    /// Makes the vectors that are missing, and says how far it is.
    fn catch_up(&self, store: &Store, input: &DreamInput, progress: &mut dyn FnMut(Phase, &str)) -> Result<(), Error> {
        let encoder = Encoder::new();
        let told = RefCell::new((0_usize, progress));
        let embed = |name: &str, description: &str, body: &str| {
            let mut told = told.borrow_mut();
            told.0 += 1;
            if told.0.is_multiple_of(limits::DREAM_TELL_EVERY) {
                let text = format!("{} new vectors", told.0);
                (told.1)(Phase::Orient, &text);
            }
            encoder.encode_memory(name, description, body)
        };
        self.refresh_store(store, &embed, usize::MAX, &|| input.cancel.is_cancelled())?;
        input.go_on()
    }

    /// Memories that a newer one contradicts, each with the newer, as far as they have vectors. Changes nothing.
    pub(super) fn contradictions(&self, store: &Store) -> Result<Vec<(String, String)>, Error> {
        let mut desk = Desk::of(self, store, Memory::cached_vectors(store))?;
        unite::unite(&mut desk);
        let pair = |sheet: &Sheet| match sheet.fate {
            Fate::Superseded(into) => Some((sheet.file.to_string(), desk.sheets[desk.heir(into)].file.to_string())),
            _ => None,
        };
        Ok(desk.sheets.iter().filter_map(pair).collect())
    }

    fn salvage(&self, store: &Store, desk: &mut Desk, scope: Scope) -> Result<HashSet<String>, Error> {
        let Some((raw, facts)) = store.root().read_with_facts(&index_of(scope)?)? else { return Ok(HashSet::new()) };
        let written = super::listing::timestamp(facts.mtime_ns).to_zoned(self.now.time_zone().clone());
        salvage::salvage(desk, &raw, scope, written.date())
    }

    /// Sorts the sheets into what lands and what waits.
    fn settle(&self, desk: &Desk, known: usize, accept_loss: bool, plan: &mut DreamPlan) {
        let lossy = |sheet: &Sheet| matches!(sheet.fate, Fate::Archived(_) | Fate::Superseded(_));
        let goes = desk.sheets.iter().filter(|sheet| lossy(sheet)).count();
        let share = if known == 0 { 0.0 } else { goes as f64 / known as f64 };
        let bound = self.settings.dream_max_loss;
        let over = share > bound && !accept_loss;
        let percent = |share: f64| (share * 100.0).round();
        let detail =
            format!("{goes} of {known} memories go ({} %); {} % may without a yes", percent(share), percent(bound));
        plan.checks.push(DreamCheck { name: "loss-bound", ok: share <= bound, detail });
        for sheet in desk.sheets.iter().filter(|sheet| sheet.changed() || !sheet.stays()) {
            let (planned, change) = planned(desk, sheet);
            if self.settings.review || (over && lossy(sheet)) {
                plan.holds.push(planned);
                plan.waiting.push(change);
            } else {
                plan.lands.push(planned);
                plan.changes.push(change);
            }
        }
    }
}
