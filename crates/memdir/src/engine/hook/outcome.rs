//! What comes of a hook call.
//!
//! Enters: the parts of an answer, one after the other. Leaves: one answer, with what it shows and why, or the reason why it says
//! nothing. Never holds a part of a line, and never a reason beside a text.

use super::{HeldBack, LeftNotes, ToldMemory};
use crate::engine::{Announcement, Recalled};
use memdir_context::prompts::Prompts;

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
    /// Session notes that take too long for a hook: the caller has them written in the background.
    pub notes: Option<LeftNotes>,
    /// A model may choose for the prompt: the caller starts a process that asks it ([`Recall::choose_late`](crate::engine::Recall::choose_late)).
    pub ask: bool,
    /// What the user should hear of work that nobody watched.
    pub told: Vec<Announcement>,
}

impl HookOutcome {
    pub(super) fn nothing(reason: impl Into<String>) -> HookOutcome {
        HookOutcome { reason: Some(reason.into()), ..HookOutcome::default() }
    }

    /// One block of text and its name.
    pub(super) fn block(name: &str, text: impl Into<String>) -> HookOutcome {
        HookOutcome { text: text.into(), shown: vec![name.to_owned()], ..HookOutcome::default() }
    }

    /// A reminder of memories.
    pub(super) fn reminder(recalled: Recalled) -> HookOutcome {
        HookOutcome {
            text: recalled.reminder,
            memories: recalled.selected.iter().map(ToldMemory::from).collect(),
            held_back: HeldBack::of(&recalled.skipped),
            behind: recalled.behind,
            reason: recalled.reason.map(str::to_owned),
            shown: recalled.selected.into_iter().map(|one| one.file).collect(),
            ..HookOutcome::default()
        }
    }

    /// How many of `limit` bytes are left for what comes after.
    pub(super) fn room(&self, limit: usize) -> usize {
        limit.saturating_sub(self.text.len() + SEPARATOR.len())
    }

    /// Adds what comes after.
    pub(super) fn then(mut self, next: HookOutcome) -> HookOutcome {
        if !self.text.is_empty() && !next.text.is_empty() {
            self.text.push_str(SEPARATOR);
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

/// What stands between two parts of a text.
const SEPARATOR: &str = "\n\n";

/// A text, or of one that is too long its first lines, if they are more than its label.
pub(super) fn fitting(text: &str, room: usize) -> Option<&str> {
    if text.len() <= room {
        return Some(text);
    }
    let part = &text[..text.floor_char_boundary(room)];
    let part = &part[..part.rfind('\n')?];
    (part.lines().count() > 2).then_some(part)
}
