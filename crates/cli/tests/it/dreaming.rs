//! Dreaming, the inbox and session notes from the command line (D, L2, S).

use super::env;
use memdir_testkit::TestEnv;

fn topic(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {name} in short\ntype: {kind}\n---\n\n{body}\n")
}

const RULE: &str = "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.";
const INDEX: &str = "# Ours\n\nA word before.\n* [Mocks](feedback_a.md): the rule\n- [DB](feedback_b.md) — what to use\n- plain note\n- [Gone](gone.md) — nothing\n";

/// Two memories of which one has all of the other, words relative to a day in three languages, and an index with care in it.
fn untidy() -> TestEnv {
    let env = env();
    env.write_memory("feedback_a.md", topic("feedback", "No mocks", RULE));
    env.write_memory(
        "feedback_b.md",
        topic("feedback", "Real database", &format!("{RULE}\nThe docker Postgres starts in seconds.")),
    );
    env.write_memory(
        "project_c.md",
        topic("project", "Demo", "Noted on 2026-04-09: demo for the harbour next Tuesday."),
    );
    env.write_memory("project_d.md", topic("project", "上线", "记录于 2026-04-06:下周三上线,今天封版。"));
    env.write_memory("project_e.md", topic("project", "배포", "오늘 배포는 다음 주 금요일까지 미룬다."));
    env.write_memory("MEMORY.md", INDEX);
    env
}

/// Every memory and index with its bytes.
fn all(env: &TestEnv) -> Vec<(String, String)> {
    let files = env.memory_files().into_iter().filter(|file| file.ends_with(".md"));
    files.map(|file| (file.clone(), env.read_memory(&file))).collect()
}

#[test]
fn d6_a_dry_run_shows_everything_and_changes_nothing() {
    let env = untidy();
    let before = all(&env);
    env.run(&["dream", "--dry-run"]).ok().prints("feedback_a.md").prints("waits").says("orient").says("prune");
    let shown = env.json(&["dream", "--dry-run"]);
    assert_eq!((&shown["ran"], &shown["reason"]), (&false.into(), &"dry-run".into()));
    assert_eq!(shown["phases"][3], "prune");
    assert_eq!(before, all(&env));
}

#[test]
fn h4_the_first_dream_proposes_and_a_yes_lands_it() {
    let env = untidy();
    let before = all(&env);
    env.run(&["dream", "--force"]).ok().prints("first dream here").prints("memdir inbox");
    assert_eq!(before, all(&env));
    let again = env.json(&["dream", "--force"]);
    assert_eq!((&again["first"], again["proposals"].as_array().map(Vec::len)), (&true.into(), Some(0)), "{again}");
    let waiting = env.json(&["inbox"]);
    assert_eq!(waiting["proposals"].as_array().map(Vec::len), Some(1), "{waiting}");
    let id = waiting["proposals"][0]["id"].as_str().unwrap();
    env.run(&["inbox", "show", id]).ok().prints("-Never mock the database");
    env.run(&["inbox", "accept", id]).ok().prints("undo");
    assert!(!env.memory_files().contains(&"feedback_a.md".to_owned()));
    let index = env.read_memory("MEMORY.md");
    assert_eq!(index, INDEX.replace("* [Mocks](feedback_a.md): the rule\n", ""));
    assert_eq!(env.json(&["dream", "--force"])["first"], false);
}

#[test]
fn h4_a_yes_on_the_command_line_lands_what_waits() {
    let env = untidy();
    env.run(&["dream", "--force"]).ok();
    env.run(&["--yes", "dream", "--force"]).ok().prints("undo");
    assert!(!env.memory_files().contains(&"feedback_a.md".to_owned()));
    assert_eq!(env.json(&["inbox"])["proposals"], serde_json::json!([]));
}

#[test]
fn h4_a_rejected_proposal_stays_rejected() {
    let env = untidy();
    let before = all(&env);
    let id = env.json(&["dream", "--force"])["proposal"].as_str().unwrap().to_owned();
    env.run(&["inbox", "reject", &id]).ok();
    let again = env.json(&["--yes", "dream", "--force"]);
    assert!(again["changes"].as_array().unwrap().is_empty() && again["proposal"].is_null(), "{again}");
    assert_eq!(before, all(&env));
}

#[test]
fn d5_h1_a_dream_with_a_yes_says_what_it_did_and_undo_takes_all_of_it_back() {
    let env = untidy();
    let before = all(&env);
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    assert_eq!(dreamt["ran"], true, "{dreamt}");
    let merged = dreamt["changes"].as_array().unwrap().iter().find(|change| !change["into"].is_null()).unwrap();
    let into = env.read_memory(merged["into"].as_str().unwrap());
    assert!(into.contains("broken migration") && into.contains("docker Postgres"), "{into}");
    // Words that somebody wrote on another day stay as they are, in every language.
    for file in ["project_c.md", "project_d.md", "project_e.md"] {
        let text = before.iter().find(|(name, _)| name == file).map(|(_, text)| text);
        assert_eq!(Some(&env.read_memory(file)), text, "{file}");
    }
    assert_eq!(env.read_memory("MEMORY.md"), INDEX.replace("* [Mocks](feedback_a.md): the rule\n", ""));
    env.run(&["undo", dreamt["change"].as_str().unwrap()]).ok();
    assert_eq!(before, all(&env));
}

#[test]
fn h4_a_dream_after_a_yes_keeps_to_its_budget() {
    let mut env = env();
    for thing in ["harbour", "kitchen", "library", "orchard"] {
        for copy in ["a", "b"] {
            let text = topic("project", thing, &format!("The {thing} opens at nine sharp."));
            env.write_memory(&format!("project_{thing}_{copy}.md"), text);
        }
    }
    env.var("MEMDIR_DREAM_MAX_CHANGES", "3");
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    let count = |list: &str| dreamt[list].as_array().unwrap().len();
    assert_eq!((count("changes"), count("waiting")), (3, 1), "{dreamt}");
}

#[test]
fn l2_h1_a_correction_in_a_log_changes_the_one_memory_it_is_about() {
    let env = env();
    env.write_memory(
        "project_feed.md",
        topic("project", "Vendor feed launch", "The vendor feed launch is on 2026-04-20."),
    );
    env.write_memory("project_desk.md", topic("project", "Desk", "The help desk opens at nine."));
    let earlier = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_775_000_000);
    let file = std::fs::File::options().write(true).open(env.memory().join("project_feed.md")).unwrap();
    file.set_modified(earlier).unwrap();
    env.write_memory(
        "logs/2026/04/2026-04-14.md",
        "- 09:05 user: the vendor feed launch was postponed to 2026-05-04\n",
    );
    let desk = env.read_memory("project_desk.md");
    env.run(&["--yes", "dream", "--force"]).ok().prints("2026-05-04");
    let text = env.read_memory("project_feed.md");
    assert!(text.contains("2026-05-04") && !text.contains("2026-04-20"), "{text}");
    assert_eq!(env.read_memory("project_desk.md"), desk);
}

#[test]
fn d1_the_gates_are_named_and_by_hand_they_do_not_count() {
    let mut env = untidy();
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:0-of-5");
    let quiet = env.json(&["dream"]);
    assert_eq!((&quiet["ran"], &quiet["reason"]), (&false.into(), &"few-sessions:0-of-5".into()));
    env.run(&["dream", "--force"]).ok();
    // D6: once more by hand, though it was just now and our PID is in the lock.
    env.run(&["dream", "--force"]).ok();
    env.var("MEMDIR_DREAM_MIN_SESSIONS", "0");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "too-soon:0h-of-24h");
    env.at("2026-04-15T10:01:00Z");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "due");
    env.var("MEMDIR_DREAM_ENABLED", "false");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "setting:dream.enabled");
}

#[test]
fn d3_four_phases_take_in_what_was_said_unite_and_keep_the_index() {
    let env = untidy();
    env.write_memory("harbour/project_pier.md", topic("project", "Pier", "The pier is rebuilt in wood."));
    env.write_memory("MEMORY.md", format!("{INDEX}- [Pier](project_pier.md) — it moved\n"));
    env.write_memory("logs/2026/04/2026-04-13.md", "- 09:05 [project] the crane of hall C is inspected on Mondays\n");
    let run = env.run(&["--yes", "dream", "--force", "--json"]).ok();
    let dreamt = run.json();
    assert_eq!(dreamt["phases"], serde_json::json!(["orient", "gather", "consolidate", "prune"]), "{dreamt}");
    let did = |file: &str| -> Vec<String> {
        let changes = dreamt["changes"].as_array().unwrap().iter();
        let of = changes.filter(|change| change["file"].as_str().unwrap().contains(file));
        of.map(|change| change["action"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (did("crane"), did("feedback_a.md")),
        (vec!["create".to_owned()], vec!["remove".to_owned()]),
        "{dreamt}"
    );
    let index = env.read_memory("MEMORY.md");
    // No line for what went, one for what came; a moved file is followed, what leads nowhere is told of and stays.
    assert!(!index.contains("feedback_a.md") && index.contains("crane"), "{index}");
    assert!(index.contains("- [Pier](harbour/project_pier.md) — it moved\n"), "{index}");
    for line in [
        "# Ours",
        "A word before.",
        "- plain note",
        "- [Gone](gone.md) — nothing",
        "- [DB](feedback_b.md) — what to use",
    ] {
        assert!(index.lines().any(|there| there == line), "{line}: {index}");
    }
    let check =
        |name: &str| dreamt["checks"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone();
    let dead = check("index-leads-somewhere");
    assert!(dead["ok"] == false && dead["detail"].as_str().unwrap().contains("gone.md"), "{dead}");
    assert_eq!(check("index-within-limits")["ok"], true);
    // What a session would not load whole is told of, and not cut.
    let long: String = (0..210).map(|at| format!("- a note of somebody, number {at}\n")).collect();
    env.write_memory("MEMORY.md", format!("{index}{long}"));
    let again = env.json(&["--yes", "dream", "--force"]);
    let limits = again["checks"].as_array().unwrap().iter().find(|one| one["name"] == "index-within-limits").unwrap();
    assert!(limits["ok"] == false && env.read_memory("MEMORY.md").ends_with(&long), "{limits}");
}

#[test]
fn d3_with_review_everything_waits_in_the_inbox() {
    let mut env = untidy();
    env.run(&["--yes", "dream", "--dry-run"]).ok();
    env.var("MEMDIR_REVIEW", "true");
    let dreamt = env.json(&["--yes", "dream", "--force"]);
    assert!(dreamt["change"].is_null() && dreamt["proposal"].is_string(), "{dreamt}");
    let id = dreamt["proposal"].as_str().unwrap();
    env.run(&["inbox", "accept", id]).ok().prints("undo");
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
