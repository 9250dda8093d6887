//! Where settings come from, and the texts they are merged from.
//!
//! Enters: the surroundings and the top of a working tree. Leaves: two texts, or why there are
//! none, and references to everything else. Never understands what it reads.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{HostSettings, HostSource};
use crate::limits;
use crate::read;
use crate::surroundings::{Flags, Surroundings};

/// The project file that may tighten settings, at the top of a working tree.
pub(super) const PROJECT_FILE: &str = ".memdir.toml";

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// Nobody set it.
    Default,
    /// A settings file of the host.
    Host(HostSource),
    /// The user's `config.toml`.
    UserFile,
    /// A project's `.memdir.toml`.
    ProjectFile,
    /// `MEMDIR_GATES`.
    Gates,
    /// A `MEMDIR_*` variable.
    Variable,
    /// The command line.
    Flag,
}

impl SettingSource {
    /// Stable, for listings and JSON.
    pub const fn id(self) -> &'static str {
        match self {
            SettingSource::Default => "default",
            SettingSource::Host(HostSource::Managed) => "host:managed",
            SettingSource::Host(HostSource::Flag) => "host:flag",
            SettingSource::Host(HostSource::Local) => "host:local",
            SettingSource::Host(HostSource::Project) => "host:project",
            SettingSource::Host(HostSource::User) => "host:user",
            SettingSource::UserFile => "user-file",
            SettingSource::ProjectFile => "project-file",
            SettingSource::Gates => "gates",
            SettingSource::Variable => "variable",
            SettingSource::Flag => "flag",
        }
    }
}

/// A settings file: its path and its text, or a reason why there is none.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) text: Result<String, String>,
}

impl SettingsFile {
    /// A file whose text is at hand.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        SettingsFile { path: path.into(), text: Ok(text.into()) }
    }

    /// Reads a file; `None` when there is none.
    fn read(path: PathBuf) -> Option<Self> {
        let text = match read::small(&path, limits::CONFIG_BYTES) {
            Ok(None) => return None,
            Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()),
            Err(why) => Err(why.to_string()),
        };
        Some(SettingsFile { path, text })
    }
}

/// Everything that settings are merged from.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// `memdir/config.toml` in the platform's configuration directory.
    pub user_file: Option<SettingsFile>,
    /// `.memdir.toml` at the top of the working tree.
    pub project_file: Option<SettingsFile>,
    /// What the host's settings say about dreaming.
    pub host_dream: Option<(bool, HostSource)>,
    /// `MEMDIR_*`, among others.
    pub vars: &'a BTreeMap<String, String>,
    /// The command line.
    pub flags: &'a Flags,
}

impl<'a> Sources<'a> {
    /// Reads the two files; `checkout` is the top of the working tree.
    pub fn read(around: &'a Surroundings, checkout: &Path, host: &HostSettings) -> Self {
        Sources {
            user_file: user_file(around).and_then(SettingsFile::read),
            project_file: SettingsFile::read(checkout.join(PROJECT_FILE)),
            host_dream: host.dream_enabled.as_ref().map(|said| (said.value, said.source)),
            vars: &around.vars,
            flags: &around.flags,
        }
    }
}

/// Where the user's settings file is.
pub fn user_file(around: &Surroundings) -> Option<PathBuf> {
    around.config_dir.as_ref().map(|dir| dir.join("memdir").join("config.toml"))
}
