//! Conversations as the hosts keep them, read as one kind of message.

mod message;

pub use message::{Message, Origin, Role, ToolUse};
