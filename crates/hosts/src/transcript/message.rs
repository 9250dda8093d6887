//! One message of a conversation, whatever host it comes from.

use std::ops::ControlFlow;

use jiff::Timestamp;
use serde_json::Value;

use super::json::{input, kept, text};
use crate::event::Action;
use crate::wire;

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

impl ToolUse {
    /// A call as its host wrote it: `name`, and what it was given under a key of the host's.
    pub(crate) fn read(call: &Value, given: &str) -> Option<ToolUse> {
        let name = text(call, "name")?.to_owned();
        Some(ToolUse { name, input: call.get(given).map(input).unwrap_or_default() })
    }

    /// What the call does, as far as memory may know something about it.
    pub fn action(&self) -> Action {
        wire::action(Some(&self.name), Some(&self.input))
    }
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

/// Hears of each message as it is met; reading stops when it says so.
pub type OnMessage<'e> = dyn FnMut(Message) -> ControlFlow<()> + 'e;

/// What the messages made of one line or element have in common.
pub(crate) struct Stamp<'s> {
    pub(crate) id: &'s str,
    pub(crate) time: Option<Timestamp>,
}

impl Stamp<'_> {
    /// A message of these words, as far as they are kept.
    pub(crate) fn message(&self, role: Role, origin: Origin, words: &str) -> Message {
        Message { id: self.id.to_owned(), role, origin, text: kept(words), tool_uses: Vec::new(), time: self.time }
    }

    /// What a tool gave back.
    pub(crate) fn result(&self, words: &str) -> Message {
        self.message(Role::Tool, Origin::Own, words)
    }

    /// The model's turn; one without words and calls is none.
    pub(crate) fn answer(&self, words: &str, tool_uses: Vec<ToolUse>) -> Option<Message> {
        let nothing = words.is_empty() && tool_uses.is_empty();
        (!nothing).then(|| Message { tool_uses, ..self.message(Role::Assistant, Origin::Own, words) })
    }

    /// What stands under the person's name; without words it is nothing.
    pub(crate) fn said(&self, origin: Origin, words: &str) -> Option<Message> {
        (!words.is_empty()).then(|| self.message(Role::User, origin, words))
    }
}
