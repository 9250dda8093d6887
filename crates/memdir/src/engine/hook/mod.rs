//! What to do when a host says that something happened.
//!
//! Enters: an event of a host. Leaves: the text to put before the model, if any, and why not. A
//! conversation is told how memory works once, at its start or beside its first prompt, and only what
//! its host does not load itself; a prompt gets the memories that matter, an action those that name it, and a
//! tool's result what a model has chosen since the prompt. Never asks a model, never waits for one, never fails:
//! what goes wrong is a reason to say nothing.
//!
//! - [`compact`]: session notes before and after a compaction.
//! - [`log`]: the last calls, so that each can be explained afterwards.
//! - [`short_index`]: the lines of an index that matter most, where a host takes less than all.

mod compact;
mod log;
mod short_index;

pub use compact::LeftNotes;
pub use log::{HeldBack, HookRecord, ToldMemory};

use std::path::{Path, PathBuf};

use super::recall::BeforeTool;
use super::{
    Announcement, ContextPart, ContextRequest, Error, KeptOut, Memory, Next, RecallRequest, Sessions, TurnEnd,
};
use memdir_context::prompts::Prompts;
use memdir_core::limits::CUT_NOTE_BYTES;
use memdir_core::settings::Mode;
use memdir_core::warning::quoted;
use memdir_hosts::transcript::{self, kept_at};
use memdir_hosts::{ActionTime, Compaction, ConversationStart, Event, HookCall, Profile};
use memdir_store::fs;

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookOutcome {
    /// What the model should read; empty: nothing.
    pub text: String,
    /// The memories and blocks in it.
    pub shown: Vec<String>,
    /// Why each memory is in it, for an action.
    pub why: Vec<String>,
    /// The memories in it, with the reason for each.
    pub memories: Vec<ToldMemory>,
    /// The memories that came near and are not in it.
    pub held_back: Vec<HeldBack>,
    /// Lines of an index that did not fit.
    pub left_out: usize,
    /// Whether the action is refused, with the text as the reason.
    pub hold: bool,
    /// Why there is nothing.
    pub reason: Option<String>,
    /// The search cache lags behind: work for the background.
    pub behind: bool,
    /// A conversation waits to be learned from: the caller starts a worker.
    pub work: bool,
    /// Session notes that are too much for a hook: the caller has them written in the background.
    pub notes: Option<LeftNotes>,
    /// A model may choose for the prompt: the caller starts a process that asks it ([`Recall::choose_late`](crate::engine::Recall::choose_late)).
    pub ask: bool,
    /// What the user should hear of work that nobody watched.
    pub told: Vec<Announcement>,
}

impl HookOutcome {
    fn nothing(reason: impl Into<String>) -> HookOutcome {
        HookOutcome { reason: Some(reason.into()), ..HookOutcome::default() }
    }

    /// Adds what comes after.
    fn then(mut self, next: HookOutcome) -> HookOutcome {
        if !self.text.is_empty() && !next.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&next.text);
        self.shown.extend(next.shown);
        self.why.extend(next.why);
        self.memories.extend(next.memories);
        self.held_back.extend(next.held_back);
        self.left_out += next.left_out;
        self.hold |= next.hold;
        self.reason = if self.text.is_empty() { next.reason } else { None };
        self.behind |= next.behind;
        self.work |= next.work;
        self.notes = self.notes.or(next.notes);
        self.ask |= next.ask;
        self.told.extend(next.told);
        self
    }

    /// Adds what the user should hear.
    pub fn tell(&mut self, told: Vec<Announcement>) {
        if told.is_empty() {
            return;
        }
        if self.told.is_empty() {
            self.shown.push("message".to_owned());
        }
        self.reason = None;
        self.told.extend(told);
    }

    /// Has the model pass on what its host cannot show to the user.
    #[must_use]
    pub fn passed_on(self, message: &str, own_texts: &[(String, String)]) -> HookOutcome {
        let mut prompts = Prompts::with_own(own_texts.iter().map(|(name, text)| (name, text)));
        // Without the words it is not said; the rest is.
        let text = prompts.phrase("pass-on", &[("message", message)]).unwrap_or_default();
        self.then(HookOutcome { text, ..HookOutcome::default() })
    }
}

impl Sessions<'_> {
    /// Does what a host's event asks for. `own_texts` are the user's own prompts.
    pub fn hook(&self, profile: &Profile, call: &HookCall, own_texts: Vec<(String, String)>) -> HookOutcome {
        let session = call.session.as_deref();
        if let (Event::AfterTool(action), Some(session), true) = (&call.event, session, self.memory.place.enabled) {
            let cwd = call.cwd.as_deref().unwrap_or(&self.memory.place.project.cwd);
            // What is not noted is only shown once more.
            let _ =
                self.memory.note_call(session, call.tool.as_deref().unwrap_or_default(), action, cwd, &call.handed_out);
        }
        let done = match &call.event {
            Event::Ignored(why) => Ok(HookOutcome::nothing(*why)),
            _ if !self.memory.place.enabled => Ok(HookOutcome::nothing(self.memory.place.enabled_rule.sentence())),
            Event::SessionStart(start) => self.memory.session_starts(profile, *start, session, own_texts),
            Event::Prompt(text) => self.memory.prompted(profile, call, text, own_texts),
            Event::BeforeTool(action) if profile.actions == ActionTime::Before => {
                self.memory.acted(profile, action, session)
            }
            Event::AfterTool(action) if profile.actions == ActionTime::After => self
                .memory
                .acted(profile, action, session)
                .and_then(|done| self.memory.came_late(profile, done, session)),
            Event::AfterTool(_) if profile.actions == ActionTime::Before => {
                let nothing = HookOutcome::nothing("no model has chosen anything since the prompt");
                self.memory.came_late(profile, nothing, session)
            }
            Event::BeforeTool(_) | Event::AfterTool(_) => Ok(HookOutcome::nothing("this host does not pass it on")),
            Event::TurnEnd { .. } => self.memory.turn_ended(profile, call),
            Event::AfterCompact => self.memory.forgotten_by(session),
            Event::BeforeCompact => {
                let done = match profile.compaction {
                    Compaction::SaysBefore => self.memory.forgotten_by(session),
                    Compaction::SaysAfterwards => Ok(HookOutcome::nothing("the host says so again when it is done")),
                    Compaction::CriesWolf => Ok(HookOutcome::nothing("this host says so on every turn")),
                    Compaction::Unknown => Ok(HookOutcome::nothing("whether it happens is not known")),
                };
                done.map(|done| HookOutcome { notes: self.memory.notes_left(profile, call), ..done })
            }
            Event::AgentStart(agent) => self.memory.agent_starts(profile, agent, &own_texts),
            Event::SessionEnd => Ok(HookOutcome::nothing("nothing is said at the end of a conversation")),
        };
        let mut done = done.unwrap_or_else(|error| HookOutcome::nothing(error.to_string()));
        if self.memory.place.enabled && reaches_user(profile, &call.event) {
            done.told.extend(self.announcements().unwrap_or_default());
        }
        let told = std::mem::take(&mut done.told);
        done.tell(told);
        done
    }
}

impl Memory {
    /// A sub-agent gets the index of its own memory (G3).
    fn agent_starts(
        &self,
        profile: &Profile,
        agent: &str,
        own_texts: &[(String, String)],
    ) -> Result<HookOutcome, Error> {
        let mut done = HookOutcome::nothing("this agent has no memory of its own");
        for text in self.agent_indexes(agent, own_texts)? {
            let room = profile.start_bytes.saturating_sub(done.text.len() + 2);
            let part = if text.len() <= room { Some(text.as_str()) } else { beginning(&text, room) };
            if let Some(part) = part {
                let shown = vec!["agent-index".to_owned()];
                done = done.then(HookOutcome { text: part.to_owned(), shown, ..HookOutcome::default() });
            }
        }
        Ok(done)
    }
}

/// Whether the answer to an event comes before the user's eyes, if need be through the model.
fn reaches_user(profile: &Profile, event: &Event) -> bool {
    match event {
        _ if profile.shape.is_none() => false,
        Event::Prompt(_) => true,
        Event::SessionStart(_) | Event::AfterTool(_) | Event::TurnEnd { .. } => profile.message.is_some(),
        _ => false,
    }
}

impl Memory {
    fn session_starts(
        &self,
        profile: &Profile,
        start: ConversationStart,
        session: Option<&str>,
        own_texts: Vec<(String, String)>,
    ) -> Result<HookOutcome, Error> {
        match (start, session) {
            (ConversationStart::Cleared | ConversationStart::Compacted, Some(session)) => {
                self.sessions().reset(session)?;
            }
            // It knows what its parent was told.
            (ConversationStart::Forked, Some(session)) => {
                self.claim_start(session)?;
                return Ok(HookOutcome::nothing("it goes on from a conversation that was told"));
            }
            _ => {}
        }
        if profile.hears_start {
            self.introduce(profile, session, own_texts)
        } else {
            Ok(HookOutcome::nothing("this host is told beside the first prompt"))
        }
    }

    fn prompted(
        &self,
        profile: &Profile,
        call: &HookCall,
        text: &str,
        own_texts: Vec<(String, String)>,
    ) -> Result<HookOutcome, Error> {
        let session = call.session.as_deref();
        // Recall is a little less sure without it.
        let earlier = session
            .zip(call.transcript.as_deref())
            .and_then(|(session, talk)| self.catch_up(session, profile.host, talk, text).ok().flatten());
        if let Some(session) = session {
            let _ = self.note_mentions(session, text, call.cwd.as_deref().unwrap_or(&self.place.project.cwd));
        }
        // Without a session nobody knows whether it was said before.
        let start =
            if session.is_some() { self.introduce(profile, session, own_texts)? } else { HookOutcome::default() };
        let day = session.map(|session| self.day_change(session)).transpose()?.flatten();
        let day = day.map_or_else(HookOutcome::default, |text| HookOutcome {
            text,
            shown: vec!["day".to_owned()],
            ..HookOutcome::default()
        });
        let used = if profile.start_bytes > profile.prompt_bytes { 0 } else { start.text.len() } + day.text.len();
        let answer = self.recall().for_prompt(RecallRequest {
            query: text,
            recent_tools: &[],
            surfaced: &[],
            session,
            room: profile.prompt_bytes.saturating_sub(used),
            model: None,
            model_only: false,
            earlier: earlier.as_deref(),
        })?;
        let is_seen = answer.skipped.iter().any(|one| one.cause == KeptOut::Seen);
        let nothing = if is_seen { "the conversation has what matters for it" } else { "no memory matters for it" };
        let shown: Vec<String> = answer.selected.iter().map(|one| one.file.clone()).collect();
        let recalled = HookOutcome {
            text: answer.reminder,
            memories: answer.selected.iter().map(ToldMemory::from).collect(),
            held_back: HeldBack::of(&answer.skipped),
            reason: Some(answer.reason.unwrap_or(nothing).to_owned()),
            behind: answer.behind,
            ask: match session {
                Some(session) if profile.actions != ActionTime::Never => {
                    // A question that cannot be kept is not asked; what was found is shown all the same.
                    self.ask_late(session, text, shown.len()).unwrap_or(false)
                }
                _ => false,
            },
            shown,
            ..HookOutcome::default()
        };
        Ok(start.then(day).then(recalled))
    }

    /// Adds what a model has chosen since the prompt, once (R9, R10).
    fn came_late(&self, profile: &Profile, done: HookOutcome, session: Option<&str>) -> Result<HookOutcome, Error> {
        let room = profile.prompt_bytes.saturating_sub(done.text.len() + 2);
        let Some(late) = session.map(|session| self.recall_late(session, room)).transpose()?.flatten() else {
            return Ok(done);
        };
        let memories = late.selected.iter().map(ToldMemory::from).collect();
        let shown = late.selected.into_iter().map(|one| one.file).collect();
        Ok(done.then(HookOutcome { text: late.reminder, shown, memories, ..HookOutcome::default() }))
    }

    fn acted(
        &self,
        profile: &Profile,
        action: &memdir_hosts::Action,
        session: Option<&str>,
    ) -> Result<HookOutcome, Error> {
        let may_hold = profile.refuses && profile.actions == ActionTime::Before;
        let BeforeTool { recalled: answer, holds } =
            self.recall_action(action, session, profile.prompt_bytes, may_hold)?;
        let lead = if holds {
            let words = self.prompts().phrase("held", &[]).map_err(|error| Error::Refused(error.to_string()))?;
            format!("{words}\n\n")
        } else {
            String::new()
        };
        Ok(HookOutcome {
            text: format!("{lead}{}", answer.reminder),
            hold: holds,
            why: answer.selected.iter().map(|one| one.grounds.clone()).collect(),
            memories: answer.selected.iter().map(ToldMemory::from).collect(),
            held_back: HeldBack::of(&answer.skipped),
            shown: answer.selected.into_iter().map(|one| one.file).collect(),
            reason: answer.reason.map(str::to_owned),
            behind: answer.behind,
            ..HookOutcome::default()
        })
    }

    /// Notes that there may be something to learn, and no more: that takes a file and no time (X1).
    fn turn_ended(&self, profile: &Profile, call: &HookCall) -> Result<HookOutcome, Error> {
        if let Some(session) = &call.session {
            self.drop_late(session)?;
        }
        // A host that keeps its conversations in a database names the session and no file.
        let kept = || kept_at(&self.around, profile.host, call.session.as_deref().unwrap_or_default());
        let Some(transcript) = call.transcript.clone().or_else(kept) else {
            return Ok(HookOutcome::nothing("this host does not say where it keeps the conversation"));
        };
        let turn = TurnEnd {
            host: profile.host,
            transcript: &transcript,
            sub_agent: false,
            unattended: self.is_unattended(profile, &transcript),
        };
        let gate = self.jobs().enqueue(&turn)?;
        let reason = if gate.run { "something may be learned from it, in the background" } else { &gate.reason };
        Ok(HookOutcome { work: gate.run, ..HookOutcome::nothing(reason) })
    }

    /// Whether no person is there: a job of a build server, or a host that says so itself.
    fn is_unattended(&self, profile: &Profile, transcript: &Path) -> bool {
        // Only then does it matter, and only then is it looked for.
        if self.settings.extract_non_interactive {
            return false;
        }
        let says = |(name, start): (&str, &str)| self.around.var(name).is_some_and(|value| value.starts_with(start));
        self.around.switch("CI") == Some(true)
            || profile.unattended.is_some_and(says)
            || transcript::about(transcript, profile.host).is_ok_and(|about| about.unattended)
    }

    /// What was said is gone from the conversation, so it may be said again (R8).
    fn forgotten_by(&self, session: Option<&str>) -> Result<HookOutcome, Error> {
        if let Some(session) = session {
            self.sessions().reset(session)?;
        }
        Ok(HookOutcome::nothing("what was shown before is forgotten"))
    }

    /// How memory works and what is in it, once a conversation.
    fn introduce(
        &self,
        profile: &Profile,
        session: Option<&str>,
        own_texts: Vec<(String, String)>,
    ) -> Result<HookOutcome, Error> {
        if let Some(session) = session
            && !self.claim_start(session)?
        {
            return Ok(HookOutcome::nothing("it was told already"));
        }
        let mut done = HookOutcome::nothing("the host loads everything itself");
        let mut blocks = Vec::new();
        for part in [ContextPart::Manual, ContextPart::Index] {
            if part == ContextPart::Manual && self.is_loaded(profile, "manual") {
                continue;
            }
            let request = ContextRequest { session: None, part, mode: None, agent: None, own_texts: own_texts.clone() };
            blocks.extend(self.sessions().context(&request)?.blocks);
        }
        blocks.retain(|block| !self.is_loaded(profile, &block.name));
        let mut left_out = 0;
        let blocks_left = blocks.len();
        for (at, block) in blocks.into_iter().enumerate() {
            let room = profile.start_bytes.saturating_sub(done.text.len() + 2);
            if block.text.len() <= room {
                done = done.then(HookOutcome { text: block.text, shown: vec![block.name], ..HookOutcome::default() });
                continue;
            }
            if !block.name.ends_with("index") {
                let part = beginning(&block.text, room).unwrap_or_default().to_owned();
                done = done.then(HookOutcome { text: part, shown: vec![block.name], ..HookOutcome::default() });
                continue;
            }
            // Each index that is still to come gets its share of the room, less what says that some of it is missing.
            let share = room.saturating_sub(CUT_NOTE_BYTES) / (blocks_left - at);
            let part = self.short_index(&block.name, &block.text, share)?;
            left_out += part.left_out;
            if !part.text.is_empty() {
                done = done.then(HookOutcome { text: part.text, shown: vec![block.name], ..HookOutcome::default() });
            }
        }
        if left_out > 0 {
            let mut prompts = Prompts::with_own(own_texts.iter().map(|(name, text)| (name, text)));
            let text = prompts.phrase("cut-start", &[("count", &left_out.to_string())]);
            let text = text.map_err(|error| Error::Refused(error.to_string()))?;
            done = done.then(HookOutcome { text, left_out, ..HookOutcome::default() });
        }
        done.told.extend(self.former_place_hint());
        done.told.extend(self.waiting_directory_hint());
        // A conversation that is told anew and has notes was made shorter.
        let notes = session.map(|session| self.notes_after(profile, session, done.text.len()));
        Ok(match notes {
            Some(notes) if !notes.text.is_empty() => done.then(notes),
            _ => done,
        })
    }

    /// Where nothing is known yet, that it may be in the project's former place (P3).
    fn former_place_hint(&self) -> Option<Announcement> {
        let former = self.files().forgotten_place()?;
        let text = match former.memories {
            1 => "1 memory of this project is".to_owned(),
            many => format!("{many} memories of this project are"),
        };
        let text = format!("{text} at {} (it was at {})", former.dir.display(), former.project);
        Some(Announcement { text, next: Next::TakeOver })
    }

    /// That the project's local file names another directory for its memory, to which nobody said yes (P5).
    fn waiting_directory_hint(&self) -> Option<Announcement> {
        let dir = self.place.waiting.as_ref()?;
        let text = format!(
            "`.claude/settings.local.json` of this project names {} for its memory, and such a file can come with a project, so it is not used",
            quoted(&dir.to_string_lossy())
        );
        Some(Announcement { text, next: Next::AllowDirectory })
    }

    /// Whether a host brings a block itself. A manual of its own knows neither the daily log nor the team's directory.
    fn is_loaded(&self, profile: &Profile, block: &str) -> bool {
        profile.loads.contains(&block) && (block != "manual" || self.settings.mode == Mode::Normal)
    }

    /// Takes the right to introduce memory to a conversation; `false` when somebody was faster, since
    /// some hosts run the hooks of the start and of the first prompt at once.
    fn claim_start(&self, session: &str) -> Result<bool, Error> {
        let dir = self.session_dir(session);
        fs::create_private_dir(&dir)?;
        Ok(fs::claim(&self.started(session))?)
    }

    fn started(&self, session: &str) -> PathBuf {
        self.session_dir(session).join("started")
    }
}

/// The first lines of a text that fit, if that is more than its label.
fn beginning(text: &str, room: usize) -> Option<&str> {
    let part = &text[..text.floor_char_boundary(room)];
    let part = &part[..part.rfind('\n')?];
    (part.lines().count() > 2).then_some(part)
}

#[cfg(test)]
mod tests;
