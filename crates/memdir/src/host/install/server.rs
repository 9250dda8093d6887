//! The entry that starts `memdir mcp`, as data.
//!
//! Enters: how memdir is started and for whom. Leaves: the entry in the words of each host, and whether an
//! entry that is there is ours. Never says that a host may use our tools unasked: that is the user's to say.

use serde_json::{Value, json};

use super::super::Host;
use super::Machine;
use crate::limits::{HOOK_PATIENCE_SECONDS, SERVER_PATIENCE_SECONDS};

/// The name under which hosts list us.
pub(super) const NAME: &str = "memdir";

/// Variables that decide where memory is. A host that hands its servers a clean environment is told to
/// pass on those that are set.
const PLACES: [&str; 6] = [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
];

/// Our entry in a host's list of servers.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// The key of the list.
    pub(super) list: &'static str,
    /// Our entry in it.
    pub(super) entry: Value,
}

impl Server {
    /// The entry for a host; `None`: it is not reached by MCP.
    ///
    /// Claude Code writes memory with its own tools, which need no permission in the memory directory, so
    /// there the hooks are enough. Everywhere else that directory lies outside the workspace: what an agent
    /// wants to keep goes through our tools.
    pub(super) fn of(machine: &Machine<'_>, host: Host) -> Option<Server> {
        let plain = json!({ "command": machine.memdir, "args": ["mcp"] });
        let with = |more: Value| {
            let mut entry = plain.clone();
            if let (Value::Object(entry), Value::Object(more)) = (&mut entry, more) {
                entry.extend(more);
            }
            entry
        };
        let (list, entry) = match host {
            Host::Cursor => ("mcpServers", plain.clone()),
            // They begin when every server has answered, and would wait for ten minutes.
            Host::Gemini | Host::Qwen => ("mcpServers", with(json!({ "timeout": SERVER_PATIENCE_SECONDS * 1000 }))),
            Host::Copilot => {
                let entry = json!({ "type": "local", "command": machine.memdir, "args": ["mcp"], "tools": ["*"] });
                ("mcpServers", entry)
            }
            Host::Cline => ("mcpServers", with(json!({ "disabled": false, "autoApprove": [] }))),
            Host::Zed => ("context_servers", with(json!({ "env": {} }))),
            Host::Codex => {
                let set: Vec<&str> = PLACES.into_iter().filter(|name| machine.around.var(name).is_some()).collect();
                let passed = if set.is_empty() { json!({}) } else { json!({ "env_vars": set }) };
                let mut entry = with(json!({ "startup_timeout_sec": HOOK_PATIENCE_SECONDS }));
                if let (Value::Object(entry), Value::Object(passed)) = (&mut entry, passed) {
                    entry.extend(passed);
                }
                ("mcp_servers", entry)
            }
            Host::Goose => ("extensions", plain.clone()),
            // opencode gets it from our plugin.
            Host::ClaudeCode | Host::Opencode | Host::Aider => return None,
        };
        Some(Server { list, entry })
    }
}

/// Whether an entry of this command line starts `memdir mcp`.
pub(super) fn is_ours<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    let mut program = false;
    let mut verb = false;
    for word in words {
        program |= word.contains("memdir");
        verb |= word == "mcp";
    }
    program && verb
}

/// Whether an entry of a JSON list starts `memdir mcp`.
pub(super) fn is_our_entry(entry: &Value) -> bool {
    let words = |key: &str| {
        let value = entry.get(key);
        let one = value.and_then(Value::as_str);
        let many = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        one.into_iter().chain(many).collect::<Vec<_>>()
    };
    is_ours(words("command").into_iter().chain(words("args")))
}
