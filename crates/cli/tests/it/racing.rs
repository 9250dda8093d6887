//! Eight processes at once: every acknowledged change is there or in the history.

use std::collections::HashSet;
use std::sync::Mutex;

use memdir_testkit::TestEnv;
use serde_json::Value;

use super::env;

const WRITERS: usize = 8;
const ROUNDS: usize = 250;

/// What one writer was told had been done.
#[derive(Default)]
struct Acknowledged {
    changes: Vec<String>,
    texts: Vec<String>,
}

#[test]
fn eight_writers_lose_nothing() {
    let env = env();
    let all = Mutex::new(Acknowledged::default());
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (env, all) = (&env, &all);
            scope.spawn(move || {
                let mine = write_a_lot(env, writer);
                let mut all = all.lock().unwrap();
                all.changes.extend(mine.changes);
                all.texts.extend(mine.texts);
            });
        }
    });
    let all = all.into_inner().unwrap();
    assert!(all.changes.len() > WRITERS * ROUNDS / 2, "only {} changes were acknowledged", all.changes.len());

    // Every acknowledged change is in the history, once.
    let history = env.json(&["history", "--limit", "1000000"]);
    let ids: Vec<&str> =
        history["changes"].as_array().unwrap().iter().map(|change| change["id"].as_str().unwrap()).collect();
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), known.len(), "a change is recorded twice");
    for change in &all.changes {
        assert!(known.contains(change.as_str()), "change {change} was acknowledged and is not in the history");
    }
    // Nobody's change was taken for an outsider's.
    assert!(
        history["changes"].as_array().unwrap().iter().all(|change| change["actor"] == "user"),
        "an own write was taken for somebody else's"
    );

    // Every text is in a file or in the journal.
    let everything = everything(&env);
    for text in &all.texts {
        assert!(everything.contains(text.as_str()), "{text:?} was acknowledged and is nowhere");
    }

    // Index and files agree, and nothing is left lying about.
    let findings = env.run(&["doctor", "--json"]).json()["findings"].clone();
    let drift: Vec<&Value> = findings.as_array().unwrap().iter().filter(|finding| finding["fixable"] == true).collect();
    assert!(drift.is_empty(), "{drift:?}");
    assert!(env.memory_files().iter().all(|file| file.ends_with(".md")), "{:?}", env.memory_files());
}

/// Mixed work: remember, edit, forget, undo, each of them as its own process.
fn write_a_lot(env: &TestEnv, writer: usize) -> Acknowledged {
    let mut mine = Acknowledged::default();
    let mut files: Vec<String> = Vec::new();
    for round in 0..ROUNDS {
        // Words that are unlike each other, so that each is its own memory.
        let text = format!(
            "w{writer}r{round} {}",
            ["quartz", "walnut", "meadow", "copper", "velvet"][round % 5].repeat(1 + round % 3)
        );
        let run = match (round % 5, files.last()) {
            (3, Some(file)) => env.run(&["edit", file, "--body", &text, "--json"]),
            (4, Some(file)) if round % 10 == 4 => env.run(&["forget", file, "--json"]),
            (4, Some(_)) if !mine.changes.is_empty() => env.run(&["undo", mine.changes.last().unwrap(), "--json"]),
            _ => env.run(&["remember", &text, "--type", "project", "--name", &format!("w{writer} r{round}"), "--json"]),
        };
        // A refusal (the file was forgotten, a later edit stands in the way) is fine; a fault is not.
        assert!(matches!(run.code, Some(0 | 1)), "{run}");
        if run.code != Some(0) {
            continue;
        }
        let done = run.json();
        if let Some(change) = done["change"].as_str() {
            mine.changes.push(change.to_owned());
            if round % 5 < 4 {
                mine.texts.push(text);
            }
        }
        match (round % 5, done["file"].as_str()) {
            (3 | 4, _) => {}
            (_, Some(file)) => files.push(file.to_owned()),
            _ => {}
        }
        if round % 10 == 4 {
            files.pop();
        }
    }
    mine
}

/// Every byte of the memory directory and the journals.
fn everything(env: &TestEnv) -> String {
    let output = env
        .program(
            "sh",
            &["-c", &format!("cat $(find '{}' '{}' -type f)", env.memory().display(), env.state().display())],
        )
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
