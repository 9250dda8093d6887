//! The readers on what real clients wrote, and on what nobody should write.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/hosts", name].iter().collect()
}

/// Every message in short: who, whose words, what, which tools.
fn told(messages: &[Message]) -> Vec<String> {
    messages
        .iter()
        .map(|message| {
            let who = match (message.role, message.origin) {
                (Role::User, Origin::Own) => "user",
                (Role::User, Origin::Injected) => "injected",
                (_, Origin::Summary) => "summary",
                (Role::Assistant, _) => "assistant",
                (Role::Tool, _) => "tool",
            };
            let tools: String = message.tool_uses.iter().map(|used| format!(" [{}]", used.name)).collect();
            let text: String = message.text.chars().take(24).collect();
            format!("{who}: {}{tools}", text.replace('\n', " "))
        })
        .collect()
}

fn read_fixture(name: &str) -> (Host, About, Vec<Message>) {
    let path = fixture(name);
    let host = detect(&path).unwrap();
    let (about, messages) = read_all(&path, host, None).unwrap();
    (host, about, messages)
}

/// A temporary transcript.
fn written(content: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

fn of_claude(lines: &[String]) -> (About, Vec<Message>) {
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
fn every_host_is_recognised_by_what_it_wrote() {
    for (name, host) in [
        ("claude-code/transcript.jsonl", Host::ClaudeCode),
        ("claude-code/transcript-compacted.jsonl", Host::ClaudeCode),
        ("claude-code/transcript-subagent.jsonl", Host::ClaudeCode),
        ("codex/rollout.jsonl", Host::Codex),
        ("gemini/session-2026-11-15T06-25-2e65a108.jsonl", Host::Gemini),
        ("copilot/events.jsonl", Host::Copilot),
        ("opencode/export.json", Host::Opencode),
        ("opencode/db-rows.jsonl", Host::Opencode),
        ("qwen/chat.jsonl", Host::Qwen),
        ("goose/session-export.json", Host::Goose),
        ("cline/messages.json", Host::Cline),
        ("aider/chat.history.md", Host::Aider),
    ] {
        assert_eq!(detect(&fixture(name)).unwrap(), host, "{name}");
    }
    assert!(matches!(detect(&fixture("gemini/projects.json")), Err(TranscriptError::Unknown(_))));
    assert!(matches!(detect(&fixture("nothing")), Err(TranscriptError::Io { .. })));
}

#[test]
fn what_was_said_is_the_same_from_every_host() {
    for (name, session, own, tools) in [
        ("codex/rollout.jsonl", "01a1dde0-4ae6-7980-b3e9-f3159e25ddad", "please run the tools", 2),
        (
            "gemini/session-2026-11-15T06-25-2e65a108.jsonl",
            "2e65a108-8303-4421-8dbd-5116f683ca38",
            "please run the tools",
            2,
        ),
        ("copilot/events.jsonl", "c19a57cd-7623-4109-895d-b9f3e04e8743", "please run the tools", 2),
        ("opencode/export.json", "ses_e221bb646ffedXMoubkXMaIrnW", "please run the tools", 2),
        ("opencode/db-rows.jsonl", "ses_e221bb646ffedXMoubkXMaIrnW", "please run the tools", 0),
        ("qwen/chat.jsonl", "3edb46c9-b8d2-4ba0-8ee8-4916e8b6c121", "please run the tools", 1),
        ("goose/session-export.json", "20261115_1", "please run the tools", 1),
        ("cline/messages.json", "1794724481455_9pz12", "please run the tools", 1),
        ("aider/chat.history.md", "chat.history", "hello aider", 0),
    ] {
        let (_, about, messages) = read_fixture(name);
        assert_eq!(about.session.as_deref(), Some(session), "{name}");
        let typed: Vec<&str> = messages.iter().filter(|message| message.is_own()).map(|m| m.text.as_str()).collect();
        assert_eq!(typed, [own], "{name}");
        assert_eq!(messages.iter().map(|message| message.tool_uses.len()).sum::<usize>(), tools, "{name}");
        assert!(messages.iter().all(|message| !message.id.is_empty()), "{name}");
        assert!(messages.iter().any(|message| message.time.is_some()), "{name}");
        for message in messages.iter().filter(|message| message.is_own()) {
            assert!(!message.text.contains("HOOKCTX") && !message.text.contains("AGENTSMD"), "{name}");
        }
    }
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

#[test]
fn codex_tells_a_person_from_a_sub_agent() {
    let say = r#"{"timestamp":"2026-11-15T06:23:47Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"never push"}]}}"#;
    for (source, own) in [("\"cli\"", true), ("{\"subagent\":\"review\"}", false)] {
        let head = format!(
            "{{\"timestamp\":\"\",\"type\":\"session_meta\",\"payload\":{{\"id\":\"s\",\"source\":{source}}}}}"
        );
        let file = written(format!("{head}\n{say}\n{say}\n").as_bytes());
        let (_, messages) = read_all(file.path(), Host::Codex, None).unwrap();
        assert_eq!(messages[0].is_own(), own);
        let (about, after) = read_all(file.path(), Host::Codex, Some(&messages[0].id)).unwrap();
        assert!(about.cursor_found && after.len() == 1 && after[0].is_own() == own);
    }
}

#[test]
fn x3_only_what_follows_the_cursor_is_read() {
    for name in [
        "claude-code/transcript.jsonl",
        "claude-code/transcript-compacted.jsonl",
        "codex/rollout.jsonl",
        "gemini/session-2026-11-15T06-25-2e65a108.jsonl",
        "copilot/events.jsonl",
        "opencode/export.json",
        "opencode/db-rows.jsonl",
        "qwen/chat.jsonl",
        "goose/session-export.json",
        "cline/messages.json",
        "aider/chat.history.md",
    ] {
        let (host, _, messages) = read_fixture(name);
        for (at, message) in messages.iter().enumerate() {
            let rest: Vec<&Message> = messages[at + 1..].iter().skip_while(|next| next.id == message.id).collect();
            let (about, after) = read_all(&fixture(name), host, Some(&message.id)).unwrap();
            assert!(about.cursor_found, "{name} {at}");
            assert_eq!(after.iter().collect::<Vec<_>>(), rest, "{name} {at}");
        }
        let (about, all) = read_all(&fixture(name), host, Some("not-there-any-more")).unwrap();
        assert!(!about.cursor_found && all == messages, "{name}");
    }
}

#[test]
fn reading_stops_when_told_so() {
    for name in
        ["claude-code/transcript.jsonl", "opencode/export.json", "opencode/db-rows.jsonl", "aider/chat.history.md"]
    {
        let path = fixture(name);
        let mut count = 0;
        read(&path, detect(&path).unwrap(), None, &mut |_| {
            count += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(count, 1, "{name}");
    }
}

/// Pieces that transcripts are made of, to be put together wrongly.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\n",
    "\0",
    "null",
    "true",
    "1794724088371",
    "\u{feff}",
    "#### ",
    "> ",
    "<",
    "\"uuid\"",
    "\"parentUuid\"",
    "\"message\"",
    "\"content\"",
    "\"type\":\"user\"",
    "\"type\":\"assistant\"",
    "\"payload\"",
    "\"data\"",
    "\"id\":\"a\"",
    "\"uuid\":\"a\"",
    "\"parts\"",
    "\"messages\":[",
    "\"text\":\"hi\"",
    "\"role\":\"user\"",
    "\"conversation\":[",
    "\"info\":{",
    "\"table\":\"part\"",
    "<system-reminder>",
    "# aider chat started at 2026-11-15 06:36:20",
    "{\"$set\":{}}",
    "\"timestamp\":\"2026-11-15T06:23:46Z\"",
    "你好",
];

fn any_transcript() -> impl Strategy<Value = Vec<u8>> {
    let pieces =
        prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..400), pieces]
}

proptest! {
    #[test]
    fn any_bytes_are_read_by_every_reader(bytes in any_transcript(), since in prop::option::of("[a@0-9]{1,3}")) {
        let file = written(&bytes);
        let _ = detect(file.path());
        for host in Host::ALL {
            let (_, messages) = read_all(file.path(), host, since.as_deref()).unwrap();
            prop_assert!(messages.iter().all(|message| message.text.len() <= crate::limits::MESSAGE_BYTES));
        }
    }

    #[test]
    fn a_torn_end_loses_at_most_the_last_messages(cut in 0usize..30_000) {
        let whole = std::fs::read(fixture("claude-code/transcript.jsonl")).unwrap();
        let (_, all) = read_all(&fixture("claude-code/transcript.jsonl"), Host::ClaudeCode, None).unwrap();
        let file = written(&whole[..cut.min(whole.len())]);
        let (_, some) = read_all(file.path(), Host::ClaudeCode, None).unwrap();
        prop_assert!(all.starts_with(&some));
    }
}
