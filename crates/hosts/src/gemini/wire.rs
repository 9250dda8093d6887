//! Gemini CLI: its own names for the events; and what hooks put before a prompt comes back with it.

use serde_json::Value;

use crate::event::{Event, HookCall};
use crate::wire::{action, claude_like, path, prompt, text};

const OPEN: &str = "<hook_context>";
const CLOSE: &str = "</hook_context>";

pub(super) fn read(said: &Value, _: Option<&str>) -> HookCall {
    let name = text(said, "hook_event_name").unwrap_or_default().to_owned();
    let event = match name.as_str() {
        "SessionStart" => Event::SessionStart(claude_like::start(said)),
        "BeforeAgent" => prompt(own_words(text(said, "prompt").unwrap_or_default())),
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
    }
}

/// A prompt without what hooks put before it.
fn own_words(said: &str) -> &str {
    let mut rest = said.trim_start();
    while let Some(inner) = rest.strip_prefix(OPEN) {
        match inner.find(CLOSE) {
            Some(end) => rest = inner[end + CLOSE.len()..].trim_start(),
            None => break,
        }
    }
    rest
}
