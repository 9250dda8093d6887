//! What to do: the verbs of memory. The only room that knows all others.
//!
//! Enters: what somebody wants (remember, forget, list, undo …). Leaves: what was done, as plain
//! data that the command line, the page and the tools print in their own way. Never prints, never
//! asks, never looks at the environment: [`Memory`] is told everything when it is opened.

mod adopt;
mod agent_edit;
mod agent_guard;
mod agent_memory;
mod agent_run;
mod announcement;
mod blame;
mod daily;
pub mod doctor;
mod dream;
mod duplicate_candidates;
mod edit;
mod error;
mod extract;
mod find_duplicate;
mod forget;
mod fork;
mod gate;
mod handles;
mod hint;
mod hook;
mod identity;
mod import;
mod inbox;
mod job;
mod judge;
mod learn;
mod ledger;
mod listing;
mod lookup;
mod memory_ref;
mod memory_tool;
mod metered;
mod model_access;
mod named_in_team;
mod naming;
mod nearby;
mod notes;
mod opened;
mod outside_memory;
mod overview;
mod pointer;
mod projects;
mod proposal;
mod question;
mod ratings;
mod recall;
mod remember;
mod remember_all;
mod session;
mod session_cache;
mod stale;
mod status;
mod stores;
mod team;
#[cfg(test)]
pub(crate) mod test_memory;
mod timeline;
mod titles;
mod told;
mod transcripts;
mod uses;

pub use adopt::{Adopted, FormerDirectory};
pub use announcement::{Announcement, Next};
pub use blame::BlamedLine;
pub use daily::Logged;
pub use doctor::wiring::{WiredAgent, wired_agents};
pub use dream::{
    DreamChange, DreamCheck, DreamEnvironment, DreamFailed, DreamPlan, DreamProgress, DreamReport, DreamRequest,
    DreamResult, DreamScope, Dreaming, LandedDream, ModelWaits, Phase, PossibleContradiction, RunningDream,
    UnusedLogLine,
};
pub use edit::Amendment;
pub use error::{Error, OwnerError, PossibleMemory};
pub use extract::{Conversation, Effect, Extracted, Grounds, Landing, Proposed, RefusedWish, SavedMemory};
pub use forget::Forgotten;
pub(crate) use fork::ForkJob;
pub use fork::ForkReport;
pub use gate::JobGate;
pub use handles::{Files, History, Inbox, Jobs, Learning, Models, Recall, Sessions, Sharing};
pub use hint::{Advice, Hint};
pub use hook::{HeldBack, HookOutcome, HookRecord, LeftNotes, ToldMemory};
pub use identity::MemoryOwner;
pub use import::{Exported, ImportReport, Imported};
pub(crate) use inbox::NewProposal;
pub use inbox::{Proposal, ProposedFile};
pub use job::{Failed, JobState, TurnEnd, WorkReport};
pub use learn::{LastExtraction, LearnRequest, Learned, TurnedDown};
pub use listing::{Listed, Listing};
pub use lookup::{HitPlace, MatchingLine};
pub use memory_ref::MemoryRef;
pub(crate) use memory_ref::{index_for, index_of};
pub use model_access::{ModelStatus, branch_of};
pub use named_in_team::{NamedInTeam, unlist};
pub use naming::NameMatches;
pub use notes::{
    ConversationGrowth, Notes, NotesJob, NotesReport, NotesSection, NotesUpdate, SectionSize, estimate_tokens,
    notes_due,
};
pub use opened::Opened;
pub use overview::{NamedMemory, Overview, TellingCount, ToldDay, Week};
pub use projects::KnownProject;
pub use proposal::{FileEffect, LandedProposal, Rejection, RejectionRule};
pub use ratings::Rated;
pub use recall::{
    Ask, Budget, Embed, Evidence, EvidenceState, KeptOut, Question, RecallRequest, Recalled, SearchProgress, Selected,
    SkippedMemory, asking,
};
pub use remember::{Remember, RememberOutcome, Remembered};
pub use remember_all::BatchRefused;
pub use session::{ContextPart, ContextRequest, OutsideIncludes, SessionContext};
pub use session_cache::SessionCache;
pub use stale::{Stale, StaleMemory};
pub use status::{JobGates, Status, TypeCounts};
pub use team::{LastSync, MemoryOrigin, SyncEnvironment, SyncReport, SyncedTeam, TeamRow};
pub use timeline::{TimelineEvent, Touched, Undone};
pub use told::{RatedMemory, ToldMoment, ToldRow, ToldSession, WithheldRow};
pub use transcripts::{EngineChoice, LearningUsage, ModelEnvironment, TranscriptRun, TranscriptSource};

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Zoned;

use memdir_context::prompts::Prompts;
use memdir_core::kind::Scope;
use memdir_core::settings::{Settings, Sources};
use memdir_core::surroundings::Surroundings;
use memdir_store::history::{Actor, Author};
use memdir_store::place::Place;
use memdir_store::{CurrentGroup, Dirs, Store};

/// The memory that one process sees: of one project, one user, at one moment.
pub struct Memory {
    /// Where everything is, and why there.
    pub place: Place,
    /// What is set.
    pub settings: Settings,
    /// What the process was started with.
    pub around: Surroundings,
    /// What time it is, and in which zone.
    pub now: Zoned,
    /// Who signs changes made through this handle.
    pub signature: Signature,
    dirs: Dirs,
    git: Git,
    /// What time it is later on; without it the time stands still.
    clock: Option<Clock>,
    /// The user's own texts, looked up when one is needed.
    own_texts: Option<OwnTexts>,
    private: OnceCell<Store>,
    user: OnceCell<Store>,
    /// The daily logs beside the private directory, which others write (L1b).
    beside: OnceCell<Store>,
    /// The group that changes in either store belong to.
    group: CurrentGroup,
    /// What is known of each scope, by words; made when something is remembered.
    duplicate_candidates: RefCell<HashMap<Scope, duplicate_candidates::DuplicateCandidates>>,
    /// What searches have learned of each file, in a long-running process.
    trigram_filters: RefCell<Option<HashMap<PathBuf, session_cache::TrigramFilters>>>,
    /// The search cache of each store, open.
    search_caches: RefCell<HashMap<PathBuf, recall::SearchCache>>,
}

/// Runs `git` in a directory and gives its output; the library starts no process of its own.
pub type Git = fn(&std::path::Path, &[&str]) -> Option<String>;

/// The user's own texts in place of ours, by name.
pub type OwnTexts = fn(&Memory) -> Vec<(String, String)>;

/// What time it is whenever it is asked.
pub type Clock = Arc<dyn Fn() -> Zoned + Send + Sync>;

/// Who signs a change.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Who.
    pub actor: Actor,
    /// The session it happens in.
    pub session: Option<String>,
    /// The message of that session.
    pub message: Option<String>,
}

impl History<'_> {
    /// Records what others changed in every store. Reading goes on where recording cannot.
    pub fn notice(&self) -> Result<Vec<(Scope, memdir_store::Noticed)>, Error> {
        let mut all = Vec::new();
        for (scope, store) in self.memory.stores()? {
            all.push((scope, store.notice(self.memory.now.timestamp())?));
        }
        Ok(all)
    }

    /// Records what others changed before a memory is changed: everything where that is looked at quickly, and in a large store
    /// everything where this memory or its index is not what the history says.
    pub(crate) fn notice_of(self, memory_ref: &MemoryRef<'_>) -> Result<(), Error> {
        let MemoryRef { store, file, .. } = memory_ref;
        if !nearby::is_large(store) || !recall::are_as_recorded(store, file, &memory_ref.index()?)? {
            store.notice(self.memory.now.timestamp())?;
        }
        Ok(())
    }
}

impl Memory {
    /// Finds out where memory is and what is set. Reads a few small files, creates none.
    pub fn open(around: Surroundings, git: Git, now: Zoned, signature: Signature) -> Result<Memory, Error> {
        let place = Place::find(&around)?;
        let settings = Settings::load(&Sources::read(&around, &place.project.checkout, &place.host));
        let dirs = Dirs { state: place.state_dir()?, cache: place.cache_dir()? };
        Ok(Memory {
            place,
            settings,
            around,
            now,
            signature,
            dirs,
            git,
            clock: None,
            own_texts: None,
            private: OnceCell::new(),
            user: OnceCell::new(),
            beside: OnceCell::new(),
            group: CurrentGroup::default(),
            duplicate_candidates: RefCell::default(),
            trigram_filters: RefCell::default(),
            search_caches: RefCell::default(),
        })
    }

    /// The same, in a process that may live over midnight: a day's tokens are counted on the day that this says.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Memory {
        self.clock = Some(clock);
        self
    }

    /// The same, with the user's own texts in place of ours, wherever a model or a person reads one.
    #[must_use]
    pub fn with_own_texts(mut self, texts: OwnTexts) -> Memory {
        self.own_texts = Some(texts);
        self
    }

    /// The texts in force.
    pub(crate) fn prompts(&self) -> Prompts {
        self.own_texts.map_or_else(Prompts::built_in, |texts| Prompts::with_own(texts(self)))
    }

    fn clock(&self) -> Clock {
        let now = self.now.clone();
        self.clock.clone().unwrap_or_else(|| Arc::new(move || now.clone()))
    }

    /// The author of a change made now.
    pub(crate) fn author(&self) -> Author {
        let Signature { actor, session, message } = self.signature.clone();
        Author { actor, session, message, time: self.now.timestamp() }
    }

    /// Where history and caches are.
    pub fn dirs(&self) -> &Dirs {
        &self.dirs
    }

    /// The private directory, or why there is none.
    pub fn private_dir(&self) -> Result<PathBuf, Error> {
        Ok(self.place.memory_dir.clone()?)
    }

    /// Refuses when memory is off (E5).
    pub fn require_on(&self) -> Result<(), Error> {
        if self.place.enabled { Ok(()) } else { Err(Error::Off(self.place.enabled_rule.sentence())) }
    }
}
