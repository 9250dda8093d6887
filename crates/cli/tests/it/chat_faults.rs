//! What goes wrong in a chat leaves nothing behind: hostile forks, broken servers, killed processes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Fault, ModelServer, Recorded, Turn};
use serde_json::json;

use super::chatting::{KEY, is_extraction, memory_dir, stage, topic, write};

/// What the model of these tests makes a memory of.
const SHORT: &str = "look around, and keep answers short and plain, always";

/// Every file below a directory with its bytes.
fn below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_symlink() {
                found.insert(path.display().to_string(), b"link".to_vec());
            } else if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn memories(env: &TestEnv) {
    for (file, name) in [("feedback_utc.md", "Times in UTC"), ("user_editor.md", "Writes in Helix")] {
        env.write_memory(file, topic("feedback", name, name, &format!("{name}, always and everywhere.")));
    }
    env.write_memory("MEMORY.md", "- [Times in UTC](feedback_utc.md) — a\n- [Editor](user_editor.md) — b\n");
    env.run(&["list"]).ok();
}

#[test]
fn x6_a_fork_that_reaches_too_far_changes_nothing() {
    let server = ModelServer::new(|request| {
        if !is_extraction(request) || !request.view.tool_results.is_empty() {
            return Turn::say("All done.");
        }
        let dir = memory_dir(request);
        let token = ["ghp_", &"aB3dE5gH7j".repeat(3), "kLmN0p"].concat();
        let large = topic("project", "large", "large", &"x ".repeat(5 * 1024 * 1024));
        Turn::call("Write", write(dir.join("../../../settings.json"), "{}"))
            .and_call("Write", write(dir.join("link/evil.md"), &topic("user", "evil", "evil", "evil")))
            .and_call("Write", write(dir.join("project_large.md"), &large))
            .and_call("Write", write(dir.join("reference_token.md"), &topic("reference", "token", "token", &token)))
            .and_call("Write", write(dir.join("feedback_utc.md"), ""))
            .and_call("Write", write(dir.join("user_editor.md"), ""))
            .and_call("Write", write(dir.join("MEMORY.md"), ""))
            .and_call("Bash", json!({ "command": format!("rm -rf {}", dir.display()) }))
            .and_call("Bash", json!({ "command": format!("ls {} > /dev/null; find . -delete", dir.display()) }))
    });
    let env = stage(&server);
    memories(&env);
    std::os::unix::fs::symlink(env.home(), env.memory().join("link")).unwrap();
    let before = below(&env.memory());
    let said = env.run(&["chat", "-p", "tell me about the times", "--json"]).ok();
    assert_eq!(below(&env.memory()), before);
    assert!(!env.home().join("evil.md").exists() && !env.home().join(".claude/settings.json").exists());
    let learned = said.stdout.lines().find(|line| line.contains("\"learned\"")).unwrap();
    let learned: serde_json::Value = serde_json::from_str(learned).unwrap();
    let run = &learned["learned"]["run"];
    assert!(run["denied"].as_array().unwrap().len() >= 4 && run["landed"]["files"] == json!([]), "{run:#}");
    assert!(run["rejected"].as_array().unwrap().len() >= 3, "{run:#}");
    assert_clean(&env);
}

/// No copy, no temporary file, and the next one gets the lock.
#[track_caller]
fn assert_clean(env: &TestEnv) {
    let rubbish: Vec<String> = below(&env.home())
        .into_keys()
        .filter(|path| path.contains("/staging/") || path.contains("/.memdir-") || path.ends_with(".tmp"))
        .collect();
    assert_eq!(rubbish, Vec::<String>::new());
    let found = env.run(&["doctor", "--json"]).json()["findings"].clone();
    assert!(found.as_array().unwrap().iter().all(|one| one["fixable"] == false), "{found}");
    env.run(&["remember", "The lock is free for everybody"]).ok();
    env.run(&["undo"]).ok();
}

/// A conversation of four requests: a tool, an answer, an extraction that writes, its end.
fn plain(request: &Recorded) -> Turn {
    let first = request.view.tool_results.is_empty();
    match (is_extraction(request), first) {
        (false, true) => Turn::say("I look.").and_call("Glob", json!({ "pattern": "*.txt" })),
        (false, false) => Turn::say("There is nothing."),
        (true, true) => {
            let new = topic("feedback", "Short answers", "Answers are short", "Answers are short and plain.");
            Turn::call("Write", write(memory_dir(request).join("feedback_short.md"), &new))
        }
        (true, false) => Turn::say("Saved."),
    }
}

#[test]
fn x5_what_goes_wrong_at_any_step_leaves_nothing_half_done() {
    let status = |code: u16| Turn::status(code, "scripted").header("retry-after", "0");
    for step in 1..=4 {
        for (what, turn) in [
            ("cut", Turn::say("one two three").with(Fault::CutAfter(2))),
            ("429", status(429)),
            ("529", status(529)),
            ("overloaded", Turn::say("one two three").with(Fault::OverloadAfter(2))),
            ("not JSON", Turn::say("one two three").with(Fault::CorruptAfter(2))),
            ("no JSON at all", Turn::raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n<html>\r\n\r\n")),
            ("dead", Turn::die()),
        ] {
            let server = ModelServer::new(move |request| {
                let at =
                    if is_extraction(request) { 3 } else { 1 } + usize::from(!request.view.tool_results.is_empty());
                if at >= step { turn.clone() } else { plain(request) }
            });
            let env = stage(&server);
            memories(&env);
            let before = below(&env.memory());
            let run = env.run(&["chat", "-p", "look around here please"]);
            assert_eq!(run.code, Some(if step <= 2 { 2 } else { 0 }), "{what} at {step}: {run}");
            assert_eq!(below(&env.memory()), before, "{what} at {step}");
            assert!(!run.stderr.contains(KEY) && !run.stdout.contains(KEY));
            assert_clean(&env);
        }
    }
}

#[test]
fn x9_a_process_killed_at_any_step_leaves_nothing_half_done() {
    for step in 1..=4 {
        let server = ModelServer::new(move |request| {
            let at = if is_extraction(request) { 3 } else { 1 } + usize::from(!request.view.tool_results.is_empty());
            if at == step { Turn::say("one two three").with(Fault::StallAfter(2)) } else { plain(request) }
        });
        let env = stage(&server);
        memories(&env);
        let before = below(&env.memory());
        let mut command = env.command(&["chat", "-p", "look around here please"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.wait_for_stalls(1);
        // The key is in no process list.
        let listed = std::fs::read(format!("/proc/{}/cmdline", child.id())).unwrap();
        assert!(!String::from_utf8_lossy(&listed).contains(KEY));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(below(&env.memory()), before, "killed at {step}");
        // Whoever comes next puts away what the dead one left, and learns.
        let healthy = ModelServer::new(plain);
        let mut env = env;
        env.var("ANTHROPIC_BASE_URL", &healthy.url());
        env.run(&["chat", "-p", SHORT]).ok().says("memory: saved feedback_short.md");
        assert_clean(&env);
    }
}

#[test]
fn the_key_is_nowhere_but_in_its_header() {
    let server = ModelServer::new(|request| {
        if request.view.last_user.contains("fail") {
            return Turn::status(401, &format!("the key {KEY} is not known"));
        }
        if !is_extraction(request) && request.view.tool_results.is_empty() {
            return Turn::call("Bash", json!({ "command": "env" }))
                .and_call("Read", json!({ "file_path": "/proc/self/environ" }))
                .and_call("Grep", json!({ "pattern": "chat-key", "path": "/proc/self" }));
        }
        plain(request)
    });
    let env = stage(&server);
    let fine = env.run(&["chat", "-p", "look around here please"]).ok();
    let failed = env.run(&["chat", "-p", "now fail, would you"]).fails(1);
    let json = env.run(&["chat", "-p", "now fail, would you", "--json"]).fails(1);
    for run in [&fine, &failed, &json] {
        assert!(!run.stdout.contains(KEY) && !run.stderr.contains(KEY), "{run}");
    }
    assert!(server.requests().iter().all(|request| request.has_key && !request.body.to_string().contains(KEY)));
    for (path, bytes) in below(&env.home()) {
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{path}");
    }
}
