//! Gemini CLI: its own names for the events; and what hooks put before a prompt comes back with it.

use serde_json::Value;

use super::super::event::{Event, HookCall};
use super::{action, path, prompt, text};

const OPEN: &str = "<hook_context>";
const CLOSE: &str = "</hook_context>";

pub(super) fn read(said: &Value) -> HookCall {
    let name = text(said, "hook_event_name").unwrap_or_default().to_owned();
    let event = match name.as_str() {
        "SessionStart" => Event::SessionStart(super::claude::start(text(said, "source").unwrap_or_default())),
        "BeforeAgent" => prompt(own_words(text(said, "prompt").unwrap_or_default())),
        "BeforeTool" => Event::BeforeTool(action(said.get("tool_input"))),
        "AfterTool" => Event::AfterTool(action(said.get("tool_input"))),
        "AfterAgent" => Event::TurnEnd { again: said.get("stop_hook_active") == Some(&Value::Bool(true)) },
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
