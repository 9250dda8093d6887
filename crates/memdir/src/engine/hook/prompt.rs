//! What a prompt gets.
//!
//! Enters: the prompt. Leaves: the introduction if the conversation has not had it, the day if it has changed, and the memories that
//! matter, within what the host takes beside a prompt; a question for a model to answer in the background. Never waits for that answer.

use super::{HookOutcome, HookRun};
use crate::engine::{Error, KeptOut, RecallRequest};
use memdir_hosts::ActionTime;

impl HookRun<'_> {
    pub(super) fn prompted(&self, text: &str) -> Result<HookOutcome, Error> {
        let earlier = self.note_conversation(text);
        let introduction = match self.session() {
            Some(_) => self.introduce()?,
            // Without a session nobody knows whether it was said before.
            None => HookOutcome::default(),
        };
        let day = self.new_day()?;
        // A host with more room at the start takes the introduction beside that of the prompt.
        let apart = self.profile.start_bytes > self.profile.prompt_bytes;
        let used = if apart { 0 } else { introduction.text.len() } + day.text.len();
        let recalled = self.recalled(text, earlier.as_deref(), self.profile.prompt_bytes.saturating_sub(used))?;
        Ok(introduction.then(day).then(recalled))
    }

    /// Notes what the conversation is about. Returns what was said last, if it can be read: recall is a little less sure without it.
    fn note_conversation(&self, text: &str) -> Option<String> {
        let session = self.session()?;
        let transcript = self.call.transcript.as_deref();
        let earlier = transcript
            .and_then(|transcript| self.memory.catch_up(session, self.profile.host, transcript, text).ok().flatten());
        let _ = self.memory.note_mentions(session, text, self.cwd());
        earlier
    }

    fn new_day(&self) -> Result<HookOutcome, Error> {
        let day = self.session().map(|session| self.memory.day_change(session)).transpose()?.flatten();
        Ok(day.map_or_else(HookOutcome::default, |text| HookOutcome::block("day", text)))
    }

    fn recalled(&self, query: &str, earlier: Option<&str>, room: usize) -> Result<HookOutcome, Error> {
        let recalled = self.memory.recall().for_prompt(RecallRequest {
            query,
            recent_tools: &[],
            surfaced: &[],
            session: self.session(),
            room,
            model: None,
            model_only: false,
            earlier,
        })?;
        let is_seen = recalled.skipped.iter().any(|one| one.cause == KeptOut::Seen);
        let nothing = if is_seen { "the conversation has what matters for it" } else { "no memory matters for it" };
        let ask = match self.session() {
            // A question that cannot be kept is not asked; what was found is shown all the same.
            Some(session) if self.profile.actions != ActionTime::Never => {
                self.memory.ask_late(session, query, recalled.selected.len()).unwrap_or(false)
            }
            _ => false,
        };
        let reason = Some(recalled.reason.unwrap_or(nothing).to_owned());
        Ok(HookOutcome { reason, ask, ..HookOutcome::reminder(recalled) })
    }
}
