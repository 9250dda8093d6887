//! Sub-agents behind hooks: their own index at their start, their own directory to write into (G3).

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::git_env;
use super::hooking::hook;
use super::mcp::Host;

fn starts(env: &TestEnv, kind: &str) -> String {
    let said = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "SubagentStart", "agent_id": "a1",
        "agent_type": kind });
    let answer = hook(env, &["claude-code"], said.to_string().as_bytes());
    if answer.is_empty() {
        return answer;
    }
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SubagentStart");
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

#[test]
fn g3_a_sub_agent_gets_the_index_of_its_own_memory_when_it_starts() {
    let env = git_env();
    env.run(&["remember", "The ledger freezes behind the flag kestrel", "--type", "project"]).ok();
    assert_eq!(starts(&env, "reviewer"), "", "it has none");
    assert!(!env.home().join(".claude/agent-memory").exists(), "none is made for it");
    let everywhere = env.home().join(".claude/agent-memory/plug-reviewer");
    let here = env.project().join(".claude/agent-memory/plug-reviewer");
    for (dir, line) in
        [(&everywhere, "- [Tone](tone.md) — be brief"), (&here, "- [Errors](errors.md) — look at them first")]
    {
        std::fs::create_dir_all(dir).unwrap();
        std::fs::write(dir.join("MEMORY.md"), format!("{line}\n")).unwrap();
    }
    let told = starts(&env, "plug:reviewer");
    assert!(told.contains(&format!("Contents of {}", here.join("MEMORY.md").display())), "{told}");
    assert!(told.contains("be brief") && told.contains("look at them first") && !told.contains("kestrel"), "{told}");
    assert_eq!(starts(&env, "writer"), "", "it is another's");
    assert_eq!(starts(&env, "../../x"), "", "a name that leads elsewhere is none");
    // What it does afterwards is not the user's conversation.
    let said = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "UserPromptSubmit", "agent_id": "a1",
        "agent_type": "plug:reviewer", "prompt": "behind which flag does the ledger freeze?" });
    assert_eq!(hook(&env, &["claude-code"], said.to_string().as_bytes()), "");
}

#[test]
fn g3_p8_a_sub_agents_memory_is_written_by_name_and_nothing_else_is() {
    let mut env = git_env();
    env.var("MEMDIR_MODE", "log");
    let saved = env.json(&[
        "remember",
        "Look at error paths before style",
        "--type",
        "feedback",
        "--agent",
        "plug:reviewer",
        "--agent-scope",
        "project",
    ]);
    let dir = env.project().join(".claude/agent-memory/plug-reviewer");
    assert_eq!((&saved["scope"], &saved["action"]), (&json!("agent"), &json!("created")), "{saved}");
    let file = saved["file"].as_str().unwrap();
    assert!(dir.join(file).is_file() && std::fs::read_to_string(dir.join("MEMORY.md")).unwrap().contains(file));
    assert!(starts(&env, "plug:reviewer").contains(file));
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let text = "Findings come with the line they are about";
    let answer = host.call("remember", json!({ "text": text, "type": "feedback", "agent": "plug:reviewer" }));
    assert_eq!(answer["structuredContent"]["scope"], "agent", "{answer}");
    let refused = host.call("remember", json!({ "text": text, "agent": "plug:reviewer", "scope": "team" }));
    assert_eq!(refused["isError"], true, "{refused}");
    let refused = host.call("remember", json!({ "text": text, "agent": "../../elsewhere" }));
    assert_eq!(refused["isError"], true, "{refused}");
    host.end();
    assert!(
        std::fs::read_to_string(env.home().join(".claude/agent-memory/plug-reviewer/MEMORY.md"))
            .unwrap()
            .contains("line they are about")
    );
    // Neither the project's memory nor the user's was touched, and it can be taken back.
    assert!(!env.memory_files().iter().any(|file| file.ends_with(".md")), "{:?}", env.memory_files());
    assert!(!env.home().join(".claude/memory").exists());
    env.run(&["undo", "--memory-dir", dir.to_str().unwrap()]).ok();
    assert!(!dir.join(file).exists());
    env.run(&["remember", "x y z", "--agent", "a/../../b"]).fails(1);
}
