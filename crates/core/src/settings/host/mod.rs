//! What the host's own settings say about memory (P5, E4, Z1).
//!
//! Enters: the `settings.json` files of Claude Code, the flags, and an answer to "may this local
//! file come from the repository?". Leaves: three words, each with the file that spoke first, and
//! warnings. Never lets a committed file switch anything on or redirect a write, never takes a
//! word from a file it cannot read to the end, and never reads past one mebibyte.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value as Json;

use crate::limits::HOST_SETTINGS_BYTES;
use crate::read;
use crate::surroundings::truth;
use crate::warning::{Warning, quoted};

const ENABLED: &str = "autoMemoryEnabled";
const DIRECTORY: &str = "autoMemoryDirectory";
const DREAM: &str = "autoDreamEnabled";

/// Whether a name on the command line is meant for the host's settings.
pub(super) fn is_host_key(name: &str) -> bool {
    [ENABLED, DIRECTORY, DREAM].contains(&name)
}

/// Where a word of the host came from, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HostSource {
    /// The administrator's file.
    Managed,
    /// The command line.
    Flag,
    /// `.claude/settings.local.json`.
    Local,
    /// `.claude/settings.json`, committed: may only switch off.
    Project,
    /// `<config home>/settings.json`.
    User,
}

impl HostSource {
    /// The word in rules and listings.
    pub const fn as_str(self) -> &'static str {
        match self {
            HostSource::Managed => "managed",
            HostSource::Flag => "flag",
            HostSource::Local => "local",
            HostSource::Project => "project",
            HostSource::User => "user",
        }
    }
}

/// A word, and who said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedWord<T> {
    /// What was said.
    pub value: T,
    /// By which kind of source.
    pub source: HostSource,
    /// The file, or the flag.
    pub place: String,
}

/// The three words memdir heeds, each from the strongest source that has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostSettings {
    /// `autoMemoryEnabled` (E4).
    pub memory_enabled: Option<SourcedWord<bool>>,
    /// `autoMemoryDirectory`, as written (P4); it is checked where it is used (P6).
    pub memory_directory: Option<SourcedWord<String>>,
    /// The same word from the next source behind a local file, which counts while nobody has said yes to that one (P5).
    pub next_directory: Option<SourcedWord<String>>,
    /// `autoDreamEnabled`.
    pub dream_enabled: Option<SourcedWord<bool>>,
    /// What was skipped, and why.
    pub warnings: Vec<Warning>,
}

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct HostFiles<'a> {
    /// The administrator's files, strongest first.
    pub managed: &'a [PathBuf],
    /// `autoMemoryEnabled=false` and the like; other names are not for the host.
    pub flags: &'a [(String, String)],
    /// The directories of the project that may hold `.claude/`, strongest first.
    pub project: &'a [&'a Path],
    /// The host's configuration directory.
    pub config_home: Option<&'a Path>,
}

impl HostSettings {
    /// Reads every source. `is_committed` says whether the local file of a project directory may
    /// come from the repository; it is asked only about files that say something.
    pub fn load(files: HostFiles<'_>, is_committed: impl Fn(&Path) -> bool) -> HostSettings {
        let mut found = HostSettings::default();
        for path in files.managed {
            found.file(path, HostSource::Managed, || false);
        }
        for (key, value) in files.flags {
            found.flag(key, value);
        }
        for dir in files.project {
            let path = dir.join(".claude").join("settings.local.json");
            found.file(&path, HostSource::Local, || is_committed(dir));
        }
        let user = files.config_home.map(|home| home.join("settings.json"));
        for dir in files.project {
            let path = dir.join(".claude").join("settings.json");
            // In the home directory itself both names mean the user's file.
            if user.as_ref() != Some(&path) {
                found.file(&path, HostSource::Project, || true);
            }
        }
        if let Some(path) = user {
            found.file(&path, HostSource::User, || false);
        }
        found
    }

    fn file(&mut self, path: &Path, source: HostSource, is_committed: impl FnOnce() -> bool) {
        let bytes = match read::small(path, HOST_SETTINGS_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return,
            Err(why) => return self.warn("unread-file", path, format!("skipped: {why}")),
        };
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        match serde_json::from_slice::<Words>(text) {
            Ok(words) if words.is_silent() => {}
            Ok(words) => {
                let committed = is_committed();
                self.hear(words, path, source, committed);
            }
            // Only the position: the text of a broken file is nobody's business.
            Err(why) => self.warn(
                "broken-file",
                path,
                format!("skipped: not valid JSON at line {}, column {}", why.line(), why.column()),
            ),
        }
    }

    fn hear(&mut self, words: Words, path: &Path, source: HostSource, committed: bool) {
        let place = path.to_string_lossy();
        for (name, word) in [(ENABLED, words.enabled), (DREAM, words.dream)] {
            match word {
                None | Some(Json::Null) => {}
                Some(Json::Bool(on)) => {
                    if !(on && committed) {
                        self.switch(name, on, source, &place);
                    }
                }
                Some(_) => self.warn("bad-value", path, format!("`{name}` must be true or false; ignored")),
            }
        }
        match words.directory {
            None | Some(Json::Null) => {}
            Some(Json::String(_)) if committed => self.warn(
                "project-refused",
                path,
                format!("`{DIRECTORY}` is ignored: a file of the repository cannot choose where memory is written"),
            ),
            Some(Json::String(dir)) if dir.is_empty() => {
                self.warn("bad-value", path, format!("`{DIRECTORY}` is empty; ignored"));
            }
            Some(Json::String(dir)) => self.redirect(dir, source, &place),
            Some(_) => self.warn("bad-value", path, format!("`{DIRECTORY}` must be a path in quotes; ignored")),
        }
    }

    fn flag(&mut self, key: &str, value: &str) {
        match (key, truth(value)) {
            (ENABLED | DREAM, Some(on)) => self.switch(key, on, HostSource::Flag, key),
            (ENABLED | DREAM, None) => {
                let message = format!("{} is neither true nor false; ignored", quoted(value));
                self.warnings.push(Warning::new("bad-value", key, message));
            }
            (DIRECTORY, _) => self.redirect(value.to_owned(), HostSource::Flag, key),
            _ => {}
        }
    }

    fn switch(&mut self, name: &str, value: bool, source: HostSource, place: &str) {
        let slot = if name == ENABLED { &mut self.memory_enabled } else { &mut self.dream_enabled };
        slot.get_or_insert_with(|| SourcedWord { value, source, place: place.to_owned() });
    }

    fn redirect(&mut self, value: String, source: HostSource, place: &str) {
        let said = SourcedWord { value, source, place: place.to_owned() };
        match &self.memory_directory {
            None => self.memory_directory = Some(said),
            Some(first) if first.source == HostSource::Local && source != HostSource::Local => {
                self.next_directory.get_or_insert(said);
            }
            Some(_) => {}
        }
    }

    fn warn(&mut self, id: &'static str, path: &Path, message: String) {
        self.warnings.push(Warning::at(id, path, message));
    }
}

/// The three words of one file; everything else in it is passed over without being kept.
#[derive(Debug, Default)]
struct Words {
    enabled: Option<Json>,
    directory: Option<Json>,
    dream: Option<Json>,
}

impl Words {
    fn is_silent(&self) -> bool {
        self.enabled.is_none() && self.directory.is_none() && self.dream.is_none()
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct JsonObject;

        impl<'de> Visitor<'de> for JsonObject {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
                let mut words = Words::default();
                // As in JavaScript, the last of two equal keys counts.
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        ENABLED => words.enabled = Some(map.next_value()?),
                        DIRECTORY => words.directory = Some(map.next_value()?),
                        DREAM => words.dream = Some(map.next_value()?),
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(words)
            }
        }

        deserializer.deserialize_map(JsonObject)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
