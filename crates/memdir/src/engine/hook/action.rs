//! What a call of a tool gets: the memories that name it, and what a model has chosen since the prompt.
//!
//! Enters: an action, before or after it. Leaves: a reminder, and whether the action is held for it; a note of what the session has
//! worked on. Never holds an action where the host lets a hook refuse nothing.

use super::{HookOutcome, HookRun};
use crate::engine::Error;
use crate::engine::recall::BeforeTool;
use memdir_hosts::{Action, ActionTime};

impl HookRun<'_> {
    /// Notes what the session has worked on, for the prompts to come.
    pub(super) fn note_action(&self, action: &Action) {
        let Some(session) = self.session() else { return };
        let tool = self.call.tool.as_deref().unwrap_or_default();
        // What is not noted is only shown once more.
        let _ = self.memory.note_call(session, tool, action, self.cwd(), &self.call.handed_out);
    }

    pub(super) fn acted(&self, action: &Action) -> Result<HookOutcome, Error> {
        let may_hold = self.profile.refuses && self.profile.actions == ActionTime::Before;
        let BeforeTool { recalled, holds } =
            self.memory.recall_action(action, self.session(), self.profile.prompt_bytes, may_hold)?;
        let why = recalled.selected.iter().map(|one| one.grounds.clone()).collect();
        let mut done = HookOutcome { hold: holds, why, ..HookOutcome::reminder(recalled) };
        if holds {
            let words = self.memory.prompts().phrase("held", &[]);
            let words = words.map_err(|error| Error::Refused(error.to_string()))?;
            done.text = format!("{words}\n\n{}", done.text);
        }
        Ok(done)
    }

    /// Adds what a model has chosen since the prompt, once (R9, R10).
    pub(super) fn came_late(&self, done: HookOutcome) -> Result<HookOutcome, Error> {
        let room = done.room(self.profile.prompt_bytes);
        let late = self.session().map(|session| self.memory.recall_late(session, room)).transpose()?.flatten();
        Ok(match late {
            Some(late) => done.then(HookOutcome::reminder(late)),
            None => done,
        })
    }
}
