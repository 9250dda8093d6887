//! Tools in use and the notes about them (R5).
//!
//! Enters: the names of recently used tools, and a memory's header. Leaves: whether the memory is a note
//! on how to use one of them, or a warning about one. Whoever is using a tool knows how to call it; what
//! went wrong with it last time is still news.

use super::tokens::{TokenShape, Tokenizer};
use super::wording::{USAGE_WORDS, WARNING_WORDS};
use memdir_core::kind::Type;
use std::collections::HashSet;

/// Words in tool names that name no tool.
const EMPTY_WORDS: [&str; 12] =
    ["mcp", "server", "tool", "tools", "api", "client", "cli", "plugin", "ai", "app", "local", "bash"];
/// The host's own tools: their names are everyday words, and nobody keeps notes about them.
const BUILT_IN: [&str; 16] = [
    "read",
    "write",
    "edit",
    "multiedit",
    "bash",
    "grep",
    "glob",
    "ls",
    "task",
    "agent",
    "webfetch",
    "websearch",
    "todowrite",
    "notebookedit",
    "exitplanmode",
    "bashoutput",
];

/// Programs of every shell: they are in every second command, their names are everyday words too, and nobody keeps notes
/// about them.
const UTILITIES: &[&str] = &[
    "awk", "basename", "cat", "cd", "chmod", "command", "cp", "cut", "date", "df", "diff", "dirname", "du", "echo",
    "env", "eval", "exec", "exit", "export", "expr", "false", "file", "find", "for", "free", "head", "id", "if",
    "info", "join", "kill", "less", "link", "ln", "local", "look", "ls", "man", "mkdir", "more", "mv", "nice", "open",
    "paste", "printf", "ps", "pwd", "read", "rm", "sed", "seq", "set", "sh", "sleep", "sort", "source", "split",
    "stat", "sudo", "tail", "tar", "tee", "test", "then", "time", "top", "touch", "tr", "trap", "true", "type", "uniq",
    "wait", "watch", "wc", "which", "while", "who", "write", "xargs", "yes",
];

/// The tools in use.
#[derive(Debug, Default)]
pub struct Tools {
    tools: Vec<NotedTool>,
}

#[derive(Debug)]
struct NotedTool {
    name: String,
    /// Terms of which a note about it has at least one in its header.
    words: Vec<String>,
}

/// What a memory is to the tools in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolNote<'t> {
    /// It says how to use this one: held back.
    Usage(&'t str),
    /// It warns about this one: welcome.
    Warning(&'t str),
}

impl Tools {
    /// Takes names as hosts write them: `mcp__linear__create_issue`, `Bash(fly deploy:*)`, `Read`.
    pub fn new<S: AsRef<str>>(recent: &[S]) -> Tools {
        let mut tools: Vec<NotedTool> = Vec::new();
        for name in recent.iter().map(AsRef::as_ref) {
            let subject = subject(name);
            if subject.is_empty() || tools.iter().any(|tool| tool.name == subject) {
                continue;
            }
            let mut words = Vec::new();
            Tokenizer::default().each(subject, |token| {
                let empty = EMPTY_WORDS.contains(&token.spelled) || token.text.len() < 2;
                if !empty || token.shape == TokenShape::Whole {
                    words.push(token.text.to_string());
                }
            });
            tools.push(NotedTool { name: subject.to_string(), words });
        }
        Tools { tools }
    }

    /// Whether none is in use, or none that notes could be about.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tool that a memory only tells how to use; whoever uses it knows that.
    pub fn usage_of(&self, file: &str, name: &str, description: &str, kind: Option<Type>) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let header = super::wording::terms(&mut Tokenizer::default(), &[file, name, description]);
        match self.note(&header, kind) {
            Some(ToolNote::Usage(tool)) => Some(tool),
            _ => None,
        }
    }

    /// What a memory with these header terms is to the tools in use.
    pub(super) fn note(&self, header: &HashSet<String>, kind: Option<Type>) -> Option<ToolNote<'_>> {
        let tool = self.tools.iter().find(|tool| tool.words.iter().any(|word| header.contains(word)))?;
        let (usage, warning) = (USAGE_WORDS.count(header), WARNING_WORDS.count(header));
        let manual = match kind {
            // A rule is not a manual, whatever its words.
            Some(Type::Feedback | Type::User | Type::Project) => false,
            // A pointer to a tool tells how to use it unless it rather warns.
            Some(Type::Reference) => usage >= warning,
            None => usage > warning,
        };
        match (manual, warning > 0 || kind == Some(Type::Feedback)) {
            (true, _) => Some(ToolNote::Usage(&tool.name)),
            (false, true) => Some(ToolNote::Warning(&tool.name)),
            (false, false) => None,
        }
    }
}

/// The part of a tool's name that notes would mention: the server of an MCP tool, the program of a shell
/// command.
fn subject(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("mcp__") {
        return rest.split("__").next().unwrap_or(rest);
    }
    if let Some((_, inside)) = name.split_once('(') {
        let program = inside.split([' ', ':', ')', '*', '/']).next().unwrap_or("");
        return if UTILITIES.binary_search(&program).is_ok() { "" } else { program };
    }
    if BUILT_IN.iter().any(|tool| name.eq_ignore_ascii_case(tool)) { "" } else { name }
}
