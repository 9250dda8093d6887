//! Our permission check as an agent's own tool hook, for one run.
//!
//! Enters: what a hook of the agent reads from stdin, and the [`Errand`] as arguments of a command
//! line. Leaves: the agent's own words for yes or no, with the reason. The check is the one of the
//! tool loop (X6), so both lanes allow the same. What cannot be understood is denied, and so is
//! everything once whoever sent the agent has died: nobody would check what it writes.
//!
//! Only Claude Code takes hooks for a single run. The others are confined by their flags and by
//! the directory they run in.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Errand;
use crate::guard::confine::RelPath;
use crate::limits;
use crate::model::tools::{Permissions, Refused, Writes};

/// What Claude Code calls a question that it would ask a person: below its own directory, where memory is, it does
/// so even when a hook has said yes.
const PLEA: &str = "PermissionRequest";

/// The hidden command that answers.
pub const COMMAND: &str = "gate";

/// What the hook is told on its command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The directory that may be changed, in all its spellings.
    pub roots: Vec<PathBuf>,
    /// The one file of it that may be edited; else every memory may be written.
    pub only_edit: Option<String>,
    /// A file that is locked while whoever sent the agent lives.
    pub mark: Option<PathBuf>,
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Why not; `None`: it may be.
    pub denied: Option<String>,
    /// Whether the agent asks on its own account what it would ask a person.
    is_plea: bool,
}

impl Gate {
    /// The same as arguments.
    fn arguments(&self) -> Vec<String> {
        let mut args = vec![COMMAND.to_owned()];
        let mut add = |flag: &str, value: String| args.extend([flag.to_owned(), value]);
        for root in &self.roots {
            add("--root", root.display().to_string());
        }
        if let Some(file) = &self.only_edit {
            add("--only-edit", file.clone());
        }
        if let Some(mark) = &self.mark {
            add("--mark", mark.display().to_string());
        }
        args
    }

    /// Decides about what a hook reads. `home` is what `~` means.
    pub fn judge(&self, input: &[u8], cwd: &Path, home: Option<PathBuf>) -> Answer {
        let deny = |reason: String| Answer { denied: Some(reason), is_plea: false };
        if self.mark.as_deref().is_some_and(is_abandoned) {
            return deny("memdir, which started this, has ended; nothing more is done here".to_owned());
        }
        let Ok(call) = serde_json::from_slice::<Value>(input) else {
            return deny("memdir does not understand what is asked".to_owned());
        };
        let is_plea = call["hook_event_name"] == PLEA;
        let answer = |denied: Option<String>| Answer { denied, is_plea };
        let writes = match self.only_edit.as_deref().map(RelPath::parse) {
            None => Writes::Memories,
            Some(Ok(file)) => Writes::OnlyEdit(file),
            Some(Err(_)) => Writes::Nothing,
        };
        let there = call["cwd"].as_str().map(PathBuf::from).filter(|dir| dir.is_absolute());
        let cwd = there.unwrap_or_else(|| cwd.to_path_buf());
        let permissions = Permissions { writes, roots: self.roots.clone(), cwd, home };
        let tool = call["tool_name"].as_str().unwrap_or_default();
        match permissions.judge(tool, &call["tool_input"]) {
            Ok(_) => answer(None),
            Err(Refused::Input(reason)) => answer(Some(reason)),
            Err(Refused::Denied(denied)) => answer(Some(denied.reason)),
        }
    }
}

impl Answer {
    /// In the words of Claude Code.
    pub fn for_claude_code(&self) -> String {
        if self.is_plea {
            let decision = match &self.denied {
                None => json!({ "behavior": "allow" }),
                Some(reason) => json!({ "behavior": "deny", "message": reason }),
            };
            return json!({ "hookSpecificOutput": { "hookEventName": PLEA, "decision": decision } }).to_string();
        }
        let mut said = json!({ "hookEventName": "PreToolUse", "permissionDecision": "allow" });
        if let Some(reason) = &self.denied {
            said["permissionDecision"] = json!("deny");
            said["permissionDecisionReason"] = json!(reason);
        }
        json!({ "hookSpecificOutput": said }).to_string()
    }
}

/// Settings for one run of Claude Code: every tool call asks `program` first.
pub(super) fn claude_settings(program: &Path, errand: &Errand) -> String {
    let only_edit = match &errand.permissions.writes {
        Writes::OnlyEdit(file) => Some(file.to_string()),
        Writes::Memories => None,
        // No file has no name.
        Writes::Nothing => Some(String::new()),
    };
    let gate = Gate { roots: errand.permissions.roots.clone(), only_edit, mark: errand.mark.clone() };
    let hook = json!({
        "type": "command", "command": program.display().to_string(), "args": gate.arguments(),
        "timeout": limits::GATE_SECONDS,
    });
    let always = json!([{ "matcher": "*", "hooks": [hook] }]);
    json!({ "hooks": { "PreToolUse": always, PLEA: always } }).to_string()
}

/// Whether the one who locked a mark is gone. A mark that is not there is one that was taken away.
fn is_abandoned(mark: &Path) -> bool {
    File::open(mark).map_or(true, |file| file.try_lock().is_ok())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use super::*;

    fn gate(only_edit: Option<&str>) -> Gate {
        Gate { roots: vec!["/home/me/m".into()], only_edit: only_edit.map(str::to_owned), mark: None }
    }

    fn ask(gate: &Gate, tool: &str, input: &Value) -> Answer {
        let call = json!({ "cwd": "/work/app", "tool_name": tool, "tool_input": input });
        gate.judge(call.to_string().as_bytes(), Path::new("/"), Some("/home/me".into()))
    }

    #[test]
    fn x6_the_hook_of_an_agent_allows_what_the_tool_loop_allows() {
        let write = |path: &str| json!({ "file_path": path, "content": "x" });
        let bash = |command: &str| json!({ "command": command });
        for (tool, input, may) in [
            ("Read", json!({ "file_path": "/work/app/src/main.rs" }), true),
            ("Read", json!({ "file_path": "/proc/self/environ" }), false),
            ("Grep", json!({ "pattern": "x", "-n": true, "output_mode": "content" }), true),
            ("Glob", json!({ "pattern": "**/*.md" }), true),
            ("Write", write("/home/me/m/a.md"), true),
            ("Write", write("~/m/a.md"), true),
            ("Write", write("/home/me/m/../other/a.md"), false),
            ("Write", write("/home/me/m/a.sh"), false),
            ("Write", write("/work/app/src/main.rs"), false),
            ("Write", write("notes.md"), false),
            ("Edit", json!({ "file_path": "/home/me/m/a.md", "old_string": "a", "new_string": "b" }), true),
            ("Edit", json!({ "file_path": "/etc/passwd", "old_string": "a", "new_string": "b" }), false),
            ("Bash", bash("ls -la /home/me/m"), true),
            ("Bash", bash("rm -rf /home/me/m"), false),
            ("Bash", bash("cat a.md > b.md"), false),
            ("WebFetch", json!({ "url": "https://example.com" }), false),
            ("Agent", json!({ "prompt": "do it for me" }), false),
            ("mcp__x__y", json!({}), false),
            ("", json!({}), false),
        ] {
            let answer = ask(&gate(None), tool, &input);
            assert_eq!(answer.denied.is_none(), may, "{tool} {input}: {answer:?}");
        }
    }

    #[test]
    fn s3_notes_are_one_file_that_may_only_be_edited() {
        let gate = gate(Some("summary.md"));
        let edit = |file: &str| json!({ "file_path": file, "old_string": "a", "new_string": "b" });
        assert_eq!(ask(&gate, "Edit", &edit("/home/me/m/summary.md")).denied, None);
        assert!(ask(&gate, "Edit", &edit("/home/me/m/other.md")).denied.is_some());
        let write = json!({ "file_path": "/home/me/m/summary.md", "content": "x" });
        assert!(ask(&gate, "Write", &write).denied.is_some());
    }

    #[test]
    fn what_is_not_understood_is_denied() {
        for input in ["", "{", "[]", "null", "{\"tool_name\": 5}", "\u{feff}{}"] {
            assert!(gate(None).judge(input.as_bytes(), Path::new("/"), None).denied.is_some(), "{input:?}");
        }
    }

    #[test]
    fn an_agent_whose_sender_died_may_do_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let lock = File::create(&mark).unwrap();
        lock.lock().unwrap();
        let gate = Gate { mark: Some(mark.clone()), ..gate(None) };
        let read = json!({ "file_path": "/work/app/README.md" });
        assert_eq!(ask(&gate, "Read", &read).denied, None);
        drop(lock);
        assert!(ask(&gate, "Read", &read).denied.is_some());
        std::fs::remove_file(mark).unwrap();
        assert!(ask(&gate, "Read", &read).denied.is_some());
    }

    #[test]
    fn the_answer_is_in_the_agents_own_words() {
        let yes: Value = serde_json::from_str(&Answer { denied: None, is_plea: false }.for_claude_code()).unwrap();
        assert_eq!(yes["hookSpecificOutput"]["permissionDecision"], "allow");
        let no: Value = serde_json::from_str(&ask(&gate(None), "WebFetch", &json!({})).for_claude_code()).unwrap();
        assert_eq!(no["hookSpecificOutput"]["permissionDecision"], "deny");
        assert_eq!(
            no["hookSpecificOutput"]["permissionDecisionReason"],
            "only Read, Grep, Glob, Edit, Write and Bash may be used here"
        );
        let plea = |file: &str| {
            let call = json!({ "hook_event_name": PLEA, "tool_name": "Write", "tool_input": { "file_path": file, "content": "x" } });
            let answer = gate(None).judge(call.to_string().as_bytes(), Path::new("/"), None).for_claude_code();
            serde_json::from_str::<Value>(&answer).unwrap()["hookSpecificOutput"]["decision"].clone()
        };
        assert_eq!(plea("/home/me/m/a.md"), json!({ "behavior": "allow" }));
        assert_eq!(plea("/etc/a.md")["behavior"], "deny");
    }
}
