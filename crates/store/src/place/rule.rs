//! Which rule named the memory directory (P4, E6).

use serde::Serialize;

use memdir_core::settings::HostSource;

/// The rule that decided where the private memory directory is (P4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirRule {
    /// `--memory-dir`.
    Flag,
    /// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`.
    OverrideVariable,
    /// `autoMemoryDirectory`.
    Setting(HostSource),
    /// `CLAUDE_CODE_REMOTE_MEMORY_DIR` in place of the config home.
    RemoteBase,
    /// Below the config home (P1).
    Default,
}

impl DirRule {
    /// Stable and kebab-case, for JSON.
    pub const fn id(self) -> &'static str {
        match self {
            DirRule::Flag => "flag",
            DirRule::OverrideVariable => "override-variable",
            DirRule::Setting(HostSource::Managed) => "setting:managed",
            DirRule::Setting(HostSource::Flag) => "setting:flag",
            DirRule::Setting(HostSource::Local) => "setting:local",
            DirRule::Setting(HostSource::Project) => "setting:project",
            DirRule::Setting(HostSource::User) => "setting:user",
            DirRule::RemoteBase => "remote-base",
            DirRule::Default => "default",
        }
    }

    /// What it means, for a person.
    pub const fn sentence(self) -> &'static str {
        match self {
            DirRule::Flag => "--memory-dir names the directory.",
            DirRule::OverrideVariable => "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE names the directory.",
            DirRule::Setting(HostSource::Managed) => "autoMemoryDirectory in the administrator's settings names it.",
            DirRule::Setting(HostSource::Flag) => "autoMemoryDirectory on the command line names it.",
            DirRule::Setting(HostSource::Local) => "autoMemoryDirectory in .claude/settings.local.json names it.",
            DirRule::Setting(HostSource::Project) => "autoMemoryDirectory in the project's settings is never heeded.",
            DirRule::Setting(HostSource::User) => "autoMemoryDirectory in the user's settings.json names it.",
            DirRule::RemoteBase => "It lies below CLAUDE_CODE_REMOTE_MEMORY_DIR, under the project's name.",
            DirRule::Default => "It lies in the configuration directory, under the project's name.",
        }
    }
}

impl Serialize for DirRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
