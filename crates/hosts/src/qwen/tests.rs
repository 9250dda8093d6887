//! Qwen Code: recordings of the real client.

use crate::event::Event;
use crate::testing::{packaged, reads, recorded, understands, wires, written_config};
use crate::{Host, wire};

#[test]
fn its_hooks_are_understood() {
    let kinds = ["session-start", "ignored", "prompt", "before-tool", "after-tool", "turn-end"];
    understands(Host::Qwen, "qwen/hooks-stdin.jsonl", &kinds);
}

#[test]
fn a_prompt_is_what_the_user_said() {
    let ask = Event::Prompt("please run the tools".into());
    let read = |said: &serde_json::Value| wire::read(Host::Qwen, said.to_string().as_bytes(), None).event;
    assert!(recorded("qwen/hooks-stdin.jsonl").iter().any(|(_, said)| read(said) == ask));
}

#[test]
fn its_conversations_are_read() {
    reads(Host::Qwen, "qwen/chat.jsonl", "3edb46c9-b8d2-4ba0-8ee8-4916e8b6c121", "please run the tools", 1);
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Qwen, &[".qwen/settings.json"]);
    let (packaged, written) = (packaged("qwen/settings.json"), written_config(Host::Qwen, 0));
    assert_eq!((&packaged["hooks"], &packaged["mcpServers"]), (&written["hooks"], &written["mcpServers"]));
}
