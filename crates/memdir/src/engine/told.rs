//! What agents were told, session by session: at the start, at each prompt, before each action; and what was held back.
//!
//! Enters: the record of hook calls, the listing, what people said about being told. Leaves: for each of the last sessions its moments,
//! each memory in them with the reason why it came or did not. The record is bounded and holds no prompt, so neither does this.
//! Changes nothing.

use std::collections::HashMap;

use serde::Serialize;

use super::hook::{HeldBack, HookRecord, ToldMemory};
use super::ratings::Ratings;
use super::{Error, KeptOut, Sessions};
use memdir_core::kind::{Rating, Scope};
use memdir_core::limits::TOLD_SESSIONS;

/// What one session was told.
#[derive(Debug, Serialize)]
pub struct ToldSession {
    /// Its name; none where the agent did not say it.
    pub session: Option<String>,
    /// Which agent.
    pub host: String,
    /// The first and the last call that are still known.
    pub first: String,
    /// The last of them.
    pub last: String,
    /// What all of it cost the model in tokens, guessed high.
    pub tokens: u64,
    /// What happened, oldest first.
    pub moments: Vec<ToldMoment>,
    /// Further calls at which there was nothing to say.
    pub silent: usize,
}

/// One call of a hook.
#[derive(Debug, Serialize)]
pub struct ToldMoment {
    /// When.
    pub time: String,
    /// What happened: `session-start`, `prompt`, `before-tool` …
    pub event: String,
    /// What came besides memories: the manual, the indexes, a message.
    pub blocks: Vec<String>,
    /// The memories that were told.
    pub memories: Vec<ToldRow>,
    /// The memories that came near and were not told.
    pub held_back: Vec<WithheldRow>,
    /// Lines of the indexes that did not fit.
    pub left_out: usize,
    /// Whether the action was refused, with these memories as the reason.
    pub refused: bool,
    /// Why nothing was told.
    pub reason: Option<String>,
    /// What it cost the model in tokens, guessed high.
    pub tokens: u64,
}

/// A memory that an agent heard.
#[derive(Debug, Serialize)]
pub struct ToldRow {
    /// Which.
    #[serde(flatten)]
    pub about: RatedMemory,
    /// How sure the choice was, 0 to 1; none where nobody wrote it down.
    pub score: Option<f32>,
    /// Why it was told.
    pub why: Option<String>,
}

/// A memory that an agent did not hear.
#[derive(Debug, Serialize)]
pub struct WithheldRow {
    /// Which.
    #[serde(flatten)]
    pub about: RatedMemory,
    /// What kept it out.
    pub cause: KeptOut,
    /// The same in words.
    pub why: String,
}

/// A memory as a person knows it.
#[derive(Clone, Debug, Serialize)]
pub struct RatedMemory {
    /// Its file.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// What people call it; none where it is gone.
    pub title: Option<String>,
    /// What was said about being told it.
    pub rating: Option<Rating>,
    /// By which change, for `undo`.
    pub rated: Option<String>,
}

impl Sessions<'_> {
    /// What the last sessions of this project were told, the newest first; or only one session.
    pub fn told(&self, session: Option<&str>) -> Result<Vec<ToldSession>, Error> {
        let project = self.memory.place.project.root.display().to_string();
        let listing = self.memory.files().list()?;
        let titles = listing.memories().map(|one| ((one.scope, one.file.to_string()), one.title.to_string())).collect();
        let known = TodaysMemories { titles, ratings: self.memory.ratings()? };
        let mut sessions: Vec<ToldSession> = Vec::new();
        for call in self.hook_records()?.filter(|call| call.project == project) {
            if session.is_some_and(|wanted| call.session.as_deref() != Some(wanted)) {
                continue;
            }
            let same = |told: &ToldSession| told.session == call.session && told.host == call.host;
            let at = sessions.iter().position(same).unwrap_or(sessions.len());
            if at == sessions.len() {
                if sessions.len() >= TOLD_SESSIONS {
                    continue;
                }
                sessions.push(ToldSession {
                    session: call.session.clone(),
                    host: call.host.clone(),
                    first: call.time.clone(),
                    last: call.time.clone(),
                    tokens: 0,
                    moments: Vec::new(),
                    silent: 0,
                });
            }
            let told = &mut sessions[at];
            // Newest first, so each call is the earliest so far.
            told.first.clone_from(&call.time);
            told.tokens += call.tokens;
            if is_worth_a_look(&call) {
                told.moments.push(known.moment(call));
            } else {
                told.silent += 1;
            }
        }
        for told in &mut sessions {
            told.moments.reverse();
        }
        Ok(sessions)
    }
}

/// A start and a prompt are always; of the rest, what told something or kept back more than what was told before.
fn is_worth_a_look(call: &HookRecord) -> bool {
    ["session-start", "prompt"].contains(&call.event.as_str())
        || call.bytes > 0
        || call.held_back.iter().any(|one| one.cause != KeptOut::Seen)
}

/// What is known of the memories of today.
struct TodaysMemories {
    titles: HashMap<(Scope, String), String>,
    ratings: Ratings,
}

impl TodaysMemories {
    fn about(&self, file: &str, scope: Scope) -> RatedMemory {
        let rated = self.ratings.standing(file, scope).filter(|rated| rated.rating.is_some());
        RatedMemory {
            title: self.titles.get(&(scope, file.to_owned())).cloned(),
            rating: rated.and_then(|rated| rated.rating),
            rated: rated.map(|rated| rated.id.clone()),
            file: file.to_owned(),
            scope,
        }
    }

    fn moment(&self, call: HookRecord) -> ToldMoment {
        let mut memories: Vec<ToldRow> = call.memories.iter().map(|one| self.heard(one)).collect();
        let is_told = |file: &String| call.memories.iter().any(|one| one.file == *file);
        let (files, blocks): (Vec<String>, Vec<String>) =
            call.shown.into_iter().filter(|shown| !is_told(shown)).partition(|shown| shown.ends_with(".md"));
        // Records of earlier versions have no more than the names.
        memories.extend(files.iter().map(|file| {
            let scopes = [Scope::Private, Scope::Team, Scope::User];
            let is_there = |scope: &Scope| self.titles.contains_key(&(*scope, file.clone()));
            let scope = scopes.into_iter().find(is_there).unwrap_or(Scope::Private);
            ToldRow { about: self.about(file, scope), score: None, why: None }
        }));
        ToldMoment {
            time: call.time,
            event: call.event,
            blocks,
            memories,
            held_back: call.held_back.iter().map(|one| self.unheard(one)).collect(),
            left_out: call.left_out,
            refused: call.held,
            reason: call.reason,
            tokens: call.tokens,
        }
    }

    fn heard(&self, one: &ToldMemory) -> ToldRow {
        ToldRow { about: self.about(&one.file, one.scope), score: Some(one.score), why: Some(one.why.clone()) }
    }

    fn unheard(&self, one: &HeldBack) -> WithheldRow {
        WithheldRow { about: self.about(&one.file, one.scope), cause: one.cause, why: one.why.clone() }
    }
}
