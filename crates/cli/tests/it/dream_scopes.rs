//! Whose memory is dreamt, what a dry run leaves alone, and what Ctrl-C does (D1, D5, D6, P9).

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Fault, ModelServer, Turn};
use rustix::process::{Pid, Signal, kill_process};

use super::env;

fn topic(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {name} in short\ntype: {kind}\n---\n\n{body}\n")
}

/// Two rules that say the same, in the project's memory and in the user's.
fn doubled() -> TestEnv {
    let env = env();
    let users = env.home().join(".claude/memory");
    std::fs::create_dir_all(&users).unwrap();
    for (file, name, body) in [
        (
            "feedback_a.md",
            "No mocks",
            "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.",
        ),
        (
            "feedback_b.md",
            "Real database",
            "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.\nThe docker Postgres is fast.",
        ),
    ] {
        env.write_memory(file, topic("feedback", name, body));
        std::fs::write(users.join(file), topic("feedback", name, body)).unwrap();
    }
    env
}

fn below(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![dir.to_path_buf()];
    while let Some(dir) = left.pop() {
        for path in std::fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                left.push(path);
            } else {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn d6_p9_the_users_memory_is_dreamt_too_and_one_undo_takes_both_back() {
    let env = doubled();
    let users = env.home().join(".claude/memory");
    let before = (below(&env.memory()), below(&users));
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    assert_eq!(dreamt["scopes"][0]["scope"], "private", "{dreamt}");
    assert_eq!((&dreamt["scopes"][1]["scope"], &dreamt["scopes"][1]["ran"]), (&"user".into(), &true.into()));
    let merged = |scope: &str| {
        let changes = dreamt["changes"].as_array().unwrap();
        changes.iter().any(|change| change["scope"] == scope && !change["into"].is_null())
    };
    assert!(merged("private") && merged("user"), "{dreamt}");
    // Each has its own lock.
    for dir in [env.memory(), users.clone()] {
        assert!(dir.join(".consolidate-lock").is_file(), "{}", dir.display());
    }
    env.run(&["undo", dreamt["change"].as_str().unwrap()]).ok();
    let topics = |files: BTreeMap<String, Vec<u8>>| -> Vec<_> {
        files.into_iter().filter(|(file, _)| file.contains("feedback_")).collect()
    };
    assert_eq!(topics(below(&env.memory())), topics(before.0));
    assert_eq!(topics(below(&users)), topics(before.1));
    env.run(&["dream", "--force"]).ok().prints("Your own memory").prints("undo");
}

#[test]
fn d1_each_scope_has_its_own_gate() {
    let mut env = doubled();
    env.var("MEMDIR_DREAM_MIN_SESSIONS", "0");
    let gates = env.json(&["status"])["gates"].clone();
    assert_eq!((&gates["dream"]["reason"], &gates["dream_user"]["reason"]), (&"due".into(), &"due".into()));
    env.run(&["dream"]).ok();
    let users = env.home().join(".claude/memory");
    // The user's lock is as old as it gets: only that one is due.
    let lock = users.join(".consolidate-lock");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    std::fs::File::options().write(true).open(&lock).unwrap().set_modified(long_ago).unwrap();
    let dreamt = env.json(&["dream"]);
    assert_eq!((&dreamt["scopes"][0]["ran"], &dreamt["scopes"][1]["ran"]), (&false.into(), &true.into()), "{dreamt}");
}

#[test]
fn d1_sessions_of_other_hosts_count_and_the_current_one_does_not() {
    let mut env = doubled();
    let cwd = env.project().display().to_string();
    let codex = env.home().join(".codex/sessions/2026/04/13");
    std::fs::create_dir_all(&codex).unwrap();
    for n in 0..3 {
        let payload = serde_json::json!({ "id": format!("c{n}"), "session_id": format!("c{n}"), "cwd": cwd });
        let line =
            serde_json::json!({ "timestamp": "2026-04-13T10:00:00Z", "type": "session_meta", "payload": payload });
        std::fs::write(codex.join(format!("rollout-2026-04-13T10-00-0{n}-c{n}.jsonl")), format!("{line}\n")).unwrap();
    }
    // What was counted is believed for ten minutes.
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:0-of-5");
    env.at("2026-04-14T10:11:00Z");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:3-of-5");
    env.at("2026-04-14T10:22:00Z").var("MEMDIR_SESSION", "c1");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:2-of-5");
}

#[test]
fn d6_a_dry_run_leaves_memory_lock_history_and_recall_as_they_were() {
    let env = doubled();
    let ask = || env.json(&["recall", "may I mock the database in tests?"])["selected"].clone();
    env.run(&["refresh"]).ok();
    let (files, history, found) = (below(&env.memory()), env.json(&["history"])["changes"].clone(), ask());
    env.run(&["--yes", "dream", "--dry-run"]).ok().prints("merged");
    assert_eq!(below(&env.memory()), files);
    assert_eq!(env.json(&["history"])["changes"], history);
    assert_eq!(ask(), found);
    let cache: Vec<String> = below(&env.cache()).into_keys().collect();
    env.run(&["dream", "--dry-run"]).ok();
    assert_eq!(below(&env.cache()).into_keys().collect::<Vec<_>>(), cache, "no cache of a copy is left");
    assert!(!below(&env.state()).into_keys().any(|path| path.contains("/staging/") || path.contains("dreamer.json")));
}

#[test]
fn d5_ctrl_c_stops_a_dream_and_leaves_everything_as_it_was() {
    let server =
        ModelServer::queue([Turn::say("one two three").with(Fault::StallAfter(2)), Turn::say("All is in order.")]);
    let mut env = doubled();
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    env.run(&["list"]).ok();
    let before = below(&env.memory());
    let mut dreaming = env.command(&["dream", "--force"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    server.wait_for_stalls(1);
    assert!(env.memory().join(".consolidate-lock").exists(), "it holds the lock");
    kill_process(Pid::from_child(&dreaming), Signal::INT).unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(dreaming.stderr.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(dreaming.wait().unwrap().code(), Some(1), "{said}");
    assert!(said.contains("stopped; nothing was changed"), "{said}");
    assert_eq!(below(&env.memory()), before, "the lock was rolled back");
    assert!(!below(&env.state()).into_keys().any(|path| path.contains("/staging/")), "no copy is left");
    // The next run works.
    server.release();
    env.var("MEMDIR_MODEL_CONSENT", "0");
    env.run(&["--yes", "dream", "--force"]).ok().prints("undo");
}
