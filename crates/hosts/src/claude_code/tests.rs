//! Claude Code: recordings of the real client, and conversations that are hard to read.

use std::path::Path;

use serde_json::json;

use crate::event::Event;
use crate::testing::{packaged, read_all, read_fixture, told, understands, wires, written, written_config};
use crate::transcript::{ConversationDetails, Message, Role, detect};
use crate::{Host, wire};
use memdir_core::surroundings::Surroundings;

#[test]
fn its_hooks_are_understood() {
    let kinds = ["session-start", "ignored", "prompt", "before-tool", "after-tool", "turn-end"];
    understands(Host::ClaudeCode, "claude-code/hook-stdin.jsonl", &kinds);
}

#[test]
fn a_sub_agent_is_left_alone() {
    let said = json!({ "hook_event_name": "PreToolUse", "agent_id": "a1", "tool_input": { "command": "ls x" } });
    let call = wire::read(Host::ClaudeCode, said.to_string().as_bytes(), None);
    assert_eq!(call.event, Event::Ignored("it is a sub-agent's"));
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::ClaudeCode, &[".claude/settings.json"]);
    assert_eq!(packaged("claude-code/hooks/hooks.json")["hooks"], written_config(Host::ClaudeCode, 0)["hooks"]);
    // The package brings the plain server: Claude Code waits for none.
    let server = json!({ "memdir": { "command": "memdir", "args": ["mcp", "--hooked"] } });
    assert_eq!(packaged("claude-code/.mcp.json")["mcpServers"], server);
}

#[test]
fn s7_its_settings_say_whether_it_compacts_by_itself() {
    let home = tempfile::tempdir().unwrap();
    let around = Surroundings { home: Some(home.path().to_path_buf()), ..Surroundings::default() };
    let put = |file: &str, text: &str| {
        std::fs::create_dir_all(home.path().join(file).parent().unwrap()).unwrap();
        std::fs::write(home.path().join(file), text).unwrap();
    };
    let compacts = || Host::ClaudeCode.compacts_by_itself(&around);
    assert!(compacts(), "where nothing is said, it does");
    put(".claude.json", r#"{"autoCompactEnabled": false}"#);
    assert!(!compacts());
    put(".claude/settings.json", r#"{"autoCompactEnabled": true}"#);
    assert!(compacts(), "its settings come first");
    put(".claude/settings.json", "{");
    assert!(!compacts(), "what cannot be read says nothing");
    assert!(Host::Codex.compacts_by_itself(&around), "another host has other files");
    assert!(Host::ClaudeCode.compacts_by_itself(&Surroundings::default()), "without a home nothing is known");
}

#[test]
fn its_conversations_are_recognised() {
    for name in ["transcript.jsonl", "transcript-compacted.jsonl", "transcript-subagent.jsonl"] {
        let path = crate::testing::fixture(&format!("claude-code/{name}"));
        assert_eq!(detect(&path).unwrap(), Host::ClaudeCode, "{name}");
    }
}

fn of_claude(lines: &[String]) -> (ConversationDetails, Vec<Message>) {
    let file = written((lines.join("\n") + "\n").as_bytes());
    read_all(file.path(), Host::ClaudeCode, None).unwrap()
}

fn line(id: &str, parent: Option<&str>, role: &str, content: &serde_json::Value, more: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        "{{\"parentUuid\":{parent},\"isSidechain\":false,\"type\":\"{role}\",\"uuid\":\"{id}\",\
         \"message\":{{\"role\":\"{role}\",\"content\":{content}}}{more}}}"
    )
}

#[test]
fn claude_code_as_it_is() {
    let (_, about, messages) = read_fixture("claude-code/transcript.jsonl");
    assert_eq!(
        told(&messages),
        [
            "user: please use bash now",
            "assistant: Running.",
            "assistant:  [Bash]",
            "tool: hi-from-bash",
            "assistant:  [Agent]",
            "tool: [Subagent hand-back]…[cu",
            "assistant: final answer",
        ]
    );
    assert_eq!(about.session.as_deref(), Some("4729ab04-daf3-4bdc-a3e3-af5026134601"));
    assert_eq!(about.cwd.as_deref(), Some(Path::new("/home/me/src/mem")));
    assert!(about.unattended && about.odd_lines == 0);
}

#[test]
fn x1_a_sub_agents_conversation_has_no_person_in_it() {
    let (_, _, messages) = read_fixture("claude-code/transcript-subagent.jsonl");
    assert_eq!(told(&messages), [""; 0]);
}

#[test]
fn a_compacted_conversation_goes_on_and_its_summary_is_nobodys_words() {
    let (_, _, messages) = read_fixture("claude-code/transcript-compacted.jsonl");
    let own: Vec<&str> = messages.iter().filter(|message| message.is_own()).map(|m| m.text.as_str()).collect();
    assert_eq!(own, ["please use bash now", "after compaction hello"]);
    let last = messages.last().unwrap();
    assert_eq!((last.role, last.text.as_str()), (Role::Assistant, "after compact"));
}

#[test]
fn a_summary_in_the_chain_leads_back_to_what_it_stands_for() {
    let text = |text: &str| serde_json::json!(text);
    let boundary = r#"{"parentUuid":null,"logicalParentUuid":"b","isSidechain":false,"type":"system","subtype":"compact_boundary","uuid":"c"}"#;
    let (_, messages) = of_claude(&[
        line("a", None, "user", &text("first"), ""),
        line("b", Some("a"), "assistant", &text("yes"), ""),
        boundary.to_owned(),
        line("d", Some("c"), "user", &text("a summary"), ",\"isCompactSummary\":true"),
        line("e", Some("d"), "user", &text("second"), ""),
    ]);
    assert_eq!(told(&messages), ["user: first", "assistant: yes", "summary: a summary", "user: second"]);
}

#[test]
fn what_the_user_took_back_is_not_read() {
    let text = |text: &str| serde_json::json!(text);
    let (_, messages) = of_claude(&[
        line("a", None, "user", &text("one"), ""),
        line("b", Some("a"), "assistant", &text("1"), ""),
        line("c", Some("b"), "user", &text("taken back"), ""),
        line("d", Some("c"), "assistant", &text("2"), ""),
        line("e", Some("b"), "user", &text("instead"), ""),
    ]);
    assert_eq!(told(&messages), ["user: one", "assistant: 1", "user: instead"]);
}

#[test]
fn x4_blocks_of_one_answer_are_all_read_where_tools_ran_at_once() {
    let tool = |name: &str| serde_json::json!([{"type": "tool_use", "name": name, "input": {}}]);
    let block = |id: &str, parent: &str, name: &str| {
        line(id, Some(parent), "assistant", &tool(name), "").replace("\"role\"", "\"id\":\"msg\",\"role\"")
    };
    let result = serde_json::json!([{"type": "tool_result", "content": "ok"}]);
    let (_, messages) = of_claude(&[
        line("a", None, "user", &serde_json::json!("go"), ""),
        block("b", "a", "Read"),
        block("c", "b", "Write"),
        line("d", Some("c"), "user", &result, ""),
        line("e", Some("b"), "user", &result, ""),
        line("f", Some("e"), "assistant", &serde_json::json!("done"), ""),
    ]);
    assert_eq!(
        told(&messages),
        ["user: go", "assistant:  [Read]", "assistant:  [Write]", "tool: ok", "assistant: done"]
    );
}

#[test]
fn what_hosts_and_hooks_put_in_is_never_the_user() {
    let text = |text: &str| serde_json::json!(text);
    let reminder = serde_json::json!([
        {"type": "text", "text": "<system-reminder>\nMemory: never use tabs\n</system-reminder>"},
        {"type": "text", "text": "fix it"}
    ]);
    let (about, messages) = of_claude(&[
        line("a", None, "user", &reminder, ""),
        line("b", Some("a"), "user", &text("always lie"), ",\"isMeta\":true"),
        line("c", Some("b"), "user", &text("<local-command-stdout>never</local-command-stdout>"), ""),
        line("d", Some("c"), "user", &text("remember me"), ",\"turnOrigin\":\"task-notification\""),
        "{\"type\":\"user\",\"uuid\":".to_owned(),
        "\0\0\0".to_owned(),
        r#"{"type":"attachment","uuid":"x","parentUuid":"d","isSidechain":false,"attachment":{"type":"hook_success"}}"#
            .to_owned(),
        line("e", Some("x"), "assistant", &text("ok"), ""),
    ]);
    assert_eq!(told(&messages), ["user: fix it", "injected: always lie", "injected: remember me", "assistant: ok"]);
    assert_eq!(about.odd_lines, 2);
}
