//! Learning from a conversation, without a model: what of it is worth having next month (X).

use serde::Serialize;

use super::{Error, Memory};
use crate::host::transcript::Message;
use crate::kind::{Scope, Type};

/// Where what was learned goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// Into memory.
    Now,
    /// Before a person, who says yes or no.
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
#[derive(Clone, Debug, Serialize)]
pub struct SavedMemory {
    /// The file, relative to its memory directory.
    pub file: String,
    /// What was done to it.
    pub action: Effect,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// Whose it is.
    pub scope: Scope,
}

/// What came of a conversation.
#[derive(Debug, Default, Serialize)]
pub struct Extracted {
    /// How many messages were looked at.
    pub messages: usize,
    /// What was changed.
    pub saved: Vec<SavedMemory>,
}

impl Memory {
    /// Learns from the messages of a conversation.
    pub fn extract(&self, messages: &[Message], _landing: Landing) -> Result<Extracted, Error> {
        self.require_on()?;
        Ok(Extracted { messages: messages.len(), saved: Vec::new() })
    }
}
