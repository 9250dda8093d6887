//! Our permission check as an agent's own tool hook, for one run.
//!
//! Enters: what a hook of the agent reads from stdin, and the terms of its [`AgentRun`] from a variable that the agent
//! was started with. Leaves: the agent's own words for yes or no, with the reason. The check is the one of the
//! tool loop (X6), so both ways of running an agent allow the same. What cannot be understood is denied, and so is
//! everything once whoever sent the agent has died: nobody would check what it writes.
//!
//! How each agent is made to ask is in `wiring.rs`.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Agent, AgentRun, calls};
use crate::tools::{Permissions, RefusedCall, Writes};
use memdir_guard::confine::RelPath;

/// What Claude Code calls a question that it would ask a person: below its own directory, where memory is, it does
/// so even when a hook has said yes.
pub(super) const PLEA: &str = "PermissionRequest";

/// The hidden command that answers; the agent's name follows.
pub(crate) const COMMAND: &str = "gate";

/// The variable that holds the terms of a run for the hook of its agent.
pub const TERMS: &str = "MEMDIR_ERRAND";

/// What the hook is told: the terms of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateTerms {
    /// The directory that may be changed, in all its spellings.
    pub roots: Vec<PathBuf>,
    /// The one file of it that may be edited; else every memory may be written.
    pub only_edit: Option<String>,
    /// Where the agent was started; a call from elsewhere is one that the model chose a place for.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// A file that is locked while whoever sent the agent lives.
    pub mark: Option<PathBuf>,
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateAnswer {
    /// Why not; `None`: it may be.
    pub denied: Option<String>,
    /// Whether the agent asks on its own account what it would ask a person.
    is_plea: bool,
}

impl GateTerms {
    /// The terms of a run that is started in a directory.
    pub(super) fn of(agent_run: &AgentRun, dir: &Path) -> GateTerms {
        let only_edit = match &agent_run.permissions.writes {
            Writes::OnlyEdit(file) => Some(file.to_string()),
            Writes::Memories => None,
            // No file has no name.
            Writes::Nothing => Some(String::new()),
        };
        GateTerms {
            roots: agent_run.permissions.roots.clone(),
            only_edit,
            cwd: Some(dir.to_path_buf()),
            mark: agent_run.mark.clone(),
        }
    }

    /// For the variable. A path that is not text cannot be named to the agent either: then there are no terms.
    pub(super) fn terms(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Decides about what a hook of `agent` reads, by the `terms` of its run. `home` is what `~` means.
    pub fn answer(agent: Agent, terms: &str, input: &[u8], cwd: &Path, home: Option<PathBuf>) -> GateAnswer {
        match serde_json::from_str::<GateTerms>(terms) {
            Ok(gate) => gate.judge(agent, input, cwd, home),
            Err(_) => GateAnswer::no("memdir did not say what may be done here"),
        }
    }

    /// The same, with terms that are known.
    pub fn judge(&self, agent: Agent, input: &[u8], cwd: &Path, home: Option<PathBuf>) -> GateAnswer {
        if self.mark.as_deref().is_some_and(is_abandoned) {
            return GateAnswer::no("memdir, which started this, has ended; nothing more is done here");
        }
        let Ok(call) = serde_json::from_slice::<Value>(input) else {
            return GateAnswer::no("memdir does not understand what is asked");
        };
        let writes = match self.only_edit.as_deref().map(RelPath::parse) {
            None => Writes::Memories,
            Some(Ok(file)) => Writes::OnlyEdit(file),
            Some(Err(_)) => Writes::Nothing,
        };
        let there = call["cwd"].as_str().map(PathBuf::from).filter(|dir| dir.is_absolute());
        let cwd = there.unwrap_or_else(|| cwd.to_path_buf());
        if self.cwd.as_deref().is_some_and(|started| !is_same_place(started, &cwd)) {
            return GateAnswer::no(
                "this runs in the directory it was started in; name paths instead of another directory",
            );
        }
        let permissions = Permissions { writes, roots: self.roots.clone(), cwd, home };
        let tool = call["tool_name"].as_str().unwrap_or_default();
        let calls = calls::ours(agent, tool, &call["tool_input"]);
        let denied = calls.iter().find_map(|(tool, input)| match permissions.judge(tool, input) {
            Ok(_) => None,
            Err(RefusedCall::Input(reason)) => Some(reason),
            Err(RefusedCall::Denied(denied)) => Some(denied.reason),
        });
        GateAnswer { denied, is_plea: call["hook_event_name"] == PLEA }
    }
}

/// Whether two paths name one directory.
fn is_same_place(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| memdir_store::fs::canonical(path).unwrap_or_else(|_| path.to_path_buf());
    one == other || real(one) == real(other)
}

impl GateAnswer {
    fn no(reason: &str) -> GateAnswer {
        GateAnswer { denied: Some(reason.to_owned()), is_plea: false }
    }

    /// In the agent's own words.
    pub fn in_words_of(&self, agent: Agent) -> String {
        let said = match (agent, &self.denied) {
            // Codex takes every word here but a no for a fault of the hook, and goes on without it.
            (Agent::Codex, None) => return String::new(),
            (Agent::Gemini, None) => json!({ "decision": "allow" }),
            (Agent::Gemini, Some(reason)) => json!({ "decision": "deny", "reason": reason }),
            (_, denied) if self.is_plea => {
                let decision = match denied {
                    None => json!({ "behavior": "allow" }),
                    Some(reason) => json!({ "behavior": "deny", "message": reason }),
                };
                json!({ "hookSpecificOutput": { "hookEventName": PLEA, "decision": decision } })
            }
            (_, denied) => {
                let mut said = json!({ "hookEventName": "PreToolUse", "permissionDecision": "allow" });
                if let Some(reason) = denied {
                    said["permissionDecision"] = json!("deny");
                    said["permissionDecisionReason"] = json!(reason);
                }
                json!({ "hookSpecificOutput": said })
            }
        };
        said.to_string()
    }
}

/// Whether the one who locked a mark is gone. A mark that is not there is one that was taken away.
fn is_abandoned(mark: &Path) -> bool {
    File::open(mark).map_or(true, |file| file.try_lock().is_ok())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use super::*;

    fn gate(only_edit: Option<&str>) -> GateTerms {
        GateTerms { roots: vec!["/home/me/m".into()], only_edit: only_edit.map(str::to_owned), cwd: None, mark: None }
    }

    fn ask(gate: &GateTerms, tool: &str, input: &Value) -> GateAnswer {
        let call = json!({ "cwd": "/work/app", "tool_name": tool, "tool_input": input });
        gate.judge(Agent::Claude, call.to_string().as_bytes(), Path::new("/"), Some("/home/me".into()))
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
            assert!(
                gate(None).judge(Agent::Claude, input.as_bytes(), Path::new("/"), None).denied.is_some(),
                "{input:?}"
            );
        }
    }

    #[test]
    fn an_agent_whose_sender_died_may_do_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let lock = File::create(&mark).unwrap();
        lock.lock().unwrap();
        let gate = GateTerms { mark: Some(mark.clone()), ..gate(None) };
        let read = json!({ "file_path": "/work/app/README.md" });
        assert_eq!(ask(&gate, "Read", &read).denied, None);
        drop(lock);
        assert!(ask(&gate, "Read", &read).denied.is_some());
        std::fs::remove_file(mark).unwrap();
        assert!(ask(&gate, "Read", &read).denied.is_some());
    }

    #[test]
    fn the_answer_is_in_the_agents_own_words() {
        let yes: Value =
            serde_json::from_str(&GateAnswer { denied: None, is_plea: false }.in_words_of(Agent::Claude)).unwrap();
        assert_eq!(yes["hookSpecificOutput"]["permissionDecision"], "allow");
        let no: Value =
            serde_json::from_str(&ask(&gate(None), "WebFetch", &json!({})).in_words_of(Agent::Claude)).unwrap();
        assert_eq!(no["hookSpecificOutput"]["permissionDecision"], "deny");
        assert_eq!(
            no["hookSpecificOutput"]["permissionDecisionReason"],
            "only Read, Grep, Glob, Edit, Write and Bash may be used here"
        );
        let plea = |file: &str| {
            let call = json!({ "hook_event_name": PLEA, "tool_name": "Write", "tool_input": { "file_path": file, "content": "x" } });
            let answer = gate(None)
                .judge(Agent::Claude, call.to_string().as_bytes(), Path::new("/"), None)
                .in_words_of(Agent::Claude);
            serde_json::from_str::<Value>(&answer).unwrap()["hookSpecificOutput"]["decision"].clone()
        };
        assert_eq!(plea("/home/me/m/a.md"), json!({ "behavior": "allow" }));
        assert_eq!(plea("/etc/a.md")["behavior"], "deny");
    }

    #[test]
    fn x6_the_tools_of_the_other_agents_are_judged_as_ours() {
        let patch = |inside: &str| format!("*** Begin Patch\n{inside}\n*** End Patch");
        let shell = |inside: &str| json!({ "command": format!("apply_patch <<'EOF'\n{}\nEOF", patch(inside)) });
        let raw = |inside: &str| json!({ "command": patch(inside) });
        let write = |path: &str| json!({ "file_path": path, "content": "x" });
        let edit = |path: &str| json!({ "file_path": path, "old_string": "a", "new_string": "b" });
        let bash = |command: &str| json!({ "command": command });
        let (codex, gemini, qwen) = (Agent::Codex, Agent::Gemini, Agent::Qwen);
        for (agent, tool, input, may) in [
            (codex, "Bash", bash("cat a.md"), true),
            (codex, "Bash", bash("rm a.md"), false),
            (codex, "Bash", bash("cat > /home/me/m/a.md <<'END'\nx\nEND"), false),
            (codex, "Bash", shell("*** Add File: a.md\n+x"), true),
            (codex, "Bash", shell("*** Add File: a.md\n+x\n*** Delete File: ../other.md"), false),
            (codex, "Bash", shell("*** Update File: a.md\n*** Move to: /etc/a.md\n+x"), false),
            (codex, "Bash", shell("*** Add File: run.sh\n+x"), false),
            (codex, "apply_patch", raw("*** Update File: /home/me/m/a.md\n@@\n-x\n+y"), true),
            (codex, "apply_patch", raw("*** Update File: /work/app/a.md\n@@\n-x\n+y"), false),
            (codex, "apply_patch", raw("nothing of a patch"), false),
            (codex, "spawn_agent", json!({ "message": "go" }), false),
            (codex, "view_image", json!({ "path": "/x.png" }), false),
            (gemini, "write_file", write("/home/me/m/a.md"), true),
            (gemini, "write_file", write("/work/app/a.md"), false),
            (gemini, "replace", edit("/home/me/m/a.md"), true),
            (gemini, "replace", edit("/home/me/m/../a.md"), false),
            (gemini, "read_file", json!({ "file_path": "/home/me/m/a.md", "start_line": 1 }), true),
            (gemini, "read_file", json!({ "file_path": "/proc/self/environ" }), false),
            (gemini, "list_directory", json!({ "dir_path": "/home/me/m" }), true),
            (gemini, "list_directory", json!({ "dir_path": "/proc/self" }), false),
            (gemini, "glob", json!({ "pattern": "**/*.md" }), true),
            (gemini, "grep_search", json!({ "pattern": "x", "dir_path": "/home/me/m" }), true),
            (gemini, "run_shell_command", bash("ls"), true),
            (gemini, "run_shell_command", bash("touch x"), false),
            (gemini, "web_fetch", json!({ "prompt": "https://example.com" }), false),
            (gemini, "invoke_agent", json!({ "prompt": "go" }), false),
            // What our tools are called is nothing of theirs.
            (gemini, "Write", write("/home/me/m/a.md"), false),
            (qwen, "edit", edit("/home/me/m/a.md"), true),
            (qwen, "edit", edit("/home/me/a.md"), false),
            (qwen, "write_file", write("/home/me/m/sub/a.md"), true),
            (qwen, "write_file", write("/home/me/m/.hidden.md"), false),
            (qwen, "list_directory", json!({ "path": "/home/me/m" }), true),
            (qwen, "agent", json!({ "prompt": "go" }), false),
            (qwen, "tool_call", json!({ "name": "mcp__x__y" }), false),
        ] {
            let call = json!({ "cwd": "/home/me/m", "tool_name": tool, "tool_input": input });
            let answer = gate(None).judge(agent, call.to_string().as_bytes(), Path::new("/"), None);
            assert_eq!(answer.denied.is_none(), may, "{agent} {tool} {input}: {answer:?}");
        }
    }

    #[test]
    fn each_agent_hears_a_no_in_its_own_words() {
        let (yes, no) = (GateAnswer { denied: None, is_plea: false }, GateAnswer::no("because"));
        let said = |answer: &GateAnswer, agent| serde_json::from_str::<Value>(&answer.in_words_of(agent)).unwrap();
        for agent in [Agent::Claude, Agent::Codex, Agent::Qwen] {
            let heard = &said(&no, agent)["hookSpecificOutput"];
            assert_eq!(
                (&heard["permissionDecision"], &heard["permissionDecisionReason"]),
                (&json!("deny"), &json!("because"))
            );
        }
        assert_eq!(said(&no, Agent::Gemini), json!({ "decision": "deny", "reason": "because" }));
        assert_eq!(yes.in_words_of(Agent::Codex), "");
        assert_eq!(said(&yes, Agent::Gemini)["decision"], "allow");
        assert_eq!(said(&yes, Agent::Qwen)["hookSpecificOutput"]["permissionDecision"], "allow");
    }

    #[test]
    fn without_its_terms_nothing_may_be() {
        let read = json!({ "tool_name": "Read", "tool_input": { "file_path": "/work/a" } }).to_string();
        let ask = |terms: &str| GateTerms::answer(Agent::Claude, terms, read.as_bytes(), Path::new("/"), None).denied;
        for terms in ["", "{", "[]", "{\"roots\": 5}"] {
            assert!(ask(terms).is_some(), "{terms}");
        }
        assert_eq!(ask(&gate(None).terms()), None);
    }
}
