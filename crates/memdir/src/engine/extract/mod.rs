//! Learning from a conversation without a model: what of it is worth having next month (X).
//!
//! Enters: the messages since the last look. Leaves: memories that are new, changed or archived, each
//! signed with the message it came from; what was refused and what to ask back; or the name of the reason
//! why nothing was looked at. No key, no network, the same answer every time.
//!
//! A sentence becomes memory only when the person said it themselves, it will hold beyond this task, and
//! nothing else keeps it already. What a tool printed, a page says or the assistant thinks is context
//! at most. An explicit "remember" or "forget" wins over the judge, though not over secrets, nor over what
//! is not worth keeping (F7). Silence is not consent (Z4). In doubt nothing is saved.
//!
//! The way of an utterance: `pasted` cuts out what is not the person's, `parts` has the reader say what each part is, `groups` puts
//! together what is about one thing, `outcome` decides what is kept, `compose` makes drafts; the judge holds them against what is
//! known, and `reconcile` carries out what it says.

mod antecedent;
mod clause;
mod compose;
mod draft;
mod exchange;
mod forget;
mod grounds;
mod groups;
mod land;
mod outcome;
mod parts;
mod pasted;
mod person;
mod reconcile;
mod run;
mod tidy;
mod wish;
mod written;

pub use grounds::Grounds;

use serde::Serialize;

use super::inbox::waits;
use super::proposal::Rejection;
use memdir_core::kind::{Scope, Type};
use memdir_hosts::transcript::Message;
use memdir_model::tools::DeniedCall;

/// A part of a conversation to learn from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conversation<'c> {
    /// The session, for the history.
    pub session: Option<&'c str>,
    /// What was said before; context, never learned from.
    pub earlier: &'c [Message],
    /// What is new.
    pub messages: &'c [Message],
    /// Memories that the session's last run touched: what goes on with them joins them.
    pub recent: &'c [String],
}

/// Where what was learned goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// Into memory.
    Now,
    /// Before a person, who says yes or no (`review`).
    Inbox,
}

/// What was done to a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It is new.
    Created,
    /// It says something else, or more.
    Updated,
    /// It is in the archive.
    Deleted,
}

impl Effect {
    /// What was wanted: `create`, `update`, `delete`.
    pub const fn verb(self) -> &'static str {
        match self {
            Effect::Created => "create",
            Effect::Updated => "update",
            Effect::Deleted => "delete",
        }
    }
}

/// One memory that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavedMemory {
    /// The file, relative to its memory directory.
    pub file: String,
    /// The file's former name, where that claimed the old value (K2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// What was done to it.
    pub action: Effect,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// Whose it is.
    pub scope: Scope,
    /// The change, for `undo`.
    pub change: Option<String>,
}

/// Something that waits for a yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proposed {
    /// Its name in the inbox.
    pub id: Option<String>,
    /// What should be done.
    pub action: Effect,
    /// The memory it concerns; `None` for a new one.
    pub file: Option<String>,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// Whose it would be.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    /// One line on what it is about.
    pub description: String,
    /// What it would say.
    pub body: String,
    /// The message it comes from.
    pub message: Option<String>,
}

/// Something that was asked for and not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedWish {
    /// The name of the reason: `derivable`, `task-state`, `secret`, `nothing-said`, `unclear`, `unknown`, `pinned`.
    pub reason: &'static str,
    /// Why, in words.
    pub why: String,
    /// What to ask the person.
    pub question: Option<String>,
    /// The message it was asked in.
    pub message: String,
}

impl RefusedWish {
    /// Nothing of a message is kept, for it tells a secret.
    fn withheld(message: &str) -> RefusedWish {
        RefusedWish {
            reason: "secret",
            why: "A message seems to tell a secret, so nothing of it was saved.".to_owned(),
            question: Some("What of it should be remembered, said again without the secret?".to_owned()),
            message: message.to_owned(),
        }
    }
}

/// What came of a conversation.
#[derive(Debug, Default, Serialize)]
pub struct Extracted {
    /// How many messages were looked at.
    pub messages: usize,
    /// What was changed.
    pub saved: Vec<SavedMemory>,
    /// What waits for a yes; nothing of it is written.
    pub waiting: Vec<Proposed>,
    /// What was asked for and not done.
    pub refused: Vec<RefusedWish>,
    /// What a model wanted to save, and may not.
    pub turned_down: Vec<Rejection>,
    /// What a model wanted to do, and may not (X6).
    pub denied: Vec<DeniedCall>,
    /// Why nothing was looked at.
    pub skipped: Option<&'static str>,
    /// What each change was signed with.
    #[serde(skip)]
    keys: Vec<String>,
}

impl Extracted {
    /// One line that names the files that were touched (X8), or says that something waits for a yes.
    pub fn line(&self) -> Option<String> {
        let named = |effect: Effect, verb: &str| {
            let files: Vec<&str> =
                self.saved.iter().filter(|saved| saved.action == effect).map(|saved| saved.file.as_str()).collect();
            (!files.is_empty()).then(|| format!("{verb} {}", files.join(", ")))
        };
        let parts =
            [named(Effect::Created, "saved"), named(Effect::Updated, "updated"), named(Effect::Deleted, "archived")];
        let said: Vec<String> = parts.into_iter().flatten().collect();
        if said.is_empty() {
            return waits(self.waiting.len());
        }
        Some(said.join("; "))
    }

    /// Takes in what came of a later part of the same conversation.
    pub fn join(&mut self, other: Extracted) {
        self.messages += other.messages;
        self.saved.extend(other.saved);
        self.waiting.extend(other.waiting);
        self.refused.extend(other.refused);
        self.turned_down.extend(other.turned_down);
        self.denied.extend(other.denied);
        self.skipped = if self.messages == other.messages { other.skipped } else { self.skipped.and(other.skipped) };
    }
}

/// Whether a message asks something of memory itself.
pub(super) fn is_wish(message: &Message, now: &jiff::Zoned) -> bool {
    let said = exchange::utterances(&[], std::slice::from_ref(message), now);
    said.iter().any(|one| outcome::asks_of_memory(memdir_encoder::Reader::new(), one))
}
