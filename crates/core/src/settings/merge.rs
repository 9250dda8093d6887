//! Laying the sources over each other (Z1).
//!
//! Enters: [`Sources`]. Leaves: [`Settings`]. Never fails: what cannot be used becomes a warning,
//! and the value below it stays.

use std::{collections::BTreeMap, path::Path};

use toml_edit::{Document, Item, TableLike};

use super::{
    Driver, HostSource, KEYS, OTHER_VARIABLES, SettingKey, SettingSource, SettingValue, SettingValues, Settings,
    SettingsFile, Sources, Tighten,
    gates::{self, Gates},
    host::is_host_key,
    keys::PREFIX,
};
use crate::limits;
use crate::nearest::nearest;
use crate::surroundings::{Flags, truth};
use crate::warning::{Warning, quoted};

const OFFLINE: &str = "MEMDIR_OFFLINE";

impl Settings {
    /// Merges all sources.
    pub fn load(sources: &Sources<'_>) -> Settings {
        let mut settings = Settings {
            values: SettingValues::default(),
            sources: vec![SettingSource::Default; KEYS.len()],
            warnings: Vec::new(),
        };
        let host = |settings: &mut Settings, wanted: &[HostSource]| {
            if let Some((on, source)) = sources.host_dream.filter(|(_, source)| wanted.contains(source)) {
                settings.assign("dream.enabled", SettingValue::Bool(on), SettingSource::Host(source));
            }
        };
        host(&mut settings, &[HostSource::User, HostSource::Local, HostSource::Flag]);
        if let Some(file) = &sources.user_file {
            settings.file(file, SettingSource::UserFile);
        }
        // A committed word of the host can only be "off" and tightens like a committed file.
        host(&mut settings, &[HostSource::Project]);
        if let Some(file) = &sources.project_file {
            settings.file(file, SettingSource::ProjectFile);
        }
        settings.variables(sources.vars);
        settings.flags(sources.flags);
        host(&mut settings, &[HostSource::Managed]);
        settings
    }

    fn file(&mut self, file: &SettingsFile, source: SettingSource) {
        let parsed = match &file.text {
            Ok(text) => {
                let text = text.trim_start_matches('\u{feff}');
                Document::parse(text).map_err(|why| broken(text, &why))
            }
            Err(why) => Err(format!("skipped: {why}")),
        };
        let before = self.warnings.len();
        match parsed {
            Ok(document) => self.table(document.as_table(), "", &file.path, source),
            Err(why) => self.warnings.push(Warning::at("broken-file", &file.path, why)),
        }
        let more = (self.warnings.len() - before).saturating_sub(limits::WARNINGS_PER_FILE);
        if more > 0 {
            self.warnings.truncate(before + limits::WARNINGS_PER_FILE);
            self.warnings.push(Warning::at("more-warnings", &file.path, format!("and {more} more like these")));
        }
    }

    /// Keys are at most two levels deep; a deeper table is an unknown key.
    fn table(&mut self, table: &dyn TableLike, prefix: &str, path: &Path, source: SettingSource) {
        for (name, item) in table.iter() {
            let full = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
            match (SettingKey::named(&full), item) {
                (Some(key), Item::Value(value)) => match key.kind.read_toml(value) {
                    Some(value) => self.heed(key, value, path, source),
                    None => {
                        self.warnings.push(Warning::at("bad-value", path, bad_value(key, value.to_string().trim())));
                    }
                },
                (None, item) if prefix.is_empty() && is_section(name) && item.is_table_like() => {
                    if let Some(inner) = item.as_table_like() {
                        self.table(inner, name, path, source);
                    }
                }
                _ => self.warnings.push(Warning::at("unknown-key", path, unknown(&full))),
            }
        }
    }

    fn heed(&mut self, key: &'static SettingKey, value: SettingValue, path: &Path, source: SettingSource) {
        let now = (key.get)(&self.values);
        if source != SettingSource::ProjectFile {
            self.assign(key.name, value, source);
        } else if key.tighten.allows(&now, &value) {
            if now != value {
                self.assign(key.name, value, source);
            }
        } else if now != value || key.tighten == Tighten::Never {
            let message = format!("`{}` stays {now}: {}", key.name, key.tighten.sentence());
            self.warnings.push(Warning::at("project-refused", path, message));
        }
    }

    fn variables(&mut self, vars: &BTreeMap<String, String>) {
        if let Some(text) = vars.get(gates::VARIABLE) {
            let gates = Gates::parse(text);
            for (key, value) in &gates.set {
                self.assign(key.name, value.clone(), SettingSource::Gates);
            }
            let mode = gates.mode(self.values.mode);
            if mode != self.values.mode {
                self.assign("mode", SettingValue::Word(mode.as_str()), SettingSource::Gates);
            }
            self.warnings.extend(gates.warnings);
        }
        let ours = vars.range(PREFIX.to_owned()..).take_while(|(name, _)| name.starts_with(PREFIX));
        for (name, text) in
            ours.filter(|(name, text)| !text.trim().is_empty() && !OTHER_VARIABLES.contains(&name.as_str()))
        {
            let Some(key) = SettingKey::of_variable(name) else {
                self.warnings.push(unknown_variable(name));
                continue;
            };
            self.text(key, text, name, SettingSource::Variable);
        }
        if vars.get(OFFLINE).and_then(|text| truth(text)) == Some(true) {
            self.assign("model.driver", SettingValue::Word(Driver::Offline.as_str()), SettingSource::Variable);
        }
    }

    fn flags(&mut self, flags: &Flags) {
        for (name, text) in &flags.settings {
            match SettingKey::named(name) {
                Some(key) => self.text(key, text, name, SettingSource::Flag),
                None if is_host_key(name) => {}
                None => {
                    self.warnings.push(Warning::new("unknown-key", "command line", unknown(name)));
                }
            }
        }
        if flags.offline {
            self.assign("model.driver", SettingValue::Word(Driver::Offline.as_str()), SettingSource::Flag);
        }
    }

    fn text(&mut self, key: &'static SettingKey, text: &str, place: &str, source: SettingSource) {
        match key.kind.parse(text) {
            Some(value) => self.assign(key.name, value, source),
            None => self.warnings.push(Warning::new("bad-value", place, bad_value(key, text))),
        }
    }

    fn assign(&mut self, name: &str, value: SettingValue, source: SettingSource) {
        if let Some((at, key)) = KEYS.iter().enumerate().find(|(_, key)| key.name == name)
            && (key.put)(&mut self.values, value)
        {
            self.sources[at] = source;
        }
    }
}

fn is_section(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.split_once('.').is_some_and(|(section, _)| section == name))
}

fn unknown(name: &str) -> String {
    format!("{} is not a setting{}", quoted(name), hint(nearest(name, KEYS.iter().map(|key| key.name))))
}

fn unknown_variable(name: &str) -> Warning {
    let keys: Vec<String> = KEYS.iter().map(SettingKey::variable).collect();
    let known = keys.iter().map(String::as_str).chain(OTHER_VARIABLES.iter().copied());
    let message = format!("no setting has this name{}", hint(nearest(name, known)));
    Warning::new("unknown-variable", quoted(name), message)
}

fn hint(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

fn bad_value(key: &SettingKey, text: &str) -> String {
    format!("`{}` takes {}, not {}; ignored", key.name, key.kind.accepts(), quoted(text))
}

/// Only the position and the parser's own words: a linked file must not be quoted in a report.
fn broken(text: &str, why: &toml_edit::TomlError) -> String {
    let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("skipped: not valid TOML at line {line}: {}", quoted(why.message()))
}
