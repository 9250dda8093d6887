//! Notes that are kept without anybody asking: after a turn when they are due, and before a compaction.
//!
//! Enters: a transcript and its session. Leaves: notes written by rule, and beside them in the state
//! directory how far the conversation had come and what a rule wrote. Sections that a model or a person
//! wrote since are left to them. Never waits: what is too long for a hook is left to the background.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fill::{FillMode, fill};
use super::{ConversationGrowth, Notes, NotesReport, estimate_tokens, notes_due, report};
use crate::engine::{Error, Memory, Sessions};
use memdir_core::limits;
use memdir_hosts::Host;
use memdir_hosts::transcript::{Message, Role, recent};
use memdir_store::fs::{self, Durability};

/// How far the conversation had come when notes were last written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Noted {
    tokens: u64,
    tool_calls: u64,
    /// The notes as a rule left them.
    ruled: Option<String>,
}

impl Sessions<'_> {
    /// Brings the notes of a session up to date by rule, from its transcript.
    pub fn update_notes(&self, session: &str, transcript: &Path, host: Option<Host>) -> Result<NotesReport, Error> {
        self.memory.require_notes()?;
        let said = recent(transcript, host, limits::NOTES_TRANSCRIPT_BYTES)?;
        self.memory.note_down(session, &said)
    }
}

impl Memory {
    /// What was said, when notes of it are due (S2).
    pub(super) fn said_since_due(
        &self,
        session: &str,
        transcript: &Path,
        host: Option<Host>,
    ) -> Result<Option<Vec<Message>>, Error> {
        if !self.place.enabled
            || !self.settings.notes_enabled
            || !host.is_none_or(|host| host.compacts_by_itself(&self.around))
        {
            return Ok(None);
        }
        let path = self.sessions().notes_path(session)?;
        let said = recent(transcript, host, limits::NOTES_TRANSCRIPT_BYTES)?;
        let (tokens, tool_calls) = size(&said);
        let noted = self.noted(session);
        let last_turn_called =
            said.iter().rev().take_while(|message| !message.is_own()).any(|message| !message.tool_uses.is_empty());
        let growth = ConversationGrowth {
            tokens,
            // Notes that are gone are written again.
            noted: noted.as_ref().map(|noted| noted.tokens).filter(|_| path.exists()),
            tool_calls: tool_calls.saturating_sub(noted.map_or(0, |noted| noted.tool_calls)),
            last_turn_called,
        };
        Ok(notes_due(growth, &self.settings).then_some(said))
    }

    /// Notes before a compaction, within the time of a hook. `false`: the conversation is too long for that,
    /// and the background should do it. Who has switched compaction off and does it by hand keeps no notes (S7).
    pub(crate) fn note_before_compaction(&self, session: &str, transcript: &Path, host: Host) -> Result<bool, Error> {
        self.require_notes()?;
        if !host.compacts_by_itself(&self.around) {
            return Ok(true);
        }
        let length = std::fs::metadata(transcript).map_or(0, |facts| facts.len());
        if length > limits::NOTES_HOOK_BYTES {
            return Ok(false);
        }
        let said = recent(transcript, Some(host), limits::NOTES_HOOK_BYTES)?;
        self.note_down(session, &said)?;
        Ok(true)
    }

    pub(super) fn note_down(&self, session: &str, said: &[Message]) -> Result<NotesReport, Error> {
        let path = self.sessions().notes_path(session)?;
        let template = Notes::read(&self.sessions().notes_template());
        let standing = self.standing_notes(&path);
        let by_rule = self.noted(session).and_then(|noted| noted.ruled).is_some_and(|ruled| ruled == mark(&standing));
        let mut notes = Notes::read(&standing);
        let may = if by_rule || notes == template { FillMode::Renew } else { FillMode::FillGaps };
        fill(&mut notes, said, may);
        self.write_notes(&path, &notes)?;
        let (tokens, tool_calls) = size(said);
        let ruled = (may == FillMode::Renew).then(|| mark(&notes.write()));
        self.save_noted(session, &Noted { tokens, tool_calls, ruled })?;
        Ok(report(&path, &notes, &template))
    }

    /// A model has written the notes: how far the conversation had come is remembered, and that no rule did.
    pub(super) fn mark_noted(&self, session: &str, said: &[Message]) -> Result<(), Error> {
        let (tokens, tool_calls) = size(said);
        self.save_noted(session, &Noted { tokens, tool_calls, ruled: None })
    }

    fn noted_file(&self, session: &str) -> PathBuf {
        let name = &blake3::hash(session.as_bytes()).to_hex().as_str()[..20].to_owned();
        self.dirs().state.join("noted").join(format!("{name}.json"))
    }

    fn noted(&self, session: &str) -> Option<Noted> {
        serde_json::from_slice(&fs::read_beside(&self.noted_file(session)).ok()?).ok()
    }

    fn save_noted(&self, session: &str, noted: &Noted) -> Result<(), Error> {
        let path = self.noted_file(session);
        if let Some(dir) = path.parent() {
            fs::create_private_dir(dir)?;
        }
        Ok(fs::replace(&path, &serde_json::to_vec(noted).unwrap_or_default(), Durability::Cache)?)
    }
}

/// Tokens and tool calls of a conversation.
fn size(said: &[Message]) -> (u64, u64) {
    let tokens = said.iter().map(|message| {
        let calls = message.tool_uses.iter().map(|call| estimate_tokens(&call.input.to_string()));
        estimate_tokens(&message.text) + calls.sum::<u64>()
    });
    let calls =
        said.iter().filter(|message| message.role == Role::Assistant).map(|message| message.tool_uses.len() as u64);
    (tokens.sum(), calls.sum())
}

fn mark(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().as_str()[..20].to_owned()
}
