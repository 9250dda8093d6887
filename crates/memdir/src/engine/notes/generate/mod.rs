//! Notes from a transcript, by the model or agent that the user agreed to, else by rule.
//!
//! Enters: a transcript and what a model needs. Leaves: the notes, who wrote them, and why it was not the model. A
//! model's run that failed, or whose edits are turned down, leaves the notes as they were; the rule then fills in
//! what it can. A run that somebody stopped leaves them as they were, and nothing else is done.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::{NotesJob, NotesReport};
use crate::engine::transcripts::model_messages;
use crate::engine::{Error, Memory, ModelEnvironment, Sessions};
use memdir_core::limits;
use memdir_hosts::Host;
use memdir_hosts::transcript::{Message, recent};
use memdir_model::SharedModel;
use memdir_model::fork::RunBudget;

/// Notes that were brought up to date.
#[derive(Clone, Debug, Serialize)]
pub struct NotesUpdate {
    /// The notes.
    #[serde(flatten)]
    pub notes: NotesReport,
    /// Who wrote them: `model` or `offline`, the rule.
    pub engine: &'static str,
    /// Why it was not a model.
    pub reason: Option<String>,
}

impl NotesUpdate {
    fn by_rule(notes: NotesReport, reason: String) -> NotesUpdate {
        NotesUpdate { notes, engine: "offline", reason: Some(reason) }
    }
}

impl Sessions<'_> {
    /// Brings the notes of a session up to date from its transcript (S3).
    pub fn think_notes(
        &self,
        session: &str,
        transcript: &Path,
        host: Option<Host>,
        environment: &ModelEnvironment<'_>,
    ) -> Result<NotesUpdate, Error> {
        self.memory.require_notes()?;
        let said = recent(transcript, host, limits::NOTES_TRANSCRIPT_BYTES)?;
        self.memory.note_with_model(session, &said, environment)
    }

    /// The same after a turn, when enough has happened since (S2); `None` when it is not time.
    pub fn think_notes_when_due(
        &self,
        session: &str,
        transcript: &Path,
        host: Option<Host>,
        environment: &ModelEnvironment<'_>,
    ) -> Result<Option<NotesUpdate>, Error> {
        let due = self.memory.said_since_due(session, transcript, host)?;
        due.map(|said| self.memory.note_with_model(session, &said, environment)).transpose()
    }
}

impl Memory {
    fn note_with_model(
        &self,
        session: &str,
        said: &[Message],
        environment: &ModelEnvironment<'_>,
    ) -> Result<NotesUpdate, Error> {
        match self.models().get(environment.runner.clone()) {
            Ok(model) => self.think_of(session, said, &model, environment),
            Err(status) => Ok(NotesUpdate::by_rule(self.note_down(session, said)?, status.reason.to_owned())),
        }
    }

    fn think_of(
        &self,
        session: &str,
        said: &[Message],
        model: &SharedModel,
        environment: &ModelEnvironment<'_>,
    ) -> Result<NotesUpdate, Error> {
        let parent = self.fresh_parent(model_messages(&[], latest(said)), environment.own_texts)?;
        let job = NotesJob {
            model: &**model,
            parent: &parent,
            shell: environment.shell,
            budget: RunBudget {
                turns: limits::NOTES_TURNS,
                time: Duration::from_secs(limits::NOTES_SECONDS),
                tokens: limits::EXTRACT_TOKENS,
            },
            cancel: environment.cancel.clone(),
        };
        match self.sessions().update_notes_with(session, &job, &mut |_| {}) {
            Ok(notes) => {
                self.mark_noted(session, said)?;
                Ok(NotesUpdate { notes, engine: "model", reason: None })
            }
            Err(error) if environment.cancel.is_cancelled() => Err(error),
            Err(error) => Ok(NotesUpdate::by_rule(self.note_down(session, said)?, format!("model: {error}"))),
        }
    }
}

/// The end of a conversation, as much as one update is told of; what came before is in the notes already.
fn latest(said: &[Message]) -> &[Message] {
    let mut room = limits::NOTES_TOLD_BYTES;
    let from = said.iter().rposition(|message| {
        let fits = room.checked_sub(message.text.len().min(limits::EXTRACT_ANSWER_BYTES));
        room = fits.unwrap_or_default();
        fits.is_none()
    });
    &said[from.map_or(0, |last_left_out| last_left_out + 1).min(said.len().saturating_sub(1))..]
}

#[cfg(test)]
mod tests;
