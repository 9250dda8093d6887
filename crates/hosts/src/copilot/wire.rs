//! Copilot CLI: the event's name stands on the command line, not in the JSON.

use serde_json::Value;

use crate::event::{ConversationStart, Event, HookCall};
use crate::wire::{action, claude_like, handed_out, path, prompt, text};

pub(super) fn read(said: &Value, event: Option<&str>) -> HookCall {
    let name = event.or_else(|| text(said, "hook_event_name")).unwrap_or_default().to_owned();
    let event = match name.as_str() {
        "sessionStart" => Event::SessionStart(match text(said, "source") {
            Some("resume") => ConversationStart::Resumed,
            _ => ConversationStart::New,
        }),
        "userPromptSubmitted" => prompt(text(said, "prompt").unwrap_or_default()),
        "preToolUse" => Event::BeforeTool(action(text(said, "toolName"), said.get("toolArgs"))),
        "postToolUse" => Event::AfterTool(action(text(said, "toolName"), said.get("toolArgs"))),
        "agentStop" => claude_like::turn_end(said),
        "preCompact" => Event::BeforeCompact,
        "sessionEnd" => Event::SessionEnd,
        _ => Event::Ignored("memdir has nothing to do then"),
    };
    HookCall {
        event,
        name,
        session: text(said, "sessionId").map(str::to_owned),
        cwd: path(said, "cwd"),
        transcript: path(said, "transcriptPath"),
        tool: text(said, "toolName").map(str::to_owned),
        handed_out: handed_out(text(said, "toolName"), said.get("toolArgs"), said.get("toolResult")),
    }
}
