//! Gemini CLI: recordings of the real client.

use serde_json::json;

use crate::event::Event;
use crate::testing::{packaged, reads, recorded, understands, wires, written_config};
use crate::{Host, wire};

#[test]
fn its_hooks_are_understood() {
    let kinds = ["session-start", "ignored", "prompt", "before-tool", "after-tool", "turn-end"];
    understands(Host::Gemini, "gemini/hooks-stdin.jsonl", &kinds);
}

#[test]
fn a_prompt_is_what_the_user_said() {
    let read = |said: &serde_json::Value| wire::read(Host::Gemini, said.to_string().as_bytes(), None).event;
    let ask = Event::Prompt("please run the tools".into());
    assert!(recorded("gemini/hooks-stdin.jsonl").iter().any(|(_, said)| read(said) == ask));
    // It gives back what a hook put before the prompt; a command is still a command.
    let said = json!({ "hook_event_name": "BeforeAgent", "prompt": "<hook_context>x</hook_context>\n\n/memory show" });
    assert_eq!(read(&said), Event::Ignored("the prompt is a command for the host"));
}

#[test]
fn its_conversations_are_read() {
    let (file, session) = ("gemini/session-2026-11-15T06-25-2e65a108.jsonl", "2e65a108-8303-4421-8dbd-5116f683ca38");
    reads(Host::Gemini, file, session, "please run the tools", 2);
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Gemini, &[".gemini/settings.json"]);
    let written = written_config(Host::Gemini, 0);
    assert_eq!(packaged("gemini/hooks/hooks.json")["hooks"], written["hooks"]);
    assert_eq!(packaged("gemini/gemini-extension.json")["mcpServers"], written["mcpServers"]);
}
