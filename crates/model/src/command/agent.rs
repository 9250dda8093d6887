//! The agents that can be asked, and how each is started headless.

use std::fmt;

use super::{AgentRun, Branch, INSIDE};
use crate::tools::Writes;

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

    /// Its arguments for a question: output as lines of JSON, the prompt from stdin, no tools.
    pub(super) fn question(self, model: Option<&str>) -> Vec<String> {
        let mut args = Arguments::default();
        match self {
            // Only the user's own settings, where the login is; no project hooks, no instruction files, no tools.
            Agent::Claude => args.add(CLAUDE).add(&["--setting-sources", "user", "--tools", "", "--max-turns", "1"]),
            Agent::Codex => args.add(CODEX).add(&["--sandbox", "read-only"]),
            Agent::Gemini => args.add(GEMINI).add(&["--approval-mode", "default"]),
            Agent::Qwen => args.add(QWEN).add(&["--approval-mode", "default"]),
        };
        args.ending(self, model)
    }

    /// The one whose program has this name.
    pub fn named(name: &str) -> Option<Agent> {
        Agent::ALL.into_iter().find(|agent| agent.program() == name)
    }

    /// Whether it can go on from a conversation of its own in a branch. Only Claude Code can, so far.
    pub fn can_branch(self) -> bool {
        self == Agent::Claude
    }

    /// Its arguments for work on files, with no more leave than that needs; `wired` makes it ask us besides.
    pub(super) fn work(
        self,
        model: Option<&str>,
        agent_run: &AgentRun,
        branch: Option<&Branch>,
        wired: &[String],
    ) -> Vec<String> {
        let mut args = Arguments::default();
        let turns = agent_run.max_turns.to_string();
        match self {
            Agent::Claude => {
                // A fork keeps its parent's prefix only while the list of tools stays as it was:
                // what it may not do is denied when it tries, not taken from the list.
                args.add(CLAUDE).add(&["--max-turns", &turns, "--allowedTools", &allowed(agent_run, branch.is_some())]);
                args.0.extend_from_slice(wired);
                match branch {
                    Some(branch) => args.add(&["--resume", &branch.session, "--fork-session"]),
                    None => args.add(&["--setting-sources", "user"]),
                };
                // A fork on another model shares no cache, so its model stays its parent's.
                return args.ending(self, model.filter(|_| branch.is_none()));
            }
            // Its sandbox lets it write below the directory it runs in and nowhere else, and use no network.
            Agent::Codex => args.add(CODEX).add(&["--sandbox", "workspace-write"]).add(&[
                "-c",
                "sandbox_workspace_write.exclude_slash_tmp=true",
                "-c",
                "sandbox_workspace_write.exclude_tmpdir_env_var=true",
                "-c",
                "sandbox_workspace_write.network_access=false",
            ]),
            // Commands need a yes that nobody gives; edits stay below the directory it runs in.
            Agent::Gemini => args.add(GEMINI).add(&["--approval-mode", "auto_edit", "--extensions", "none"]),
            // Where edits need no yes it makes them anywhere; so they need one, and the directory has it. No shell.
            Agent::Qwen => {
                args.add(QWEN).add(&["--approval-mode", "default", "--allowed-tools", &edits(agent_run)]).add(&[
                    "--max-session-turns",
                    &turns,
                    "--core-tools",
                    "read_file,grep_search,glob,list_directory,edit,write_file",
                ])
            }
        };
        args.0.extend_from_slice(wired);
        args.ending(self, model)
    }

    /// Variables for it: the guard, and where it starts `afresh` no memory of its own.
    pub(super) fn variables(self, afresh: bool) -> Vec<(String, String)> {
        let mut variables = vec![(INSIDE.to_owned(), "1".to_owned())];
        if self == Agent::Claude && afresh {
            variables.push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned(), "1".to_owned()));
        }
        variables
    }
}

/// How each is started whatever is asked: output as lines of JSON, no session kept, where it can be said.
const CLAUDE: &[&str] = &["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"];
const CODEX: &[&str] = &["exec", "--json", "--ephemeral", "--skip-git-repo-check"];
const GEMINI: &[&str] = &["--output-format", "stream-json", "--skip-trust"];
const QWEN: &[&str] = &["--output-format", "stream-json"];

/// What Claude Code may do without a yes. Naming Grep and Glob would add them to the tools of a conversation that has
/// none, and its prefix would be another.
fn allowed(agent_run: &AgentRun, is_branch: bool) -> String {
    let edits = edits(agent_run);
    let writes = match &agent_run.permissions.writes {
        Writes::Memories => format!(",{}", edits.replacen("Edit", "Write", 1)),
        Writes::Nothing | Writes::OnlyEdit(_) => String::new(),
    };
    let looks = if is_branch { "" } else { ",Grep,Glob" };
    format!("Read{looks},{edits}{writes}")
}

/// The rule for edits, in the words that Claude Code and Qwen Code share; two slashes begin a path from the root.
fn edits(agent_run: &AgentRun) -> String {
    let dir = agent_run.dir().display();
    match &agent_run.permissions.writes {
        // No file has this name.
        Writes::Nothing => "Edit(//dev/null/none)".to_owned(),
        Writes::Memories => format!("Edit(/{dir}/**)"),
        Writes::OnlyEdit(file) => format!("Edit(/{dir}/{file})"),
    }
}

#[derive(Default)]
struct Arguments(Vec<String>);

impl Arguments {
    fn add(&mut self, words: &[&str]) -> &mut Arguments {
        self.0.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }

    fn ending(mut self, agent: Agent, model: Option<&str>) -> Vec<String> {
        if let Some(model) = model {
            self.add(&["--model", model]);
        }
        if agent == Agent::Codex {
            self.add(&["-"]);
        }
        self.0
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
    use crate::tools::Permissions;
    use memdir_guard::confine::RelPath;

    fn agent_run(writes: Writes) -> AgentRun {
        let roots = vec!["/home/me/m".into()];
        let permissions = Permissions { writes, roots, cwd: "/work".into(), home: None };
        AgentRun { permissions, max_turns: 5, max_tokens: 1000, mark: None }
    }

    fn branch() -> Branch {
        Branch { agent: Agent::Claude, session: "s-1".into(), dir: "/work".into() }
    }

    #[test]
    fn a_question_gets_no_tools_and_leaves_no_session() {
        let line = |agent: Agent, model| agent.question(model).join(" ");
        assert_eq!(
            line(Agent::Claude, Some("haiku")),
            "-p --output-format stream-json --verbose --no-session-persistence --setting-sources user --tools  --max-turns 1 --model haiku"
        );
        assert_eq!(line(Agent::Codex, None), "exec --json --ephemeral --skip-git-repo-check --sandbox read-only -");
        assert!(line(Agent::Gemini, Some("m")).ends_with("--approval-mode default --model m"));
        assert!(line(Agent::Qwen, None).ends_with("--approval-mode default"));
    }

    #[test]
    fn x2_a_fork_of_claude_code_keeps_tools_and_model() {
        let (agent_run, branch) = (agent_run(Writes::Memories), branch());
        let wired = ["--settings".to_owned(), "{}".to_owned()];
        let args = Agent::Claude.work(Some("other"), &agent_run, Some(&branch), &wired).join(" ");
        assert!(args.contains("--resume s-1 --fork-session") && args.contains("--max-turns 5"), "{args}");
        assert!(args.contains("--allowedTools Read,Edit(//home/me/m/**),Write(//home/me/m/**) "), "{args}");
        for flag in ["Grep", "--tools", "--disallowedTools", "--model", "--setting-sources"] {
            assert!(!args.contains(flag), "{args}");
        }
        assert!(args.contains(" --settings {} --resume"), "{args}");
        let fresh = Agent::Claude.work(Some("other"), &agent_run, None, &[]).join(" ");
        assert!(fresh.ends_with("--model other") && !fresh.contains("--settings "), "{fresh}");
    }

    #[test]
    fn s3_notes_are_one_file_for_the_flags_too() {
        let notes = agent_run(Writes::OnlyEdit(RelPath::parse("summary.md").unwrap()));
        let args = Agent::Claude.work(None, &notes, None, &[]).join(" ");
        assert!(args.contains("Read,Grep,Glob,Edit(//home/me/m/summary.md) "), "{args}");
    }

    #[test]
    fn the_others_are_confined_by_their_flags() {
        let line = |agent: Agent| agent.work(None, &agent_run(Writes::Memories), None, &[]).join(" ");
        let codex = line(Agent::Codex);
        assert!(codex.contains("--sandbox workspace-write") && codex.contains("network_access=false"), "{codex}");
        assert!(line(Agent::Gemini).contains("--approval-mode auto_edit"));
        let qwen = line(Agent::Qwen);
        assert!(qwen.contains("--core-tools read_file") && !qwen.contains("shell"), "{qwen}");
        assert!(qwen.contains("--approval-mode default --allowed-tools Edit(//home/me/m/**)"), "{qwen}");
    }
}
