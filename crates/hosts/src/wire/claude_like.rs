//! Hooks in the words of Claude Code, which other hosts speak too.
//!
//! Enters: what a hook reads. Leaves: the call. Sub-agents are not the user's conversation; they are told by `agent_id`,
//! and only that one starts is an event.

use serde_json::Value;

use super::{action, handed_out, path, prompt, text};
use crate::event::{ConversationStart, Event, HookCall};

/// Reads a call; the event's name stands in the JSON.
pub(crate) fn read(said: &Value, _: Option<&str>) -> HookCall {
    let name = text(said, "hook_event_name").unwrap_or_default().to_owned();
    let event = match text(said, "agent_type") {
        Some(kind) if name == "SubagentStart" => Event::AgentStart(kind.to_owned()),
        _ if is_sub_agent(said) => Event::Ignored("it is a sub-agent's"),
        _ => event(&name, said),
    };
    HookCall {
        event,
        name,
        session: text(said, "session_id").map(str::to_owned),
        cwd: path(said, "cwd"),
        transcript: path(said, "transcript_path"),
        tool: text(said, "tool_name").map(str::to_owned),
        handed_out: handed_out(text(said, "tool_name"), said.get("tool_input"), said.get("tool_response")),
    }
}

/// Whether a helper of the agent speaks.
pub(crate) fn is_sub_agent(said: &Value) -> bool {
    text(said, "agent_id").is_some()
}

fn event(name: &str, said: &Value) -> Event {
    match name {
        "SessionStart" => Event::SessionStart(start(said)),
        "UserPromptSubmit" => prompt(text(said, "prompt").unwrap_or_default()),
        "PreToolUse" => Event::BeforeTool(action(text(said, "tool_name"), said.get("tool_input"))),
        "PostToolUse" => Event::AfterTool(action(text(said, "tool_name"), said.get("tool_input"))),
        "Stop" => turn_end(said),
        "PreCompact" => Event::BeforeCompact,
        "PostCompact" => Event::AfterCompact,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::Ignored("memdir has nothing to do then"),
    }
}

/// How a conversation begins.
pub(crate) fn start(said: &Value) -> ConversationStart {
    match text(said, "source").unwrap_or_default() {
        "resume" => ConversationStart::Resumed,
        "fork" => ConversationStart::Forked,
        "clear" => ConversationStart::Cleared,
        "compact" => ConversationStart::Compacted,
        _ => ConversationStart::New,
    }
}

/// The end of a turn, and whether a hook has kept it going before.
pub(crate) fn turn_end(said: &Value) -> Event {
    Event::TurnEnd { again: said.get("stop_hook_active") == Some(&Value::Bool(true)) }
}
