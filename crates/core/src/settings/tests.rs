//! Layers, tightening, warnings.

use std::{collections::BTreeMap, fs};

use super::source::PROJECT_FILE;
use super::*;
use crate::limits;
use crate::surroundings::{Flags, Surroundings};

#[derive(Default)]
struct Given<'a> {
    user: &'a str,
    project: &'a str,
    vars: &'a [(&'a str, &'a str)],
    flags: &'a [(&'a str, &'a str)],
    host: Option<(bool, HostSource)>,
    offline: bool,
}

fn load(given: &Given<'_>) -> Settings {
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    let file = |name: &str, text: &str| (!text.is_empty()).then(|| SettingsFile::new(name, text));
    let vars: BTreeMap<String, String> = pairs(given.vars).into_iter().collect();
    let flags = Flags { settings: pairs(given.flags), offline: given.offline, ..Flags::default() };
    Settings::load(&Sources {
        user_file: file("config.toml", given.user),
        project_file: file(".memdir.toml", given.project),
        host_dream: given.host,
        vars: &vars,
        flags: &flags,
    })
}

/// Value and source of one key.
fn entry(settings: &Settings, key: &str) -> String {
    let entry = settings.entries().find(|entry| entry.key == key).unwrap();
    format!("{} {}", entry.value, entry.source)
}

fn ids(settings: &Settings) -> Vec<&'static str> {
    settings.warnings.iter().map(|warning| warning.id).collect()
}

#[test]
fn z1_nothing_set_is_all_defaults() {
    let settings = load(&Given::default());
    assert_eq!(*settings, SettingValues::default());
    assert_eq!(settings.entries().count(), KEYS.len());
    assert!(settings.entries().all(|entry| entry.value == entry.default && entry.source == "default"));
    assert_eq!(settings.warnings, []);
}

#[test]
fn z1_later_sources_win() {
    let key = "extract.every_turns";
    let mut given = Given { user: "[extract]\nevery_turns = 2", ..Given::default() };
    assert_eq!(entry(&load(&given), key), "2 user-file");
    given.project = "extract.every_turns = 3";
    assert_eq!(entry(&load(&given), key), "3 project-file");
    given.vars = &[("MEMDIR_GATES", "tengu_bramble_lintel=1")];
    assert_eq!(entry(&load(&given), key), "1 gates");
    given.vars = &[("MEMDIR_GATES", "tengu_bramble_lintel=1"), ("MEMDIR_EXTRACT_EVERY_TURNS", "5")];
    assert_eq!(entry(&load(&given), key), "5 variable");
    given.flags = &[("extract.every_turns", "6")];
    assert_eq!(entry(&load(&given), key), "6 flag");
    assert_eq!(load(&given).extract_every_turns, 6);
    assert_eq!(load(&given).warnings, []);
}

#[test]
fn z1_a_project_tightens_and_does_not_loosen() {
    for (user, project, key, want, refused) in [
        ("", "recall.enabled = false", "recall.enabled", "false project-file", 0),
        ("recall.enabled = false", "recall.enabled = true", "recall.enabled", "false user-file", 1),
        ("recall.enabled = false", "recall.enabled = false", "recall.enabled", "false user-file", 0),
        ("", "recall.enabled = true", "recall.enabled", "true default", 0),
        ("", "[dream]\nmax_loss = 0.05", "dream.max_loss", "0.05 project-file", 0),
        ("", "[dream]\nmax_loss = 0.5", "dream.max_loss", "0.1 default", 1),
        ("", "[dream]\nmax_loss = 0", "dream.max_loss", "0 project-file", 0),
        ("", "[dream]\nmax_changes = 2", "dream.max_changes", "2 project-file", 0),
        ("", "[dream]\nmax_changes = 50", "dream.max_changes", "5 default", 1),
        ("", "[dream]\nmin_hours = 48", "dream.min_hours", "48 project-file", 0),
        ("dream.min_hours = 96", "[dream]\nmin_hours = 48", "dream.min_hours", "96 user-file", 1),
        ("", "[dream]\nmin_hours = 1", "dream.min_hours", "24 default", 1),
        ("", "extract.every_turns = 9", "extract.every_turns", "9 project-file", 0),
        ("", "review = true", "review", "true project-file", 0),
        ("review = true", "review = false", "review", "true user-file", 1),
        ("", "model.consent = true", "model.consent", "false default", 1),
        ("", "model.consent = false", "model.consent", "false default", 1),
        ("", "model.driver = 'command'", "model.driver", "auto default", 1),
        ("", "model.tokens_per_day = 1", "model.tokens_per_day", "2000000 default", 1),
        ("", "mode = 'team'", "mode", "normal default", 1),
        ("", "index.required = false", "index.required", "true default", 1),
    ] {
        let settings = load(&Given { user, project, ..Given::default() });
        assert_eq!(entry(&settings, key), want, "{user} | {project}");
        assert_eq!(ids(&settings), vec!["project-refused"; refused], "{user} | {project}");
        assert!(settings.warnings.iter().all(|warning| warning.message.contains(key)));
    }
}

#[test]
fn z1_a_person_overrides_a_project_for_one_run() {
    let project = "dream.enabled = false\nextract.enabled = false";
    let vars: &[_] = &[("MEMDIR_DREAM_ENABLED", "1")];
    let settings = load(&Given { project, vars, flags: &[("extract.enabled", "yes")], ..Given::default() });
    assert_eq!(entry(&settings, "dream.enabled"), "true variable");
    assert_eq!(entry(&settings, "extract.enabled"), "true flag");
}

#[test]
fn z1_the_hosts_dream_switch_has_its_place() {
    let key = "dream.enabled";
    let host = |on, source, user| load(&Given { host: Some((on, source)), user, ..Given::default() });
    assert_eq!(entry(&host(false, HostSource::User, ""), key), "false host:user");
    assert_eq!(entry(&host(false, HostSource::User, "dream.enabled = true"), key), "true user-file");
    assert_eq!(entry(&host(false, HostSource::Project, "dream.enabled = true"), key), "false host:project");
    let managed = Given { host: Some((false, HostSource::Managed)), flags: &[(key, "true")], ..Given::default() };
    assert_eq!(entry(&load(&managed), key), "false host:managed");
}

#[test]
fn z2_what_is_wrong_is_named_and_the_default_stays() {
    let given = Given {
        user: "recal.enabled = false\nmode = 'fast'\nstrange = 1\n[recall]\nenabled = 3\nenabeld = true\n\
               [dream]\nmin_hours = -4\n[dream.deep]\nx = 1\n[[notes]]\nenabled = false\n",
        vars: &[
            ("MEMDIR_RECAL_ENABLED", "0"),
            ("MEMDIR_DREAM_MAX_LOSS", "lots"),
            ("MEMDIR_NOW", "2026-01-01T00:00:00Z"),
            ("MEMDIR_REVIEW", ""),
            ("OTHER", "1"),
        ],
        flags: &[("notes.enable", "false"), ("autoMemoryEnabled", "false")],
        ..Given::default()
    };
    let settings = load(&given);
    assert_eq!(*settings, SettingValues::default());
    let all: Vec<String> = settings.warnings.iter().map(ToString::to_string).collect();
    for (at, want) in [
        "config.toml: `recal` is not a setting",
        "config.toml: `mode` takes one of normal, team, log, not `\"fast\"`",
        "config.toml: `strange` is not a setting",
        "config.toml: `recall.enabled` takes true or false, not `3`",
        "config.toml: `recall.enabeld` is not a setting; did you mean `recall.enabled`?",
        "config.toml: `dream.min_hours` takes a whole number from 0 to 87600, not `-4`",
        "config.toml: `dream.deep` is not a setting",
        "config.toml: `notes` is not a setting",
        "MEMDIR_DREAM_MAX_LOSS: `dream.max_loss` takes a number from 0 to 1, not `lots`",
        "`MEMDIR_RECAL_ENABLED`: no setting has this name; did you mean `MEMDIR_RECALL_ENABLED`?",
        "command line: `notes.enable` is not a setting; did you mean `notes.enabled`?",
    ]
    .iter()
    .enumerate()
    {
        assert!(all[at].starts_with(want), "{}\n{want}", all[at]);
    }
    assert_eq!(all.len(), 11, "{all:#?}");
}

#[test]
fn z1_text_and_typed_values_are_both_read() {
    let settings = load(&Given {
        user: "\u{feff}review = 'yes' # c\nmode = \"LOG\"\ndream = { max_loss = 1, min_hours = 0x10 }\r\n",
        ..Given::default()
    });
    assert_eq!((settings.review, settings.mode, settings.dream_min_hours), (true, Mode::Log, 16));
    assert!((settings.dream_max_loss - 1.0).abs() < f64::EPSILON);
    assert_eq!(settings.warnings, []);
}

#[test]
fn z1_a_broken_file_is_reported_by_line_and_not_quoted() {
    let dotted = format!("{} = 1", vec!["a"; 20_000].join("."));
    let nested = format!("a = {}1", "[".repeat(50_000));
    for text in ["review = true\nsecret ==\n", "a = 1\na = 2", "[x", "\0", &dotted, &nested] {
        let settings = load(&Given { user: text, ..Given::default() });
        assert_eq!(ids(&settings), ["broken-file"], "{text:.40}");
        assert_eq!(*settings, SettingValues::default());
        assert!(!settings.warnings[0].message.contains("secret"));
    }
    let settings = load(&Given { user: "review = true\nsecret ==\n", ..Given::default() });
    assert!(settings.warnings[0].message.contains("line 2"), "{}", settings.warnings[0]);
}

#[test]
fn z1_a_hostile_file_cannot_flood_a_report() {
    let lines: Vec<String> = (0..3_000).map(|n| format!("k{n} = 1")).collect();
    let text = lines.join("\n");
    let settings = load(&Given { project: &text, ..Given::default() });
    assert_eq!(settings.warnings.len(), limits::WARNINGS_PER_FILE + 1);
    assert!(settings.warnings.last().unwrap().message.contains("2980 more"));
}

#[test]
fn offline_is_the_last_word_on_the_driver() {
    let vars: &[_] = &[("MEMDIR_OFFLINE", "1"), ("MEMDIR_MODEL_DRIVER", "openai")];
    assert_eq!(entry(&load(&Given { vars, ..Given::default() }), "model.driver"), "offline variable");
    let flags: &[_] = &[("model.driver", "anthropic")];
    let flagged = Given { flags, offline: true, ..Given::default() };
    assert_eq!(entry(&load(&flagged), "model.driver"), "offline flag");
    assert_eq!(load(&flagged).model_driver, Driver::Offline);
    let vars: &[_] = &[("MEMDIR_OFFLINE", "0")];
    assert_eq!(load(&Given { vars, ..Given::default() }).model_driver, Driver::Auto);
}

#[test]
fn z1_files_are_found_read_and_limited() {
    let dir = tempfile::tempdir().unwrap();
    let around = Surroundings { config_dir: Some(dir.path().join("config")), ..Surroundings::default() };
    let checkout = dir.path().join("app");
    let load = || Settings::load(&Sources::read(&around, &checkout, &HostSettings::default()));
    assert_eq!(load().warnings, []);
    fs::create_dir_all(dir.path().join("config/memdir")).unwrap();
    fs::create_dir_all(&checkout).unwrap();
    fs::write(user_file(&around).unwrap(), "review = true").unwrap();
    fs::write(checkout.join(PROJECT_FILE), "notes.enabled = false").unwrap();
    let settings = load();
    assert_eq!((settings.review, settings.notes_enabled), (true, false));
    fs::write(checkout.join(PROJECT_FILE), format!("{}\nnotes.enabled = false", "#".repeat(limits::CONFIG_BYTES)))
        .unwrap();
    fs::write(user_file(&around).unwrap(), b"review = true #\xff").unwrap();
    let settings = load();
    assert_eq!((settings.review, settings.notes_enabled), (false, true));
    assert_eq!(ids(&settings), ["broken-file", "broken-file"]);
}

#[test]
fn z1_entries_are_the_json_of_the_listing() {
    let settings = load(&Given { user: "review = true", ..Given::default() });
    let entry = settings.entries().find(|entry| entry.key == "review").unwrap();
    assert_eq!(
        serde_json::to_value(entry).unwrap(),
        serde_json::json!({"key": "review", "value": true, "default": false, "source": "user-file"})
    );
}
