//! What agents were told, what people say about it, and what recall makes of both.

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::git_env;
use super::hooking::{hook, prompt};
use super::serving::Page;

/// Two memories about one thing, and others.
fn known() -> TestEnv {
    let env = git_env();
    for (name, kind, text) in [
        ("Staging restart", "project", "The staging cluster is restarted every Sunday at four in the morning"),
        ("Staging access", "reference", "The staging cluster is reached through the bastion host gull"),
        ("Release notes", "feedback", "Release notes are written in the present tense"),
        ("Design tokens", "reference", "The design tokens live in the figma file Harbour"),
        ("Use pnpm", "feedback", "Use pnpm in this repository, never npm: a second lock file broke the release."),
    ] {
        env.run(&["remember", text, "--type", kind, "--name", name]).ok();
    }
    env.run(&["refresh"]).ok();
    env
}

const RESTART: &str = "project_staging_restart.md";
const ACCESS: &str = "reference_staging_access.md";
const NOTES: &str = "feedback_release_notes.md";
const TOKENS: &str = "reference_design_tokens.md";

const BOTH: &str = "is the staging cluster up right now";

fn ask(env: &TestEnv, session: &str, text: &str) -> String {
    hook(env, &["claude-code"], prompt(env, session, text).to_string().as_bytes())
}

fn tool(env: &TestEnv, session: &str, event: &str, tool: &str, input: &Value) {
    let said = json!({ "session_id": session, "cwd": env.project(), "hook_event_name": event, "tool_name": tool,
        "tool_input": input, "tool_response": {} });
    hook(env, &["claude-code"], said.to_string().as_bytes());
}

fn recalled(env: &TestEnv, query: &str) -> Vec<String> {
    let files = |one: &Value| one["file"].as_str().unwrap().to_owned();
    env.json(&["recall", query])["selected"].as_array().unwrap().iter().map(files).collect()
}

/// Why a memory came, or did not.
fn explained(env: &TestEnv, query: &str, file: &str) -> String {
    let answer = env.json(&["recall", "--explain", query]);
    let all = answer["selected"].as_array().unwrap().iter().chain(answer["skipped"].as_array().unwrap());
    let one = all.into_iter().find(|one| one["file"] == file).unwrap_or_else(|| panic!("no {file} in {answer}"));
    one["why"].as_str().or_else(|| one["reason"].as_str()).unwrap().to_owned()
}

#[test]
fn told_names_each_moment_its_reason_and_what_was_held_back() {
    let env = known();
    let start =
        json!({ "session_id": "s1", "cwd": env.project(), "hook_event_name": "SessionStart", "source": "startup" });
    hook(&env, &["claude-code"], start.to_string().as_bytes());
    ask(&env, "s1", BOTH);
    ask(&env, "s1", "and is that staging cluster restarted tonight?");
    tool(&env, "s1", "PreToolUse", "Bash", &json!({ "command": "npm install left-pad" }));
    tool(&env, "s1", "PreToolUse", "Bash", &json!({ "command": "ls" }));
    ask(&env, "s2", "write the changelog for version 2");

    let told = env.json(&["told"])["sessions"].clone();
    let names: Vec<&Value> = told.as_array().unwrap().iter().map(|one| &one["session"]).collect();
    assert_eq!(names, ["s2", "s1"], "the newest first");
    let told = &env.json(&["told", "--session", "s1"])["sessions"];
    assert_eq!(told.as_array().unwrap().len(), 1);
    let moments = told[0]["moments"].as_array().unwrap();
    let events: Vec<&str> = moments.iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["session-start", "prompt", "prompt", "before-tool"], "{told}");
    assert!(moments[0]["reason"].is_string() && moments[0]["memories"] == json!([]));
    let first = &moments[1]["memories"][0];
    assert_eq!(
        (&first["file"], &first["title"], &first["scope"]),
        (&json!(ACCESS), &json!("Staging access"), &json!("private"))
    );
    assert!(first["score"].as_f64().unwrap() > 0.5, "{first}");
    assert!(first["why"].as_str().unwrap().contains("words of the prompt in its title"), "{first}");
    let held: Vec<_> =
        moments[2]["held_back"].as_array().unwrap().iter().map(|one| (&one["file"], &one["cause"])).collect();
    assert!(held.contains(&(&json!(RESTART), &json!("seen"))), "{moments:?}");
    assert_eq!(
        (&moments[3]["refused"], &moments[3]["memories"][0]["file"]),
        (&json!(true), &json!("feedback_use_pnpm.md"))
    );
    assert_eq!(told[0]["silent"], 1);
    assert!(told[0]["tokens"].as_u64().unwrap() > 20);

    env.run(&["told"])
        .ok()
        .prints("reference_staging_access.md")
        .prints("before a call   the call was refused once")
        .prints("not project_staging_restart.md: this conversation has it already")
        .prints("1 further call with nothing to say");
    env.run(&["told", "--session", "s9"]).fails(1).says("nothing is known of a session s9; `memdir told` lists");
}

/// A reason names how many words fit, not which: a prompt is not looked through before it would be written down.
#[test]
fn no_word_of_a_prompt_or_a_command_is_kept() {
    let env = known();
    ask(&env, "s1", "how is the staging clusterr of qwertzuiop reached right now?");
    tool(&env, "s1", "PreToolUse", "Bash", &json!({ "command": "npm install qwertzuiop" }));
    let log = std::fs::read_to_string(env.state().join("hooks.jsonl")).unwrap();
    assert!(log.contains(ACCESS) && log.contains("feedback_use_pnpm.md"), "{log}");
    for word in ["clusterr", "qwertzuiop", "right now"] {
        assert!(!log.contains(word), "{word}: {log}");
    }
}

#[test]
fn what_a_tool_in_use_held_back_is_told_apart() {
    let env = known();
    env.write_memory(
        "reference_how_to_use_linear.md",
        "---\nname: How to use Linear\ndescription: Usage of the Linear tools\ntype: reference\n---\n\nTo file a ticket, create_issue takes team and title.\n",
    );
    env.run(&["refresh"]).ok();
    tool(&env, "s1", "PostToolUse", "mcp__linear__create_issue", &json!({ "title": "x" }));
    ask(&env, "s1", "file a Linear ticket for team payments, how do I use Linear for that?");
    let told = env.json(&["told", "--session", "s1"]);
    let held =
        told["sessions"][0]["moments"].as_array().unwrap().iter().flat_map(|one| one["held_back"].as_array().unwrap());
    let causes: Vec<_> = held.map(|one| (one["file"].as_str().unwrap(), one["cause"].as_str().unwrap())).collect();
    assert!(causes.contains(&("reference_how_to_use_linear.md", "tool-in-use")), "{told}");
}

#[test]
fn always_decides_between_near_equals_and_brings_what_is_near() {
    let env = known();
    assert_eq!(recalled(&env, BOTH), [ACCESS, RESTART]);
    let near = "where do the colours come from";
    assert!(recalled(&env, near).is_empty() && explained(&env, near, TOKENS).contains("too little"));
    for file in [RESTART, TOKENS] {
        env.run(&["recall", "--always", file]).ok().prints("always");
    }
    assert_eq!(recalled(&env, BOTH), [RESTART, ACCESS]);
    assert!(explained(&env, BOTH, RESTART).ends_with("you said “always” (+1.10)"));
    assert_eq!(recalled(&env, near), [TOKENS]);
    for unrelated in ["rename the variable in the parser", "make the header blue", "what is two plus two"] {
        assert!(recalled(&env, unrelated).is_empty(), "{unrelated}");
    }
}

#[test]
fn not_useful_hides_what_is_barely_near_and_never_a_sure_match() {
    let env = known();
    let (barely, sure) = ("describe what changed in the last version", "how are release notes written here");
    assert_eq!((recalled(&env, barely), recalled(&env, sure)), (vec![NOTES.to_owned()], vec![NOTES.to_owned()]));
    let before = env.read_memory(NOTES);
    env.run(&["recall", "--not", NOTES]).ok().prints("not useful here").prints("undo: memdir undo");
    assert_eq!((recalled(&env, barely), recalled(&env, sure)), (vec![], vec![NOTES.to_owned()]));
    assert!(explained(&env, barely, NOTES).ends_with("you said “not useful here” (-0.80)"));
    assert!(explained(&env, sure, NOTES).contains("you said “not useful here” (-0.80)"));
    assert_eq!(env.read_memory(NOTES), before, "a rating is no part of a memory");
    env.run(&["recall", "--not", NOTES]).fails(1).says("was said of feedback_release_notes.md already");
    env.run(&["recall", "--not", "no such thing at all"]).fails(1);
    env.run(&["recall", "--not", NOTES, "--always", NOTES]).fails(2);
}

#[test]
fn a_rating_is_in_the_history_and_undone_in_order() {
    let mut env = known();
    let said = env.json(&["recall", "--not", NOTES])["id"].as_str().unwrap().to_owned();
    let newest = &env.json(&["history"])["changes"][0];
    assert_eq!(
        (&newest["id"], &newest["reason"], &newest["rating"]),
        (&json!(said), &json!("said: not useful here"), &json!(true))
    );
    assert_eq!(env.json(&["history", NOTES])["changes"][0]["id"], json!(said));
    assert_ne!(env.json(&["history", RESTART])["changes"][0]["id"], json!(said));
    env.run(&["diff", &said]).ok().prints("+not useful here");
    env.at("2026-04-14T10:01:00Z");
    env.run(&["remember", "Invoices are numbered by quarter", "--name", "Invoices", "--type", "project"]).ok();
    assert_eq!(env.json(&["undo"])["files"][0], "project_invoices.md", "what was done last");
    let undone = env.json(&["undo"]);
    assert_eq!((&undone["name"], &undone["files"]), (&json!(said), &json!([NOTES])));
    assert!(!explained(&env, "how are release notes written here", NOTES).contains("you said"));
    assert_eq!(env.json(&["history"])["changes"][0]["reason"], "no longer said: not useful here");
    env.run(&["undo", undone["change"].as_str().unwrap()]).ok();
    assert!(explained(&env, "how are release notes written here", NOTES).contains("you said “not useful here”"));
    env.run(&["undo", &said]).ok();
    env.run(&["undo", &said]).fails(1).says("already as it was");
}

#[test]
fn a_rating_of_a_user_memory_holds_in_its_project_alone() {
    let env = known();
    env.run(&[
        "remember",
        "Prefers answers with a short summary first",
        "--name",
        "Summaries",
        "--type",
        "user",
        "--scope",
        "user",
    ])
    .ok();
    let file = env.json(&["list", "--scope", "user"])["memories"][0]["file"].as_str().unwrap().to_owned();
    env.run(&["recall", "--not", &format!("user:{file}")]).ok();
    let ask = "should the answer have a short summary first?";
    assert!(explained(&env, ask, &file).contains("you said"));
    let elsewhere = env.home().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let other = env.run_in(&elsewhere, &["recall", "--explain", ask]).ok();
    assert!(other.stdout.contains(&file) && !other.stdout.contains("you said"), "{}", other.stdout);
}

#[test]
fn going_to_a_memory_after_it_was_told_counts_for_it_a_little() {
    let env = known();
    let path = env.memory().join(RESTART);
    ask(&env, "s1", BOTH);
    tool(&env, "s1", "PostToolUse", "Read", &json!({ "file_path": path }));
    tool(&env, "s1", "PostToolUse", "Read", &json!({ "file_path": path }));
    // Reading what was not told says nothing about telling.
    tool(&env, "s2", "PostToolUse", "Read", &json!({ "file_path": env.memory().join(ACCESS) }));
    assert!(explained(&env, BOTH, RESTART).ends_with("used once after it was told (+0.08)"));
    assert!(!explained(&env, BOTH, ACCESS).contains("used"));
    ask(&env, "s3", BOTH);
    tool(&env, "s3", "PostToolUse", "Edit", &json!({ "file_path": path, "old_string": "a", "new_string": "b" }));
    assert!(explained(&env, BOTH, RESTART).ends_with("used twice after it was told (+0.16)"));
}

#[test]
fn told_many_times_and_never_used_counts_against_it_a_little() {
    let env = known();
    for at in 0..7 {
        ask(&env, &format!("s{at}"), BOTH);
    }
    assert!(!explained(&env, BOTH, ACCESS).contains("never used"));
    for at in 7..10 {
        ask(&env, &format!("s{at}"), BOTH);
        ask(&env, &format!("s{at}"), BOTH);
    }
    assert!(explained(&env, BOTH, ACCESS).ends_with("told 10 times and never used (-0.06)"));
    assert_eq!(recalled(&env, BOTH).len(), 2, "and it still comes");
    env.run(&["show", ACCESS]).ok();
    assert!(!explained(&env, BOTH, ACCESS).contains("never used"), "a person has a use for it");
}

#[test]
fn a_purge_takes_the_name_out_of_everything_that_was_told() {
    let env = known();
    ask(&env, "s1", BOTH);
    ask(&env, "s1", "and is that staging cluster restarted tonight?");
    tool(&env, "s1", "PostToolUse", "Read", &json!({ "file_path": env.memory().join(RESTART) }));
    env.run(&["show", RESTART]).ok();
    env.run(&["recall", "--always", RESTART]).ok();
    env.run(&["purge", RESTART, "--yes"]).ok();
    let mut open = vec![env.state()];
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains("staging_restart"), "{}: {text}", path.display());
            }
        }
    }
    env.run(&["told"]).ok().prints(ACCESS);
}

#[test]
fn the_page_asks_what_was_told_and_says_what_it_was_worth() {
    let env = known();
    ask(&env, "s1", BOTH);
    let page = Page::open(&env);
    let heard =
        |page: &Page| page.get("/api/told?session=s1").json()["sessions"][0]["moments"][0]["memories"][0].clone();
    let before = heard(&page);
    assert_eq!((&before["file"], &before["rating"], &before["rated"]), (&json!(ACCESS), &Value::Null, &Value::Null));
    let done = page.post("/api/rate", &json!({ "file": ACCESS, "rating": "not-useful" })).json();
    let after = heard(&page);
    assert_eq!((&after["rating"], &after["rated"]), (&json!("not-useful"), &done["change"]));
    assert_eq!(page.get("/api/history").json()["changes"][0]["id"], done["change"]);
    assert!(
        page.get(&format!("/api/diff?change={}", done["change"].as_str().unwrap())).json()["diff"]
            .as_str()
            .unwrap()
            .contains("+not useful here")
    );
    assert_eq!(page.post("/api/rate", &json!({ "file": ACCESS, "rating": "splendid" })).status, 400);
    assert_eq!(page.post("/api/rate", &json!({ "file": "nothing.md", "rating": "always" })).status, 404);
    assert_eq!(page.post("/api/undo", &json!({ "change": done["change"] })).status, 200);
    assert_eq!(heard(&page)["rating"], Value::Null);
    assert_eq!(page.get("/api/told?session=s9").json()["sessions"], json!([]));
}

#[test]
fn a_trial_of_init_is_no_call_of_an_agent() {
    let env = known();
    hook(&env, &["claude-code"], b"{}");
    env.run(&["told"]).ok().says("No agent has asked yet.");
    env.run(&["status", "--hooks"]).ok().says("No agent has called a hook yet.");
    ask(&env, "s1", BOTH);
    assert_eq!(env.json(&["told"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_was_said_of_a_memory_moves_along_and_is_no_act_of_its_own() {
    let env = known();
    let why = |file: &str| explained(&env, BOTH, file);
    env.run(&["recall", "--not", RESTART]).ok();
    assert!(why(RESTART).contains("not useful here"));
    let later = ["--now", "2026-04-14T11:00:00Z"];
    env.run(&[&["move", RESTART, "--scope", "user"], &later[..]].concat()).ok();
    env.run(&["refresh"]).ok();
    assert!(why(RESTART).contains("not useful here"), "{}", why(RESTART));
    assert_eq!(env.json(&["told"])["sessions"], json!([]));
    // The move is what was done last, and the memory is as it was once it is taken back.
    env.run(&["undo", later[0], later[1]]).ok().prints(RESTART);
    assert!(env.memory_files().iter().any(|file| file == RESTART));
    env.run(&["refresh"]).ok();
    assert!(why(RESTART).contains("not useful here"), "{}", why(RESTART));
    let said = env.json(&["history"])["changes"].as_array().unwrap().iter().filter(|one| one["rating"] == true).count();
    assert_eq!(said, 1, "one thing was said");
}
