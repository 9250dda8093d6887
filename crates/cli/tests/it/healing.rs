//! A writer died between its record and its files: the next command finishes what was recorded, and overwrites nobody.

use std::collections::BTreeMap;
use std::path::PathBuf;

use memdir_testkit::TestEnv;

use super::env;

type Files = BTreeMap<String, String>;

fn files(env: &TestEnv) -> Files {
    let memory = env.memory();
    let read = |file: String| {
        let text = std::fs::read_to_string(memory.join(&file)).unwrap();
        (file, text)
    };
    env.memory_files().into_iter().map(read).collect()
}

/// The newest segment of the only journal there is.
fn journal(env: &TestEnv) -> PathBuf {
    let mut stack = vec![env.state()];
    let mut found = Vec::new();
    while let Some(dir) = stack.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                stack.push(path);
            } else if std::fs::read_to_string(&path).is_ok_and(|text| text.starts_with("{\"change\":")) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.pop().expect("a journal")
}

/// Runs a command, and leaves things as if its process had died right after the record of its change: no mark that it was
/// done, and the files as they were. Gives the files as they should have become.
fn dies_after_its_record(env: &TestEnv, args: &[&str]) -> Files {
    let before = files(env);
    env.run(args).ok();
    let after = files(env);
    assert_ne!(before, after);
    let (memory, journal) = (env.memory(), journal(env));
    let text = std::fs::read_to_string(&journal).unwrap();
    let done = text.trim_end().rfind('\n').unwrap() + 1;
    assert!(text[done..].starts_with("{\"done\":"), "{}", &text[done..]);
    // No command may run in between: it would find half of it.
    std::fs::write(&journal, &text[..done]).unwrap();
    for file in after.keys().filter(|file| !before.contains_key(*file)) {
        std::fs::remove_file(memory.join(file)).unwrap();
    }
    for (file, text) in &before {
        std::fs::write(memory.join(file), text).unwrap();
    }
    after
}

/// The changes in the history that somebody else made.
fn by_outside(env: &TestEnv) -> usize {
    let history = env.json(&["history", "--limit", "1000"]);
    history["changes"].as_array().unwrap().iter().filter(|change| change["actor"] == "outside").count()
}

fn with_a_victim() -> TestEnv {
    let env = env();
    env.run(&["remember", "The first version of it", "--type", "project", "--name", "Victim"]).ok();
    env
}

#[test]
fn every_kind_of_recorded_change_is_finished_by_the_next_writer() {
    for args in [
        &[
            "edit",
            "project_victim.md",
            "--body",
            "The second version of it",
            "--description",
            "The second version of it",
        ] as &[&str],
        &["remember", "Something else entirely", "--type", "user", "--name", "Newcomer"],
        &["forget", "project_victim.md", "--quiet", "--yes"],
    ] {
        let env = with_a_victim();
        let wanted = dies_after_its_record(&env, args);
        env.run(&["remember", "Invoices are archived on the second floor", "--type", "reference", "--name", "Next"])
            .ok();
        let mut now = files(&env);
        now.remove("reference_next.md").expect("the next change");
        let index = now.get_mut("MEMORY.md").unwrap();
        *index =
            index.lines().filter(|line| !line.contains("reference_next.md")).map(|line| format!("{line}\n")).collect();
        assert_eq!(now, wanted, "{args:?}");
        assert_eq!(by_outside(&env), 0, "{args:?}");
        // It is finished once and for all.
        assert_eq!(env.run(&["doctor", "--json"]).json()["findings"].as_array().map(Vec::len), Some(0), "{args:?}");
    }
}

#[test]
fn what_somebody_wrote_meanwhile_is_not_overwritten() {
    let env = with_a_victim();
    let edited = files(&env)["project_victim.md"].replace("The first version of it", "What a person wrote by hand");
    let victim = env.memory().join("project_victim.md");
    dies_after_its_record(&env, &["edit", "project_victim.md", "--body", "The second version of it"]);
    std::fs::write(victim, &edited).unwrap();
    env.run(&["remember", "Whoever comes next", "--type", "reference", "--name", "Next"]).ok();
    assert_eq!(files(&env)["project_victim.md"], edited);
    // What the dead writer wanted is not lost either.
    let history = env.run(&["history", "--json", "--limit", "1000"]).ok();
    assert!(history.stdout.contains("project_victim.md"));
    assert!(std::fs::read_to_string(journal(&env)).unwrap().contains("The second version of it"));
}

#[test]
fn a_torn_record_was_never_acted_upon_and_is_cut_off() {
    let env = with_a_victim();
    let before = files(&env);
    let journal = journal(&env);
    let whole = std::fs::read_to_string(&journal).unwrap();
    let change = whole.lines().next().unwrap();
    std::fs::write(&journal, format!("{whole}{}", &change[..change.len() / 2])).unwrap();
    env.run(&["remember", "Whoever comes next", "--type", "reference", "--name", "Next"]).ok();
    let now = std::fs::read_to_string(&journal).unwrap();
    assert!(now.starts_with(&whole) && now.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert_eq!(files(&env)["project_victim.md"], before["project_victim.md"]);
}
