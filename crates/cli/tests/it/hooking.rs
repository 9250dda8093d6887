//! `hook`: what an agent's hook gets, whatever is thrown at it.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::{env, git_env};

const HOSTS: [&str; 11] =
    ["claude-code", "codex", "gemini", "copilot", "opencode", "qwen", "goose", "cline", "aider", "cursor", "zed"];

/// Runs a hook with this on its standard input; it must end well and say nothing on standard error.
pub(super) fn hook(env: &TestEnv, args: &[&str], input: &[u8]) -> String {
    let args: Vec<&str> = ["hook"].into_iter().chain(args.iter().copied()).collect();
    finish(&mut env.command(&args), input)
}

fn finish(command: &mut Command, input: &[u8]) -> String {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("memdir starts");
    // One that does not listen has ended already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    assert!(output.stderr.is_empty(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(super) fn prompt(env: &TestEnv, session: &str, text: &str) -> Value {
    json!({ "session_id": session, "cwd": env.project(), "hook_event_name": "UserPromptSubmit", "prompt": text })
}

fn remembering() -> TestEnv {
    let env = git_env();
    env.run(&[
        "remember",
        "The ledger service freezes its branch behind the flag kestrel",
        "--type",
        "project",
        "--name",
        "Ledger freeze",
    ])
    .ok();
    env
}

const ASK: &str = "behind which flag does the ledger service freeze its branch?";

#[test]
fn r10_a_prompt_gets_its_memory_in_the_hosts_own_shape() {
    let env = remembering();
    let said = prompt(&env, "s1", ASK).to_string();
    let answer: Value = serde_json::from_str(&hook(&env, &["claude-code"], said.as_bytes())).unwrap();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(answer.as_object().unwrap().len(), 1);
    assert_eq!(output["hookEventName"], "UserPromptSubmit");
    assert!(output["additionalContext"].as_str().unwrap().contains("kestrel"), "{answer}");
    assert_eq!(hook(&env, &["claude-code"], said.as_bytes()), "", "R4: the session has seen it");
    let said = json!({ "sessionId": "c1", "cwd": env.project(), "prompt": ASK }).to_string();
    let answer: Value =
        serde_json::from_str(&hook(&env, &["copilot", "userPromptSubmitted"], said.as_bytes())).unwrap();
    assert!(answer["additionalContext"].as_str().unwrap().contains("kestrel"), "{answer}");
}

#[test]
fn every_call_can_be_explained_afterwards() {
    let env = remembering();
    hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes());
    hook(&env, &["claude-code"], prompt(&env, "s1", "/clear").to_string().as_bytes());
    let calls = env.json(&["status", "--hooks"]);
    let calls = calls["hooks"].as_array().unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1]["shown"], json!(["project_ledger_freeze.md"]));
    assert_eq!((&calls[1]["event"], &calls[1]["host"]), (&json!("prompt"), &json!("claude-code")));
    assert_eq!(calls[0]["reason"], "the prompt is a command for the host");
    env.run(&["status", "--hooks"]).ok().prints("nothing: the prompt is a command for the host");
}

#[test]
fn whatever_is_said_a_hook_ends_well_and_quietly() {
    let env = remembering();
    let long = format!("{{\"prompt\":\"{}\"", "x".repeat(5_000_000));
    let odd: [&[u8]; 8] = [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", b"{\"hook_event_name\":7}", long.as_bytes()];
    for host in HOSTS {
        for input in odd {
            assert_eq!(hook(&env, &[host], input), "", "{host}");
        }
    }
    for args in [&["nobody"][..], &[], &["codex", "--unknown"], &["codex", "a", "b", "c"]] {
        assert_eq!(hook(&env, args, b"{}"), "");
    }
}

#[test]
fn a_directory_that_is_gone_is_no_fault() {
    let env = remembering();
    let said =
        json!({ "session_id": "s", "cwd": "/no/such/place", "hook_event_name": "UserPromptSubmit", "prompt": ASK });
    assert!(hook(&env, &["codex"], said.to_string().as_bytes()).contains("kestrel"), "where it was started counts");
}

#[test]
fn inside_an_agent_that_memdir_started_it_keeps_still() {
    let mut env = remembering();
    env.var("MEMDIR_INSIDE", "1");
    assert_eq!(hook(&env, &["codex"], prompt(&env, "s", ASK).to_string().as_bytes()), "");
    env.var("MEMDIR_INSIDE", "");
    assert_eq!(env.json(&["status", "--hooks"])["hooks"], json!([]));
}

#[test]
fn where_nothing_can_be_written_it_still_ends_well() {
    let env = remembering();
    let said = prompt(&env, "s", ASK).to_string();
    for dir in ["/proc/none", "/dev/null"] {
        let mut command = env.command(&["hook", "codex"]);
        finish(command.env("XDG_STATE_HOME", dir).env("XDG_CACHE_HOME", dir), said.as_bytes());
    }
    let mut command = env.command(&["hook", "codex"]);
    assert_eq!(finish(command.env_remove("HOME"), said.as_bytes()), "");
}

/// A host that never closes our standard input must not keep us for ever; it is not waited for by the clock,
/// only until the process has ended by itself.
#[test]
fn a_host_that_says_nothing_is_left() {
    let env = env();
    let mut child = env.command(&["hook", "codex"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let stdin = child.stdin.take();
    let end = Instant::now() + Duration::from_mins(2);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if Instant::now() > end {
            child.kill().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    drop(stdin);
    assert_eq!(status.and_then(|status| status.code()), Some(0));
}

/// A text of the user's own that never comes to its end stands for a disk that does not answer.
#[test]
fn a_call_that_is_given_up_is_explained_too() {
    let env = remembering();
    let texts = env.home().join(".config/memdir/prompts");
    std::fs::create_dir_all(&texts).unwrap();
    // The list of calls is there already, as on any machine that is in use.
    hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes());
    let slow = texts.join("slow.md");
    assert!(env.program("mkfifo", &[&slow]).status().unwrap().success());
    assert_eq!(hook(&env, &["claude-code"], prompt(&env, "s2", ASK).to_string().as_bytes()), "");
    std::fs::remove_file(slow).unwrap();
    let calls = env.json(&["status", "--hooks"])["hooks"].clone();
    assert_eq!(calls.as_array().unwrap().len(), 2, "{calls}");
    assert_eq!((&calls[0]["session"], &calls[0]["bytes"]), (&json!("s2"), &json!(0)));
    assert!(calls[0]["reason"].as_str().unwrap().contains("too long"), "{calls}");
}

#[test]
fn p3_a_worktree_a_subdirectory_and_a_namesake_have_the_right_memory() {
    let env = remembering();
    let deep = env.project().join("deep/er");
    std::fs::create_dir_all(&deep).unwrap();
    let tree = env.home().join("tree");
    env.program("git", &["worktree", "add", "-q", tree.to_str().unwrap()]).status().unwrap();
    let other = env.home().join("other/app");
    std::fs::create_dir_all(&other).unwrap();
    for (cwd, found) in [(&deep, true), (&tree, true), (&other, false)] {
        let said = json!({ "session_id": cwd, "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": ASK });
        let answer = hook(&env, &["claude-code"], said.to_string().as_bytes());
        assert_eq!(answer.contains("kestrel"), found, "{}", cwd.display());
    }
}

/// Claude Code follows its model's `cd`; the project stays the one it was started in.
#[test]
fn the_project_that_the_host_names_counts_more_than_where_it_is() {
    let mut env = remembering();
    let project = env.project();
    env.var("CLAUDE_PROJECT_DIR", project.to_str().unwrap());
    let said = json!({ "session_id": "s", "cwd": env.home(), "hook_event_name": "UserPromptSubmit", "prompt": ASK });
    assert!(hook(&env, &["claude-code"], said.to_string().as_bytes()).contains("kestrel"));
}

#[test]
fn x1_the_end_of_a_turn_is_noted_and_the_next_conversation_knows() {
    let env = git_env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on never deploy on a friday, the on-call is too thin then");
    let end = json!({
        "session_id": "s1", "cwd": env.project(), "hook_event_name": "Stop", "stop_hook_active": false,
        "transcript_path": talk.path(),
    });
    assert_eq!(hook(&env, &["claude-code"], end.to_string().as_bytes()), "");
    assert_eq!(env.json(&["status"])["jobs"]["pending"], 1);
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
    env.run(&["refresh"]).ok();
    let said = prompt(&env, "s2", "can I deploy the release this friday?").to_string();
    let answer = hook(&env, &["claude-code"], said.as_bytes());
    assert!(answer.contains("on-call"), "{answer}");
}

#[test]
fn r9_a_model_is_asked_by_a_process_of_its_own_and_its_choice_comes_after_a_tool() {
    use memdir_testkit::model_server::{ModelServer, Turn};
    let server = ModelServer::queue([Turn::json(&json!({ "selected_memories": ["project_zebra.md"] }))]);
    let mut env = remembering();
    env.run(&["remember", "The zebra job runs at noon", "--type", "project", "--name", "zebra"]).ok();
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    env.var("MEMDIR_NO_BACKGROUND", "0");
    let first = hook(&env, &["claude-code"], prompt(&env, "s1", ASK).to_string().as_bytes());
    assert!(first.contains("kestrel") && !first.contains("zebra"), "{first}");
    let tool = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": { "command": "ls" } });
    // The hook does not wait, so the test does.
    let late = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        Some(hook(&env, &["claude-code"], tool.to_string().as_bytes())).filter(|answer| !answer.is_empty())
    });
    let late: Value = serde_json::from_str(&late.expect("nobody chose anything")).unwrap();
    assert_eq!(late["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    assert!(late["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("at noon"), "{late}");
    assert_eq!(hook(&env, &["claude-code"], tool.to_string().as_bytes()), "", "once");
    let calls = env.json(&["status", "--hooks"]);
    assert!(
        calls["hooks"].as_array().unwrap().iter().any(|call| call["shown"] == json!(["project_zebra.md"])),
        "{calls}"
    );
}
