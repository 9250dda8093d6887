//! Codex: recordings of the real client.

use serde_json::json;

use crate::event::Event;
use crate::install::{Machine, plan};
use crate::testing::{Home, packaged, read_all, reads, understands, wires, written, written_config};
use crate::{Host, wire};

#[test]
fn its_hooks_are_understood() {
    let kinds = ["session-start", "ignored", "prompt", "before-tool", "after-tool", "turn-end"];
    understands(Host::Codex, "codex/hooks-stdin.jsonl", &kinds);
}

#[test]
fn its_own_memory_agent_is_left_alone() {
    let said = json!({ "hook_event_name": "UserPromptSubmit", "prompt": "write memories", "transcript_path": null,
        "cwd": "/home/me/.codex/memories", "session_id": "s" });
    let read = |said: &serde_json::Value| wire::read(Host::Codex, said.to_string().as_bytes(), None).event;
    assert_eq!(read(&said), Event::Ignored("it is the host's own memory agent"));
    let mut helper = said.clone();
    helper["agent_id"] = json!("a1");
    assert_eq!(read(&helper), Event::Ignored("it is a sub-agent's"));
    let mut persons = said;
    persons["transcript_path"] = json!("/home/me/.codex/sessions/x.jsonl");
    assert_eq!(read(&persons), Event::Prompt("write memories".into()));
}

#[test]
fn its_conversations_are_read() {
    let session = "01a1dde0-4ae6-7980-b3e9-f3159e25ddad";
    reads(Host::Codex, "codex/rollout.jsonl", session, "please run the tools", 2);
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
fn what_is_written_into_its_configuration() {
    wires(Host::Codex, &[".codex/hooks.json", ".codex/config.toml"]);
    assert_eq!(packaged("codex/hooks/hooks.json")["hooks"], written_config(Host::Codex, 0)["hooks"]);
    // The package brings the plain server: a plugin's is waited for as long as Codex likes.
    let server = json!({ "memdir": { "command": "memdir", "args": ["mcp", "--hooked"] } });
    assert_eq!(packaged("codex/.mcp.json")["mcpServers"], server);
}

#[test]
fn it_passes_on_what_decides_where_memory_is() {
    let home = Home::with(&[]);
    home.on(|machine| {
        let mut around = machine.around.clone();
        around.vars.insert("CLAUDE_CONFIG_DIR".into(), "/x".into());
        let plan = plan(&Machine { around: &around, ..*machine }, Host::Codex).unwrap();
        let text = String::from_utf8(plan.changes[1].after.clone().unwrap()).unwrap();
        assert!(text.contains("env_vars = [\"CLAUDE_CONFIG_DIR\"]"), "{text}");
    });
}
