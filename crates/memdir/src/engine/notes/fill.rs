//! Notes without a model: what can be told by rule (S3).
//!
//! Enters: the notes and a conversation. Leaves: the notes with what was asked, which files were touched,
//! which commands were run, what failed and what was answered. What needs judgement stays as it was.

use std::collections::BTreeMap;

use super::frame::Notes;
use memdir_guard::secrets;
use memdir_hosts::transcript::{Message, Role};
use memdir_lexicon as lexicon;
use memdir_reader::title;

/// Entries of one list in the notes.
const ENTRIES: usize = 20;
/// Characters of one entry.
const ENTRY_CHARS: usize = 200;

/// Which sections a rule may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillMode {
    /// All that it knows: the notes are what a rule left.
    Renew,
    /// Empty ones: a model or a person wrote the rest.
    FillGaps,
}

/// Fills the sections that a rule can fill. The whole conversation is read each time, so that filling twice is
/// filling once.
pub(super) fn fill(notes: &mut Notes, said: &[Message], may: FillMode) {
    // Before anything is cut: half a secret is not recognised.
    let said: Vec<Message> = said.iter().map(screened).collect();
    let said = said.as_slice();
    let requests: Vec<&Message> = said.iter().filter(|message| is_request(message)).collect();
    let answer = said.iter().rev().find(|message| message.role == Role::Assistant && !message.text.is_empty());
    let mut set = |title: &str, text: String| set(notes, title, &text, may);
    if let Some(first) = requests.first() {
        set("Session Title", title::title(&first.text));
    }
    if let Some(last) = requests.last() {
        let done = answer.map(|message| format!("\nLast answer: {}", entry(&message.text))).unwrap_or_default();
        set("Current State", format!("Last request: {}{done}", entry(&last.text)));
    }
    set("Task specification", list(requests.iter().map(|message| entry(&message.text))));
    set("Files and Functions", files(said));
    set("Workflow", list(commands(said).into_iter()));
    set("Errors & Corrections", list(errors(said).into_iter()));
    if let Some(answer) = answer {
        set("Key results", title::summary(&answer.text));
    }
    set("Worklog", worklog(said));
}

fn screened(message: &Message) -> Message {
    let text = match message.role {
        Role::Tool => secrets::redact(&message.text).0,
        _ => secrets::screen(&message.text).text,
    };
    Message { text, ..message.clone() }
}

/// Writes a section that a rule knows; what is empty changes nothing.
fn set(notes: &mut Notes, title: &str, text: &str, may: FillMode) {
    if let Some(section) = notes.section(title)
        && !text.trim().is_empty()
        && (may == FillMode::Renew || section.text.is_empty())
    {
        section.text = secrets::redact(text.trim()).0;
    }
}

fn is_request(message: &Message) -> bool {
    message.is_own() && message.text.trim().chars().count() > 2
}

/// One line of at most this many characters.
fn entry(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // A heading inside a note would become a section.
    let line = line.trim_start_matches('#').trim_start();
    match line.char_indices().nth(ENTRY_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The last entries of a list, each once.
fn list(entries: impl Iterator<Item = String>) -> String {
    let mut kept: Vec<String> = Vec::new();
    for entry in entries.filter(|entry| !entry.is_empty()) {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    let from = kept.len().saturating_sub(ENTRIES);
    kept[from..].iter().map(|entry| format!("- {entry}\n")).collect()
}

fn files(said: &[Message]) -> String {
    let mut found: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for call in said.iter().flat_map(|message| &message.tool_uses) {
        let path = ["file_path", "path", "notebook_path", "absolute_path", "filePath"]
            .iter()
            .find_map(|key| call.input.get(key)?.as_str());
        // Each host has its own names for them.
        let name = call.name.to_lowercase();
        let writes = ["edit", "write", "patch", "replace", "create"].iter().any(|word| name.contains(word));
        if let Some(path) = path {
            let seen = found.entry(path.to_owned()).or_default();
            seen.0 += 1;
            seen.1 |= writes;
        }
    }
    let mut all: Vec<(String, (usize, bool))> = found.into_iter().collect();
    all.sort_by(|a, b| (b.1.1, b.1.0).cmp(&(a.1.1, a.1.0)).then_with(|| a.0.cmp(&b.0)));
    all.truncate(ENTRIES);
    all.iter().map(|(path, (_, writes))| format!("- {path} ({})\n", if *writes { "changed" } else { "read" })).collect()
}

fn commands(said: &[Message]) -> Vec<String> {
    let calls = said.iter().flat_map(|message| &message.tool_uses);
    let command = |input: &serde_json::Value| match input.get("command").or_else(|| input.get("cmd"))? {
        serde_json::Value::String(line) => Some(line.clone()),
        serde_json::Value::Array(words) => {
            Some(words.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    };
    calls.filter_map(|call| Some(format!("`{}`", entry(&command(&call.input)?)))).collect()
}

fn errors(said: &[Message]) -> Vec<String> {
    let mut found = Vec::new();
    for message in said {
        if message.role == Role::Tool {
            found.extend(message.text.lines().find(|line| is_error_line(line)).map(entry));
        } else if message.is_own() && is_correction(&message.text) {
            found.push(format!("User: {}", entry(&message.text)));
        }
    }
    found
}

/// A line that names an error.
fn is_error_line(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["error:", "error[", "Error:", "ERROR", "fatal:", "Traceback", "panicked at", "FAILED", "E   "];
    starts.iter().any(|start| line.starts_with(start)) || line.contains("panicked at") || line.contains("Exception:")
}

fn is_correction(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase();
    lexicon::CORRECTION_OPENING.longest_prefix_of(&lower).is_some() || lower.contains("instead of")
}

fn worklog(said: &[Message]) -> String {
    let mut steps: Vec<(String, usize)> = Vec::new();
    for message in said {
        if is_request(message) {
            steps.push((title::title(&message.text), 0));
        } else if let Some(step) = steps.last_mut() {
            step.1 += message.tool_uses.len();
        }
    }
    let from = steps.len().saturating_sub(ENTRIES);
    steps[from..]
        .iter()
        .map(|(step, calls)| match calls {
            0 => format!("- {step}\n"),
            1 => format!("- {step} (1 tool call)\n"),
            many => format!("- {step} ({many} tool calls)\n"),
        })
        .collect()
}
