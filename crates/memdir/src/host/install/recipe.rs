//! What goes where, for each host.
//!
//! Enters: the machine. Leaves: the files of a host that memdir writes or adds to, and what the user
//! should know. All facts about places of configuration stand here.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::{Host, Profile};
use super::{InstallError, Machine};
use crate::context::book::Prompt;
use crate::limits::HOOK_PATIENCE_SECONDS;

/// opencode's plugin; the same file as `integrations/opencode/memdir.js`.
const OPENCODE: &str = include_str!("opencode.js");
/// What an agent without hooks is told.
const INSTRUCTIONS: &str = Prompt::Instructions.built_in();
/// Tools whose input names a command or a file.
const CLAUDE_TOOLS: &str = "Bash|Read|Edit|MultiEdit|Write|NotebookEdit";

/// Everything about wiring one host.
pub(super) struct Recipe {
    pub(super) found: bool,
    pub(super) changes: Vec<Change>,
    pub(super) notes: Vec<String>,
}

/// One file.
pub(super) enum Change {
    /// Hooks among those of others.
    Hooks { path: PathBuf, host: Host, hooks: Vec<(&'static str, Value)> },
    /// A block in a text of somebody else's.
    Block { path: PathBuf, text: String },
    /// A file of our own.
    Own { path: PathBuf, text: String },
}

impl Change {
    pub(super) fn path(&self) -> &Path {
        match self {
            Change::Hooks { path, .. } | Change::Block { path, .. } | Change::Own { path, .. } => path,
        }
    }
}

impl Recipe {
    pub(super) fn of(machine: &Machine<'_>, host: Host) -> Result<Recipe, InstallError> {
        let home = machine.around.home.as_deref().ok_or(InstallError::NoHome)?;
        let base = base(machine, host, home);
        let profile = host.profile();
        let found = base.is_dir() || profile.programs.iter().any(|program| (machine.has_program)(program));
        Ok(Recipe { found, changes: changes(machine, host, &base, home), notes: notes(profile) })
    }
}

/// Where a host keeps its configuration.
fn base(machine: &Machine<'_>, host: Host, home: &Path) -> PathBuf {
    let variable = |name: &str, below: &str| {
        machine.around.var(name).map(PathBuf::from).filter(|dir| dir.is_absolute()).unwrap_or_else(|| home.join(below))
    };
    let config = machine.around.config_dir.clone().unwrap_or_else(|| home.join(".config"));
    match host {
        Host::ClaudeCode => variable("CLAUDE_CONFIG_DIR", ".claude"),
        Host::Codex => variable("CODEX_HOME", ".codex"),
        Host::Gemini => home.join(".gemini"),
        Host::Copilot => home.join(".copilot"),
        Host::Opencode => config.join("opencode"),
        Host::Qwen => home.join(".qwen"),
        Host::Goose => config.join("goose"),
        Host::Cline => home.join(".cline"),
        Host::Aider => home.join(".aider"),
        Host::Cursor => home.join(".cursor"),
        Host::Zed => config.join("zed"),
    }
}

fn changes(machine: &Machine<'_>, host: Host, base: &Path, home: &Path) -> Vec<Change> {
    let seconds = json!(HOOK_PATIENCE_SECONDS);
    let milliseconds = json!(HOOK_PATIENCE_SECONDS * 1000);
    let hooks =
        |file: &str, hooks: Vec<(&'static str, Value)>| vec![Change::Hooks { path: base.join(file), host, hooks }];
    let shell = shell_command(machine.memdir, host.as_str());
    let by_shell = |event: &'static str, timeout: &Value| {
        (event, json!({ "hooks": [{ "type": "command", "command": shell, "timeout": timeout }] }))
    };
    match host {
        Host::ClaudeCode => {
            // With arguments of its own it starts without a shell in between.
            let call = json!({ "type": "command", "command": machine.memdir, "args": ["hook", host.as_str()], "timeout": seconds });
            let plain = |event: &'static str| (event, json!({ "hooks": [call] }));
            hooks(
                "settings.json",
                vec![
                    plain("SessionStart"),
                    plain("UserPromptSubmit"),
                    ("PreToolUse", json!({ "matcher": CLAUDE_TOOLS, "hooks": [call] })),
                    plain("PreCompact"),
                    plain("Stop"),
                ],
            )
        }
        Host::Codex => hooks(
            "hooks.json",
            ["SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "Stop"]
                .map(|event| by_shell(event, &seconds))
                .to_vec(),
        ),
        Host::Gemini => hooks(
            "settings.json",
            ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"]
                .map(|event| by_shell(event, &milliseconds))
                .to_vec(),
        ),
        Host::Qwen => hooks(
            "settings.json",
            ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"]
                .map(|event| by_shell(event, &milliseconds))
                .to_vec(),
        ),
        Host::Copilot => {
            vec![Change::Own { path: base.join("hooks").join("memdir.json"), text: copilot(machine.memdir) }]
        }
        Host::Opencode => {
            let text =
                OPENCODE.replace("const program = \"memdir\"", &format!("const program = {}", json!(machine.memdir)));
            vec![Change::Own { path: base.join("plugins").join("memdir.js"), text }]
        }
        Host::Goose => vec![Change::Block { path: base.join(".goosehints"), text: INSTRUCTIONS.to_owned() }],
        Host::Cline => {
            let path = home.join("Documents").join("Cline").join("Rules").join("memdir.md");
            vec![Change::Own { path, text: INSTRUCTIONS.to_owned() }]
        }
        Host::Aider | Host::Cursor | Host::Zed => Vec::new(),
    }
}

/// Copilot names no event in its JSON, so the command does.
fn copilot(program: &str) -> String {
    let events = ["sessionStart", "userPromptSubmitted", "postToolUse", "preCompact", "agentStop"];
    let hooks: serde_json::Map<String, Value> = events
        .iter()
        .map(|event| {
            let call = json!({ "type": "command", "bash": shell_command(program, &format!("copilot {event}")), "timeoutSec": HOOK_PATIENCE_SECONDS });
            ((*event).to_owned(), json!([call]))
        })
        .collect();
    let file = json!({ "version": 1, "hooks": hooks });
    format!("{file:#}\n")
}

/// `memdir hook HOST` for a shell. Some hosts take any other exit code than 0 for a veto, so a memdir that
/// is not there any more must not be one; and what a host ends when it has waited long enough must be memdir,
/// not a shell that leaves it behind.
fn shell_command(program: &str, call: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-' | b'+');
    let program =
        if program.bytes().all(plain) { program.to_owned() } else { format!("'{}'", program.replace('\'', "'\\''")) };
    format!("if command -v {program} >/dev/null 2>&1; then exec {program} hook {call}; fi")
}

fn notes(profile: &Profile) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(native) = &profile.native {
        let state = if native.on_by_default {
            "It is on unless you switched it off"
        } else {
            "It is off unless you switched it on"
        };
        notes.push(format!(
            "{} {state}; two memories learn the same things twice. Off: {}.",
            native.what, native.switch
        ));
    }
    match profile.host {
        Host::Codex => notes.push(
            "Codex asks you to trust new hooks: start `codex` once and choose to trust them. Until then it skips them without a word.".into(),
        ),
        Host::Opencode => notes.push("opencode loads the plugin when it starts the next time.".into()),
        Host::Goose | Host::Cline => notes.push(format!(
            "{} takes no answers from hooks; it is told to ask memdir itself.",
            profile.title
        )),
        Host::Aider => notes.push(
            "aider has no hooks. Give it the index: `read: [<memory directory>/MEMORY.md]` in .aider.conf.yml; `memdir status` names the directory.".into(),
        ),
        Host::Cursor | Host::Zed => notes.push(format!(
            "{} takes memory only through MCP, which this version of memdir does not speak yet.",
            profile.title
        )),
        _ => {}
    }
    notes
}
