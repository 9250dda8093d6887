//! Something known is said again: the memory says the new thing, and nothing else changes (K).

use std::collections::BTreeMap;

use super::env;

fn all(env: &memdir_testkit::TestEnv) -> BTreeMap<String, String> {
    env.memory_files().into_iter().map(|file| (file.clone(), env.read_memory(&file))).collect()
}

#[test]
fn k1_the_same_in_other_words_changes_nothing() {
    let env = env();
    env.run(&["remember", "Production runs PostgreSQL 14", "--name", "Database"]).ok();
    let before = all(&env);
    let done = env.json(&["remember", "the production database is PostgreSQL 14"]);
    assert_eq!(done["action"], "unchanged", "{done}");
    assert_eq!(all(&env), before);
}

#[test]
fn k2_a_changed_fact_is_changed_everywhere_and_the_old_one_is_history() {
    let env = env();
    env.run(&["remember", "Ben runs the rota", "--why", "he knows everybody's holidays"]).ok();
    let file = "project_ben_runs_the_rota.md";
    assert!(env.memory_files().contains(&file.to_owned()), "{:?}", env.memory_files());
    let done = env.json(&["remember", "Dana runs the rota"]);
    assert_eq!((done["action"].as_str(), done["renamed_from"].as_str()), (Some("updated"), Some(file)), "{done}");
    assert_eq!(done["replaced"], "Ben runs the rota");
    let now = done["file"].as_str().unwrap().to_owned();
    for (file, text) in all(&env) {
        assert!(!file.contains("ben") && !text.contains("Ben") && !text.contains("holidays"), "{file}: {text}");
    }
    assert!(env.read_memory("MEMORY.md").contains(&now));
    // History and blame follow the file to its new name, and one undo brings all of it back.
    let history = env.run(&["history", &now]).ok().stdout;
    assert_eq!(history.lines().filter(|line| line.contains("remember")).count(), 2, "{history}");
    let blame = env.json(&["blame", &now]);
    assert!(blame.to_string().contains("Dana"), "{blame}");
    env.run(&["undo", done["change"].as_str().unwrap()]).ok();
    assert!(env.read_memory(file).contains("Ben runs the rota") && env.read_memory("MEMORY.md").contains(file));
    assert!(!env.memory_files().contains(&now));
}

#[test]
fn k2_one_line_of_a_long_note_changes_and_every_other_byte_stays() {
    let env = env();
    env.run(&["remember", "seed", "--name", "Seed"]).ok();
    let body = "# Playtests\n\nPlaytest is every Thursday at 15:00.\n\n- notes go in the doc\n- top five issues get tickets\n\
                - designers pick the focus\n- the build is archived\n- pizza is on the producer\n";
    let note =
        format!("---\nname: Weekly playtest\ndescription: When the team playtests\ntype: project\n---\n\n{body}");
    env.write_memory("project_playtest.md", &note);
    let done = env.json(&["remember", "The playtest is every Tuesday at 15:00"]);
    assert_eq!(
        (done["action"].as_str(), done["file"].as_str()),
        (Some("updated"), Some("project_playtest.md")),
        "{done}"
    );
    let expected = note.replace("every Thursday at", "every Tuesday at");
    assert_eq!(env.read_memory("project_playtest.md"), expected);
}

#[test]
fn k3_a_detail_joins_its_memory() {
    let env = env();
    env.run(&["remember", "Keep pull requests under 400 changed lines", "--name", "Small PRs"]).ok();
    let done = env.json(&["remember", "the 400 lines limit for PRs does not count generated files and lock files"]);
    assert_eq!(done["action"], "updated", "{done}");
    let text = env.read_memory(done["file"].as_str().unwrap());
    assert!(text.contains("under 400 changed lines") && text.contains("generated files"), "{text}");
}

#[test]
fn k4_another_thing_in_similar_words_is_another_memory() {
    let env = env();
    env.run(&["remember", "Production runs PostgreSQL 14", "--name", "Database"]).ok();
    let before = all(&env);
    let done = env.json(&["remember", "The staging database is MySQL 8"]);
    assert_eq!(done["action"], "created", "{done}");
    for (file, text) in before {
        let now = env.read_memory(&file);
        assert!(if file == "MEMORY.md" { now.starts_with(&text) } else { now == text }, "{file}: {now}");
    }
}
