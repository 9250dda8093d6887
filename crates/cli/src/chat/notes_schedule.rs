//! When the notes of a session are due (S2), by how its conversation has grown.

use memdir::engine::{Growth, estimate_tokens, notes_due};
use memdir::model::{Block, Message, Role};
use memdir::settings::Settings;

use super::conversation::Conversation;

/// How far the notes are.
#[derive(Debug, Default)]
pub(super) struct NotesSchedule {
    /// Tokens the conversation had when they were last written.
    noted: Option<u64>,
    /// Tool calls it had then.
    calls: u64,
}

impl NotesSchedule {
    /// Whether they should be written now; then they count as written.
    pub(super) fn is_due(&mut self, talk: &Conversation, settings: &Settings) -> bool {
        if !settings.notes_enabled {
            return false;
        }
        let messages = talk.messages();
        let tokens = messages.iter().flat_map(|message| &message.content).map(tokens).sum();
        let calls = calls(messages);
        // The last turn is what came after the person's last words.
        let own = |message: &Message| {
            message.role == Role::User && message.content.iter().any(|block| matches!(block, Block::Text { .. }))
        };
        let last_turn = messages.iter().rposition(own).map_or(messages, |at| &messages[at..]);
        let growth = Growth {
            tokens,
            noted: self.noted,
            tool_calls: calls.saturating_sub(self.calls),
            last_turn_called: self::calls(last_turn) > 0,
        };
        let due = notes_due(growth, settings);
        if due {
            (self.noted, self.calls) = (Some(tokens), calls);
        }
        due
    }
}

fn calls(messages: &[Message]) -> u64 {
    let blocks = messages.iter().flat_map(|message| &message.content);
    blocks.filter(|block| matches!(block, Block::ToolUse { .. })).count() as u64
}

fn tokens(block: &Block) -> u64 {
    match block {
        Block::Text { text } => estimate_tokens(text),
        Block::ToolUse { input, .. } => estimate_tokens(&input.to_string()),
        Block::ToolResult { content, .. } => estimate_tokens(content),
        Block::Opaque(_) => 0,
    }
}
