//! What a host's folder says about its configuration, and the pieces it is made of.
//!
//! Enters: the machine and a host. Leaves: the files of the host that memdir writes or adds to, and what the user
//! should know. Places of configuration stand in the hosts' folders.
//!
//! Who is given a server: an agent that writes memory with its own tools needs none. Everywhere else the memory
//! directory lies outside the workspace, so what an agent wants to keep goes through our tools.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::json::OwnEntries;
use super::obstacle::{Obstacle, PlannedFiles};
use super::server::ServerEntry;
use super::yaml::YamlEntry;
use super::{InstallError, Machine};
use crate::{Host, Profile};
use memdir_core::limits::{HOOK_PATIENCE_SECONDS, SERVER_PATIENCE_SECONDS};

/// How memdir is wired into one host.
pub(crate) struct Recipe {
    /// Where it keeps its configuration.
    pub(crate) config: ConfigDir,
    /// Files below home that say, too, that it is on this machine.
    pub(crate) signs: &'static [&'static str],
    /// Whether it is given tools of ours, over MCP.
    pub(crate) serves: bool,
    /// The files that are written or added to.
    pub(crate) changes: fn(&Target<'_>) -> Vec<FileEdit>,
    /// The file that gives it our tools when the user asks for them, where it does without.
    pub(crate) tools: Option<fn(&Target<'_>) -> FileEdit>,
    /// What keeps it from running what is wired, beyond a file that cannot be read.
    pub(crate) obstacles: Option<FindObstacles>,
    /// What the user should know or do.
    pub(crate) notes: &'static [&'static str],
}

impl Recipe {
    /// A host that is given our server, in the files that `changes` names and with nothing to say about it.
    pub(crate) const fn of(config: ConfigDir, changes: fn(&Target<'_>) -> Vec<FileEdit>) -> Recipe {
        Recipe { config, signs: &[], serves: true, changes, tools: None, obstacles: None, notes: &[] }
    }
}

/// Looks for obstacles of one host in its files.
pub(crate) type FindObstacles = fn(&Target<'_>, &PlannedFiles<'_>) -> Vec<Obstacle>;

/// A directory of configuration.
pub(crate) enum ConfigDir {
    /// Below home.
    Home(&'static str),
    /// The directory that a variable names, else one below home.
    Variable(&'static str, &'static str),
    /// Below the directory for configuration.
    Config(&'static str),
}

/// One file.
pub(crate) enum FileEdit {
    /// Hooks and our server among those of others.
    Json { path: PathBuf, ours: OwnEntries },
    /// Our server among those of others.
    Toml { path: PathBuf, server: ServerEntry },
    /// Our entry among those of others.
    Yaml { path: PathBuf, entry: YamlEntry },
    /// A block in a text of somebody else's.
    Block { path: PathBuf, text: String },
    /// A file of our own.
    Own { path: PathBuf, text: String },
}

impl FileEdit {
    pub(super) fn path(&self) -> &Path {
        match self {
            FileEdit::Json { path, .. }
            | FileEdit::Toml { path, .. }
            | FileEdit::Yaml { path, .. }
            | FileEdit::Block { path, .. }
            | FileEdit::Own { path, .. } => path,
        }
    }
}

/// One host on one machine.
pub(crate) struct Target<'t> {
    /// The machine.
    pub(crate) machine: &'t Machine<'t>,
    /// The user's home.
    pub(crate) home: &'t Path,
    /// Where the host keeps its configuration.
    pub(crate) config: PathBuf,
    host: Host,
}

impl<'t> Target<'t> {
    pub(super) fn of(machine: &'t Machine<'t>, host: Host) -> Result<Target<'t>, InstallError> {
        let home = machine.around.home.as_deref().ok_or(InstallError::NoHome)?;
        let config = match host.definition().install.config {
            ConfigDir::Home(below) => home.join(below),
            ConfigDir::Variable(name, below) => {
                let named = machine.around.var(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
                named.unwrap_or_else(|| home.join(below))
            }
            ConfigDir::Config(below) => {
                machine.around.config_dir.clone().unwrap_or_else(|| home.join(".config")).join(below)
            }
        };
        Ok(Target { machine, home, config, host })
    }

    /// Whether the host is on this machine.
    pub(super) fn is_there(&self) -> bool {
        let definition = self.host.definition();
        self.config.is_dir()
            || definition.install.signs.iter().any(|sign| self.home.join(sign).is_file())
            || definition.profile.programs.iter().any(|program| (self.machine.has_program)(program))
    }

    /// What gives the host our tools on request, where it does without.
    pub(super) fn tools(&self) -> Option<FileEdit> {
        self.host.definition().install.tools.map(|tools| tools(self))
    }

    /// A file of the host's configuration.
    pub(crate) fn file(&self, below: &str) -> PathBuf {
        below.split('/').fold(self.config.clone(), |path, part| path.join(part))
    }

    /// Hooks and our server in a JSON file.
    pub(crate) fn json(
        &self,
        path: PathBuf,
        hooks: Vec<(&'static str, Value)>,
        server: impl Into<Option<ServerEntry>>,
    ) -> FileEdit {
        FileEdit::Json { path, ours: OwnEntries { host: self.host.as_str(), hooks, server: server.into() } }
    }

    /// Our server in the host's words; see [`ServerEntry::with`] for what it wants besides.
    pub(crate) fn server(&self, list: &'static str) -> ServerEntry {
        ServerEntry::new(list, self.machine.memdir, self.server_args())
    }

    /// How our server is started: where hooks bring what matters, it does not ask the model to look first.
    pub(crate) fn server_args(&self) -> &'static [&'static str] {
        if self.host.profile().shape.is_some() { &["mcp", "--hooked"] } else { &["mcp"] }
    }

    /// A file of our own that says when to use memdir.
    pub(crate) fn instructions(&self, path: PathBuf) -> FileEdit {
        FileEdit::Own { path, text: self.machine.instructions.to_owned() }
    }

    /// The same as a block in a file of the user's.
    pub(crate) fn instruction_block(&self, path: PathBuf) -> FileEdit {
        FileEdit::Block { path, text: self.machine.instructions.to_owned() }
    }

    /// A hook for each event that goes through a shell; `timeout` in the host's own unit.
    pub(crate) fn shell_hooks(&self, events: &[&'static str], timeout: u64) -> Vec<(&'static str, Value)> {
        let command = shell_command(self.machine.memdir, self.host.as_str());
        let hook = json!({ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] });
        events.iter().map(|event| (*event, hook.clone())).collect()
    }

    /// `settings.json` of Gemini CLI and those that come from it: a hook for each event, and our server. Times are in milliseconds.
    pub(crate) fn gemini_like_settings(&self, events: &[&'static str]) -> FileEdit {
        let hooks = self.shell_hooks(events, HOOK_PATIENCE_SECONDS * 1000);
        // It begins when every server has answered, and would wait for ten minutes.
        let server = self.server("mcpServers").with(json!({ "timeout": SERVER_PATIENCE_SECONDS * 1000 }));
        self.json(self.file("settings.json"), hooks, server)
    }
}

impl Recipe {
    /// What the user should know: of the host's own memory, and of what is written.
    pub(super) fn notes(&self, profile: &Profile) -> Vec<String> {
        let native = profile.native.as_ref().map(|native| {
            let state = if native.on_by_default {
                "It is on unless you switched it off"
            } else {
                "It is off unless you switched it on"
            };
            format!("{} {state}; two memories learn the same things twice. Off: {}.", native.what, native.switch)
        });
        native.into_iter().chain(self.notes.iter().map(|note| (*note).to_owned())).collect()
    }
}

/// `memdir hook HOST` for a shell. Some hosts take any other exit code than 0 for a veto, so a memdir that
/// is not there any more must not be one; and what a host ends when it has waited long enough must be memdir,
/// not a shell that leaves it behind.
pub(crate) fn shell_command(program: &str, call: &str) -> String {
    if cfg!(windows) {
        // Which shell a host has there differs: a plain command is one in all of them, and so are plain slashes.
        return format!("\"{}\" hook {call}", program.replace('\\', "/"));
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-' | b'+');
    let program =
        if program.bytes().all(plain) { program.to_owned() } else { format!("'{}'", program.replace('\'', "'\\''")) };
    format!("if command -v {program} >/dev/null 2>&1; then exec {program} hook {call}; fi")
}
