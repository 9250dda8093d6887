//! Gemini CLI: its own names for the events. What hooks put before a prompt comes back with it, in tags.

use serde_json::Value;

use crate::event::{Event, HookCall};
use crate::wire::{action, claude_like, handed_out, path, prompt, text};

pub(super) fn read(said: &Value, _: Option<&str>) -> HookCall {
    let name = text(said, "hook_event_name").unwrap_or_default().to_owned();
    let event = match name.as_str() {
        "SessionStart" => Event::SessionStart(claude_like::start(said)),
        "BeforeAgent" => prompt(text(said, "prompt").unwrap_or_default()),
        "BeforeTool" => Event::BeforeTool(action(text(said, "tool_name"), said.get("tool_input"))),
        "AfterTool" => Event::AfterTool(action(text(said, "tool_name"), said.get("tool_input"))),
        "AfterAgent" => claude_like::turn_end(said),
        "PreCompress" => Event::BeforeCompact,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::Ignored("memdir has nothing to do then"),
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
