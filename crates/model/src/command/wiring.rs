//! How each agent is made to ask us before every tool call, for one run and without touching the user's settings.
//!
//! Enters: the agent, our own program, its run and a directory of ours. Leaves: more arguments, variables and
//! files for this run. The words of the hook are the same at every run: what it may do is in a variable
//! ([`gate::TERMS`]), so agents that write down which hooks they have met write one down.
//!
//! - Claude Code takes settings as an argument.
//! - Codex takes them as overrides. It leaves out a hook that nobody has reviewed, without a word; so the override
//!   says that this one, known by its hash, is: the user agreed to the run, and no other hook gains by it.
//! - Gemini CLI takes system settings only from files of root, and no settings as an argument. It runs in a directory
//!   of ours that has project settings, and works on memory as a directory that is included.
//! - Qwen Code takes its lowest settings from a file that a variable names; hooks of all layers run.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::gate::{self, PLEA};
use super::{Agent, AgentRun};
use memdir_core::limits;

/// What a run gets besides, so that its tool calls come past us.
#[derive(Debug, Default)]
pub(super) struct Wiring {
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    /// Files that must be there before it starts.
    pub(super) files: Vec<(PathBuf, String)>,
    /// Where it must run.
    pub(super) dir: Option<PathBuf>,
}

impl Wiring {
    /// For one run of `agent`; `program` answers, `dir` is ours.
    pub(super) fn of(agent: Agent, program: &Path, agent_run: &AgentRun, dir: &Path) -> Wiring {
        let command = format!("{} {} {}", quoted(&program.display().to_string()), gate::COMMAND, agent.program());
        let mut wiring = Wiring::default();
        let mut env = |name: &str, value: String| wiring.env.push((name.to_owned(), value));
        match agent {
            Agent::Claude => wiring.args = vec!["--settings".to_owned(), claude(program)],
            Agent::Codex => wiring.args = codex(&command),
            Agent::Gemini => {
                let run = dir.join("gemini");
                env("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned());
                let mut settings = milliseconds("BeforeTool", ".*", &command);
                // A user who has switched their hooks off has not switched off ours.
                settings["hooksConfig"] = json!({ "enabled": true });
                wiring.files.push((run.join(".gemini").join("settings.json"), settings.to_string()));
                wiring.args = vec!["--include-directories".to_owned(), agent_run.dir().display().to_string()];
                wiring.dir = Some(run);
            }
            Agent::Qwen => {
                let file = dir.join("qwen").join("defaults.json");
                env("QWEN_CODE_SYSTEM_DEFAULTS_PATH", file.display().to_string());
                wiring.files.push((file, milliseconds("PreToolUse", "*", &command).to_string()));
            }
        }
        wiring
    }
}

/// Its program and arguments, without a shell.
fn claude(program: &Path) -> String {
    let hook = json!({
        "type": "command", "command": program.display().to_string(),
        "args": [gate::COMMAND, Agent::Claude.program()], "timeout": limits::GATE_SECONDS,
    });
    let always = json!([{ "matcher": "*", "hooks": [hook] }]);
    json!({ "hooks": { "PreToolUse": always, PLEA: always } }).to_string()
}

/// A hook as a shell command, its time in milliseconds.
fn milliseconds(event: &str, matcher: &str, command: &str) -> Value {
    let hook = json!({ "type": "command", "command": command, "timeout": limits::GATE_SECONDS * 1000 });
    json!({ "hooks": { event: [{ "matcher": matcher, "hooks": [hook] }] } })
}

fn codex(command: &str) -> Vec<String> {
    // A JSON string is one of TOML, too.
    let (seconds, command) = (limits::GATE_SECONDS, json!(command));
    // What Codex hashes: the hook as it understands it, keys in order.
    let identity = format!(
        r#"{{"event_name":"pre_tool_use","hooks":[{{"async":false,"command":{command},"timeout":{seconds},"type":"command"}}],"matcher":"*"}}"#
    );
    let hash = ring::digest::digest(&ring::digest::SHA256, identity.as_bytes());
    let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let overrides = [
        "features.hooks=true".to_owned(),
        format!(r#"hooks.PreToolUse=[{{matcher="*",hooks=[{{type="command",command={command},timeout={seconds}}}]}}]"#),
        format!(r#"hooks.state={{"/<session-flags>/config.toml:pre_tool_use:0:0"={{trusted_hash="sha256:{hash}"}}}}"#),
    ];
    overrides.into_iter().flat_map(|value| ["-c".to_owned(), value]).collect()
}

/// A word for the shell that runs a hook.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{Permissions, Writes};

    fn wired(agent: Agent) -> Wiring {
        let permissions =
            Permissions { writes: Writes::Memories, roots: vec!["/home/me/m".into()], cwd: "/w".into(), home: None };
        let agent_run = AgentRun { permissions, max_turns: 5, max_tokens: 1000, mark: Some("/state/mark".into()) };
        Wiring::of(agent, Path::new("/opt/my bin/memdir"), &agent_run, Path::new("/state/agent"))
    }

    #[test]
    fn x6_every_agent_is_made_to_ask() {
        for agent in Agent::ALL {
            let wiring = wired(agent);
            let all = format!("{wiring:?}");
            assert!(all.contains("/opt/my bin/memdir") && all.contains("gate"), "{agent}: {all}");
            // The hook itself is the same at every run.
            let hook = format!("{:?}{:?}", wiring.args, wiring.files);
            assert!(!hook.contains("/state/mark"), "{agent}: {hook}");
        }
    }

    #[test]
    fn claude_code_starts_the_gate_without_a_shell() {
        let settings: Value = serde_json::from_str(&wired(Agent::Claude).args[1]).unwrap();
        for event in ["PreToolUse", PLEA] {
            let hook = &settings["hooks"][event][0];
            assert_eq!((&hook["matcher"], &hook["hooks"][0]["command"]), (&"*".into(), &"/opt/my bin/memdir".into()));
            assert_eq!(hook["hooks"][0]["args"], json!(["gate", "claude"]));
        }
    }

    /// The hash is what the real Codex 0.166 says of this hook (`hooks/list` of its app server).
    #[test]
    fn codex_is_told_that_this_hook_was_reviewed() {
        let args = codex("/opt/hook codex").join(" ");
        assert!(args.contains(r#"command="/opt/hook codex",timeout=20"#), "{args}");
        assert!(args.contains("sha256:fc822b113eb66660e345870df4d9ccb408cf9f01050cc08b29725e0ee1f209bd"), "{args}");
    }

    #[test]
    fn gemini_runs_beside_memory_and_qwen_reads_a_file_of_ours() {
        let gemini = wired(Agent::Gemini);
        assert_eq!(gemini.dir.as_deref(), Some(Path::new("/state/agent/gemini")));
        assert_eq!(gemini.args, ["--include-directories", "/home/me/m"]);
        let settings: Value = serde_json::from_str(&gemini.files[0].1).unwrap();
        assert_eq!(settings["hooks"]["BeforeTool"][0]["hooks"][0]["command"], "'/opt/my bin/memdir' gate gemini");
        let qwen = wired(Agent::Qwen);
        assert!(
            qwen.dir.is_none() && qwen.env.iter().any(|(_, value)| *value == qwen.files[0].0.display().to_string())
        );
    }

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
    }
}
