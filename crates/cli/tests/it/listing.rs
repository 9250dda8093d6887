//! `list`, `show`, `status`, `settings`.

use super::pty::Terminal;
use super::{env, git_env};

#[test]
fn r1_topics_of_every_scope_are_listed_newest_first() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.run(&["remember", "I prefer short answers", "--type", "user", "--scope", "user"]).ok();
    env.run(&["remember", "Releases are cut by Mara", "--type", "project", "--scope", "team"]).ok();
    env.write_memory("deep/er/note.MD", "no frontmatter here\n");
    let list = env.json(&["list"])["memories"].clone();
    let found: Vec<(String, String)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| (memory["file"].as_str().unwrap().to_owned(), memory["scope"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(found[0], ("deep/er/note.MD".to_owned(), "private".to_owned()));
    let mut scopes: Vec<&str> = found.iter().map(|(_, scope)| scope.as_str()).collect();
    scopes.sort_unstable();
    assert_eq!(scopes, ["private", "private", "team", "user"]);
    assert!(list[0]["flags"].to_string().contains("untyped"));
}

#[test]
fn f1_both_shapes_are_read_and_updated_in_their_own() {
    let env = env();
    let nested = "---\nname: legacy-name\ndescription: nested shape\nmetadata:\n  type: feedback\n  node_type: memory\n  originSessionId: abc\n---\n\nBody [[other]]\n";
    env.write_memory("nested.md", nested);
    let list = env.json(&["list"])["memories"].clone();
    assert_eq!(list[0]["type"], "feedback");
    env.run(&["edit", "nested.md", "--type", "project"]).ok();
    assert_eq!(env.read_memory("nested.md"), nested.replace("type: feedback", "type: project"));
}

#[test]
fn f5_an_update_changes_only_what_it_must() {
    let env = env();
    let odd = "\u{feff}---\r\n# by hand\r\nname: 'Odd one'   # keep me\r\ncustom: [a,  b]\r\ndescription: a: b with colons\r\ntype: reference\r\n---\r\n\r\n*Body*\twith tabs\r\n";
    env.write_memory("odd.md", odd);
    env.run(&["edit", "odd.md", "--description", "new words"]).ok();
    assert_eq!(env.read_memory("odd.md"), odd.replace("a: b with colons", "new words"));
    env.run(&["pin", "odd.md"]).ok();
    env.run(&["unpin", "odd.md"]).ok();
    assert_eq!(env.read_memory("odd.md"), odd.replace("a: b with colons", "new words"));
}

#[test]
fn show_prints_the_file_as_it_is() {
    let env = env();
    env.write_memory("a.md", "---\nname: A\n---\nbody\n");
    assert_eq!(env.run(&["show", "a"]).ok().stdout, "---\nname: A\n---\nbody\n");
    env.run(&["show", "b"]).fails(1).says("no memory b");
    env.run(&["show", "../../../etc/passwd"]).fails(1);
}

#[test]
fn e6_status_names_directory_switch_and_rules() {
    let mut env = git_env();
    let status = env.json(&["status"]);
    assert_eq!(status["memory"]["rule"], "default");
    assert_eq!(status["memory"]["enabled"], true);
    assert_eq!(status["project"]["root"].as_str().unwrap(), env.project().to_str().unwrap());
    assert_eq!(status["project"]["id"].as_str().unwrap().len(), 40);
    for gate in ["extract", "dream", "recall"] {
        assert!(status["gates"][gate]["reason"].is_string());
    }
    env.var("CLAUDE_CODE_SIMPLE", "1");
    let status = env.json(&["status"]);
    assert_eq!(status["memory"]["enabled"], false);
    assert!(status["memory"]["enabled_rule"].as_str().unwrap().contains("bare"), "{status}");
}

#[test]
fn p4_p5_p6_the_directory_follows_its_rules() {
    let mut env = git_env();
    let elsewhere = env.home().join("notes/app");
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    std::fs::write(env.home().join(".claude/settings.json"), r#"{"autoMemoryDirectory":"~/notes/app"}"#).unwrap();
    assert_eq!(env.memory(), elsewhere);
    // A committed file must not redirect.
    std::fs::remove_file(env.home().join(".claude/settings.json")).unwrap();
    std::fs::create_dir_all(env.project().join(".claude")).unwrap();
    std::fs::write(env.project().join(".claude/settings.json"), r#"{"autoMemoryDirectory":"~/.ssh"}"#).unwrap();
    assert!(env.memory().ends_with("memory"));
    // The variable wins; a bad one means nowhere, not somewhere else.
    env.var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", elsewhere.to_str().unwrap());
    assert_eq!(env.memory(), elsewhere);
    let before = std::fs::read_dir(env.home()).unwrap().count();
    for (bad, rule, words) in [
        ("/", "root", "the root of the file system"),
        ("/tmp", "near-root", "only one level below the root"),
        ("/w/x/../../y", "near-root", "only one level below the root"),
        ("relative/path", "relative", "relative"),
        ("~", "relative", "relative"),
        ("C:\\", "drive-root", "the root of a drive"),
        ("//server/share", "unc", "a network share"),
        ("\\\\server\\share", "unc", "a network share"),
    ] {
        env.var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", bad);
        let status = env.json(&["status"]);
        assert!(status["memory"]["dir"].is_null() && status["memory"]["rule"] == rule, "{bad}: {status}");
        env.run(&["remember", "anything"]).fails(1).says(words);
    }
    env.var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "");
    for (bad, words) in
        [("~", "home"), ("~/..", "leaves the home directory"), ("~/x/../../y", "leaves the home directory")]
    {
        let settings = format!("{{\"autoMemoryDirectory\":\"{bad}\"}}");
        std::fs::write(env.home().join(".claude/settings.json"), settings).unwrap();
        env.run(&["remember", "anything"]).fails(1).says(words);
        env.run(&["--memory-dir", bad, "remember", "anything"]).fails(1);
    }
    std::fs::remove_file(env.home().join(".claude/settings.json")).unwrap();
    assert_eq!(std::fs::read_dir(env.home()).unwrap().count(), before, "nothing was written, here or elsewhere");
    // A flag may be relative to where one stands.
    env.run(&["--memory-dir", "notes/own", "remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    assert!(env.project().join("notes/own/MEMORY.md").is_file());
}

#[test]
fn z1_settings_show_value_default_and_source_and_can_be_set() {
    let mut env = env();
    env.var("MEMDIR_DREAM_MIN_HOURS", "48");
    let of = |env: &memdir_testkit::TestEnv, key: &str| {
        let settings = env.json(&["settings"])["settings"].clone();
        settings.as_array().unwrap().iter().find(|entry| entry["key"] == key).unwrap_or_else(|| panic!("{key}")).clone()
    };
    assert_eq!(of(&env, "dream.min_hours")["value"], 48);
    assert_eq!(of(&env, "dream.min_hours")["default"], 24);
    env.run(&["settings", "recall.enabled", "false"]).ok();
    assert_eq!(of(&env, "recall.enabled")["value"], false);
    env.run(&["settings", "recall.enabeld"]).fails(1).says("recall.enabled");
    env.run(&["settings", "recall.enabled", "maybe"]).fails(1);
}

#[test]
fn r1_few_open_files_drop_nothing() {
    let env = env();
    let memory = env.memory();
    std::fs::create_dir_all(&memory).unwrap();
    for at in 0..3_000 {
        std::fs::write(memory.join(format!("n{at}.md")), format!("---\nname: n{at}\ntype: project\n---\n")).unwrap();
    }
    let limited = format!("ulimit -n 64; exec '{}' list --json", env!("CARGO_BIN_EXE_memdir"));
    let run = memdir_testkit::finish(&mut env.program("sh", &["-c", &limited])).ok();
    assert_eq!(run.json()["memories"].as_array().unwrap().len(), 3_000);
}

#[test]
fn f2_an_unknown_type_reads_as_untyped_and_the_file_stays_usable() {
    let env = env();
    env.write_memory("odd.md", "---\nname: Odd\ndescription: neither fish nor fowl\ntype: banana\n---\n\nBody.\n");
    env.write_memory("none.md", "Just text.\n");
    for memory in env.json(&["list"])["memories"].as_array().unwrap() {
        assert!(memory["type"].is_null() && memory["flags"].to_string().contains("untyped"), "{memory}");
    }
    env.run(&["search", "fowl"]).ok().prints("odd.md");
    env.run(&["edit", "odd.md", "--type", "reference"]).ok();
    assert_eq!(env.json(&["list", "--type", "reference"])["memories"][0]["file"], "odd.md");
    env.run(&["remember", "x y", "--type", "banana"]).fails(2).says("reference");
}

#[test]
fn a1_ages_are_calendar_days_and_a_clock_that_runs_backwards_gives_today() {
    let mut env = env();
    env.write_memory("a.md", "---\nname: A\ntype: user\n---\n");
    let written = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_776_211_199); // 2026-04-14T23:59:59Z
    std::fs::File::options().write(true).open(env.memory().join("a.md")).unwrap().set_modified(written).unwrap();
    for (now, days) in [
        ("2026-04-14T23:59:59Z", 0),
        ("2026-04-15T00:00:00Z", 1),
        ("2026-04-16T23:00:00Z", 2),
        ("2025-01-01T00:00:00Z", 0),
    ] {
        env.at(now);
        assert_eq!(env.json(&["list"])["memories"][0]["age_days"], days, "{now}");
    }
    env.at("2026-04-15T12:00:00Z");
    env.run(&["list"]).ok().prints("yesterday");
}

#[test]
fn a_list_fits_its_terminal_and_cuts_no_name_in_a_pipe() {
    let env = env();
    let file = "reference_a_rather_long_name_of_a_file_that_somebody_made_by_hand.md";
    let text = "word ".repeat(60);
    env.write_memory(file, format!("---\nname: Long\ndescription: {text}\ntype: reference\n---\n\n{text}\n"));
    env.write_memory("short.md", "no frontmatter\n");
    env.run(&["list"]).ok().prints(file);
    for columns in [60, 80, 132] {
        let shown = Terminal::start(env.command(&["list", "--color", "never"]), columns, 30).leaves();
        assert_eq!(shown.lines().filter(|line| !line.trim().is_empty()).count(), 2, "{shown}");
        for line in shown.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line:?}");
        }
    }
}

#[test]
fn a_person_reads_words_and_a_program_codes() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let status = env.run(&["status"]).ok().prints("5 more sessions until the next dream");
    assert!(!status.stdout.contains("few-sessions"), "{status}");
    env.run(&["dream"]).ok().prints("No dream now: 5 more sessions until the next dream.");
    assert_eq!(env.json(&["status"])["gates"]["dream"]["reason"], "few-sessions:0-of-5");
    // Every setting is explained in a line of its own.
    let settings = env.run(&["settings"]).ok();
    let keys = env.json(&["settings"])["settings"].as_array().unwrap().len();
    assert_eq!(settings.stdout.lines().filter(|line| line.starts_with("    ")).count(), keys, "{settings}");
}

#[test]
fn quiet_is_quiet() {
    let env = env();
    for args in [
        &["remember", "Use UTC everywhere", "--type", "feedback", "--quiet"][..],
        &["edit", "feedback_use_utc_everywhere.md", "--why", "logs", "-q"],
        &["pin", "feedback_use_utc_everywhere.md", "-q"],
        &["undo", "-q"],
        &["forget", "feedback_use_utc_everywhere.md", "-q"],
        &["doctor", "-q"],
    ] {
        let run = env.run(args).ok();
        assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    }
    // Data is what was asked for, and an error is never silent.
    env.run(&["undo", "-q"]).ok();
    env.run(&["list", "-q"]).ok().prints("feedback_use_utc_everywhere.md");
    env.run(&["show", "nothing at all", "-q"]).fails(1).says("no memory");
}
