//! What memdir does while nobody looks, as the guide promises it: processes that end by themselves, and no connection that
//! nobody agreed to.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;
use serde_json::json;

use super::env;
use super::extracting::Transcript;

/// A conversation in Claude Code, from its start to the end of a turn, with all that memdir then does by itself.
fn conversation(env: &TestEnv) {
    let mut talk = Transcript::new(env, "s1");
    talk.user("from now on keep answers short, I read on my phone");
    talk.assistant("Short it is.");
    let said = |event: &str, key: &str, value: &str| json!({ "session_id": "s1", "cwd": env.project(), "transcript_path": talk.path(), "hook_event_name": event, key: value });
    for event in [
        said("SessionStart", "source", "startup"),
        said("UserPromptSubmit", "prompt", "how long should an answer be that I read on my phone?"),
        said("Stop", "last_assistant_message", "Short it is."),
    ] {
        let mut hook =
            env.command(&["hook", "claude-code"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        hook.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
        assert!(hook.wait().unwrap().success());
    }
}

/// The processes that run in this home, which is nobody else's.
#[cfg(target_os = "linux")]
fn processes(env: &TestEnv) -> Vec<String> {
    let home = format!("HOME={}", env.home().display());
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let ours = all.filter(|process| {
        let vars = std::fs::read(process.join("environ")).unwrap_or_default();
        vars.split(|byte| *byte == 0).any(|var| var == home.as_bytes())
    });
    ours.filter_map(|process| std::fs::read_to_string(process.join("comm")).ok()).collect()
}

/// Waits until nothing runs any more. A program that is just being started has no variables yet, so it takes several looks in a row.
#[cfg(target_os = "linux")]
fn wait_for_silence(env: &TestEnv) {
    let until = Instant::now() + Duration::from_mins(2);
    let mut silent = 0;
    while silent < 20 {
        silent = if processes(env).is_empty() { silent + 1 } else { 0 };
        assert!(Instant::now() < until, "still running: {:?}", processes(env));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_started_in_the_background_ends_by_itself() {
    let mut env = env();
    env.var("MEMDIR_NO_BACKGROUND", "0");
    // What is looked for can be found.
    let mut sleeper = env.program("sleep", &["600"]).spawn().unwrap();
    assert_eq!(processes(&env), ["sleep\n"]);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    conversation(&env);
    wait_for_silence(&env);
    let learned = env.json(&["export"])["memories"].to_string();
    assert!(learned.contains("Keep answers short"), "{learned}");
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_called_before_a_yes() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    nobody.set_nonblocking(true).unwrap();
    let url = format!("http://{}", nobody.local_addr().unwrap());
    let mut env = env();
    env.var("MEMDIR_NO_BACKGROUND", "0").var("ANTHROPIC_API_KEY", "k").var("OPENAI_API_KEY", "k");
    for variable in ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        env.var(variable, &url);
    }
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    conversation(&env);
    for command in [
        &["remember", "The crane is inspected before each tide", "--type", "project"][..],
        &["recall", "when is the crane inspected?"],
        &["init", "--yes", "--no-model"],
        &["dream", "--force"],
        &["doctor"],
        &["status"],
        &["context"],
        &["search", "crane"],
        &["work"],
    ] {
        env.run(command).ok();
    }
    wait_for_silence(&env);
    assert!(nobody.accept().is_err(), "somebody was called");
    // With a yes the same dream calls.
    env.var("MEMDIR_MODEL_CONSENT", "1");
    let mut dream = env.command(&["dream", "--force"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_mins(1);
    while nobody.accept().is_err() {
        assert!(Instant::now() < until, "nobody was called after the yes either");
        std::thread::sleep(Duration::from_millis(20));
    }
    dream.kill().unwrap();
    dream.wait().unwrap();
}
