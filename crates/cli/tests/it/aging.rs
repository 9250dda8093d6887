//! When a memory was written, and what a clone, a copy or a restore makes of it (K6, A1, A2).

use std::path::Path;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::env;
use super::hooking::hook;

const NAMES: [&str; 6] = ["harbour", "orchard", "tannery", "granary", "foundry", "brewery"];

fn memory(name: &str, dated: &str) -> String {
    format!(
        "---\nname: The {name} rota\ndescription: Who keeps the {name} keys at night\ntype: project\n{dated}---\n\n\
         The {name} keys are kept by shift {}.\n",
        name.len()
    )
}

/// Six memories of six days, each with its date in the shape that hosts write, or without any.
fn six(dated: bool) -> TestEnv {
    let env = env();
    let dir = env.memory();
    std::fs::create_dir_all(&dir).unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        let day = format!("2026-0{}-0{}T09:30:00Z", number % 3 + 1, 6 - number);
        let modified = if dated { format!("metadata:\n  modified: {day}\n") } else { String::new() };
        let path = dir.join(format!("project_{name}.md"));
        std::fs::write(&path, memory(name, &modified)).unwrap();
        if !dated {
            set_time(&path, &day);
        }
    }
    env
}

fn set_time(path: &Path, time: &str) {
    let time: jiff::Timestamp = time.parse().unwrap();
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time.into()).unwrap();
}

/// As `cp -r` does: every file gets the time of the copy.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::write(to.join(entry.file_name()), std::fs::read(entry.path()).unwrap()).unwrap();
    }
}

/// What a person and an agent are told: order and ages, what a prompt brings, what a session starts with.
fn told(env: &TestEnv, dir: &Path) -> Value {
    let dir = dir.to_str().unwrap();
    let list = env.json(&["--memory-dir", dir, "list"]);
    let rows: Vec<Value> =
        list["memories"].as_array().unwrap().iter().map(|one| json!([one["file"], one["age_days"]])).collect();
    let recalled = env.json(&["--memory-dir", dir, "recall", "who keeps the orchard keys at night?"]);
    let chosen: Vec<Value> = recalled["selected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["file"], one["age_days"], one["score"]]))
        .collect();
    let reminder = recalled["reminder"].as_str().unwrap().replace(dir, "DIR");
    json!({ "rows": rows, "chosen": chosen, "reminder": reminder })
}

#[test]
fn k6_a_copy_without_times_changes_no_order_no_age_and_no_answer() {
    let env = six(true);
    let before = told(&env, &env.memory());
    assert_eq!(before["rows"][0], json!(["project_tannery.md", 41]), "{before}");
    assert_eq!(before["chosen"][0][1], json!(68), "{before}");
    assert!(before["reminder"].as_str().unwrap().contains("saved 68 days ago"), "{before}");
    let elsewhere = env.home().join("elsewhere");
    copy(&env.memory(), &elsewhere);
    assert_eq!(told(&env, &elsewhere), before);
}

#[test]
fn k6_a_restore_in_place_changes_nothing_either() {
    let env = six(false);
    let before = told(&env, &env.memory());
    assert_eq!(before["rows"][0], json!(["project_tannery.md", 41]), "{before}");
    let aside = env.home().join("backup");
    copy(&env.memory(), &aside);
    copy(&aside, &env.memory());
    assert_eq!(told(&env, &env.memory()), before);
    // Nor does it when every cache is gone.
    std::fs::remove_dir_all(env.cache()).unwrap();
    assert_eq!(told(&env, &env.memory()), before);
}

#[test]
fn k6_where_nothing_tells_the_age_is_unknown_and_not_today() {
    let env = six(false);
    let clone = env.home().join("clone");
    copy(&env.memory(), &clone);
    let dir = clone.to_str().unwrap();
    let rows = told(&env, &clone);
    let files: Vec<&str> = rows["rows"].as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    assert!(files.is_sorted() && rows["rows"].as_array().unwrap().iter().all(|row| row[1].is_null()), "{rows}");
    let reminder = rows["reminder"].as_str().unwrap();
    assert!(reminder.contains("not known") && !reminder.contains("saved today"), "{reminder}");
    env.run(&["--memory-dir", dir, "list"]).ok().prints("unknown");
    env.run(&["--memory-dir", dir, "recall", "who keeps the orchard keys at night?"]).ok().prints("age unknown");
    // What is said now is from now, and comes first.
    env.run(&["--memory-dir", dir, "remember", "The mill keys are kept by Ada", "--type", "project"]).ok();
    let list = env.json(&["--memory-dir", dir, "list"]);
    assert_eq!(
        (&list["memories"][0]["age_days"], list["memories"].as_array().unwrap().len()),
        (&json!(0), 7),
        "{list}"
    );
}

#[test]
fn k6_a_date_in_the_future_counts_as_now() {
    let env = env();
    env.write_memory("project_mill.md", memory("mill", "metadata:\n  modified: 2031-01-01T00:00:00Z\n"));
    env.write_memory("project_forge.md", memory("forge", "modified: 2026-04-01\n"));
    let list = env.json(&["list"]);
    assert_eq!(
        (&list["memories"][0]["file"], &list["memories"][0]["age_days"]),
        (&json!("project_mill.md"), &json!(0))
    );
    let recalled = env.json(&["recall", "who keeps the mill keys at night?"]);
    assert!(recalled["reminder"].as_str().unwrap().contains("Memory (saved today): "), "{recalled}");
}

#[test]
fn a1_what_memdir_saved_is_as_old_as_the_saving_whatever_the_file_says() {
    let mut env = env();
    env.at("2026-03-01T12:00:00Z");
    let saved = env.json(&["remember", "The mill keys are kept by Ada at night", "--type", "project"]);
    let file = saved["file"].as_str().unwrap().to_owned();
    env.at("2026-03-04T12:00:00Z");
    assert_eq!(env.json(&["list"])["memories"][0]["age_days"], json!(3));
    set_time(&env.memory().join(&file), "2025-01-01T00:00:00Z");
    assert_eq!(env.json(&["list"])["memories"][0]["age_days"], json!(3));
    // A pin and a way there and back say nothing new; another text does.
    env.run(&["pin", &file]).ok();
    env.run(&["unpin", &file]).ok();
    env.run(&["forget", &file, "--yes"]).ok();
    env.run(&["undo"]).ok();
    assert_eq!(env.json(&["list"])["memories"][0]["age_days"], json!(3));
    env.run(&["edit", &file, "--description", "Ada and Ben keep the mill keys"]).ok();
    assert_eq!(env.json(&["list"])["memories"][0]["age_days"], json!(0));
}

/// A set of dreams as a clone has it: every file of a case was written just now.
fn cloned(set: &Path, to: &Path) {
    for case in std::fs::read_dir(set).unwrap().map(|entry| entry.unwrap().path()).filter(|case| case.is_dir()) {
        let copy = to.join(case.file_name().unwrap());
        let mut times = serde_json::Map::new();
        let mut left = vec![std::path::PathBuf::new()];
        while let Some(below) = left.pop() {
            std::fs::create_dir_all(copy.join(&below)).unwrap();
            for entry in std::fs::read_dir(case.join(&below)).unwrap().map(Result::unwrap) {
                let path = below.join(entry.file_name());
                if entry.path().is_dir() {
                    left.push(path);
                    continue;
                }
                std::fs::write(copy.join(&path), std::fs::read(entry.path()).unwrap()).unwrap();
                if let Ok(memory) = path.strip_prefix("before") {
                    times.insert(memory.to_str().unwrap().to_owned(), Value::Null);
                }
            }
        }
        let expect: Value = serde_json::from_slice(&std::fs::read(case.join("expect.json")).unwrap()).unwrap();
        times.values_mut().for_each(|time| *time = expect["now"].clone());
        std::fs::write(copy.join("mtimes.json"), Value::Object(times).to_string()).unwrap();
    }
}

/// What a set of dreams comes to, with the times of its files and without.
fn dreamt_alike(set: &str) {
    let env = env();
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals").join(set);
    let copy = env.home().join("set");
    cloned(&set, &copy);
    let dated = env.json(&["eval", "dream", set.to_str().unwrap()]);
    let undated = env.json(&["eval", "dream", copy.to_str().unwrap()]);
    assert!(dated["cases"].as_u64().unwrap() > 10, "{dated}");
    assert_eq!(dated["results"], undated["results"]);
}

#[test]
fn k6_the_dreams_of_a_clone_are_those_of_the_original() {
    dreamt_alike("dream");
}

#[test]
fn k6_more_dreams_of_a_clone_are_those_of_the_original() {
    dreamt_alike("dream-more");
}

/// A daily log is as old as the day in its name, in every place where logs are read and after every copy.
#[test]
fn k6_a3_l3_a_daily_log_is_as_old_as_its_day() {
    let env = env();
    let logs = [
        (env.memory().join("logs"), "logs/2026/04/2026-04-02.md", "walrus"),
        (env.memory().parent().unwrap().join("logs"), "../logs/2026/04/2026-04-02.md", "beaver"),
        (env.home().join(".claude/memory"), "2026/04/2026-04-02.md", "heron"),
    ];
    for (dir, _, name) in &logs {
        let file = dir.join("2026/04/2026-04-02.md");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("- 09:00 [project] the {name} service is drained behind the flag {name}-x\n"))
            .unwrap();
    }
    let told = |name: &str, at: &str| {
        let said = json!({ "session_id": format!("{name}{at}"), "cwd": env.project(), "hook_event_name": "UserPromptSubmit",
            "prompt": format!("behind which flag is the {name} service drained?") });
        hook(&env, &["claude-code"], said.to_string().as_bytes())
    };
    for time in ["2026-04-14T08:00:00Z", "2025-01-01T00:00:00Z"] {
        for (dir, file, name) in &logs {
            set_time(&dir.join("2026/04/2026-04-02.md"), time);
            let answer = told(name, time);
            assert!(answer.contains(&format!("{name}-x")) && answer.contains("saved 12 days ago"), "{file}: {answer}");
            assert!(!answer.contains("(saved today)"), "{file}: {answer}");
        }
        let list = env.json(&["list"])["memories"].clone();
        for memory in list.as_array().unwrap() {
            assert_eq!((&memory["age_days"], &memory["flags"][0]), (&json!(12), &json!("log")), "{memory}");
        }
    }
    // Whoever writes into it today writes of that day.
    let file = env.memory().join("logs/2026/04/2026-04-02.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "- 10:00 [project] the walrus service has a second flag, walrus-y\n").unwrap();
    assert!(told("walrus", "again").contains("saved 12 days ago"));
    env.run(&["log", "add", "[project] the otter service is drained behind the flag otter-x"]).ok();
    assert!(told("otter", "now").contains("(saved today)"));
}
