//! Copilot CLI: recordings of the real client.

use crate::event::Event;
use crate::testing::{packaged, reads, recorded, understands, wires, written_config};
use crate::{Host, wire};

#[test]
fn its_hooks_are_understood() {
    let kinds = ["session-start", "prompt", "before-tool", "after-tool", "turn-end"];
    understands(Host::Copilot, "copilot/hooks-stdin.jsonl", &kinds);
}

#[test]
fn a_prompt_is_what_the_user_said() {
    let ask = Event::Prompt("please run the tools".into());
    let calls = recorded("copilot/hooks-stdin.jsonl");
    let read = |event: &str, said: &serde_json::Value| {
        wire::read(Host::Copilot, said.to_string().as_bytes(), Some(event)).event
    };
    assert!(calls.iter().any(|(event, said)| read(event, said) == ask));
}

#[test]
fn its_conversations_are_read() {
    let session = "c19a57cd-7623-4109-895d-b9f3e04e8743";
    reads(Host::Copilot, "copilot/events.jsonl", session, "please run the tools", 2);
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Copilot, &[".copilot/hooks/memdir.json", ".copilot/mcp-config.json"]);
    assert_eq!(packaged("copilot/memdir.json")["hooks"], written_config(Host::Copilot, 0)["hooks"]);
    assert_eq!(packaged("copilot/mcp-config.json")["mcpServers"], written_config(Host::Copilot, 1)["mcpServers"]);
}
