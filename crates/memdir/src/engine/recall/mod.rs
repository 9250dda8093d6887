//! Recall: the few memories that matter for a prompt, or none (R1–R11).
//!
//! Enters: a prompt, the tools in use, what was shown already. Leaves: at most five memories with
//! the reason for each, what was left out and why, and one reminder for the model. Works offline; a
//! model may refine the choice, and whatever it does, nobody waits for it longer than agreed.
//!
//! - [`action`]: the same for what a tool is about to do.
//! - [`caches`]: the search cache of each store; [`search_cache`], [`freshness`], [`segment`], [`vectors`]: what it consists of; [`refresh`],
//!   [`encode`], [`merge`]: keeping it true.
//! - [`select`], [`refine`]: selection by a model; [`late_selection`]: the same when it comes after the prompt.
//! - [`search_stores`]: a prompt, looked for in every store.
//! - [`presentation`]: what was chosen, read and put into one reminder.
//! - [`evidence`]: whether what a memory names is still there.
//! - [`times`]: the days and months that a prompt names.
//! - [`continued`]: a short prompt that goes on from the one before.
//! - [`session`]: what a session has seen; [`activity`]: what its model has read and used without us.

mod action;
mod activity;
mod caches;
mod continued;
mod encode;
mod evidence;
mod excerpt;
mod freshness;
mod late_selection;
mod merge;
mod nearest;
mod neighbours;
mod presentation;
mod refine;
mod refresh;
mod search_cache;
mod search_stores;
mod segment;
mod select;
mod session;
mod text_meaning;
mod times;
mod understanding;
mod vectors;

pub(super) use action::BeforeTool;
pub use caches::SearchProgress;
pub use encode::Embed;
pub(super) use evidence::ProjectReader;
pub use evidence::{Evidence, EvidenceState};
pub use select::{Ask, Question, asking};
pub(super) use select::{OfferedMemory, manifest_line};
pub(crate) use vectors::VectorPair;

use std::path::Path;
use std::time::Duration;

use memdir_hosts::Host;
use serde::{Deserialize, Serialize};

use super::ratings::Ratings;
use super::uses::{Counted, Uses};
use super::{Error, Memory, MemoryOrigin, Recall};
pub(super) use freshness::{LOOK_AT_EACH, are_as_recorded};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits::{RECALL_FILES, SESSION_BYTES};
use memdir_search::experience::Experience;
use memdir_search::rank::Cause;
use memdir_search::tokens::more_than_one_word;
use memdir_search::tools::Tools;
use memdir_store::Written;
pub(super) use neighbours::Neighbour;
use refine::ModelQuestion;
pub(super) use search_cache::SearchCache;
use search_stores::PromptSearch;
pub(super) use text_meaning::TextMeaning;

/// Nothing more comes in this session.
const SESSION_FULL: &str = "the session has been shown as much as it may be";

/// Why nothing came where most memories are known by their words alone.
const WARMING_UP: &str =
    "recall is warming up: most memories are known by their words alone until the background has read them";

/// What a short prompt brings only together with the one before must be this sure: that one has been answered already.
const CONTINUED: f32 = 0.2;

/// What is asked.
pub struct RecallRequest<'r> {
    /// What the user wrote.
    pub query: &'r str,
    /// Tools used lately (R5).
    pub recent_tools: &'r [String],
    /// Files the model has seen already (R4).
    pub surfaced: &'r [String],
    /// The session, which remembers what it was shown (R8).
    pub session: Option<&'r str>,
    /// How many bytes the host takes inline.
    pub room: usize,
    /// A model to ask, and how long to wait for it.
    pub model: Option<(Ask, Duration)>,
    /// Whether nothing is better than what the model did not choose (`--selector model`).
    pub model_only: bool,
    /// What was asked in the session before, where somebody knows ([`Recall::read_on`]).
    pub earlier: Option<&'r str>,
}

impl<'r> RecallRequest<'r> {
    /// The local ranking for a prompt, for a host that takes what hosts take inline.
    pub fn new(query: &'r str) -> RecallRequest<'r> {
        RecallRequest {
            query,
            recent_tools: &[],
            surfaced: &[],
            session: None,
            room: memdir_core::limits::INLINE_BYTES,
            model: None,
            model_only: false,
            earlier: None,
        }
    }
}

/// A memory that was chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Selected {
    /// Relative to the memory directory of its scope.
    pub file: String,
    /// Where it is.
    pub path: String,
    /// Whose it is.
    pub scope: Scope,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// What people call it.
    pub title: String,
    /// Its description.
    pub description: String,
    /// How old it is, in days; `None` where nobody knows.
    pub age_days: Option<i64>,
    /// How sure the choice is, 0 to 1.
    pub score: f32,
    /// Why, in words.
    pub why: String,
    /// What became of the things it names.
    pub evidence: Vec<Evidence>,
    /// Where it came from, if it was shared.
    pub from: Option<MemoryOrigin>,
    /// How far its score was moved by what came of telling it before, in logits.
    #[serde(skip_serializing_if = "is_zero")]
    pub learned: f32,
    /// Why, without a word of the prompt: what is written down.
    #[serde(skip)]
    pub(super) grounds: String,
    #[serde(skip)]
    written: Written,
    /// Which of its passages is meant, counted from one; zero for all of it.
    #[serde(skip)]
    passage: usize,
}

/// Whether a number says nothing.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// What kept a memory out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptOut {
    /// The session has it already (R4).
    Seen,
    /// It says how to use a tool that is in use (R5).
    ToolInUse,
    /// A newer memory says something else.
    Outdated,
    /// As many as may come were better.
    Crowded,
    /// Nothing was left of the room in the prompt, or of what a session may be told.
    NoRoom,
    /// It has too little to do with the prompt.
    TooFar,
}

impl From<Cause> for KeptOut {
    fn from(cause: Cause) -> KeptOut {
        match cause {
            Cause::ToolInUse => KeptOut::ToolInUse,
            Cause::Outdated => KeptOut::Outdated,
            Cause::Crowded => KeptOut::Crowded,
            Cause::TooFar => KeptOut::TooFar,
        }
    }
}

/// A memory that was not chosen, and why.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedMemory {
    /// Relative to the memory directory of its scope.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// What kept it out.
    pub cause: KeptOut,
    /// Why, in words.
    pub reason: String,
    /// It came near: little was missing, or only something else kept it out.
    pub near: bool,
}

impl SkippedMemory {
    /// What the conversation holds already.
    fn seen(file: String, scope: Scope) -> SkippedMemory {
        let reason = "this conversation has it already".to_owned();
        SkippedMemory { file, scope, cause: KeptOut::Seen, reason, near: true }
    }
}

/// How much a session may still be shown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Budget {
    /// Bytes shown so far.
    pub used: usize,
    /// Bytes that may be shown.
    pub limit: usize,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Recalled {
    /// The memories, best first.
    pub selected: Vec<Selected>,
    /// Those that came close and were left out.
    pub skipped: Vec<SkippedMemory>,
    /// What the model reads; empty when nothing was chosen.
    pub reminder: String,
    /// Its length.
    pub bytes: usize,
    /// The session's budget.
    pub budget: Budget,
    /// Why nothing was even looked for, or why the model's say did not count.
    pub reason: Option<&'static str>,
    /// Who chose: `local` or `model`.
    pub selector: &'static str,
    /// The cache lags behind, or vectors are missing: work for the background.
    #[serde(skip)]
    pub behind: bool,
    /// Some memories are known by their words alone so far: a moment later there may be more.
    pub partial: bool,
}

impl Recall<'_> {
    /// Reads on in the transcript of a session, for what was read and done in it. Returns what was asked there before `prompt`.
    pub fn read_on(&self, session: &str, host: Host, talk: &Path, prompt: &str) -> Result<Option<String>, Error> {
        self.memory.catch_up(session, host, talk, prompt)
    }

    /// Finds the memories for a prompt.
    pub fn for_prompt(&self, request: RecallRequest<'_>) -> Result<Recalled, Error> {
        let mut seen = request.session.map(|session| self.memory.seen(session)).transpose()?;
        let used = seen.as_ref().map_or(0, |file| file.seen.bytes);
        let mut answer = Recalled {
            selected: Vec::new(),
            skipped: Vec::new(),
            reminder: String::new(),
            bytes: 0,
            budget: Budget { used, limit: SESSION_BYTES },
            reason: self.memory.no_recall(request.query, used),
            selector: "local",
            behind: false,
            partial: false,
        };
        if answer.reason.is_some() {
            return Ok(answer);
        }
        let known = |path: &str| {
            seen.as_ref().is_some_and(|file| file.seen.knows(path))
                || request.surfaced.iter().any(|shown| shown == path || path.ends_with(&format!("/{shown}")))
        };
        let in_use = seen.iter().flat_map(|file| &file.seen.tools);
        let recent: Vec<String> = request.recent_tools.iter().chain(in_use).cloned().collect();
        let tools = Tools::new(&recent);
        let ratings = self.memory.ratings()?;
        let asked = PromptSearch { text: request.query, tools: &tools, known: &known, ratings: &ratings };
        self.memory.search_stores(&asked, &mut answer)?;
        if answer.selected.is_empty()
            && let Some(both) = continued::continued(request.query, request.earlier)
        {
            let mut again =
                Recalled { selected: Vec::new(), skipped: Vec::new(), reminder: String::new(), ..answer.clone() };
            self.memory.search_stores(&PromptSearch { text: &both, ..asked }, &mut again)?;
            again.selected.retain(|one| one.score >= CONTINUED);
            if !again.selected.is_empty() {
                answer = again;
            }
        }
        answer.selected.sort_by(|a, b| b.score.total_cmp(&a.score));
        for over in answer.selected.split_off(answer.selected.len().min(RECALL_FILES)) {
            answer.skipped.push(SkippedMemory {
                file: over.file,
                scope: over.scope,
                cause: KeptOut::Crowded,
                reason: format!("{RECALL_FILES} better ones were found"),
                near: true,
            });
        }
        if let Some((ask, patience)) = request.model {
            let asked = ModelQuestion { query: request.query, recent: &recent, tools: &tools, known: &known };
            self.memory.refine(&asked, ask, patience, request.model_only, &mut answer)?;
        } else if request.model_only {
            answer.selected.clear();
            answer.reason = Some("no model is configured");
        }
        // A model's choice of nothing is an answer; only the ranker's silence may come of what it does not know yet.
        if answer.selected.is_empty() && answer.reason.is_none() && answer.selector == "local" {
            if answer.partial {
                answer.reason = Some(WARMING_UP);
            } else if self.memory.files().forgotten_place().is_some() {
                answer.reason =
                    Some("nothing is known here yet, and a former place of this project has memories to take over");
            }
        }
        let left = SESSION_BYTES.saturating_sub(used);
        self.memory.surface(request.room.min(left), &mut answer)?;
        let is_short = answer.skipped.iter().any(|one| one.cause == KeptOut::NoRoom);
        if answer.selected.is_empty() && answer.reason.is_none() && is_short {
            answer.reason = Some(if left < request.room { SESSION_FULL } else { "what matters for it did not fit" });
        }
        if let Some(file) = &mut seen
            && !answer.selected.is_empty()
        {
            self.memory.keep_seen(file, &mut answer)?;
        }
        Ok(answer)
    }
}

impl Memory {
    /// Writes down what a session was shown.
    fn keep_seen(&self, file: &mut session::SeenFile, answer: &mut Recalled) -> Result<(), Error> {
        let fresh = answer.selected.iter().filter(|one| !file.seen.files.contains(&one.path));
        self.count_uses(Counted::Told, fresh.map(|one| one.path.as_str()));
        file.seen.files.extend(answer.selected.iter().map(|one| one.path.clone()));
        file.seen.bytes += answer.bytes;
        answer.budget.used = file.seen.bytes;
        Ok(file.save()?)
    }

    /// What came of telling a memory before.
    fn experience(&self, uses: &Uses, ratings: &Ratings, path: &str, scope: Scope) -> Experience {
        // Who opens a memory without an agent has a use for it too.
        let told = if uses.opened(path) > 0 { 0 } else { uses.told(path) };
        Experience { rating: ratings.of(path, scope), told, followed: uses.followed(path) }
    }

    /// Why recall does not run at all, if so.
    fn no_recall(&self, query: &str, used: usize) -> Option<&'static str> {
        if !self.place.enabled {
            Some("memory is off")
        } else if !self.settings.recall_enabled {
            Some("recall.enabled is false")
        } else if query.trim().is_empty() {
            Some("There is nothing to look for: the prompt is empty.")
        } else if !more_than_one_word(query) {
            Some("One word says too little for recall.")
        } else if used >= SESSION_BYTES {
            Some(SESSION_FULL)
        } else {
            None
        }
    }
}
