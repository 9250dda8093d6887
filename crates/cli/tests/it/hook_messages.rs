//! What the user hears in their agent of work that nobody watched (X8, D5, B2).

use std::process::Stdio;

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Fault, ModelServer, Turn};
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::git_env;
use super::hooking::{hook, prompt};

/// A conversation that teaches something, learned from in the background.
fn learned(env: &TestEnv) {
    let mut talk = Transcript::new(env, "s1");
    talk.user("from now on never deploy on a friday, the on-call is too thin then");
    talk.assistant("Understood.");
    let end = json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "Stop", "stop_hook_active": false,
        "transcript_path": talk.path() });
    hook(env, &["claude-code"], end.to_string().as_bytes());
    env.run(&["work"]).ok();
}

fn answered(env: &TestEnv, args: &[&str], said: &Value) -> Value {
    let answer = hook(env, args, said.to_string().as_bytes());
    if answer.is_empty() { Value::Null } else { serde_json::from_str(&answer).unwrap() }
}

#[test]
fn x8_b2_what_was_saved_is_said_once_in_the_host() {
    let env = git_env();
    learned(&env);
    let file = env.json(&["list"])["memories"][0]["file"].as_str().unwrap().to_owned();
    let change = env.json(&["history"])["changes"][0]["id"].as_str().unwrap().to_owned();
    let said = prompt(&env, "s1", "rename the function, would you?");
    let answer = answered(&env, &["claude-code"], &said);
    let message = answer["systemMessage"].as_str().unwrap();
    assert!(
        message.contains(&format!("saved {file}")) && message.contains(&format!("memdir undo {change}")),
        "{answer}"
    );
    assert!(!answer["hookSpecificOutput"].to_string().contains("memdir undo"), "not for the model: {answer}");
    assert_eq!(env.json(&["status", "--hooks"])["hooks"][0]["shown"], json!(["message"]));
    assert_eq!(answered(&env, &["claude-code"], &prompt(&env, "s1", "and the other one, too")), Value::Null);
    env.run(&["undo", &change]).ok();
}

#[test]
fn b2_every_host_says_it_in_its_own_way() {
    for (host, said) in [
        ("codex", json!({ "hook_event_name": "SessionStart", "source": "startup" })),
        ("gemini", json!({ "hook_event_name": "BeforeAgent", "prompt": "rename the function, would you?" })),
        ("qwen", json!({ "hook_event_name": "Stop" })),
    ] {
        let env = git_env();
        learned(&env);
        let mut said = said;
        (said["session_id"], said["cwd"]) = ("h1".into(), json!(env.project()));
        let answer = answered(&env, &[host], &said);
        assert!(
            answer["systemMessage"].as_str().is_some_and(|said| said.contains("memdir saved ")),
            "{host}: {answer}"
        );
    }
    // Where the host shows nothing to the person, the model passes it on.
    for (args, said) in [
        (
            &["copilot", "userPromptSubmitted"][..],
            json!({ "sessionId": "c1", "prompt": "rename the function, would you?" }),
        ),
        (&["opencode"], json!({ "event": "prompt", "session": "o1", "prompt": "rename the function, would you?" })),
    ] {
        let env = git_env();
        learned(&env);
        let mut said = said;
        said["cwd"] = json!(env.project());
        let text = answered(&env, args, &said)["additionalContext"].as_str().unwrap_or_default().to_owned();
        assert!(text.contains("Tell the user") && text.contains("memdir saved "), "{args:?}: {text}");
    }
}

#[test]
fn b2_what_waits_for_a_yes_is_said() {
    let mut env = git_env();
    env.var("MEMDIR_REVIEW", "true");
    learned(&env);
    let answer = answered(&env, &["claude-code"], &prompt(&env, "s2", "rename the function, would you?"));
    let message = answer["systemMessage"].as_str().unwrap();
    assert!(message.contains("1 change waits for your yes") && message.contains("memdir inbox"), "{answer}");
    // Once, in whichever session; and not again while it waits.
    for session in ["s2", "s3"] {
        assert_eq!(answered(&env, &["claude-code"], &prompt(&env, session, "and the other one, too")), Value::Null);
    }
}

/// The same rule twice, dreamt before, so that a dream lands.
fn doubled() -> TestEnv {
    let mut env = git_env();
    env.write_memory(
        "project_x.md",
        "---\nname: X\ndescription: the port is 8080\ntype: project\n---\n\nThe port is 8080.\n",
    );
    env.run(&["--yes", "dream", "--force"]).ok();
    for file in ["feedback_a.md", "feedback_b.md"] {
        env.write_memory(
            file,
            "---\nname: No mocks\ndescription: never mock the database\ntype: feedback\n---\n\nNever mock the database in integration tests.\n",
        );
    }
    env.var("MEMDIR_DREAM_MIN_HOURS", "0").var("MEMDIR_DREAM_MIN_SESSIONS", "0");
    env
}

#[test]
fn d5_b2_a_dream_in_the_background_is_announced_at_the_next_hook() {
    let env = doubled();
    env.run(&["work"]).ok();
    assert!(!env.memory().join("feedback_b.md").exists() || !env.memory().join("feedback_a.md").exists());
    let answer = answered(&env, &["claude-code"], &prompt(&env, "s1", "rename the function, would you?"));
    let message = answer["systemMessage"].as_str().unwrap();
    assert!(message.contains("in the background: ") && message.contains("feedback_"), "{answer}");
    let undo = message.split('`').nth(1).unwrap().strip_prefix("memdir ").unwrap();
    env.run(&undo.split(' ').collect::<Vec<_>>()).ok();
    assert!(env.memory().join("feedback_a.md").exists() && env.memory().join("feedback_b.md").exists());
    // One that somebody watches is not announced.
    env.run(&["--yes", "dream", "--force"]).ok();
    assert_eq!(answered(&env, &["claude-code"], &prompt(&env, "s1", "and the other one, too")), Value::Null);
}

#[test]
fn d5_a_dream_elsewhere_shows_how_far_it_is_and_can_be_stopped() {
    let mut env = doubled();
    let file = env.memory().join("feedback_a.md");
    let text = env.read_memory("feedback_a.md");
    let server = ModelServer::queue([
        Turn::say("Merging.").and_call("Read", json!({ "file_path": file })),
        Turn::say("Now.").and_call("Write", json!({ "file_path": file, "content": text.replace("Never", "Do not") })),
        Turn::say("one two three").with(Fault::StallAfter(2)),
    ]);
    env.run(&["dream", "--stop"]).ok().prints("No dream is running");
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    let lock = std::fs::metadata(env.memory().join(".consolidate-lock")).unwrap().modified().unwrap();
    let mut work = env.command(&["work"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    server.wait_for_stalls(1);
    let status = env.json(&["status"]);
    let dreaming = &status["dreaming"];
    assert_eq!(
        (&dreaming["pid"], &dreaming["phase"], &dreaming["files"]),
        (&json!(work.id()), &json!("consolidate"), &json!(["feedback_a.md"])),
        "{status}"
    );
    env.run(&["status"]).ok().prints("memdir dream --stop").prints("feedback_a.md");
    assert_eq!(env.json(&["dream", "--stop"])["stopped"], true);
    let mut said = String::new();
    std::io::Read::read_to_string(work.stderr.as_mut().unwrap(), &mut said).unwrap();
    work.wait().unwrap();
    assert!(said.contains("stopped; nothing was changed"), "{said}");
    assert_eq!(env.json(&["status"])["dreaming"], Value::Null);
    assert_eq!(std::fs::metadata(env.memory().join(".consolidate-lock")).unwrap().modified().unwrap(), lock);
    assert!(env.read_memory("feedback_a.md") == text && env.memory().join("feedback_b.md").exists());
}
