//! On or off: the first rule that speaks wins, and `status` names it (E1–E4); the gates (Z3).

use memdir_testkit::TestEnv;
use serde_json::json;

use super::extracting::Transcript;
use super::hooking::hook;
use super::{env, git_env};

/// Whether memory is on, and the rule; saving must agree.
fn switch(env: &TestEnv, flags: &[&str]) -> (bool, String) {
    let memory = env.json(&[flags, &["status"]].concat())["memory"].clone();
    let on = memory["enabled"].as_bool().unwrap();
    let saved = env.run(&[flags, &["remember", "Use UTC everywhere", "--type", "feedback"]].concat());
    assert_eq!(saved.code == Some(0), on, "{saved}");
    (on, memory["enabled_rule"].as_str().unwrap().to_owned())
}

fn project_settings(env: &TestEnv, name: &str, text: &str) {
    std::fs::create_dir_all(env.project().join(".claude")).unwrap();
    std::fs::write(env.project().join(".claude").join(name), text).unwrap();
}

#[test]
fn e1_the_variable_switches_off_whatever_else_says() {
    let mut env = git_env();
    project_settings(&env, "settings.local.json", r#"{"autoMemoryEnabled":true}"#);
    for (word, want) in
        [("1", (false, "disable-variable")), ("yes", (false, "disable-variable")), ("2", (true, "setting:local"))]
    {
        env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", word);
        let (on, rule) = switch(&env, &[]);
        assert_eq!((on, rule.as_str()), want, "{word}");
    }
    // A word that means nothing is said to mean nothing.
    assert!(env.json(&["status"])["warnings"].to_string().contains("odd-word"));
}

#[test]
fn e2_bare_mode_is_off_and_a_no_to_disabling_is_on() {
    let mut env = env();
    assert_eq!(switch(&env, &["--bare"]), (false, "bare".into()));
    env.var("CLAUDE_CODE_SIMPLE", "1");
    assert_eq!(switch(&env, &[]), (false, "bare".into()));
    // Bare goes before the no.
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0");
    assert_eq!(switch(&env, &[]), (false, "bare".into()));
    env.var("CLAUDE_CODE_SIMPLE", "0");
    project_settings(&env, "settings.json", r#"{"autoMemoryEnabled":false}"#);
    assert_eq!(switch(&env, &[]), (true, "enable-variable".into()));
}

#[test]
fn e3_a_remote_session_needs_a_directory() {
    let mut env = env();
    env.var("CLAUDE_CODE_REMOTE", "1");
    assert_eq!(switch(&env, &[]), (false, "remote-without-directory".into()));
    let remote = env.home().join("mnt/remote");
    env.var("CLAUDE_CODE_REMOTE_MEMORY_DIR", remote.to_str().unwrap());
    assert_eq!(switch(&env, &[]), (true, "default".into()));
    assert!(env.memory().starts_with(&remote) && env.memory().join("MEMORY.md").is_file());
    assert!(!env.home().join(".claude/projects").exists());
}

#[test]
fn e4_a_committed_file_switches_off_and_never_on() {
    let env = git_env();
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    std::fs::write(env.home().join(".claude/settings.json"), r#"{"autoMemoryEnabled":false}"#).unwrap();
    assert_eq!(switch(&env, &[]), (false, "setting:user".into()));
    project_settings(&env, "settings.json", r#"{"autoMemoryEnabled":true}"#);
    assert_eq!(switch(&env, &[]), (false, "setting:user".into()));
    // The user's own file of this project may, as long as it is the user's.
    project_settings(&env, "settings.local.json", r#"{"autoMemoryEnabled":true}"#);
    assert_eq!(switch(&env, &[]), (true, "setting:local".into()));
    env.git(&env.project(), &["add", "-f", ".claude/settings.local.json"]);
    assert_eq!(switch(&env, &[]), (false, "setting:user".into()));
    std::fs::write(env.home().join(".claude/settings.json"), r#"{"autoMemoryEnabled":true}"#).unwrap();
    project_settings(&env, "settings.json", r#"{"autoMemoryEnabled":false}"#);
    assert_eq!(switch(&env, &[]), (false, "setting:project".into()));
}

/// Off is off behind hooks as well: nothing is said, read, learned, logged, dreamt or noted.
#[test]
fn e5_when_off_no_hook_says_a_word_and_nothing_runs() {
    let mut env = git_env();
    env.run(&["remember", "The ledger freezes behind the flag kestrel", "--type", "project", "--name", "ledger"]).ok();
    env.run(&["refresh"]).ok();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on never deploy on a friday, the on-call is too thin then");
    talk.assistant(&"word ".repeat(12_000));
    let all = |env: &TestEnv| -> Vec<String> {
        let said = |event: &str| {
            json!({ "session_id": "s1", "cwd": env.project(), "transcript_path": talk.path(), "hook_event_name": event,
                "source": "startup", "prompt": "behind which flag does the ledger freeze?", "tool_name": "Bash",
                "tool_input": { "command": "ledger freeze" }, "tool_response": {}, "agent_type": "qa", "trigger": "auto" })
        };
        let events =
            ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "Stop", "PreCompact"];
        events.map(|event| hook(env, &["claude-code"], said(event).to_string().as_bytes())).to_vec()
    };
    let before = env.memory_files();
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert_eq!(all(&env), [""; 7]);
    for call in env.json(&["status", "--hooks"])["hooks"].as_array().unwrap() {
        assert!(call["reason"].as_str().unwrap().contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY"), "{call}");
    }
    env.run(&["work"]).ok();
    for args in [&["log", "add", "the crane was inspected"][..], &["dream", "--force"], &["extract", talk.path()]] {
        env.run(args).fails(1).says("CLAUDE_CODE_DISABLE_AUTO_MEMORY");
    }
    assert_eq!(env.memory_files(), before);
    assert!(!std::path::Path::new(talk.path()).with_extension("").exists(), "no notes either");
    // The same with memory on, so that it is the switch.
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "");
    assert!(all(&env)[1].contains("kestrel"));
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
}

#[test]
fn z3_gates_are_other_names_of_settings() {
    let mut env = env();
    for (gate, key, value) in [
        ("tengu_moth_copse=true", "index.required", json!(false)),
        ("tengu_coral_fern=false", "search.section", json!(false)),
        ("tengu_passport_quail=false", "extract.enabled", json!(false)),
        ("EXTRACT_MEMORIES=0", "extract.enabled", json!(false)),
        ("tengu_slate_thimble=false", "extract.non_interactive", json!(false)),
        ("tengu_bramble_lintel=7", "extract.every_turns", json!(7)),
        ("tengu_session_memory=false", "notes.enabled", json!(false)),
        ("KAIROS=1", "mode", json!("log")),
        ("TEAMMEM=1", "mode", json!("team")),
    ] {
        env.var("MEMDIR_GATES", gate);
        let row = env.json(&["settings", key])["settings"][0].clone();
        assert_eq!((&row["value"], &row["source"]), (&value, &json!("gates")), "{gate}: {row}");
        assert_ne!(row["value"], row["default"], "{gate}");
    }
    env.var("MEMDIR_RECALL_ENABLED", "").var("MEMDIR_GATES", "tengu_moth_copse=true");
    assert_eq!(env.json(&["settings", "recall.enabled"])["settings"][0]["value"], true);
    env.var("MEMDIR_GATES", "tengu_bramble_lintel=4,KAIROS=true,TEAMMEM=true,tengu_moth_corpse=1");
    let value = |key: &str| env.json(&["settings", key])["settings"][0].clone();
    assert_eq!(
        (&value("extract.every_turns")["value"], &value("extract.every_turns")["source"]),
        (&4.into(), &"gates".into())
    );
    assert_eq!(value("mode")["value"], "log");
    assert!(env.json(&["settings"])["warnings"].to_string().contains("did you mean `tengu_moth_copse`?"));
    // The gate is heeded, not only listed: in log mode the manual teaches logs.
    env.run(&["context", "--part", "manual"]).ok().prints("logs/YYYY/MM/YYYY-MM-DD.md");
}
