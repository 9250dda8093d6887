//! Settings files of the host as people, tools and attackers write them.

use std::fs;

use tempfile::TempDir;

use super::*;

/// One project directory, a user file and a managed file, each with this text.
fn load(managed: &str, local: &str, project: &str, user: &str, committed: bool) -> HostSettings {
    let dir = TempDir::new().unwrap();
    let at = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !text.is_empty() {
            fs::write(&path, text).unwrap();
        }
        path
    };
    let managed = [at("managed.json", managed)];
    at("app/.claude/settings.local.json", local);
    at("app/.claude/settings.json", project);
    at("config/settings.json", user);
    let app = dir.path().join("app");
    let files =
        HostFiles { managed: &managed, flags: &[], project: &[&app], config_home: Some(&dir.path().join("config")) };
    HostSettings::load(files, |_| committed)
}

fn enabled(word: bool) -> String {
    format!(r#"{{"autoMemoryEnabled":{word}}}"#)
}

#[test]
fn e4_the_strongest_source_decides() {
    use HostSource::{Local, Managed, Project, User};
    let (on, off) = (enabled(true), enabled(false));
    for (managed, local, project, user, committed, want) in [
        ("", "", "", on.as_str(), false, Some((true, User))),
        ("", "", off.as_str(), &on, false, Some((false, Project))),
        ("", "", &on, &off, false, Some((false, User))),
        ("", &on, &off, &off, false, Some((true, Local))),
        ("", &on, &off, &on, true, Some((false, Project))),
        ("", &off, "", &on, true, Some((false, Local))),
        (&on, &off, &off, &off, false, Some((true, Managed))),
        (&off, &on, &on, &on, false, Some((false, Managed))),
        ("", "", &on, "", false, None),
        ("", "", "", "", false, None),
    ] {
        let said = load(managed, local, project, user, committed).memory_enabled;
        assert_eq!(said.map(|said| (said.value, said.source)), want, "{managed} {local} {project} {user} {committed}");
    }
}

#[test]
fn p5_a_committed_file_never_redirects() {
    let text = r#"{"autoMemoryDirectory":"/x/y"}"#;
    let from = |found: HostSettings| found.memory_directory.map(|said| said.source);
    assert_eq!(from(load("", "", text, "", false)), None);
    assert_eq!(from(load("", text, text, "", true)), None);
    assert_eq!(from(load("", text, text, text, true)), Some(HostSource::User));
    assert_eq!(from(load("", text, text, text, false)), Some(HostSource::Local));
    let warned = load("", text, text, "", true).warnings;
    assert_eq!(warned.iter().map(|warning| warning.id).collect::<Vec<_>>(), ["project-refused"; 2]);
}

#[test]
fn z1_the_dream_switch_follows_the_same_rules() {
    let (on, off) = (r#"{"autoDreamEnabled":true}"#, r#"{"autoDreamEnabled":false}"#);
    let said = |found: HostSettings| found.dream_enabled.map(|said| (said.value, said.source));
    assert_eq!(said(load("", "", on, "", false)), None);
    assert_eq!(said(load("", "", off, on, false)), Some((false, HostSource::Project)));
    assert_eq!(said(load("", "", "", on, false)), Some((true, HostSource::User)));
}

#[test]
fn p5_a_file_that_is_not_json_says_nothing() {
    let deep = format!("{}{}", r#"{"x":"#.repeat(10_000), "1");
    for text in [
        r#"{"autoMemoryEnabled":false,"autoMemoryDirectory":"/x/y",}"#,
        "{\"autoMemoryEnabled\":false // no\n}",
        r#"{"autoMemoryEnabled":false"#,
        "[1]",
        "\"autoMemoryEnabled\"",
        "\0",
        "{\"autoMemoryEnabled\":false}x",
        &deep,
    ] {
        let found = load("", "", "", text, false);
        assert_eq!((&found.memory_enabled, &found.memory_directory), (&None, &None), "{text:.60}");
        assert_eq!(found.warnings.len(), 1, "{text:.60}");
        assert_eq!(found.warnings[0].id, "broken-file");
        assert!(found.warnings[0].message.contains("line "));
        assert!(!found.warnings[0].message.contains("autoMemory"));
    }
}

#[test]
fn p5_values_of_a_wrong_type_are_ignored_with_a_warning() {
    for (text, warnings) in [
        (r#"{"autoMemoryEnabled":"false"}"#, 1),
        (r#"{"autoMemoryEnabled":0,"autoDreamEnabled":[]}"#, 2),
        (r#"{"autoMemoryDirectory":["/x/y"]}"#, 1),
        (r#"{"autoMemoryDirectory":""}"#, 1),
        (r#"{"autoMemoryEnabled":null,"autoMemoryDirectory":null}"#, 0),
    ] {
        let found = load("", "", "", text, false);
        assert_eq!(found.warnings.len(), warnings, "{text}");
        assert!(found.warnings.iter().all(|warning| warning.id == "bad-value"), "{text}");
        assert_eq!((found.memory_enabled, found.memory_directory), (None, None), "{text}");
    }
}

#[test]
fn p5_a_file_of_more_than_a_mebibyte_is_skipped() {
    let padding = " ".repeat(HOST_SETTINGS_BYTES);
    let found = load("", "", "", &format!("{}{padding}", enabled(false)), false);
    assert_eq!((found.memory_enabled, found.warnings[0].id), (None, "unread-file"));
    let padding = " ".repeat(HOST_SETTINGS_BYTES - enabled(false).len());
    assert!(load("", "", "", &format!("{}{padding}", enabled(false)), false).memory_enabled.is_some());
}

#[test]
fn p5_ordinary_files_are_read_as_the_host_reads_them() {
    let text = "\u{feff}{\r\n \"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"autoMemoryEnabled\": true},\r\n \
                \"autoMemoryEnabled\": true, \"autoMemoryEnabled\": false, \"\\ud83d\\ude00\": 1 }";
    let found = load("", "", "", text, false);
    assert_eq!(found.memory_enabled.map(|said| said.value), Some(false), "the last of two counts");
    assert_eq!(found.warnings, []);
}

#[test]
fn p4_flags_are_heard_and_others_are_not_for_the_host() {
    let flag = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let flags = [
        flag("autoMemoryEnabled", "no"),
        flag("autoMemoryDirectory", "~/x"),
        flag("autoDreamEnabled", "perhaps"),
        flag("recall.enabled", "false"),
    ];
    let found =
        HostSettings::load(HostFiles { managed: &[], flags: &flags, project: &[], config_home: None }, |_| true);
    assert_eq!(found.memory_enabled.map(|said| (said.value, said.source)), Some((false, HostSource::Flag)));
    assert_eq!(found.memory_directory.map(|said| said.value).as_deref(), Some("~/x"));
    assert_eq!(found.dream_enabled, None);
    assert_eq!(found.warnings.len(), 1);
}

#[test]
fn p5_the_index_is_asked_about_only_when_a_local_file_speaks() {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(dir.path().join(".claude")).unwrap();
    let local = dir.path().join(".claude/settings.local.json");
    let asked = std::cell::Cell::new(0);
    let load = || {
        let files = HostFiles { managed: &[], flags: &[], project: &[dir.path()], config_home: None };
        HostSettings::load(files, |_| {
            asked.set(asked.get() + 1);
            true
        });
        asked.get()
    };
    assert_eq!(load(), 0);
    fs::write(&local, r#"{"permissions":{}}"#).unwrap();
    assert_eq!(load(), 0);
    fs::write(&local, enabled(false)).unwrap();
    assert_eq!(load(), 1);
}
