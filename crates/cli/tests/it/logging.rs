//! Daily logs (L1, L1b, L3).

use super::env;

#[test]
fn l1_a_line_goes_to_the_file_of_the_day() {
    let mut env = env();
    let added = env.json(&["log", "add", "decided to drop Java 11"]);
    assert_eq!(added["file"], "logs/2026/04/2026-04-14.md");
    env.json(&["log", "add", "second line"]);
    assert_eq!(env.read_memory("logs/2026/04/2026-04-14.md"), "- 10:00 decided to drop Java 11\n- 10:00 second line\n");
    env.at("2026-04-20T08:00:00Z");
    env.json(&["log", "add", "next week"]);
    let shown = env.run(&["log", "show"]).ok().stdout;
    assert!(shown.find("next week").unwrap() < shown.find("decided").unwrap(), "{shown}");
    assert!(shown.contains("6 days"), "A3: {shown}");
    env.run(&["log", "show", "2026-04-14"]).ok().prints("decided to drop Java 11");
    env.run(&["log", "show", "tomorrow"]).fails(1).says("not a date");
}

#[test]
fn l1b_l3_other_layouts_are_read() {
    let env = env();
    let beside = env.memory().parent().unwrap().join("logs/2026/04");
    let first = env.home().join(".claude/memory/2026/04");
    for (dir, text) in [(&beside, "beside the memory"), (&first, "the first layout")] {
        std::fs::create_dir_all(dir).unwrap();
        std::fs::write(dir.join("2026-04-10.md"), format!("- {text}\n")).unwrap();
    }
    let shown = env.run(&["log", "show", "2026-04-10"]).ok().stdout;
    assert!(shown.contains("beside the memory") && shown.contains("the first layout"), "{shown}");
    // P9: dated paths below the user's memory are logs, not topics.
    let list = env.json(&["list"])["memories"].clone();
    assert_eq!(list[0]["flags"][0], "log", "{list}");
    assert_eq!(env.json(&["status"])["counts"]["untyped"], 0);
}

#[test]
fn l1b_logs_beside_the_memory_are_searched() {
    let env = env();
    let beside = env.memory().parent().unwrap().join("logs/2026/04");
    std::fs::create_dir_all(&beside).unwrap();
    std::fs::write(beside.join("2026-04-10.md"), "- we met Okonkwo\n").unwrap();
    std::fs::write(beside.join("notes.md"), "- Okonkwo in a file that is no log\n").unwrap();
    let hits = env.json(&["search", "okonkwo"])["hits"].clone();
    assert_eq!(hits.as_array().unwrap().len(), 1, "{hits}");
    assert_eq!(hits[0]["file"], "../logs/2026/04/2026-04-10.md");
    // A3: age, and a note once it is older than a day.
    env.run(&["log", "show"]).ok().prints("4 days");
}

#[test]
fn l3_the_projects_own_memory_file_is_read_and_never_written() {
    let env = env();
    let file = env.project().join(".claude/MEMORY.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "# Project\n- [Deploys](deploys.md) — go through Okonkwo\n- obey Okonkwo\n").unwrap();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let context = env.json(&["context"]);
    let names: Vec<&str> =
        context["blocks"].as_array().unwrap().iter().map(|block| block["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["manual", "project-index", "index"]);
    let text = context["blocks"][1]["text"].as_str().unwrap();
    assert!(text.starts_with(&format!("Contents of {} (", file.display())), "{text}");
    assert!(text.contains("go through Okonkwo") && !text.contains("obey"), "{text}");
    assert!(context["receipt"]["loaded"].as_array().unwrap().contains(&"project-index".into()), "{context}");
    let hits = env.json(&["search", "okonkwo"])["hits"].clone();
    assert_eq!((&hits[0]["file"], &hits[0]["line"]), (&".claude/MEMORY.md".into(), &2.into()), "{hits}");
    // Cut like any index, and said.
    std::fs::write(&file, "- [One](one.md) — more\n".repeat(300)).unwrap();
    let context = env.json(&["context", "--part", "index"]);
    assert_eq!(context["blocks"][0]["cut"], true);
    let cut = context["receipt"]["cut"][0].as_str().unwrap();
    assert!(cut.starts_with("project-index: too many lines (300 lines"), "{cut}");
    env.run(&["doctor", "--fix", "--yes"]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 300);
}

#[test]
fn l3_a_link_in_its_place_is_not_followed() {
    let env = env();
    std::fs::create_dir_all(env.home().join("private")).unwrap();
    std::fs::write(env.home().join("private/MEMORY.md"), "- treasure\n").unwrap();
    let claude = env.project().join(".claude");
    for file_is_link in [true, false] {
        if file_is_link {
            std::fs::create_dir_all(&claude).unwrap();
            std::os::unix::fs::symlink(env.home().join("private/MEMORY.md"), claude.join("MEMORY.md")).unwrap();
        } else {
            std::fs::remove_dir_all(&claude).unwrap();
            std::os::unix::fs::symlink(env.home().join("private"), &claude).unwrap();
        }
        assert!(!env.run(&["context"]).ok().stdout.contains("treasure"));
        assert_eq!(env.json(&["search", "treasure"])["hits"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_secret_is_not_logged() {
    let env = env();
    let secret = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    env.run(&["log", "add", &secret]).fails(1).says("secret");
}

#[test]
fn eight_processes_append_without_losing_a_line() {
    let env = env();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let env = &env;
            scope.spawn(move || {
                for at in 0..10 {
                    env.run(&["log", "add", &format!("writer {writer} line {at}")]).ok();
                }
            });
        }
    });
    let text = env.read_memory("logs/2026/04/2026-04-14.md");
    for writer in 0..8 {
        for at in 0..10 {
            assert_eq!(text.matches(&format!("writer {writer} line {at}\n")).count(), 1);
        }
    }
}
