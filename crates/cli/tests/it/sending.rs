//! The user's own agent as the driver: sent on an errand, confined, checked, and put right when memdir dies.

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

fn write(path: impl AsRef<Path>, content: &str) -> Value {
    json!({ "tool": "Write", "input": { "file_path": path.as_ref().display().to_string(), "content": content } })
}

fn log(env: &TestEnv) -> Value {
    serde_json::from_slice(&std::fs::read(env.home().join("agent.json")).unwrap()).unwrap()
}

#[test]
fn x6_an_agent_on_an_errand_asks_before_each_tool_and_what_it_saves_is_checked() {
    let mut env = stage("claude");
    let evil = env.project().join("evil.md");
    let does = json!([
        write(&evil, "x"),
        write(env.memory().join("script.sh"), "x"),
        { "tool": "Bash", "input": { "command": format!("touch {}", evil.display()) } },
        write(env.memory().join("reference_boards.md"), &boards()),
    ]);
    env.var("FAKE_AGENT_DOES", &does.to_string());
    let dreamt = env.json(&["dream", "--force"]);
    assert_eq!(dreamt["ran"], true);
    assert!(!evil.exists() && !env.memory().join("script.sh").exists());
    assert_eq!(env.read_memory("reference_boards.md"), boards());
    assert!(env.read_memory("MEMORY.md").contains("(reference_boards.md)"));
    let last = &env.json(&["history"])["changes"][0];
    assert_eq!(last["actor"], "dream");
    // One undo takes all of it back.
    env.run(&["undo", dreamt["change"].as_str().unwrap()]).ok();
    assert!(!env.memory_files().contains(&"reference_boards.md".to_owned()));
    let status = env.json(&["status"]);
    assert_eq!((&status["model"]["driver"], &status["model"]["calls_today"]), (&json!("command"), &json!(1)));
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
            write(env.memory().join("reference_boards.md"), &boards()),
            write(env.memory().join("reference_runbooks.md"), &unsaid),
            write(env.project().join("evil.md"), "x"),
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
            write(env.memory().join("reference_boards.md"), &boards()),
            write(env.memory().join("reference_key.md"), &key),
        ]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        // A dream lands whole or not at all.
        env.run(&["dream", "--force"]).fails(1).says("nothing was changed");
        assert!(!env.memory_files().iter().any(|file| file.starts_with("reference_")), "{agent}");
        // What loses too much waits for a person.
        let does = json!([write(env.memory().join("project_ledger_freeze.md"), "")]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        env.run(&["dream", "--force"]).ok().prints("waits for your yes");
        assert_eq!(env.read_memory("project_ledger_freeze.md"), before, "{agent}");
        let does = json!([write(env.memory().join("reference_boards.md"), &boards())]);
        env.var("FAKE_AGENT_DOES", &does.to_string());
        env.run(&["dream", "--force"]).ok();
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
    let gate = |args: &[String]| {
        use std::io::Write as _;
        let mut child = env.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
    assert!(gate(&args).contains("has ended"));
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
    let run = env.run(&["gate", "--root", "/somewhere"]).ok();
    assert_eq!(run.json()["hookSpecificOutput"]["permissionDecision"], "deny");
}
