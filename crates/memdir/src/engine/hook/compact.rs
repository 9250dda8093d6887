//! Session notes around a compaction: brought up to date before it, said after it (S5).
//!
//! Enters: the call of a hook. Leaves: notes on disk, or what the background should write; after the
//! compaction the notes as text, within what the host takes. Never asks a model: a hook has milliseconds.

use std::path::PathBuf;

use super::outcome::fitting;
use super::{HookOutcome, HookRun};

/// Notes that the caller should have written in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftNotes {
    /// Of which session.
    pub session: String,
    /// From which transcript.
    pub transcript: PathBuf,
}

impl HookRun<'_> {
    /// Brings the notes up to date. Returns what takes too long for a hook.
    pub(super) fn notes_before(&self) -> Option<LeftNotes> {
        let (session, transcript) = (self.call.session.clone()?, self.call.transcript.clone()?);
        match self.memory.note_before_compaction(&session, &transcript, self.profile.host) {
            Ok(false) => Some(LeftNotes { session, transcript }),
            // Notes that cannot be written must not delay the compaction.
            Ok(true) | Err(_) => None,
        }
    }

    /// What the notes say, for a conversation that was just made shorter.
    pub(super) fn notes_after(&self, session: &str, room: usize) -> HookOutcome {
        if !self.memory.settings.notes_enabled {
            return HookOutcome::default();
        }
        // Notes that cannot be read, or a session whose name is none for a file, are no reason to say nothing else.
        let Ok(Some(text)) = self.memory.sessions().notes_for_compaction(session) else {
            return HookOutcome::default();
        };
        fitting(&text, room).map_or_else(HookOutcome::default, |text| HookOutcome::block("session-notes", text))
    }
}
