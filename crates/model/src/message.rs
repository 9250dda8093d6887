//! The messages of a conversation, in a form that every driver can send.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    /// The user, and what tools gave back.
    User,
    /// The model.
    Assistant,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: ChatRole,
    /// What is said.
    pub content: Vec<ContentBlock>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Plain words.
    Text {
        /// The words.
        text: String,
    },
    /// The model wants a tool to be called.
    ToolUse {
        /// What the result must name.
        id: String,
        /// Which tool.
        name: String,
        /// With what; whatever the model made up.
        input: Value,
    },
    /// What a tool gave back.
    ToolResult {
        /// Which call this answers.
        tool_use_id: String,
        /// What it gave.
        content: String,
        /// Whether it failed.
        #[serde(default)]
        is_error: bool,
    },
    /// Something of the provider's own (a thought with its signature) that must be sent back unchanged.
    #[serde(untagged)]
    Opaque(Value),
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// When and how to use it.
    pub description: String,
    /// What it takes, as a JSON schema.
    pub input_schema: Value,
    /// A tool of the provider's own, by its type there, which the model knows without words. Only its provider is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
}

impl ToolSpec {
    /// Anthropic's memory tool, which `memory.files().memory_tool` answers.
    pub fn memory() -> ToolSpec {
        let own = Some("memory_20250818".to_owned());
        ToolSpec { name: "memory".to_owned(), description: String::new(), input_schema: Value::Null, own }
    }
}

impl ChatMessage {
    /// The user says something.
    pub fn user(text: impl Into<String>) -> ChatMessage {
        ChatMessage { role: ChatRole::User, content: vec![ContentBlock::Text { text: text.into() }] }
    }

    /// All its words, without tools.
    pub fn text(&self) -> String {
        let words = self.content.iter().filter_map(|block| match block {
            ContentBlock::Text { text } => Some(text.as_str()),
            _ => None,
        });
        words.collect::<Vec<_>>().join("\n")
    }
}
