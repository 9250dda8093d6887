//! The agents that can be asked, and how each is started headless.

use std::fmt;

use super::{Errand, INSIDE};

/// An agent on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Qwen Code.
    Qwen,
}

impl Agent {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Agent; 4] = [Agent::Claude, Agent::Codex, Agent::Gemini, Agent::Qwen];

    /// The name of its program.
    pub const fn program(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
            Agent::Qwen => "qwen",
        }
    }

    /// Its arguments: output as lines of JSON, the prompt from stdin, and no more leave than it needs.
    pub(super) fn arguments(self, model: Option<&str>, errand: Option<&Errand>) -> Vec<String> {
        let mut args: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| args.extend(words.iter().map(|word| (*word).to_owned()));
        match self {
            Agent::Claude => {
                add(&["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"]);
                match errand {
                    // Only the user's own settings, where the login is; no project hooks, no instruction files, no tools.
                    None => add(&["--setting-sources", "user", "--tools", "", "--max-turns", "1"]),
                    Some(errand) => {
                        // A fork keeps its parent's prefix only while the list of tools stays as it was:
                        // what it may not do is denied when it tries, not taken from the list.
                        let dir = errand.dir.display();
                        let may = format!("Read,Grep,Glob,Edit(/{dir}/**),Write(/{dir}/**)");
                        add(&["--max-turns", &errand.max_turns.to_string(), "--allowedTools", &may]);
                        if let Some(settings) = &errand.settings {
                            add(&["--settings", settings]);
                        }
                        if let Some(session) = &errand.session {
                            add(&["--resume", session, "--fork-session"]);
                        }
                    }
                }
                // A fork on another model shares no cache, so its model stays its parent's.
                if let Some(model) = model.filter(|_| errand.is_none_or(|errand| errand.session.is_none())) {
                    add(&["--model", model]);
                }
            }
            Agent::Codex => {
                let sandbox = if errand.is_some() { "workspace-write" } else { "read-only" };
                add(&["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", sandbox]);
                if let Some(model) = model {
                    add(&["--model", model]);
                }
                add(&["-"]);
            }
            Agent::Gemini => {
                let mode = if errand.is_some() { "auto_edit" } else { "default" };
                add(&["--output-format", "stream-json", "--skip-trust", "--approval-mode", mode]);
                if let Some(model) = model {
                    add(&["--model", model]);
                }
            }
            Agent::Qwen => {
                let mode = if errand.is_some() { "auto-edit" } else { "default" };
                add(&["--output-format", "stream-json", "--approval-mode", mode]);
                if let Some(model) = model {
                    add(&["--model", model]);
                }
            }
        }
        args
    }

    /// Variables for it: the guard, and for a mere question no memory of its own.
    pub(super) fn variables(self, on_errand: bool) -> Vec<(String, String)> {
        let mut variables = vec![(INSIDE.to_owned(), "1".to_owned())];
        if self == Agent::Claude && !on_errand {
            variables.push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned(), "1".to_owned()));
        }
        variables
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.program())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(agent: Agent, model: Option<&str>, errand: Option<&Errand>) -> String {
        agent.arguments(model, errand).join(" ")
    }

    #[test]
    fn a_question_gets_no_tools_and_leaves_no_session() {
        assert_eq!(
            line(Agent::Claude, Some("haiku"), None),
            "-p --output-format stream-json --verbose --no-session-persistence --setting-sources user --tools  --max-turns 1 --model haiku"
        );
        assert_eq!(
            line(Agent::Codex, None, None),
            "exec --json --ephemeral --skip-git-repo-check --sandbox read-only -"
        );
        assert!(line(Agent::Gemini, Some("m"), None).ends_with("--approval-mode default --model m"));
        assert!(line(Agent::Qwen, None, None).ends_with("--approval-mode default"));
    }

    #[test]
    fn x2_a_fork_of_claude_code_keeps_tools_and_model() {
        let errand =
            Errand { dir: "/home/me/m".into(), session: Some("s-1".into()), max_turns: 5, settings: Some("{}".into()) };
        let args = line(Agent::Claude, Some("other"), Some(&errand));
        assert!(
            args.contains("--resume s-1 --fork-session")
                && args.contains("--max-turns 5")
                && args.contains("--settings {}")
        );
        assert!(args.contains("Edit(//home/me/m/**),Write(//home/me/m/**)"), "{args}");
        assert!(
            !args.contains("--tools") && !args.contains("--disallowedTools") && !args.contains("--model"),
            "{args}"
        );
        let fresh = Errand { session: None, ..errand };
        assert!(line(Agent::Claude, Some("other"), Some(&fresh)).ends_with("--model other"));
        assert!(line(Agent::Codex, None, Some(&fresh)).contains("--sandbox workspace-write"));
    }
}
