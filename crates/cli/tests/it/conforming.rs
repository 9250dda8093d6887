//! Behaviours that no other file of this folder is about, each by running the program as its user or host does.

use std::process::Stdio;
use std::time::{Duration, SystemTime};

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};

use super::env;
use super::extracting::Transcript;

fn topic(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {name} in short\ntype: {kind}\n---\n\n{body}\n")
}

/// Every file of the memory directory with its bytes.
fn all(env: &TestEnv) -> Vec<(String, String)> {
    let files = env.memory_files().into_iter().filter(|file| file.ends_with(".md"));
    files.map(|file| (file.clone(), env.read_memory(&file))).collect()
}

#[test]
fn r2_a_model_chooses_from_lines_of_type_file_time_and_description() {
    let server = ModelServer::queue([Turn::json(&json!({ "selected_memories": [] }))]);
    let mut env = env();
    let dated = "metadata:\n  modified: 2026-03-28T12:13:20Z\n";
    let memory = |kind: &str, about: &str| {
        format!("---\nname: x\n{about}{kind}{dated}---\n\nThe crane is inspected before each tide.\n")
    };
    env.write_memory("typed.md", memory("type: feedback\n", "description: when the crane is inspected\n"));
    env.write_memory("bare.md", memory("", ""));
    env.var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    env.run(&["recall", "when is the crane inspected before a tide?", "--selector", "model"]).ok();
    let asked = server.last().body.to_string();
    for line in [
        "- [feedback] typed.md (2026-03-28T12:13:20Z): when the crane is inspected",
        "- bare.md (2026-03-28T12:13:20Z)",
    ] {
        assert!(asked.contains(line), "{line}: {asked}");
    }
}

/// How a memory does for a prompt, all else being equal.
fn score(file: &str, kind: &str, day: &str) -> f64 {
    let env = env();
    env.write_memory(
        file,
        format!(
            "---\nname: Who to call\ndescription: who is called at night\n{kind}metadata:\n  modified: {day}T09:00:00Z\n---\n\n\
             At night the harbour office is called first, then the pilot.\n"
        ),
    );
    let recalled = env.json(&["recall", "who is called at night when a refund of harbour dues fails?"]);
    recalled["selected"][0]["score"].as_f64().unwrap_or_else(|| panic!("{recalled}"))
}

#[test]
fn r11_age_type_and_file_name_count_beside_the_description() {
    let aged = |day| score("reference_runbook.md", "type: reference\n", day);
    let [today, yesterday, month, year] = ["2026-04-14", "2026-04-13", "2026-03-14", "2025-03-14"].map(aged);
    assert!((today - yesterday).abs() < 1e-9, "{today} {yesterday}");
    assert!(yesterday > month && month > year, "{yesterday} {month} {year}");
    let typed = |kind| score("runbook.md", kind, "2026-03-14");
    let (reference, untyped, project) = (typed("type: reference\n"), typed(""), typed("type: project\n"));
    assert!(reference > untyped && untyped > project, "{reference} {untyped} {project}");
    let filed = |file| score(file, "type: reference\n", "2026-03-14");
    assert!(filed("refund.md") > filed("runbook.md") && filed("refund/runbook.md") > filed("runbook.md"));
}

#[test]
fn a3_a_daily_file_carries_its_age_and_a_note_once_it_is_old() {
    let mut env = env();
    env.run(&["log", "add", "the crane was inspected"]).ok();
    for (now, age, noted) in [
        ("2026-04-14T22:00:00Z", "(today)", false),
        ("2026-04-15T08:00:00Z", "(yesterday)", false),
        ("2026-04-21T08:00:00Z", "(7 days old)", true),
    ] {
        env.at(now);
        let shown = env.run(&["log", "show"]).ok().stdout;
        assert!(shown.starts_with(&format!("## logs/2026/04/2026-04-14.md {age}\n")), "{shown}");
        assert_eq!(shown.contains("Note: "), noted, "{shown}");
    }
}

/// A directory in which it is time to dream, with a lock of this age and holder.
fn locked(holder: u32, hours: u64) -> TestEnv {
    let mut env = env();
    env.write_memory("reference_bugs.md", topic("reference", "Bugs", "Bugs are filed in Trello."));
    env.var("MEMDIR_DREAM_MIN_SESSIONS", "0");
    let lock = env.memory().join(".consolidate-lock");
    std::fs::write(&lock, holder.to_string()).unwrap();
    let now: jiff::Timestamp = "2026-04-14T10:00:00Z".parse().unwrap();
    let time = SystemTime::from(now) - Duration::from_secs(hours * 3600);
    std::fs::File::options().write(true).open(&lock).unwrap().set_modified(time).unwrap();
    env
}

#[test]
fn d2_the_lock_names_its_holder_and_its_time_is_that_of_the_last_dream() {
    // A process that is no longer there, and one that is.
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let mut alive = std::process::Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
    for (holder, hours, ran, why) in [
        (gone.id(), 1, false, "too-soon"),
        (gone.id(), 30, true, ""),
        (alive.id(), 0, false, "running"),
        // Whoever holds it for more than an hour has died in some other way.
        (alive.id(), 30, true, ""),
    ] {
        let env = locked(holder, hours);
        let done = env.json(&["dream"]);
        assert_eq!(done["ran"], ran, "{holder} {hours}: {done}");
        let reason = done["reason"].as_str().unwrap();
        assert!(ran || reason.contains(why), "{reason}");
        let lock = env.memory().join(".consolidate-lock");
        let (body, time) = (std::fs::read_to_string(&lock).unwrap(), lock.metadata().unwrap().modified().unwrap());
        let now = SystemTime::from("2026-04-14T10:00:00Z".parse::<jiff::Timestamp>().unwrap());
        assert_eq!(time == now, ran || hours == 0, "{holder} {hours}");
        assert_eq!(body.trim() == holder.to_string(), !ran, "{holder} {hours}: {body}");
    }
    alive.kill().unwrap();
    alive.wait().unwrap();
}

#[test]
fn d2_of_six_that_begin_at_once_one_dreams() {
    let env = locked(1, 30);
    let started: Vec<_> = (0..6)
        .map(|_| env.command(&["dream", "--json"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
        .collect();
    let done: Vec<Value> = started
        .into_iter()
        .map(|child| serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap())
        .collect();
    assert_eq!(done.iter().filter(|one| one["ran"] == true).count(), 1, "{done:?}");
}

#[test]
fn k5_a_wish_to_forget_leaves_the_rest_of_the_message() {
    let env = env();
    env.run(&["remember", "The release branch freezes on Thursday", "--type", "project", "--name", "release freeze"])
        .ok();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("forget the thing about the release freeze. deploys go through the portal from now on");
    talk.assistant("Noted.");
    env.run(&["extract", talk.path()]).ok();
    let text = all(&env).into_iter().map(|(_, text)| text).collect::<String>();
    assert!(!text.contains("freezes on Thursday") && text.contains("through the portal"), "{text}");
}

#[test]
fn k8_two_topics_are_two_memories_and_one_undo_takes_the_run_back() {
    let env = env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("never push on fridays. also the sprint board is at board.example.org/x");
    talk.assistant("Understood.");
    let done = env.json(&["extract", talk.path()]);
    let kinds: Vec<&str> = done["saved"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["feedback", "reference"], "{done}");
    assert_eq!(all(&env).len(), 3, "two files and the index");
    env.run(&["undo"]).ok();
    assert!(all(&env).iter().all(|(file, text)| file == "MEMORY.md" && text.trim().is_empty()), "{:?}", all(&env));
}

#[test]
fn k7_what_the_words_do_not_decide_stays_beside_and_is_asked() {
    let env = env();
    let known = topic("reference", "Bugs", "Bugs are filed in Trello.");
    env.write_memory("reference_bugs.md", &known);
    let notes = env.home().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("tracker.md"), "Bugs are filed in Linear.\n").unwrap();
    let done = env.json(&["import", notes.to_str().unwrap(), "--yes"]);
    assert_eq!(done["imported"][0]["may_contradict"], "reference_bugs.md", "{done}");
    assert_eq!(env.read_memory("reference_bugs.md"), known, "never overwritten");
    let asked = env.json(&["inbox"])["proposals"].clone();
    let files: Vec<&str> = asked[0]["files"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(files.contains(&"reference_bugs.md") && files.len() == 2, "{asked}");
    // A yes lets the later one stand, and undo brings both back.
    env.run(&["inbox", "accept", asked[0]["id"].as_str().unwrap()]).ok();
    assert!(env.read_memory("reference_bugs.md").contains("Linear") && all(&env).len() == 2, "{:?}", all(&env));
    env.run(&["undo"]).ok();
    assert_eq!(env.read_memory("reference_bugs.md"), known);
}

#[test]
fn k7_what_is_undecided_is_said_by_remember_doctor_a_dream_and_the_inbox() {
    let env = env();
    env.write_memory("reference_bugs.md", topic("reference", "Bugs", "Bugs are filed in Trello."));
    let (old, new) = ("Bugs are filed in Trello", "Bugs are filed in Linear");
    let said = env.run(&["remember", "Bugs are filed in Linear", "--type", "reference", "--name", "Tracker"]).ok();
    assert!(said.stderr.contains("reference_bugs.md") && said.stderr.contains(old), "{said}");
    assert!(said.stderr.contains("both stay") && said.stderr.contains("inbox"), "{said}");
    let files = ["reference_bugs.md", "reference_tracker.md"];
    let names_both = |text: &str| files.iter().chain(&[old, new]).all(|part| text.contains(part));
    let doctor = |env: &TestEnv| {
        let findings = env.run(&["doctor", "--json"]).json()["findings"].as_array().unwrap().clone();
        let about = |one: &&serde_json::Value| ["undecided", "contradiction"].contains(&one["check"].as_str().unwrap());
        findings.iter().filter(about).cloned().collect::<Vec<_>>()
    };
    let found = doctor(&env);
    assert!(found.len() == 1 && found[0]["check"] == "undecided" && names_both(&found[0].to_string()), "{found:?}");
    assert!(names_both(&env.run(&["doctor"]).stdout), "{}", env.run(&["doctor"]));
    let asked = env.run(&["inbox"]).ok().stdout;
    assert!(files.iter().chain(&[new]).all(|part| asked.contains(part)), "{asked}");
    let dream = env.json(&["dream", "--force"]);
    let unsure: Vec<_> =
        dream["unsure"].as_array().unwrap().iter().filter(|one| names_both(&one.to_string())).collect();
    assert_eq!(unsure.len(), 1, "{dream}");
    // A no is an answer: nobody speaks of it any more, and both stay.
    let id = env.json(&["inbox"])["proposals"][0]["id"].as_str().unwrap().to_owned();
    env.run(&["inbox", "reject", &id]).ok();
    assert!(doctor(&env).iter().all(|one| one["check"] != "undecided"), "{:?}", doctor(&env));
    assert!(files.iter().all(|file| env.memory().join(file).exists()));
}

/// What strangers wrote: words relative to a day, a table, an index with prose in it.
fn strangers() -> TestEnv {
    let env = env();
    let crane = "## Crane\n\nThe crane moved from the old pier to the new one this week. Its log is kept late.\n\n\
                 | a | b |\n|---|---|\n| 1 | 2 |";
    env.write_memory("project_crane.md", topic("project", "crane-design", crane));
    env.write_memory(
        "project_ko.md",
        topic("project", "점검", "오늘 점검은 20日 까지 미룬다. 다음 주 금요일에 다시 본다."),
    );
    env.write_memory(
        "project_en.md",
        topic("project", "Tide", "Noted on 2026-04-09: the spring tide is next Tuesday."),
    );
    env.write_memory(
        "MEMORY.md",
        "# Harbour\n\nSome prose.\n- [Crane](project_crane.md) — how we got here\n- a plain note without a link\n\
         - [Tide](project_en.md) — when\n- [점검](project_ko.md) — 언제\n",
    );
    env
}

/// Dreams until nothing more is proposed, and says yes to everything.
fn dream_with_every_yes(env: &TestEnv) {
    for _ in 0..3 {
        env.run(&["--yes", "dream", "--force"]).ok();
        for waiting in env.json(&["inbox"])["proposals"].as_array().unwrap() {
            env.run(&["inbox", "accept", waiting["id"].as_str().unwrap()]).ok();
        }
    }
}

#[test]
fn h2_text_that_stands_is_never_dated_whatever_a_files_time_says() {
    let env = strangers();
    let before = all(&env);
    for file in env.memory_files() {
        let time = SystemTime::from("2025-01-02T03:04:05Z".parse::<jiff::Timestamp>().unwrap());
        std::fs::File::options().write(true).open(env.memory().join(file)).unwrap().set_modified(time).unwrap();
    }
    dream_with_every_yes(&env);
    assert_eq!(all(&env), before);
}

#[test]
fn h3_a_memory_with_a_fact_of_its_own_is_merged_into_no_other() {
    let rule = "Never start the crane in a storm.\n\n**Why:** it tipped over.";
    for (more, merged) in [("", true), (" The limit is 17 metres a second.", false)] {
        let env = env();
        env.write_memory("feedback_a.md", topic("feedback", "Storms", &format!("{rule}{more}")));
        env.write_memory(
            "feedback_b.md",
            topic("feedback", "Crane and storms", &format!("{rule}\nThe tower has an anemometer.")),
        );
        dream_with_every_yes(&env);
        let text = all(&env).into_iter().map(|(_, text)| text).collect::<String>();
        for fact in ["in a storm", "tipped over", "anemometer", more.trim()] {
            assert!(text.contains(fact), "{fact}: {text}");
        }
        assert_eq!(env.memory_files().contains(&"feedback_a.md".to_owned()), !merged, "{more:?}: {text}");
    }
}

#[test]
fn z2_the_settings_have_their_defaults() {
    let env = env();
    let settings = env.json(&["settings"])["settings"].clone();
    for (key, want) in [
        ("recall.enabled", json!(true)),
        ("recall.selector", json!("auto")),
        ("index.required", json!(true)),
        ("extract.enabled", json!(true)),
        ("extract.every_turns", json!(1)),
        ("extract.non_interactive", json!(true)),
        ("dream.enabled", json!(true)),
        ("dream.min_hours", json!(24)),
        ("dream.min_sessions", json!(5)),
        ("dream.max_loss", json!(0.1)),
        ("notes.enabled", json!(true)),
        ("notes.first_tokens", json!(10_000)),
        ("notes.every_tokens", json!(5_000)),
        ("notes.tool_calls", json!(3)),
        ("search.section", json!(true)),
        ("review", json!(false)),
        ("mode", json!("normal")),
        ("model.driver", json!("auto")),
        ("model.consent", json!(false)),
    ] {
        let row = settings.as_array().unwrap().iter().find(|row| row["key"] == key);
        let row = row.unwrap_or_else(|| panic!("{key} is no setting: {settings}"));
        assert_eq!((&row["value"], &row["default"]), (&want, &want), "{row}");
    }
}
