//! What a call is about to do: one operation for each program, file, page or tool.
//!
//! Enters: an action of a host. Leaves: operations, each with the names it may be called by, what it does, which files and hosts it
//! touches and what it writes. Never looks at the machine: paths are those of the call, seen from the project.

use std::collections::BTreeSet;

use memdir_hosts::Action;
use memdir_lexicon::programs;

use super::command;
use super::paths::Touch;
use super::written::NewContent;

/// One thing that is about to be done.
#[derive(Clone, Debug, Default)]
pub(super) struct Operation {
    /// The program as it is called, and the one it belongs to.
    pub(super) programs: Vec<String>,
    /// What it is told, options aside, in whole words.
    pub(super) told: Vec<String>,
    /// Its options, in every form they have.
    pub(super) options: BTreeSet<String>,
    /// Those of its options that stand for others among them: short forms, bundles, values.
    pub(super) forms: BTreeSet<String>,
    /// Variables that are set for it.
    pub(super) variables: Vec<String>,
    /// What it does (`lexicon::ACTIVITY`).
    pub(super) activities: BTreeSet<&'static str>,
    /// Files it touches.
    pub(super) touches: Vec<Touch>,
    /// Machines and sites it speaks to.
    pub(super) hosts: BTreeSet<String>,
    /// A tool of a server: its whole name, the server's words and its own.
    pub(super) tool: Option<Tool>,
    /// Everything it is told, in small letters and cut at marks: what it is aimed at is among these.
    pub(super) pieces: BTreeSet<String>,
    /// Whether it only shows what is there.
    pub(super) shows: bool,
    /// Whether it only runs another one.
    pub(super) wraps: bool,
    /// What it writes.
    pub(super) written: Option<NewContent>,
}

/// A tool of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) server: Vec<String>,
    pub(super) words: Vec<String>,
}

impl Operation {
    /// The operations of an action; paths are seen from `root`.
    pub(super) fn all(action: &Action, root: &str) -> Vec<Operation> {
        match action {
            Action::Command(command) => command::operations(command, root),
            Action::Read(path) => {
                let touches = vec![Touch::read(&path.display().to_string(), root)];
                vec![Operation { touches, shows: true, ..Operation::default() }]
            }
            Action::Write { path, new, old } => {
                let touch = Touch::write(&path.display().to_string(), root);
                let written = Some(NewContent::of(&touch.path, new, old));
                vec![Operation { touches: vec![touch], written, ..Operation::default() }]
            }
            Action::Fetch(url) => vec![Operation { hosts: host_of(url).into_iter().collect(), ..Operation::default() }],
            Action::Tool { name, said } => vec![of_tool(name, said)],
            Action::Other => Vec::new(),
        }
    }

    /// The program it is called by.
    pub(super) fn called(&self) -> Option<&str> {
        self.programs.first().map(String::as_str)
    }

    /// Adds what a word is cut into.
    pub(super) fn add_pieces(&mut self, word: &str) {
        let lower = word.to_lowercase();
        let pieces = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|piece| !piece.is_empty());
        self.pieces.extend(pieces.map(str::to_owned));
        self.pieces.insert(lower);
    }

    /// What SQL in a text does.
    pub(super) fn add_sql(&mut self, text: &str) {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let begins = |first: &str, second: &[&str]| {
            words.windows(2).any(|pair| pair[0].ends_with(first) && (second.is_empty() || second.contains(&pair[1])))
        };
        if begins("drop", &["table", "database", "schema"]) || begins("truncate", &[]) || begins("delete", &["from"]) {
            self.activities.extend(["reset-database", "delete-file", "query-database"]);
        }
        if begins("alter", &["table"]) {
            self.activities.insert("migrate");
        }
    }
}

fn of_tool(name: &str, said: &[String]) -> Operation {
    let mut parts = name.split("__").skip(1);
    let words = |text: &str| -> Vec<String> {
        let mut cut = String::new();
        for letter in text.chars() {
            if letter.is_uppercase() {
                cut.push('_');
            }
            cut.extend(letter.to_lowercase());
        }
        cut.split(['_', '-', '.', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let tool = Tool {
        name: name.to_lowercase(),
        server: parts.next().map(words).unwrap_or_default(),
        words: parts.flat_map(words).collect(),
    };
    let is = |list: &[&str], word: &String| list.binary_search(&word.as_str()).is_ok();
    let changes = tool.words.iter().any(|word| is(programs::TOOL_CHANGES, word));
    let mut operation = Operation {
        shows: !changes && tool.words.iter().any(|word| is(programs::TOOL_SHOWS, word)),
        ..Operation::default()
    };
    for word in &tool.words {
        let single = word.strip_suffix('s').unwrap_or(word);
        let does = programs::TOOL_DOES.iter().filter(|(name, _)| *name == word || *name == single);
        operation.activities.extend(does.flat_map(|(_, does)| does.iter().copied()));
    }
    // What is sent by a server for mail is mail, whatever the tool is called.
    let is_for_mail =
        |word: &String| matches!(word.strip_suffix("er").unwrap_or(word), "mail" | "email" | "gmail" | "smtp");
    if changes && tool.server.iter().any(is_for_mail) {
        operation.activities.insert("send-mail");
    }
    for text in said {
        operation.add_sql(text);
        operation.hosts.extend(host_of(text));
        text.split_whitespace().for_each(|word| operation.add_pieces(word));
    }
    operation.tool = Some(tool);
    operation
}

/// The host of an address, or of `user@host:path`.
pub(super) fn host_of(word: &str) -> Option<String> {
    let rest = match word.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+') => rest,
        _ => word.split_once('@').filter(|(user, _)| !user.is_empty() && !user.contains('/'))?.1,
    };
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?.split(':').next()?.to_lowercase();
    (host.contains(|letter: char| letter.is_alphanumeric()) && !host.contains(char::is_whitespace)).then_some(host)
}
