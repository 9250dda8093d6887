//! Dreaming, the inbox and session notes from the command line (D, L2, S).

use super::env;
use memdir_testkit::TestEnv;

fn topic(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {name} in short\ntype: {kind}\n---\n\n{body}\n")
}

fn untidy() -> TestEnv {
    let env = env();
    env.write_memory(
        "feedback_a.md",
        topic(
            "feedback",
            "No mocks",
            "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.",
        ),
    );
    env.write_memory(
        "feedback_b.md",
        topic("feedback", "Real database", "Integration tests use the docker Postgres, never a mock of the database."),
    );
    env.write_memory(
        "project_c.md",
        topic("project", "Demo", "Noted on 2026-04-09: demo for the harbour next Tuesday."),
    );
    env.write_memory("MEMORY.md", "- [No mocks](feedback_a.md) — hook\n- [Gone](gone.md) — nothing\n");
    env
}

#[test]
fn d6_a_dry_run_shows_everything_and_changes_nothing() {
    let env = untidy();
    let before: Vec<String> = env.memory_files().iter().map(|file| env.read_memory(file)).collect();
    env.run(&["dream", "--dry-run"]).ok().prints("2026-04-14").prints("merged").says("orient").says("prune");
    let shown = env.json(&["dream", "--dry-run"]);
    assert_eq!((&shown["ran"], &shown["reason"]), (&false.into(), &"dry-run".into()));
    assert_eq!(shown["phases"][3], "prune");
    assert!(shown["checks"].as_array().unwrap().iter().all(|check| check["ok"] == true), "{shown}");
    let after: Vec<String> = env.memory_files().iter().map(|file| env.read_memory(file)).collect();
    assert_eq!(before, after);
}

#[test]
fn d5_a_dream_says_what_it_did_and_undo_takes_all_of_it_back() {
    let env = untidy();
    let before: Vec<(String, String)> =
        env.memory_files().into_iter().map(|file| (file.clone(), env.read_memory(&file))).collect();
    let dreamt = env.json(&["dream", "--force"]);
    assert_eq!(dreamt["ran"], true, "{dreamt}");
    assert!(env.read_memory("project_c.md").contains("2026-04-14"));
    let index = env.read_memory("MEMORY.md");
    assert!(!index.contains("gone.md") && index.contains("project_c.md"), "{index}");
    let merged = dreamt["changes"].as_array().unwrap().iter().find(|change| !change["into"].is_null()).unwrap();
    let into = env.read_memory(merged["into"].as_str().unwrap());
    assert!(into.contains("broken migration") && into.contains("docker Postgres"), "{into}");
    env.run(&["undo", dreamt["change"].as_str().unwrap()]).ok();
    for (file, text) in before.iter().filter(|(file, _)| file.ends_with(".md")) {
        assert_eq!(&env.read_memory(file), text, "{file}");
    }
}

#[test]
fn d1_the_gates_are_named_and_by_hand_they_do_not_count() {
    let mut env = untidy();
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:0-of-5");
    let quiet = env.json(&["dream"]);
    assert_eq!((&quiet["ran"], &quiet["reason"]), (&false.into(), &"few-sessions:0-of-5".into()));
    env.run(&["dream", "--force"]).ok();
    // D6: once more by hand, though it was just now and our PID stands in the lock.
    env.run(&["dream", "--force"]).ok();
    env.var("MEMDIR_DREAM_MIN_SESSIONS", "0");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "too-soon:0h-of-24h");
    env.at("2026-04-15T10:01:00Z");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "due");
    env.var("MEMDIR_DREAM_ENABLED", "false");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "setting:dream.enabled");
}

#[test]
fn d3_too_much_loss_and_review_wait_in_the_inbox() {
    let mut env = untidy();
    env.var("MEMDIR_REVIEW", "true");
    let dreamt = env.json(&["dream", "--force"]);
    assert!(dreamt["change"].is_null() && dreamt["proposal"].is_string(), "{dreamt}");
    let id = dreamt["proposal"].as_str().unwrap();
    let waiting = env.json(&["inbox"]);
    assert_eq!(waiting["proposals"][0]["id"], id);
    assert!(waiting["proposals"][0]["diff"].as_str().unwrap().contains("2026-04-14"), "{waiting}");
    env.run(&["inbox", "show", id]).ok().prints("2026-04-14");
    env.run(&["inbox", "accept", id]).ok().prints("undo");
    assert!(env.read_memory("project_c.md").contains("2026-04-14"));
    env.run(&["inbox", "reject", id]).fails(1).says("no proposal");
}

#[test]
fn s1_notes_are_written_beside_the_transcript_and_shown() {
    let env = env();
    let transcript = env.home().join("abc.jsonl");
    std::fs::write(&transcript, "{\"role\":\"user\",\"text\":\"Make the parser accept CRLF files.\"}\n").unwrap();
    let made = env.json(&["notes", "update", transcript.to_str().unwrap()]);
    assert_eq!(made["sections"].as_array().unwrap().len(), 10);
    assert!(made["path"].as_str().unwrap().ends_with("abc/session-memory/summary.md"), "{made}");
    env.run(&["notes", "show", "abc"]).ok().prints("CRLF");
    env.run(&["notes", "template"]).ok().prints("# Worklog");
    env.run(&["notes"]).fails(1).says("which session");
}
