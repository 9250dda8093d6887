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
