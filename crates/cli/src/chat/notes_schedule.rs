//! When the notes of a session are due (S2), by how its conversation has grown.

use memdir::engine::{ConversationGrowth, estimate_tokens, notes_due};
use memdir::model::{ChatMessage, ChatRole, ContentBlock};
use memdir::settings::Settings;

use super::conversation::ChatHistory;

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
    pub(super) fn is_due(&mut self, talk: &ChatHistory, settings: &Settings) -> bool {
        if !settings.notes_enabled {
            return false;
        }
        let messages = talk.messages();
        let tokens = messages.iter().flat_map(|message| &message.content).map(tokens).sum();
        let calls = calls(messages);
        // The last turn is what came after the person's last words.
        let own = |message: &ChatMessage| {
            message.role == ChatRole::User
                && message.content.iter().any(|block| matches!(block, ContentBlock::Text { .. }))
        };
        let last_turn = messages.iter().rposition(own).map_or(messages, |at| &messages[at..]);
        let growth = ConversationGrowth {
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

fn calls(messages: &[ChatMessage]) -> u64 {
    let blocks = messages.iter().flat_map(|message| &message.content);
    blocks.filter(|block| matches!(block, ContentBlock::ToolUse { .. })).count() as u64
}

fn tokens(block: &ContentBlock) -> u64 {
    match block {
        ContentBlock::Text { text } => estimate_tokens(text),
        ContentBlock::ToolUse { input, .. } => estimate_tokens(&input.to_string()),
        ContentBlock::ToolResult { content, .. } => estimate_tokens(content),
        ContentBlock::Opaque(_) => 0,
    }
}
