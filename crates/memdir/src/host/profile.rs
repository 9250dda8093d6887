//! The table of hosts: everything about them that is not the shape of their JSON.
//!
//! Enters: nothing. Leaves: one row a host. Facts that were seen in the real programs; where a
//! program says nothing about a limit, the limit is ours.

use super::Host;
use crate::limits::{HOST_PROMPT_BYTES, HOST_START_BYTES, INLINE_BYTES};

/// What is known about a host.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Which one.
    pub host: Host,
    /// Its name for people.
    pub title: &'static str,
    /// Programs that are it.
    pub programs: &'static [&'static str],
    /// How an answer of a hook looks; `None`: it has no hooks, or takes no answer.
    pub shape: Option<Shape>,
    /// Bytes that it takes from a hook at the start of a conversation.
    pub start_bytes: usize,
    /// Bytes that it takes from a hook beside a prompt or a tool.
    pub prompt_bytes: usize,
    /// Blocks of the context that it loads itself, from the same directory.
    pub loads: &'static [&'static str],
    /// Whether what a hook says at the start of a conversation is heard and does no harm. Where not,
    /// it is said beside the first prompt.
    pub hears_start: bool,
    /// When what is known about an action may be said.
    pub actions: ActionTime,
    /// How it is known that what was said is gone from the conversation.
    pub compaction: Compaction,
    /// The variable in which it names the project.
    pub project_variable: Option<&'static str>,
    /// A variable and how its value begins where no person is there.
    pub unattended: Option<(&'static str, &'static str)>,
    /// Memory of its own that does the same work.
    pub native: Option<Native>,
}

/// How an answer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `{"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}` and no other key.
    Nested,
    /// `{"additionalContext":…}`.
    Top,
}

/// When what is known about an action reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTime {
    /// Before the tool runs.
    Before,
    /// With the tool's result.
    After,
    /// Not at all.
    Never,
}

/// How a host tells that it makes a conversation shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compaction {
    /// Afterwards the conversation starts again, or an event says so.
    SaysAfterwards,
    /// It only says so before.
    SaysBefore,
    /// It says so on every turn, whether or not it does.
    CriesWolf,
    /// Nobody knows.
    Unknown,
}

/// A memory of the host's own.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    /// What it does, in one sentence.
    pub what: &'static str,
    /// How the user switches it off.
    pub switch: &'static str,
    /// Whether it is on when nobody said anything.
    pub on_by_default: bool,
}

/// A host without hooks.
const NO_HOOKS: Profile = Profile {
    host: Host::Zed,
    title: "",
    programs: &[],
    shape: None,
    start_bytes: 0,
    prompt_bytes: 0,
    loads: &[],
    hears_start: false,
    actions: ActionTime::Never,
    compaction: Compaction::Unknown,
    project_variable: None,
    unattended: None,
    native: None,
};

/// Every host, in the order of [`Host::ALL`].
pub static PROFILES: [Profile; 11] = [
    Profile {
        host: Host::ClaudeCode,
        title: "Claude Code",
        programs: &["claude"],
        shape: Some(Shape::Nested),
        // One character more, and the text goes into a file.
        start_bytes: INLINE_BYTES,
        prompt_bytes: INLINE_BYTES,
        // It has a manual of its own and reads MEMORY.md of the same directory.
        loads: &["manual", "index"],
        hears_start: true,
        actions: ActionTime::Before,
        compaction: Compaction::SaysAfterwards,
        project_variable: Some("CLAUDE_PROJECT_DIR"),
        unattended: Some(("CLAUDE_CODE_ENTRYPOINT", "sdk")),
        native: None,
    },
    Profile {
        host: Host::Codex,
        title: "Codex",
        programs: &["codex"],
        shape: Some(Shape::Nested),
        // It cuts the middle out of what is longer.
        start_bytes: INLINE_BYTES,
        prompt_bytes: INLINE_BYTES,
        loads: &[],
        hears_start: true,
        actions: ActionTime::Before,
        compaction: Compaction::SaysAfterwards,
        project_variable: None,
        unattended: None,
        native: Some(Native {
            what: "Codex can keep memories of its own in ~/.codex/memories.",
            switch: "`[features] memories = false` in ~/.codex/config.toml",
            on_by_default: false,
        }),
    },
    Profile {
        host: Host::Gemini,
        title: "Gemini CLI",
        programs: &["gemini"],
        shape: Some(Shape::Nested),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        // Without a terminal it puts the text before the prompt, and a slash command is none any more.
        hears_start: false,
        actions: ActionTime::After,
        compaction: Compaction::CriesWolf,
        project_variable: Some("GEMINI_PROJECT_DIR"),
        unattended: None,
        native: Some(Native {
            what: "Gemini CLI can learn from conversations by itself.",
            switch: "`experimental.autoMemory: false` in ~/.gemini/settings.json",
            on_by_default: false,
        }),
    },
    Profile {
        host: Host::Copilot,
        title: "Copilot CLI",
        programs: &["copilot"],
        shape: Some(Shape::Top),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        hears_start: true,
        actions: ActionTime::After,
        compaction: Compaction::SaysBefore,
        project_variable: None,
        unattended: None,
        native: Some(Native {
            what: "Copilot can keep memories on GitHub's servers.",
            switch: "leave out `--enable-memory`",
            on_by_default: false,
        }),
    },
    Profile {
        host: Host::Opencode,
        title: "opencode",
        programs: &["opencode"],
        shape: Some(Shape::Top),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        hears_start: false,
        actions: ActionTime::After,
        compaction: Compaction::SaysAfterwards,
        project_variable: None,
        unattended: None,
        native: None,
    },
    Profile {
        host: Host::Qwen,
        title: "Qwen Code",
        programs: &["qwen"],
        shape: Some(Shape::Nested),
        start_bytes: HOST_START_BYTES,
        prompt_bytes: HOST_PROMPT_BYTES,
        loads: &[],
        hears_start: true,
        actions: ActionTime::After,
        compaction: Compaction::SaysBefore,
        project_variable: None,
        unattended: None,
        native: Some(Native {
            what: "Qwen Code keeps a memory of its own in ~/.qwen and learns after every turn.",
            switch: "`memory.enableManagedAutoMemory: false` and `memory.enableManagedAutoDream: false` in ~/.qwen/settings.json",
            on_by_default: true,
        }),
    },
    Profile {
        host: Host::Goose,
        title: "goose",
        programs: &["goose"],
        native: Some(Native {
            what: "goose has an extension `memory` that keeps notes of its own in ~/.config/goose/memory.",
            switch: "`goose configure`, Toggle Extensions, memory",
            on_by_default: false,
        }),
        ..NO_HOOKS
    },
    Profile { host: Host::Cline, title: "Cline", programs: &["cline"], ..NO_HOOKS },
    Profile { host: Host::Aider, title: "aider", programs: &["aider"], ..NO_HOOKS },
    Profile { host: Host::Cursor, title: "Cursor", programs: &["cursor", "cursor-agent"], ..NO_HOOKS },
    Profile { host: Host::Zed, title: "Zed", programs: &["zed", "zeditor"], ..NO_HOOKS },
];

pub(super) fn of(host: Host) -> &'static Profile {
    PROFILES.iter().find(|profile| profile.host == host).unwrap_or(&NO_HOOKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_its_row() {
        let hosts: Vec<Host> = PROFILES.iter().map(|profile| profile.host).collect();
        assert_eq!(hosts, Host::ALL);
        assert!(PROFILES.iter().all(|row| !row.title.is_empty() && !row.programs.is_empty()));
        for row in PROFILES.iter().filter(|row| row.shape.is_some()) {
            assert!(row.start_bytes > 0 && row.prompt_bytes > 0, "{}", row.host);
        }
    }
}
