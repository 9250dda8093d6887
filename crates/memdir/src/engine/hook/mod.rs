//! What to do when a host says that something happened.
//!
//! Enters: an event of a host. Leaves: the text to put before the model, if any, and why not. A
//! conversation is told how memory works once, at its start or beside its first prompt, and only what
//! its host does not load itself; a prompt gets the memories that matter, an action those that name it, and a
//! tool's result what a model has chosen since the prompt. Never asks a model, never waits for one, never fails:
//! what goes wrong is a reason to say nothing.
//!
//! This file says which event leads where; then, in the order of a conversation:
//!
//! - [`introduction`]: what a conversation, or a sub-agent, is told once; [`short_index`]: the lines of an index that matter most, where
//!   a host takes less than all.
//! - [`prompt`]: what a prompt gets.
//! - [`action`]: what a call of a tool gets, before or after it.
//! - [`turn_end`]: the transcript waits to be learned from.
//! - [`compact`]: session notes before and after a compaction.
//! - [`outcome`]: the answer; [`log`]: the last calls, so that each can be explained afterwards.

mod action;
mod compact;
mod introduction;
mod log;
mod outcome;
mod prompt;
mod short_index;
mod turn_end;

pub use compact::LeftNotes;
pub use log::{HeldBack, HookRecord, ToldMemory};
pub use outcome::HookOutcome;

use std::path::Path;

use super::{Error, Memory, Sessions};
use memdir_hosts::{ActionTime, Compaction, Event, HookCall, Profile};

/// One call of a hook, for as long as it is answered.
struct HookRun<'h> {
    memory: &'h Memory,
    profile: &'h Profile,
    call: &'h HookCall,
    /// The user's own prompts.
    own_texts: Vec<(String, String)>,
}

impl Sessions<'_> {
    /// Does what a host's event asks for. `own_texts` are the user's own prompts.
    pub fn hook(&self, profile: &Profile, call: &HookCall, own_texts: Vec<(String, String)>) -> HookOutcome {
        let run = HookRun { memory: self.memory, profile, call, own_texts };
        let mut done = run.answer().unwrap_or_else(|error| HookOutcome::nothing(error.to_string()));
        let mut told = std::mem::take(&mut done.told);
        if run.reaches_user() {
            told.extend(self.announcements().unwrap_or_default());
        }
        done.tell(told);
        done
    }
}

impl HookRun<'_> {
    fn answer(&self) -> Result<HookOutcome, Error> {
        match &self.call.event {
            Event::Ignored(why) => Ok(HookOutcome::nothing(*why)),
            _ if !self.memory.place.enabled => Ok(HookOutcome::nothing(self.memory.place.enabled_rule.sentence())),
            Event::SessionStart(start) => self.session_starts(*start),
            Event::AgentStart(agent) => self.agent_starts(agent),
            Event::Prompt(text) => self.prompted(text),
            Event::BeforeTool(action) => match self.profile.actions {
                ActionTime::Before => self.acted(action),
                ActionTime::After | ActionTime::Never => Ok(not_passed_on()),
            },
            Event::AfterTool(action) => {
                self.note_action(action);
                match self.profile.actions {
                    ActionTime::Before => {
                        self.came_late(HookOutcome::nothing("no model has chosen anything since the prompt"))
                    }
                    ActionTime::After => self.came_late(self.acted(action)?),
                    ActionTime::Never => Ok(not_passed_on()),
                }
            }
            Event::TurnEnd { .. } => self.turn_ended(),
            Event::BeforeCompact => {
                let done = match self.profile.compaction {
                    Compaction::SaysBefore => self.forgotten()?,
                    Compaction::SaysAfterwards => HookOutcome::nothing("the host says so again when it is done"),
                    Compaction::SaysEveryTurn => HookOutcome::nothing("this host says so on every turn"),
                    Compaction::Unknown => HookOutcome::nothing("whether it happens is not known"),
                };
                Ok(HookOutcome { notes: self.notes_before(), ..done })
            }
            Event::AfterCompact => self.forgotten(),
            Event::SessionEnd => Ok(HookOutcome::nothing("nothing is said at the end of a conversation")),
        }
    }

    fn session(&self) -> Option<&str> {
        self.call.session.as_deref()
    }

    fn cwd(&self) -> &Path {
        self.call.cwd.as_deref().unwrap_or(&self.memory.place.project.cwd)
    }

    /// Whether the answer comes before the user's eyes, if need be through the model.
    fn reaches_user(&self) -> bool {
        match self.call.event {
            _ if !self.memory.place.enabled || self.profile.shape.is_none() => false,
            Event::Prompt(_) => true,
            Event::SessionStart(_) | Event::AfterTool(_) | Event::TurnEnd { .. } => self.profile.message.is_some(),
            _ => false,
        }
    }

    /// What was said is gone from the conversation, so it may be said again (R8).
    fn forgotten(&self) -> Result<HookOutcome, Error> {
        if let Some(session) = self.session() {
            self.memory.sessions().reset(session)?;
        }
        Ok(HookOutcome::nothing("what was shown before is forgotten"))
    }
}

fn not_passed_on() -> HookOutcome {
    HookOutcome::nothing("this host does not pass it on")
}

#[cfg(test)]
mod tests;
