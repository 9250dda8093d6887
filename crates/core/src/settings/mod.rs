//! What can be set: parsing and merging, no lookup (Z1–Z3).
//!
//! Enters: the texts of the settings files, the variables and flags the caller was started with,
//! and what the host's settings say. Leaves: one typed value a key, each with its source, and
//! warnings for everything that did not take effect. Never fails: a key nobody set well keeps its
//! default. Never writes: [`set`] gives back the new text of a file.
//!
//! Layers, later wins: defaults, the host's word, the user's file, a committed project file as
//! far as it tightens, `MEMDIR_GATES`, `MEMDIR_*`, flags, and the word of an administrator. So a
//! project can be careful for everybody, and a person who says otherwise for one run is obeyed.

mod edit;
mod gates;
pub mod host;
mod keys;
mod merge;
mod source;
mod value;

use std::ops::Deref;

use serde::Serialize;

pub use self::{
    edit::{SetError, set},
    host::{HostFiles, HostSettings, HostSource, SourcedWord},
    keys::{KEYS, OTHER_VARIABLES, SettingKey, SettingValues, Tighten},
    source::{SettingSource, SettingsFile, Sources, user_file},
    value::{
        AgentChoice, BeforeAction, Driver, IndexUnit, Mode, Selector, SettingValue, ValueKind, WireChoice,
        base_url_problem,
    },
};
use crate::warning::Warning;

/// One line of `memdir settings`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingLine {
    /// The key's name.
    pub key: &'static str,
    /// The value in force.
    pub value: SettingValue,
    /// The value if nobody had set it.
    pub default: SettingValue,
    /// [`SettingSource::id`] of the value in force.
    pub source: &'static str,
}

/// Every value in force. Reads like [`SettingValues`]: `settings.recall_enabled`.
#[derive(Clone, Debug)]
pub struct Settings {
    values: SettingValues,
    sources: Vec<SettingSource>,
    /// What did not take effect, and why.
    pub warnings: Vec<Warning>,
}

impl Settings {
    /// Every key with its value, default and source, in the order of the table.
    pub fn entries(&self) -> impl Iterator<Item = SettingLine> {
        KEYS.iter().zip(&self.sources).map(|(key, source)| SettingLine {
            key: key.name,
            value: (key.get)(&self.values),
            default: key.default(),
            source: source.id(),
        })
    }
}

impl Deref for Settings {
    type Target = SettingValues;

    fn deref(&self) -> &SettingValues {
        &self.values
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
