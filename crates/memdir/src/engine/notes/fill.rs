//! Notes without a model: what can be told by rule (S3).
//!
//! Enters: the notes and a conversation. Leaves: the notes with what was asked, which files were touched,
//! which commands were run, what failed and what was answered. What needs judgement stays as it was.

use std::collections::BTreeMap;

use super::frame::Notes;
use super::talk::{Turn, is_error_line};
use crate::guard::secrets;
use crate::text::title;

/// Entries of one list in the notes.
const ENTRIES: usize = 20;
/// Characters of one entry.
const ENTRY_CHARS: usize = 200;

/// Fills the sections that a rule can fill. The whole conversation is read each time, so that filling twice is
/// filling once.
pub(super) fn fill(notes: &mut Notes, turns: &[Turn]) {
    let requests: Vec<&Turn> = turns.iter().filter(|turn| turn.role == "user" && is_request(&turn.text)).collect();
    let answer = turns.iter().rev().find(|turn| turn.role == "assistant" && !turn.text.is_empty());
    if let Some(first) = requests.first() {
        set(notes, "Session Title", title::title(&first.text));
    }
    if let Some(last) = requests.last() {
        let done = answer.map(|turn| format!("\nLast answer: {}", entry(&turn.text))).unwrap_or_default();
        set(notes, "Current State", format!("Last request: {}{done}", entry(&last.text)));
    }
    set(notes, "Task specification", list(requests.iter().map(|turn| entry(&turn.text))));
    set(notes, "Files and Functions", files(turns));
    set(notes, "Workflow", list(commands(turns).into_iter()));
    set(notes, "Errors & Corrections", list(errors(turns).into_iter()));
    if let Some(answer) = answer {
        set(notes, "Key results", title::summary(&answer.text));
    }
    set(notes, "Worklog", worklog(turns));
}

/// Writes a section that a rule knows; what is empty changes nothing.
fn set(notes: &mut Notes, title: &str, text: String) {
    if let Some(section) = notes.section(title)
        && !text.trim().is_empty()
    {
        section.text = secrets::redact(text.trim()).0;
    }
}

fn is_request(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.starts_with('<') && text.chars().count() > 2
}

/// One line of at most so many characters.
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

fn files(turns: &[Turn]) -> String {
    let mut found: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for (name, input) in turns.iter().flat_map(|turn| &turn.calls) {
        let path = ["file_path", "path", "notebook_path"].iter().find_map(|key| input.get(key)?.as_str());
        let writes = matches!(name.as_str(), "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "apply_patch");
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

fn commands(turns: &[Turn]) -> Vec<String> {
    let calls = turns.iter().flat_map(|turn| &turn.calls);
    calls.filter_map(|(_, input)| Some(format!("`{}`", entry(input.get("command")?.as_str()?)))).collect()
}

fn errors(turns: &[Turn]) -> Vec<String> {
    let mut found = Vec::new();
    for turn in turns {
        if turn.role == "tool" && turn.failed {
            found.extend(
                turn.text.lines().find(|line| is_error_line(line)).or_else(|| turn.text.lines().next()).map(entry),
            );
        } else if turn.role == "user" && is_correction(&turn.text) {
            found.push(format!("User: {}", entry(&turn.text)));
        }
    }
    found
}

fn is_correction(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase();
    let starts = [
        "no,",
        "no ",
        "don't",
        "do not",
        "stop ",
        "not like",
        "wrong",
        "that's wrong",
        "actually",
        "不要",
        "不对",
        "别",
        "错了",
    ];
    starts.iter().any(|start| lower.starts_with(start)) || lower.contains("instead of")
}

fn worklog(turns: &[Turn]) -> String {
    let mut steps: Vec<(String, usize)> = Vec::new();
    for turn in turns {
        if turn.role == "user" && is_request(&turn.text) {
            steps.push((title::title(&turn.text), 0));
        } else if let Some(step) = steps.last_mut() {
            step.1 += turn.calls.len();
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
