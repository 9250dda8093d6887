//! What goes where, for each host.
//!
//! Enters: the machine. Leaves: the files of a host that memdir writes or adds to, and what the user
//! should know. All facts about places of configuration stand here.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::{Host, Profile};
use super::json::Ours;
use super::server::{NAME, Server};
use super::yaml::{Entry, quoted};
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
    pub(super) serves: bool,
    pub(super) changes: Vec<Change>,
    pub(super) notes: Vec<String>,
}

/// One file.
pub(super) enum Change {
    /// Hooks and our server among those of others.
    Json { path: PathBuf, ours: Ours },
    /// Our server among those of others.
    Toml { path: PathBuf, server: Server },
    /// Our entry among those of others.
    Yaml { path: PathBuf, entry: Entry },
    /// A block in a text of somebody else's.
    Block { path: PathBuf, text: String },
    /// A file of our own.
    Own { path: PathBuf, text: String },
}

impl Change {
    pub(super) fn path(&self) -> &Path {
        match self {
            Change::Json { path, .. }
            | Change::Toml { path, .. }
            | Change::Yaml { path, .. }
            | Change::Block { path, .. }
            | Change::Own { path, .. } => path,
        }
    }
}

impl Recipe {
    pub(super) fn of(machine: &Machine<'_>, host: Host) -> Result<Recipe, InstallError> {
        let home = machine.around.home.as_deref().ok_or(InstallError::NoHome)?;
        let base = base(machine, host, home);
        let profile = host.profile();
        let settings = host == Host::Aider && home.join(".aider.conf.yml").is_file();
        let found = base.is_dir() || settings || profile.programs.iter().any(|program| (machine.has_program)(program));
        let serves = host == Host::Opencode || Server::of(machine, host).is_some();
        Ok(Recipe { found, serves, changes: changes(machine, host, &base, home), notes: notes(profile) })
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
    let server = Server::of(machine, host);
    let json = |path: PathBuf, hooks: Vec<(&'static str, Value)>, server: Option<Server>| Change::Json {
        path,
        ours: Ours { host, hooks, server },
    };
    let instructions = |path: PathBuf| Change::Own { path, text: INSTRUCTIONS.to_owned() };
    match host {
        Host::ClaudeCode => vec![json(base.join("settings.json"), claude(machine), None)],
        Host::Codex => {
            let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"];
            let hooks = json(base.join("hooks.json"), by_shell(machine, host, &events, HOOK_PATIENCE_SECONDS), None);
            let tools = server.map(|server| Change::Toml { path: base.join("config.toml"), server });
            [hooks].into_iter().chain(tools).collect()
        }
        Host::Gemini => {
            let events = ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent"];
            let hooks = by_shell(machine, host, &events, HOOK_PATIENCE_SECONDS * 1000);
            vec![json(base.join("settings.json"), hooks, server)]
        }
        Host::Qwen => {
            let events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"];
            let hooks = by_shell(machine, host, &events, HOOK_PATIENCE_SECONDS * 1000);
            vec![json(base.join("settings.json"), hooks, server)]
        }
        Host::Copilot => vec![
            Change::Own { path: base.join("hooks").join("memdir.json"), text: copilot(machine.memdir) },
            json(base.join("mcp-config.json"), Vec::new(), server),
        ],
        Host::Opencode => {
            let text =
                OPENCODE.replace("const program = \"memdir\"", &format!("const program = {}", json!(machine.memdir)));
            vec![Change::Own { path: base.join("plugins").join("memdir.js"), text }]
        }
        Host::Goose => {
            let entry = Entry::Below { key: "extensions", lines: goose(machine.memdir) };
            vec![
                Change::Yaml { path: base.join("config.yaml"), entry },
                Change::Block { path: base.join(".goosehints"), text: INSTRUCTIONS.to_owned() },
            ]
        }
        Host::Cline => vec![
            json(base.join("data").join("settings").join("cline_mcp_settings.json"), Vec::new(), server),
            instructions(home.join("Documents").join("Cline").join("Rules").join("memdir.md")),
        ],
        Host::Aider => {
            let file = base.join("memdir.md");
            let entry = Entry::Item { key: "read", text: file.display().to_string() };
            vec![instructions(file), Change::Yaml { path: home.join(".aider.conf.yml"), entry }]
        }
        Host::Cursor => vec![json(base.join("mcp.json"), Vec::new(), server)],
        Host::Zed => vec![
            json(base.join("settings.json"), Vec::new(), server),
            // Personal instructions, since the version of May 2026; older ones do not look there.
            Change::Block { path: base.join("AGENTS.md"), text: INSTRUCTIONS.to_owned() },
        ],
    }
}

/// Claude Code starts a command that has arguments of its own without a shell in between.
fn claude(machine: &Machine<'_>) -> Vec<(&'static str, Value)> {
    let args = ["hook", Host::ClaudeCode.as_str()];
    let call = json!({ "type": "command", "command": machine.memdir, "args": args, "timeout": HOOK_PATIENCE_SECONDS });
    let plain = |event: &'static str| (event, json!({ "hooks": [call] }));
    vec![
        plain("SessionStart"),
        plain("UserPromptSubmit"),
        ("PreToolUse", json!({ "matcher": CLAUDE_TOOLS, "hooks": [call] })),
        plain("PostToolUse"),
        plain("PreCompact"),
        plain("Stop"),
    ]
}

/// A hook for each event that goes through a shell.
fn by_shell(machine: &Machine<'_>, host: Host, events: &[&'static str], timeout: u64) -> Vec<(&'static str, Value)> {
    let command = shell_command(machine.memdir, host.as_str());
    let hook = json!({ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] });
    events.iter().map(|event| (*event, hook.clone())).collect()
}

/// goose keeps its servers in YAML; the lines of ours.
fn goose(program: &str) -> Vec<String> {
    [
        "enabled: true",
        "type: stdio",
        &format!("name: {NAME}"),
        "description: Long-term memory as plain files",
        &format!("cmd: {}", quoted(program)),
        "args:",
        "- mcp",
        "envs: {}",
        "env_keys: []",
        "timeout: 60",
    ]
    .map(str::to_owned)
    .to_vec()
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
    if cfg!(windows) {
        // Which shell a host has there differs: a plain command is one in all of them, and so are plain slashes.
        return format!("\"{}\" hook {call}", program.replace('\\', "/"));
    }
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
        Host::Copilot => notes.push(
            "Copilot hides keys from hooks. Where background work may use a model, name a file that holds the key: `memdir settings model.key_file FILE`; without it the built-in engine learns.".into(),
        ),
        Host::Opencode => notes.push("opencode loads the plugin when it starts the next time.".into()),
        Host::Goose | Host::Cline => notes.push(format!(
            "{} takes no answers from hooks; it is told to ask memdir itself, with tools of memdir's own.",
            profile.title
        )),
        Host::Aider => notes.push(
            "aider has neither hooks nor tools; it is told to suggest `memdir recall`. A project with a `read:` of its own in .aider.conf.yml does not see it; for the index there, add <memory directory>/MEMORY.md, which `memdir status` names.".into(),
        ),
        Host::Cursor => notes.push(
            "Cursor reaches memory through tools of memdir's own and asks you before it uses them; conversations there are not learned from. Its rules for all projects are in its settings, not in a file: to make it look by itself, say so there (Rules, User Rules).".into(),
        ),
        Host::Zed => notes.push(
            "Zed reaches memory through tools of memdir's own and asks you before it uses them; conversations there are not learned from.".into(),
        ),
        _ => {}
    }
    notes
}
