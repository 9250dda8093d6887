//! Session notes around a compaction: brought up to date before it, said after it (S5).
//!
//! Enters: the call of a hook. Leaves: notes on disk, or what the background should write; after the
//! compaction the notes as text, within what the host takes. Never asks a model: a hook has milliseconds.

use std::path::PathBuf;

use super::{HookOutcome, beginning};
use crate::engine::Memory;
use memdir_hosts::{HookCall, Profile};

/// Notes that the caller should have written in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftNotes {
    /// Of which session.
    pub session: String,
    /// From which transcript.
    pub transcript: PathBuf,
}

impl Memory {
    /// Brings the notes up to date. Returns what is too long for a hook.
    pub(super) fn notes_left(&self, profile: &Profile, call: &HookCall) -> Option<LeftNotes> {
        let (session, transcript) = (call.session.clone()?, call.transcript.clone()?);
        match self.note_before_compaction(&session, &transcript, profile.host) {
            Ok(false) => Some(LeftNotes { session, transcript }),
            // Notes that cannot be written are no reason to hold anybody up.
            Ok(true) | Err(_) => None,
        }
    }

    /// What the notes say, for a conversation that was just made shorter.
    pub(super) fn notes_after(&self, profile: &Profile, session: &str, used: usize) -> HookOutcome {
        if !self.settings.notes_enabled {
            return HookOutcome::default();
        }
        // Notes that cannot be read, or a session whose name is none for a file, are no reason to say nothing else.
        let Ok(Some(text)) = self.sessions().notes_for_compaction(session) else { return HookOutcome::default() };
        let room = profile.start_bytes.saturating_sub(used + 2);
        let text = if text.len() <= room { Some(text.as_str()) } else { beginning(&text, room) };
        let shown = vec!["session-notes".to_owned()];
        text.map_or_else(HookOutcome::default, |text| HookOutcome {
            text: text.to_owned(),
            shown,
            ..HookOutcome::default()
        })
    }
}
