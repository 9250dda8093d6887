//! Settings: every value fits its key, and a committed file only tightens (P5, E4, Z1–Z3).
//!
//! Input: the user's file, the project's file, the gates, a host's settings.json, a value to set.

#![no_main]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::limits;
use memdir::settings::{HostFiles, HostSettings, HostSource, KEYS, Settings, SettingsFile, Sources, Tighten, SettingValue, set};
use memdir::surroundings::Flags;
use memdir_fuzz::{parts, scratch, text};

static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let dir = scratch("settings");
    std::fs::create_dir_all(dir.join(".claude")).expect("a directory");
    dir
});

fuzz_target!(|data: &[u8]| {
    let [user, project, gates, host, value] = parts(data);
    let (user, project, gates, value) = (text(user), text(project), text(gates), text(value));
    let alone = merged(&user, "", "");
    let with = merged(&user, &project, "");
    assert!(with.warnings.len() <= 2 * (limits::WARNINGS_PER_FILE + 1));
    tightened(&alone, &with);
    fitting(&with);
    fitting(&merged(&user, &project, &gates));
    setting(&user, &value, data.len());
    committed(host);
});

fn merged(user: &str, project: &str, gates: &str) -> Settings {
    let vars = BTreeMap::from([("MEMDIR_GATES".to_owned(), gates.to_owned())]);
    Settings::load(&Sources {
        user_file: Some(SettingsFile::new("config.toml", user)),
        project_file: Some(SettingsFile::new(".memdir.toml", project)),
        host_dream: None,
        vars: &vars,
        flags: &Flags::default(),
    })
}

fn fitting(settings: &Settings) {
    for (entry, key) in settings.entries().zip(KEYS) {
        assert_eq!(key.kind.parse(&entry.value.to_string()), Some(entry.value), "{} does not fit", entry.key);
    }
}

fn tightened(alone: &Settings, with: &Settings) {
    for ((before, after), key) in alone.entries().zip(with.entries()).zip(KEYS) {
        let fine = match (key.tighten, before.value.clone(), after.value.clone()) {
            (_, before, after) if before == after => true,
            (Tighten::Off, _, after) => after == SettingValue::Bool(false),
            (Tighten::On, _, after) => after == SettingValue::Bool(true),
            (Tighten::Larger, SettingValue::Integer(before), SettingValue::Integer(after)) => after > before,
            (Tighten::Smaller, SettingValue::Fraction(before), SettingValue::Fraction(after)) => after < before,
            _ => false,
        };
        assert!(fine, "a committed file loosened {}: {} became {}", key.name, before.value, after.value);
    }
}

fn setting(user: &str, value: &str, at: usize) {
    let key = &KEYS[at % KEYS.len()];
    for value in [value.to_owned(), key.default().to_string()] {
        let Ok(new) = set(user, key.name, &value) else { continue };
        let settings = merged(&new, "", "");
        let entry = settings.entries().find(|entry| entry.key == key.name).expect("the key");
        assert_eq!(Some(entry.value), key.kind.parse(&value), "{} was set and is not read back", key.name);
        assert_eq!(set(&new, key.name, &value).as_deref(), Ok(&*new), "setting twice is not setting once");
    }
}

/// The same bytes as a project's settings, as its local settings that git tracks, and as the user's.
fn committed(host: &[u8]) {
    let dir = DIR.join(".claude");
    let load = |name: &str, home: Option<&Path>| {
        std::fs::write(dir.join(name), host).expect("a file");
        let project: &[&Path] = if home.is_some() { &[] } else { &[&DIR] };
        let files = HostFiles { managed: &[], flags: &[], project, config_home: home };
        let said = HostSettings::load(files, |_| true);
        std::fs::remove_file(dir.join(name)).expect("the file");
        said
    };
    for said in [load("settings.json", None), load("settings.local.json", None)] {
        assert!(said.memory_directory.is_none(), "a repository chose where memory is written");
        assert!(said.memory_enabled.as_ref().is_none_or(|said| !said.value), "a repository switched memory on");
        assert!(said.dream_enabled.as_ref().is_none_or(|said| !said.value), "a repository switched dreaming on");
    }
    let own = load("settings.json", Some(&dir));
    assert!(own.memory_enabled.as_ref().is_none_or(|said| said.source == HostSource::User));
}
