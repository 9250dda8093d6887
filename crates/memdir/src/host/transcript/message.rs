//! One message of a conversation, whatever host it comes from.

use jiff::Timestamp;
use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person, or what a host says in their place; [`Origin`] tells which.
    User,
    /// The model.
    Assistant,
    /// What a tool gave back.
    Tool,
}

/// Whose words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The speaker's own.
    Own,
    /// Put in by the host, a hook or memdir: reminders, context, command output, recalled memories.
    Injected,
    /// What the host wrote in place of an older part of the conversation.
    Summary,
}

/// A tool that the assistant called.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolUse {
    /// Its name, as the host calls it.
    pub name: String,
    /// What it was given.
    pub input: Value,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// What the host calls it; a cursor is such an id (X3).
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// Whose words they are.
    pub origin: Origin,
    /// What was said.
    pub text: String,
    /// The tools the assistant called with it.
    pub tool_uses: Vec<ToolUse>,
    /// When.
    pub time: Option<Timestamp>,
}

impl Message {
    /// Whether these are the person's own words.
    pub fn is_own(&self) -> bool {
        self.role == Role::User && self.origin == Origin::Own
    }
}
