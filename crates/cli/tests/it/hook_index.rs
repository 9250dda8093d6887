//! The index in a host that takes less than all of it (B3).

use std::time::{Duration, SystemTime};

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::git_env;
use super::hooking::hook;

const DAY: u64 = 24 * 60 * 60;

/// A store of 150 memories, all old but one; one is pinned, one is opened often. They are at the end of the index.
fn crowded() -> TestEnv {
    let env = git_env();
    env.write_memory("MEMORY.md", "");
    let (dir, mut index) = (env.memory(), String::new());
    for at in 0..150 {
        let file = format!("project_m{at:03}.md");
        let pinned = if at == 149 { "pinned: true\n" } else { "" };
        let text = format!(
            "---\nname: M{at:03}\ndescription: what is known about topic number {at:03}\ntype: project\n{pinned}---\n\nFact {at:03}.\n"
        );
        let path = dir.join(&file);
        std::fs::write(&path, text).unwrap();
        // The clock of the tests is at 2026-04-14.
        let age = if at == 147 { DAY } else { 100 * DAY };
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_776_160_800 - age);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        index.push_str(&format!("- [M{at:03}]({file}) — what is known about topic number {at:03}\n"));
    }
    std::fs::write(dir.join("MEMORY.md"), index).unwrap();
    env.run(&["list"]).ok();
    for _ in 0..3 {
        env.run(&["show", "project_m145.md"]).ok();
    }
    env
}

fn started(env: &TestEnv, host: &str) -> String {
    let said =
        json!({ "session_id": host, "cwd": env.project(), "hook_event_name": "SessionStart", "source": "startup" });
    let answer: Value = serde_json::from_str(&hook(env, &[host], said.to_string().as_bytes())).unwrap();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

#[test]
fn b3_a_host_that_takes_less_gets_the_lines_that_matter_and_hears_how_many_are_missing() {
    let env = crowded();
    let told = started(&env, "codex");
    assert!(told.len() <= 10_000, "{}", told.len());
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("- [M")).collect();
    for (file, why) in [("m149", "pinned"), ("m147", "changed yesterday"), ("m145", "opened three times")] {
        assert!(lines.iter().any(|line| line.contains(file)), "{file} is {why}: {told}");
    }
    let mut sorted = lines.clone();
    sorted.sort_unstable();
    assert_eq!(lines, sorted, "in the order of the file");
    assert!(lines.len() > 20 && lines.len() < 150, "{}", lines.len());
    assert!(told.contains(&format!("({} more memories are not listed here", 150 - lines.len())), "{told}");
    assert!(told.contains("memdir context --part index"), "{told}");
    assert_eq!(
        env.json(&["context", "--part", "index"])["blocks"][0]["text"].as_str().unwrap().matches("- [M").count(),
        150
    );
}

#[test]
fn b3_a_host_that_takes_all_gets_all() {
    let env = crowded();
    let said =
        json!({ "session_id": "q", "cwd": env.project(), "hook_event_name": "SessionStart", "source": "startup" });
    let told = hook(&env, &["qwen"], said.to_string().as_bytes());
    assert_eq!(told.matches("- [M").count(), 150);
    assert!(!told.contains("more memories are not listed"));
}

/// The user's own index is not pushed out by the project's.
#[test]
fn b3_every_index_gets_its_share() {
    let env = crowded();
    env.run(&["remember", "I review on Mondays", "--type", "user", "--scope", "user"]).ok();
    let told = started(&env, "codex");
    assert!(told.len() <= 10_000 && told.contains("Mondays") && told.contains("m149"), "{told}");
}
