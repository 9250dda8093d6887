//! Claude Code, and those that speak like it: Codex and Qwen Code.
//!
//! Sub-agents are not the user's conversation; they are told by `agent_id`. Codex lets an agent of
//! its own write memories and runs the user's hooks in it: no transcript, below its own directory.
//! Qwen says the prompt again, empty, after each round of tools.

use serde_json::Value;

use super::super::Host;
use super::super::event::{Event, HookCall, Start};
use super::{action, path, prompt, text};

pub(super) fn read(host: Host, said: &Value) -> HookCall {
    let name = text(said, "hook_event_name").unwrap_or_default().to_owned();
    let cwd = path(said, "cwd");
    let transcript = path(said, "transcript_path");
    let memory_agent = host == Host::Codex
        && transcript.is_none()
        && cwd.as_ref().is_some_and(|cwd| cwd.components().any(|part| part.as_os_str() == "memories"));
    let event = if text(said, "agent_id").is_some() {
        Event::Ignored("it is a sub-agent's")
    } else if memory_agent {
        Event::Ignored("it is the host's own memory agent")
    } else {
        event(&name, said)
    };
    HookCall { event, name, session: text(said, "session_id").map(str::to_owned), cwd, transcript }
}

fn event(name: &str, said: &Value) -> Event {
    match name {
        "SessionStart" => Event::SessionStart(start(text(said, "source").unwrap_or_default())),
        "UserPromptSubmit" => prompt(text(said, "prompt").unwrap_or_default()),
        "PreToolUse" => Event::BeforeTool(action(said.get("tool_input"))),
        "PostToolUse" => Event::AfterTool(action(said.get("tool_input"))),
        "Stop" => Event::TurnEnd { again: said.get("stop_hook_active") == Some(&Value::Bool(true)) },
        "PreCompact" => Event::BeforeCompact,
        "PostCompact" => Event::AfterCompact,
        "SessionEnd" => Event::SessionEnd,
        _ => Event::Ignored("memdir has nothing to do then"),
    }
}

pub(super) fn start(source: &str) -> Start {
    match source {
        "resume" => Start::Resumed,
        "fork" => Start::Forked,
        "clear" => Start::Cleared,
        "compact" => Start::Compacted,
        _ => Start::New,
    }
}
