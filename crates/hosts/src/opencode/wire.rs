//! opencode: its plugins are programs inside it, so this is what our own plugin says
//! (`memdir.js`, the same file as `integrations/opencode/memdir.js`).

use serde_json::Value;

use crate::event::{Event, HookCall};
use crate::wire::{action, handed_out, path, prompt, text};

pub(super) fn read(said: &Value, _: Option<&str>) -> HookCall {
    let name = text(said, "event").unwrap_or_default().to_owned();
    let event = match name.as_str() {
        "prompt" => prompt(text(said, "prompt").unwrap_or_default()),
        "before-tool" => Event::BeforeTool(action(text(said, "tool"), said.get("input"))),
        "after-tool" => Event::AfterTool(action(text(said, "tool"), said.get("input"))),
        "turn-end" => Event::TurnEnd { again: false },
        "before-compact" => Event::BeforeCompact,
        "after-compact" => Event::AfterCompact,
        _ => Event::Ignored("memdir has nothing to do then"),
    };
    HookCall {
        event,
        name,
        session: text(said, "session").map(str::to_owned),
        cwd: path(said, "cwd"),
        transcript: None,
        tool: text(said, "tool").map(str::to_owned),
        // Our plugin passes on what a tool was given, not what it answered.
        handed_out: handed_out(text(said, "tool"), said.get("input"), None),
    }
}
