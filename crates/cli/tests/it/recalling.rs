//! `recall`: the few memories that matter for a prompt, or none.

use std::process::Stdio;

use memdir_testkit::TestEnv;
use serde_json::Value;

use super::{env, git_env};

/// A small team's memory.
fn team() -> TestEnv {
    let env = git_env();
    for (file, kind, name, description, body) in [
        (
            "feedback_no_db_mocks.md",
            "feedback",
            "No database mocks",
            "Integration tests must hit a real Postgres; mocks hid a broken migration",
            "Integration tests use a real database.",
        ),
        (
            "project_merge_freeze.md",
            "project",
            "Merge freeze",
            "No merges to main after 2026-04-16 until the mobile release is out",
            "Merge freeze from 2026-04-16.",
        ),
        (
            "reference_linear_ingest.md",
            "reference",
            "Pipeline bugs in Linear",
            "Bugs of the ingest pipeline are tracked in the Linear project INGEST",
            "File pipeline bugs in Linear, project INGEST.",
        ),
        (
            "reference_spawn_usage.md",
            "reference",
            "How to call mcp__farm__spawn",
            "Usage reference of the tool mcp__farm__spawn: parameters and examples",
            "Call mcp__farm__spawn with {count, image}. Parameters: count is a number, image a name.",
        ),
        (
            "feedback_spawn_gotcha.md",
            "feedback",
            "mcp__farm__spawn leaks machines",
            "Warning: mcp__farm__spawn leaks machines when count is over 8; never go above",
            "Never call mcp__farm__spawn with more than 8: it leaks machines.",
        ),
        (
            "user_role.md",
            "user",
            "Role",
            "The user is a data scientist who is new to the web frontend",
            "Data scientist.",
        ),
    ] {
        env.write_memory(
            file,
            format!("---\nname: {name}\ndescription: '{description}'\ntype: {kind}\n---\n\n{body}\n"),
        );
    }
    env.run(&["refresh"]).ok();
    env
}

fn files(answer: &Value) -> Vec<String> {
    answer["selected"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn r1_the_memory_that_matters_is_found_by_words_and_by_meaning() {
    let env = team();
    let lexical = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?"]);
    assert_eq!(files(&lexical)[0], "reference_linear_ingest.md", "{lexical}");
    let one = &lexical["selected"][0];
    assert_eq!((one["scope"].as_str(), one["type"].as_str()), (Some("private"), Some("reference")));
    assert!(one["score"].as_f64().unwrap() > 0.0 && !one["why"].as_str().unwrap().is_empty());
    let meaning = env.json(&["recall", "can I stub out the persistence layer in the integration suite?"]);
    assert!(files(&meaning).contains(&"feedback_no_db_mocks.md".to_owned()), "{meaning}");
}

#[test]
fn a_prompt_that_needs_no_memory_gets_none() {
    let env = team();
    let answer = env.json(&["recall", "rename this variable to snake case"]);
    assert!(files(&answer).is_empty(), "{answer}");
    assert_eq!(answer["reminder"], "");
}

#[test]
fn r4_what_was_shown_takes_no_slot() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?"];
    assert!(files(&env.json(&ask)).contains(&"reference_linear_ingest.md".to_owned()));
    let again = env.json(&[&ask[..], &["--surfaced", "reference_linear_ingest.md"]].concat());
    assert!(!files(&again).contains(&"reference_linear_ingest.md".to_owned()));
}

#[test]
fn r4_r8_a_session_remembers_what_it_was_shown_until_it_is_reset() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?", "--session", "s1"];
    let first = env.json(&ask);
    assert_eq!(first["budget"]["limit"], 60_000);
    assert_eq!(first["budget"]["used"], first["bytes"]);
    assert!(!files(&env.json(&ask)).contains(&"reference_linear_ingest.md".to_owned()));
    env.run(&["context", "--session", "s1", "--reset"]).ok();
    assert!(files(&env.json(&ask)).contains(&"reference_linear_ingest.md".to_owned()));
}

#[test]
fn r5_usage_of_a_tool_in_use_is_held_back_its_warnings_are_not() {
    let env = team();
    let ask = ["recall", "spawn ten more machines with mcp__farm__spawn", "--recent-tool", "mcp__farm__spawn"];
    let answer = env.json(&ask);
    assert!(!files(&answer).contains(&"reference_spawn_usage.md".to_owned()), "{answer}");
    assert!(files(&answer).contains(&"feedback_spawn_gotcha.md".to_owned()), "{answer}");
}

#[test]
fn r6_one_word_says_too_little_and_han_characters_count_as_words() {
    let env = team();
    let answer = env.json(&["recall", "Linear"]);
    assert!(files(&answer).is_empty() && answer["reason"].is_string(), "{answer}");
    assert!(env.json(&["recall", "数据库"])["reason"].is_null());
}

#[test]
fn r7_r10_a2_the_reminder_is_one_capped_block_with_headers() {
    let env = team();
    env.write_memory(
        "reference_linear_ingest.md",
        format!("---\nname: Pipeline bugs in Linear\ndescription: Bugs of the ingest pipeline are tracked in the Linear project INGEST\ntype: reference\n---\n\n{}", "A line about Linear.\n".repeat(900)),
    );
    env.run(&["refresh"]).ok();
    let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?"]);
    let reminder = answer["reminder"].as_str().unwrap();
    assert!(reminder.starts_with("<system-reminder>\n") && reminder.ends_with("\n</system-reminder>"), "{reminder}");
    assert!(reminder.contains("Memory (saved today): "), "{reminder}");
    assert!(reminder.len() <= 10_000 && reminder.matches("A line about Linear.").count() < 210);
    assert!(reminder.contains("reference_linear_ingest.md for the rest"), "{reminder}");
    assert_eq!(answer["bytes"].as_u64().unwrap() as usize, reminder.len());
}

#[test]
fn a2_an_old_memory_carries_its_caveat() {
    let mut env = team();
    env.at("2027-04-14T10:00:00Z");
    let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?"]);
    let reminder = answer["reminder"].as_str().unwrap();
    let days = answer["selected"][0]["age_days"].as_i64().unwrap();
    let (caveat, rest) = reminder.split_once("\nMemory: ").expect("a header without a time");
    assert!(
        days > 100 && caveat.contains(&format!("saved {days} days ago")) && caveat.contains("may be outdated"),
        "{reminder}"
    );
    assert!(rest.contains("reference_linear_ingest.md:\n"), "{reminder}");
    // Of today and yesterday the header says it, and there is no caveat.
    for (now, words) in [("2026-04-14T10:00:00Z", "today"), ("2026-04-15T10:00:00Z", "yesterday")] {
        let mut env = super::env();
        env.run(&["remember", "Bugs of the ingest pipeline are tracked in Linear", "--type", "reference"]).ok();
        env.at(now);
        let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?"]);
        let reminder = answer["reminder"].as_str().unwrap();
        assert!(reminder.starts_with(&format!("<system-reminder>\nMemory (saved {words}): ")), "{reminder}");
        assert!(!reminder.contains("may be outdated"), "{reminder}");
    }
}

#[test]
fn r3_without_a_model_the_model_selector_gives_nothing_and_says_so() {
    let env = team();
    let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?", "--selector", "model"]);
    assert!(files(&answer).is_empty() && answer["reason"].as_str().unwrap().contains("model"));
}

#[test]
fn e5_recall_does_not_run_when_memory_is_off() {
    let mut env = team();
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?"]);
    assert!(files(&answer).is_empty() && answer["reason"].is_string());
}

#[test]
fn a_new_memory_is_found_by_its_words_before_it_has_vectors() {
    let env = team();
    env.write_memory("reference_zebrafish_dashboard.md", "---\nname: Zebrafish dashboard\ndescription: The zebrafish dashboard lives at grafana.internal/d/zebrafish\ntype: reference\n---\n\nx\n");
    let answer = env.json(&["recall", "open the zebrafish dashboard please"]);
    assert_eq!(files(&answer)[0], "reference_zebrafish_dashboard.md", "{answer}");
}

#[test]
fn a_new_memory_is_found_by_its_meaning_where_nothing_runs_in_the_background() {
    let env = team();
    let ask = ["recall", "how should I phrase the text of a commit?"];
    assert!(files(&env.json(&ask)).is_empty());
    let text = "Git messages are written in the imperative mood, at most fifty letters";
    env.run(&["remember", text, "--type", "feedback", "--name", "Wording of changes"]).ok();
    let answer = env.json(&ask);
    assert_eq!(files(&answer), ["feedback_wording_of_changes.md"], "{answer}");
    assert!(!answer["selected"][0]["why"].as_str().unwrap().contains("commit"), "no word of the prompt: {answer}");
}

#[test]
fn the_cache_follows_hand_edits_removals_and_new_files() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?"];
    env.run(&ask).ok();
    let text = env.read_memory("reference_linear_ingest.md").replace("Linear", "Jira");
    env.write_memory("reference_linear_ingest.md", &text);
    let answer = env.json(&["recall", "where do I file a pipeline bug, is it in Jira?"]);
    assert!(answer["selected"][0]["description"].as_str().unwrap().contains("Jira"), "{answer}");
    std::fs::remove_file(env.memory().join("reference_linear_ingest.md")).unwrap();
    assert!(!files(&env.json(&ask)).contains(&"reference_linear_ingest.md".to_owned()));
}

#[test]
fn a_deleted_or_damaged_cache_changes_no_answer() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?"];
    env.run(&["refresh"]).ok();
    let before = files(&env.json(&ask));
    let list =
        env.program("find", &[env.cache().to_str().unwrap(), "-path", "*search*", "-type", "f"]).output().unwrap();
    let cached: Vec<String> = String::from_utf8(list.stdout).unwrap().lines().map(str::to_owned).collect();
    assert!(cached.len() >= 3, "{cached:?}");
    for file in &cached {
        // Vectors that were made again lie in a file of another name.
        let Ok(good) = std::fs::read(file) else { continue };
        for bad in [Vec::new(), b"nonsense".to_vec(), good[..good.len() / 2].to_vec()] {
            std::fs::write(file, bad).unwrap();
            assert_eq!(files(&env.json(&ask))[0], before[0], "{file}");
        }
        env.run(&["refresh"]).ok();
    }
    std::fs::remove_dir_all(env.cache()).unwrap();
    assert_eq!(files(&env.json(&ask))[0], before[0]);
}

#[test]
fn a_cache_of_another_version_is_built_again() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?"];
    let before = files(&env.json(&ask));
    let find =
        env.program("find", &[env.cache().to_str().unwrap(), "-path", "*search*", "-name", "state*"]).output().unwrap();
    let state = String::from_utf8(find.stdout).unwrap().trim().to_owned();
    let text = std::fs::read_to_string(&state).unwrap();
    let other = text.replacen("\"version\":5", "\"version\":999", 1);
    assert_ne!(text, other, "{text}");
    std::fs::write(&state, other).unwrap();
    assert_eq!(files(&env.json(&ask)), before);
    env.run(&["refresh"]).ok();
    assert!(std::fs::read_to_string(&state).unwrap().contains("\"version\":5"), "the cache was not built again");
}

#[test]
fn two_processes_updating_the_cache_at_once_leave_a_true_one() {
    let env = team();
    for round in 0..6 {
        let text = format!("The gauge number {round} hangs in hall {round}, said the porter");
        env.run(&["remember", &text, "--type", "project", "--name", &format!("Gauge {round}")]).ok();
        let running: Vec<_> = (0..4)
            .map(|place| {
                let args: &[&str] = if place % 2 == 0 { &["refresh"] } else { &["recall", "which hall has the gauge"] };
                env.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        for mut child in running {
            assert!(child.wait().unwrap().success());
        }
        let ask = format!("in which hall hangs gauge number {round}?");
        let answer = env.json(&["recall", &ask]);
        assert!(files(&answer).contains(&format!("project_gauge_{round}.md")), "{answer}");
    }
}

#[test]
fn what_is_opened_often_weighs_more_and_says_so() {
    let env = team();
    let ask = ["recall", "where do I file a pipeline bug, is it in Linear?"];
    let score = |answer: &Value| answer["selected"][0]["score"].as_f64().unwrap();
    let before = env.json(&ask);
    for _ in 0..12 {
        env.run(&["show", "reference_linear_ingest.md"]).ok();
    }
    let after = env.json(&ask);
    assert!(score(&after) > score(&before), "{before} {after}");
    assert!(after["selected"][0]["why"].as_str().unwrap().contains("opened 12 times"), "{after}");
}

#[test]
fn evidence_says_what_became_of_the_files_a_memory_names() {
    let env = team();
    std::fs::create_dir_all(env.project().join("src")).unwrap();
    env.write_memory("project_retry.md", "---\nname: Retry policy\ndescription: Why the retry policy of the uploader is odd, see src/uploader.rs\ntype: project\n---\n\nThe retry policy in src/uploader.rs waits 7 s because the vendor asks for it.\n");
    let answer = env.json(&["recall", "why is the retry policy of the uploader so odd?"]);
    assert_eq!(files(&answer)[0], "project_retry.md", "{answer}");
    assert_eq!(answer["selected"][0]["evidence"][0]["standing"], "gone");
    assert!(answer["reminder"].as_str().unwrap().contains("src/uploader.rs is no longer there"), "{answer}");
}

#[test]
fn p9_user_memories_take_part_in_every_project() {
    let env = env();
    env.run(&[
        "remember",
        "Deployments always go through the Bamboo server called panda",
        "--type",
        "reference",
        "--scope",
        "user",
    ])
    .ok();
    env.run(&["refresh"]).ok();
    let answer = env.json(&["recall", "which Bamboo server do deployments go through?"]);
    assert_eq!(answer["selected"][0]["scope"], "user", "{answer}");
}

#[test]
fn explain_says_why_in_words() {
    let env = team();
    let run = env.run(&["recall", "where do I file a pipeline bug, is it in Linear?", "--explain"]).ok();
    assert!(run.stdout.contains("reference_linear_ingest.md") && run.stdout.contains("in its title"), "{run}");
    // Of those that were left out only the ones that came near are named; a program gets all.
    assert!(!run.stdout.contains("(0 %"), "{run}");
    let all = env.json(&["recall", "where do I file a pipeline bug, is it in Linear?", "--explain"]);
    assert!(all["skipped"].as_array().unwrap().iter().any(|one| one["near"] == false), "{all}");
    env.run(&["recall", "Linear"]).ok().says("memdir search Linear");
}

#[test]
fn eval_recall_scores_a_set() {
    let env = env();
    let set = env.home().join("set");
    std::fs::create_dir_all(set.join("stores/one")).unwrap();
    std::fs::write(set.join("stores/one/reference_bugs.md"), "---\nname: Pipeline bugs\ndescription: Pipeline bugs are tracked in the Linear project INGEST\ntype: reference\n---\n\nx\n").unwrap();
    let query = |id: &str, text: &str, relevant: &[&str], kind: &str| {
        serde_json::json!({ "id": id, "store": "one", "query": text, "now": "2026-04-10T09:00:00Z", "relevant": relevant, "kind": kind }).to_string()
    };
    let lines = [
        query("q1", "where are pipeline bugs tracked in Linear", &["reference_bugs.md"], "lexical"),
        query("q2", "rename this variable please", &[], "nothing"),
    ];
    std::fs::write(set.join("queries.jsonl"), lines.join("\n")).unwrap();
    let metrics = env.json(&["eval", "recall", set.to_str().unwrap()]);
    assert_eq!((metrics["queries"].as_u64(), metrics["recall_at_5"].as_f64()), (Some(2), Some(1.0)), "{metrics}");
    assert_eq!(metrics["nothing_right"].as_f64(), Some(1.0));
    env.run(&["eval", "recall", "/nonexistent"]).fails(1).says("queries.jsonl");
}
