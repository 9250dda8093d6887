//! The entry that starts `memdir mcp`, as data.
//!
//! Enters: how memdir is started. Leaves: the entry, to which a host's folder adds its own keys, and whether an entry
//! that is there is ours. Never allows a host to use our tools without asking: only the user may.

use serde_json::{Value, json};

use memdir_core::surroundings::Surroundings;

/// The name under which hosts list us.
pub(crate) const NAME: &str = "memdir";

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

/// The variables among them that are set.
pub(crate) fn place_variables(around: &Surroundings) -> Vec<&'static str> {
    PLACES.into_iter().filter(|name| around.var(name).is_some()).collect()
}

/// Our entry in a host's list of servers.
#[derive(Clone, Debug)]
pub(crate) struct ServerEntry {
    /// The key of the list.
    pub(crate) list: &'static str,
    /// Our entry in it.
    pub(crate) entry: Value,
}

impl ServerEntry {
    /// The entry that starts `memdir mcp`.
    pub(crate) fn new(list: &'static str, program: &str, args: &[&str]) -> ServerEntry {
        ServerEntry { list, entry: json!({ "command": program, "args": args }) }
    }

    /// The same with more keys.
    pub(crate) fn with(mut self, more: Value) -> ServerEntry {
        if let (Value::Object(entry), Value::Object(more)) = (&mut self.entry, more) {
            entry.extend(more);
        }
        self
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
