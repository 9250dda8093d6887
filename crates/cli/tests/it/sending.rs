//! The user's own agent as the driver: run headless, confined, checked, and put right when memdir dies.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::env;
use super::extracting::Transcript;

/// Must be in no process list and no file of ours.
const KEY: &str = "sent-key-7f3ac0ffee";

/// A machine where this agent is installed and was agreed to.
fn stage(agent: &str) -> TestEnv {
    let mut env = env();
    let bin = env.home().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(memdir_testkit::binary("fake-agent"), bin.join(agent)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let log = env.home().join("agent.json").display().to_string();
    env.var("PATH", &path)
        .var("MEMDIR_MODEL_DRIVER", "command")
        .var("MEMDIR_MODEL_CONSENT", "1")
        .var("MEMDIR_NO_BACKGROUND", "1")
        .var("ANTHROPIC_API_KEY", KEY)
        .var("FAKE_AGENT_LOG", &log);
    env.run(&["remember", "The ledger freezes its branch on Thursday", "--type", "project", "--name", "ledger freeze"])
        .ok();
    env
}

fn boards() -> String {
    "---\nname: boards\ndescription: where the latency boards are\ntype: reference\n---\n\nLatency boards are in the Grafana folder Checkout.\n".to_owned()
}

/// How Claude Code writes a file.
fn write(path: impl AsRef<Path>, content: &str) -> Value {
    write_by("claude", path, content)
}

/// How each agent writes one with its own tools.
fn write_by(agent: &str, path: impl AsRef<Path>, content: &str) -> Value {
    let path = path.as_ref().display().to_string();
    let named = |tool: &str| json!({ "tool": tool, "input": { "file_path": path, "content": content } });
    match agent {
        "claude" => named("Write"),
        "codex" => {
            let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
            let step = if content.is_empty() { "Delete" } else { "Add" };
            let patch = format!("*** Begin Patch\n*** {step} File: {path}\n{lines}*** End Patch\n");
            json!({ "tool": "apply_patch", "input": { "command": patch } })
        }
        _ => named("write_file"),
    }
}

/// How each agent runs a command; Claude Code and Codex call it the same.
fn bash_by(agent: &str, command: &str) -> Value {
    let tool = if matches!(agent, "claude" | "codex") { "Bash" } else { "run_shell_command" };
    json!({ "tool": tool, "input": { "command": command } })
}

fn log(env: &TestEnv) -> Value {
    serde_json::from_slice(&std::fs::read(env.home().join("agent.json")).unwrap()).unwrap()
}

#[test]
fn x6_d4_an_agent_on_an_errand_asks_before_each_tool_and_what_it_saves_is_checked() {
    for agent in ["claude", "codex", "gemini", "qwen"] {
        let mut env = stage(agent);
        let evil = env.project().join("evil.md");
        let does = json!([
            write_by(agent, &evil, "x"),
            write_by(agent, env.memory().join("script.sh"), "x"),
            bash_by(agent, &format!("touch {}", evil.display())),
            write_by(agent, env.memory().join("reference_boards.md"), &boards()),
        ]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        let dreamt = env.json(&["--yes", "dream", "--force"]);
        assert_eq!(dreamt["ran"], true, "{agent}");
        // The fake agent holds itself to nothing but our hook.
        assert_eq!(log(&env)["denied"], 3, "{agent}");
        assert!(!evil.exists() && !env.memory().join("script.sh").exists(), "{agent}");
        assert_eq!(env.read_memory("reference_boards.md"), boards(), "{agent}");
        assert!(env.read_memory("MEMORY.md").contains("(reference_boards.md)"), "{agent}");
        let last = &env.json(&["history"])["changes"][0];
        assert_eq!(last["actor"], "dream", "{agent}");
        // One undo takes all of it back.
        env.run(&["undo", dreamt["change"].as_str().unwrap()]).ok();
        assert!(!env.memory_files().contains(&"reference_boards.md".to_owned()), "{agent}");
        let status = env.json(&["status"]);
        assert_eq!((&status["model"]["driver"], &status["model"]["calls_today"]), (&json!("command"), &json!(1)));
    }
}

#[test]
fn x1_the_users_own_agent_learns_from_a_conversation_and_what_it_saves_must_have_been_said() {
    for agent in ["claude", "codex", "gemini", "qwen"] {
        let mut env = stage(agent);
        let mut talk = Transcript::new(&env, "s1");
        talk.user("Why is the checkout slow today?");
        talk.assistant("I do not know where the latencies are shown.");
        talk.user("The latency boards are in the Grafana folder Checkout, look there first when checkout is slow.");
        let unsaid = boards().replace("boards", "runbooks").replace("Grafana folder Checkout", "wiki space Ops");
        let does = json!([
            write_by(agent, env.memory().join("reference_boards.md"), &boards()),
            write_by(agent, env.memory().join("reference_runbooks.md"), &unsaid),
            write_by(agent, env.project().join("evil.md"), "x"),
        ]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        let done = env.json(&["extract", talk.path()]);
        assert_eq!((&done["engine"], &done["reason"]), (&json!("model"), &json!(null)), "{agent}: {done}");
        let files = env.memory_files();
        assert!(files.contains(&"reference_boards.md".to_owned()), "{agent}: {done}");
        assert!(!files.contains(&"reference_runbooks.md".to_owned()), "{agent}: {done}");
        assert_eq!(done["turned_down"][0]["rule"], "support", "{agent}: {done}");
        let change = done["saved"].as_array().unwrap().iter().find(|saved| saved["file"] == "reference_boards.md");
        assert_eq!(env.json(&["history"])["changes"][0]["actor"], "extract", "{agent}");
        env.run(&["undo", change.unwrap()["change"].as_str().unwrap()]).ok();
        assert!(!env.memory_files().contains(&"reference_boards.md".to_owned()), "{agent}");
        assert_eq!(env.json(&["status"])["gates"]["extract"]["reason"], "model", "{agent}");
    }
}

#[test]
fn neither_the_key_nor_the_conversation_is_in_a_process_list() {
    for agent in ["claude", "codex", "gemini", "qwen"] {
        let env = stage(agent);
        env.run(&["dream", "--force"]).ok();
        let log = log(&env);
        let line = log["argv"].to_string();
        assert!(!line.contains(KEY) && !line.contains("Thursday") && !line.contains("MEMORY.md"), "{agent}: {line}");
        assert!(log["stdin"].as_str().unwrap().contains("MEMORY.md"), "{agent}");
        assert_eq!(log["inside"], "1", "{agent}");
    }
}

#[test]
fn every_agents_work_is_checked_whatever_its_own_flags_allow() {
    for agent in ["codex", "gemini", "qwen"] {
        let mut env = stage(agent);
        let before = env.read_memory("project_ledger_freeze.md");
        let secret = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4");
        let key = format!(
            "---\nname: deploys\ndescription: how a release goes out\ntype: reference\n---\n\nDeploy with {secret}.\n"
        );
        let does = json!([
            write_by(agent, env.memory().join("reference_boards.md"), &boards()),
            write_by(agent, env.memory().join("reference_key.md"), &key),
        ]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        // A dream lands whole or not at all.
        env.run(&["dream", "--force"]).fails(1).says("nothing was changed");
        assert!(!env.memory_files().iter().any(|file| file.starts_with("reference_")), "{agent}");
        // What loses too much waits for a person.
        let does = json!([write_by(agent, env.memory().join("project_ledger_freeze.md"), "")]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        env.run(&["dream", "--force"]).ok().prints("waits for your yes");
        assert_eq!(env.read_memory("project_ledger_freeze.md"), before, "{agent}");
        let does = json!([write_by(agent, env.memory().join("reference_boards.md"), &boards())]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        env.run(&["--yes", "dream", "--force"]).ok();
        assert_eq!(env.read_memory("reference_boards.md"), boards(), "{agent}");
    }
}

#[test]
fn a_memdir_that_is_killed_meanwhile_leaves_nothing_unchecked() {
    let mut env = stage("claude");
    let does = json!([write(env.memory().join("half.md"), "never checked")]);
    env.var("FAKE_AGENT_DOES", &does.to_string()).var("FAKE_AGENT_MODE", "hang");
    let mut memdir = env.command(&["dream", "--force"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let half = env.memory().join("half.md");
    let until = Instant::now() + Duration::from_mins(1);
    while !half.exists() {
        assert!(Instant::now() < until, "the agent never wrote");
        std::thread::sleep(Duration::from_millis(10));
    }
    memdir.kill().unwrap();
    memdir.wait().unwrap();
    // The agent lives on and asks: nobody would check what it writes.
    let gate = |args: &[String], terms: &str| {
        use std::io::Write as _;
        let mut command = env.command(args);
        command.env("MEMDIR_ERRAND", terms);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let asked = json!({ "tool_name": "Write", "tool_input": { "file_path": half, "content": "x" } });
        child.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let log = log(&env);
    let argv = log["argv"].as_array().unwrap();
    let at = argv.iter().position(|arg| arg == "--settings").unwrap();
    let settings: Value = serde_json::from_str(argv[at + 1].as_str().unwrap()).unwrap();
    let args = settings["hooks"]["PreToolUse"][0]["hooks"][0]["args"].as_array().unwrap();
    let args: Vec<String> = args.iter().map(|arg| arg.as_str().unwrap().to_owned()).collect();
    assert!(gate(&args, log["errand"].as_str().unwrap()).contains("has ended"));
    for pid in [&log["pid"], &log["child"]] {
        let pid = rustix::process::Pid::from_raw(i32::try_from(pid.as_i64().unwrap()).unwrap()).unwrap();
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    env.var("FAKE_AGENT_DOES", "[]").var("FAKE_AGENT_MODE", "answer");
    env.run(&["dream", "--force"]).ok();
    assert_eq!(env.memory_files(), [".consolidate-lock", "MEMORY.md", "project_ledger_freeze.md"]);
}

#[test]
fn the_gate_denies_what_it_does_not_understand() {
    let env = env();
    env.run(&["gate"]).fails(2);
    env.run(&["gate", "somebody"]).fails(2);
    for agent in ["claude", "codex", "qwen"] {
        let run = env.run(&["gate", agent]).ok();
        assert_eq!(run.json()["hookSpecificOutput"]["permissionDecision"], "deny", "{agent}");
    }
    assert_eq!(env.run(&["gate", "gemini"]).ok().json()["decision"], "deny");
}

/// A conversation, and notes of it that say one thing.
fn noted(env: &mut TestEnv) -> (Transcript, std::path::PathBuf) {
    let mut talk = Transcript::new(env, "s1");
    talk.user("Make the parser accept files with CRLF line endings.");
    talk.assistant("Done, 44 tests pass.");
    env.var("MEMDIR_OFFLINE", "1");
    let notes = env.json(&["notes", "update", talk.path()]);
    assert_eq!((&notes["engine"], &notes["reason"]), (&json!("offline"), &json!("offline")));
    env.var("MEMDIR_OFFLINE", "");
    let path = std::path::PathBuf::from(notes["path"].as_str().unwrap());
    (talk, path)
}

fn edit_by(agent: &str, path: &Path, old: &str, new: &str) -> Value {
    let input = json!({ "file_path": path.display().to_string(), "old_string": old, "new_string": new });
    let tool = match agent {
        "claude" => "Edit",
        "gemini" => "replace",
        "qwen" => "edit",
        _ => {
            let patch = format!(
                "*** Begin Patch\n*** Update File: {}\n@@\n-{old}\n+{}\n*** End Patch\n",
                path.display(),
                new.replace('\n', "\n+")
            );
            return json!({ "tool": "apply_patch", "input": { "command": patch } });
        }
    };
    json!({ "tool": tool, "input": input })
}

#[test]
fn s3_the_users_own_agent_writes_notes_below_the_lines_and_in_no_other_file() {
    for agent in ["claude", "codex", "gemini", "qwen"] {
        let mut env = stage(agent);
        let (talk, path) = noted(&mut env);
        let standing = std::fs::read_to_string(&path).unwrap();
        let line = standing.lines().find(|line| line.starts_with("_What worked")).unwrap().to_owned();
        let memory = env.memory().join("project_ledger_freeze.md");
        let kept = env.read_memory("project_ledger_freeze.md");
        let does = json!([
            edit_by(agent, &path, &line, &format!("{line}\n\nCRLF needs a test of its own.")),
            write_by(agent, path.with_file_name("other.md"), "x"),
            edit_by(agent, &memory, "Thursday", "Friday"),
        ]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        let made = env.json(&["notes", "update", talk.path()]);
        assert_eq!((&made["engine"], &made["reason"]), (&json!("model"), &json!(null)), "{agent}: {made}");
        assert!(made["text"].as_str().unwrap().contains("CRLF needs a test of its own."), "{agent}: {made}");
        assert!(!path.with_file_name("other.md").exists(), "{agent}");
        assert_eq!(
            (log(&env)["denied"].as_u64(), env.read_memory("project_ledger_freeze.md")),
            (Some(2), kept),
            "{agent}"
        );
        assert!(log(&env)["stdin"].as_str().unwrap().contains("CRLF line endings"), "{agent}");
        // The frame stays: headings, and what belongs below each.
        let standing = std::fs::read_to_string(&path).unwrap();
        for (old, new) in [("# Learnings", "# Lessons"), (line.as_str(), "_Anything._")] {
            env.var("FAKE_AGENT_DOES", &json!([edit_by(agent, &path, old, new)]).to_string());
            let run = env.json(&["notes", "update", talk.path()]);
            assert_eq!(run["engine"], "offline", "{agent}: {run}");
            assert!(run["reason"].as_str().unwrap().contains("the notes stay as they were"), "{agent}: {run}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), standing, "{agent} {old}");
        }
    }
}

#[test]
fn s3_an_interrupted_update_leaves_the_notes_as_they_were() {
    let mut env = stage("claude");
    let (talk, path) = noted(&mut env);
    let standing = std::fs::read_to_string(&path).unwrap();
    let does = json!([edit_by("claude", &path, "# Worklog", "# Worklog\n\nhalf of it")]);
    env.var("FAKE_AGENT_DOES", &does.to_string()).var("FAKE_AGENT_MODE", "hang");
    let mut memdir = env.command(&["notes", "update", talk.path()]);
    let memdir = memdir.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_mins(1);
    while std::fs::read_to_string(&path).is_ok_and(|text| text == standing) {
        assert!(Instant::now() < until, "the agent never wrote");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(memdir.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ended = memdir.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && said.contains("the notes stay as they were"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), standing);
    // The agent is gone with it.
    let until = Instant::now() + Duration::from_mins(1);
    for pid in ["pid", "child"] {
        let stat = format!("/proc/{}/stat", log(&env)[pid].as_i64().unwrap());
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
            assert!(Instant::now() < until, "the agent is still there");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn an_agent_over_its_tokens_is_ended_and_the_dream_changes_nothing() {
    let mut env = stage("claude");
    let does = json!([write(env.memory().join("reference_boards.md"), &boards())]);
    env.var("FAKE_AGENT_DOES", &does.to_string()).var("FAKE_AGENT_MODE", "spend").var("FAKE_AGENT_SPENDS", "90000000");
    env.run(&["dream", "--force"]).fails(1).says("cut-at-tokens");
    assert!(!env.memory_files().contains(&"reference_boards.md".to_owned()));
    assert!(
        env.json(&["status"])["model"]["spent_today"].as_u64().unwrap() > 90_000_000,
        "it is paid for all the same"
    );
}

#[test]
fn s6_own_texts_for_notes_are_filled_once_and_their_values_never_again() {
    let mut env = stage("claude");
    let config = env.home().join(".claude/session-memory/config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("template.md"), "# Mine\n_All of it: {{notesPath}}_\n").unwrap();
    std::fs::write(config.join("prompt.md"), "Edit {{notesPath}} now. It says: {{currentNotes}} {{else}}").unwrap();
    let (talk, path) = noted(&mut env);
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("# Mine\n"), "the user's own template");
    let line = "_All of it: {{notesPath}}_";
    env.var("FAKE_AGENT_DOES", &json!([edit_by("claude", &path, line, &format!("{line}\n\nDone."))]).to_string());
    env.run(&["notes", "update", talk.path()]).ok();
    let asked = log(&env)["stdin"].as_str().unwrap().to_owned();
    assert!(asked.contains(&format!("Edit {} now. It says: # Mine", path.display())), "{asked}");
    assert!(asked.contains(line) && asked.contains("{{else}}"), "values are not expanded again: {asked}");
}
