//! Session notes: what a conversation has come to, kept beside it (S1–S7).
//!
//! Enters: a transcript, the user's template and prompt if they have any. Leaves: the notes of one session in
//! `<project dir>/<session>/session-memory/summary.md`, when an update is due, and the text that goes into the
//! first message after compaction. Headings and the lines in italics below them never change. Notes are no
//! memory: nothing in them is recalled or indexed.

mod automatic;
mod estimate;
mod fill;
mod fork;
mod frame;
mod generate;
mod sessions;

pub use estimate::estimate_tokens;
pub use fork::NotesJob;
pub use frame::{Notes, NotesSection};
pub use generate::NotesUpdate;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Error, Memory, Sessions};
use memdir_context::prompts::PromptTemplate;
use memdir_core::limits;
use memdir_core::settings::Settings;
use memdir_store::fs::{self, Durability};

/// How a conversation has grown since its notes were last written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConversationGrowth {
    /// Tokens of the conversation.
    pub tokens: u64,
    /// Tokens it had when notes were last written; `None`: there are none yet.
    pub noted: Option<u64>,
    /// Tool calls since.
    pub tool_calls: u64,
    /// Whether the last turn called a tool.
    pub last_turn_called: bool,
}

/// Whether notes should be written now (S2).
pub fn notes_due(growth: ConversationGrowth, settings: &Settings) -> bool {
    match growth.noted {
        None => growth.tokens >= settings.notes_first_tokens,
        Some(noted) => {
            let grown = growth.tokens.saturating_sub(noted) >= settings.notes_every_tokens;
            grown && (growth.tool_calls >= settings.notes_tool_calls || !growth.last_turn_called)
        }
    }
}

/// The notes of a session.
#[derive(Clone, Debug, Serialize)]
pub struct NotesReport {
    /// Where they are.
    pub path: String,
    /// Whether they say anything.
    pub empty: bool,
    /// The sections, with their size.
    pub sections: Vec<SectionSize>,
    /// The notes.
    pub text: String,
}

/// One section and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SectionSize {
    /// Its heading.
    pub title: String,
    /// Tokens, guessed high.
    pub tokens: u64,
    /// Whether it is longer than a section may be.
    pub over: bool,
}

impl Sessions<'_> {
    /// Where the notes of a session are.
    pub fn notes_path(&self, session: &str) -> Result<PathBuf, Error> {
        let usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if session.is_empty() || session.starts_with('.') || session.len() > 200 || !session.chars().all(usual) {
            return Err(Error::Refused(format!("{session:?} is not the name of a session")));
        }
        Ok(self.memory.place.project_dir()?.join(session).join("session-memory").join("summary.md"))
    }

    /// The template: the user's own, else the built-in one (S6).
    pub fn notes_template(&self) -> String {
        self.memory.own_notes_text("template.md").unwrap_or_else(|| PromptTemplate::NotesTemplate.built_in().to_owned())
    }

    /// The notes of a session; the template while there are none.
    pub fn notes(&self, session: &str) -> Result<NotesReport, Error> {
        let path = self.notes_path(session)?;
        let text = self.memory.standing_notes(&path);
        let template = Notes::read(&self.notes_template());
        Ok(report(&path, &Notes::read(&text), &template))
    }

    /// What goes into the first message after compaction (S5); `None` when the notes say nothing.
    pub fn notes_for_compaction(&self, session: &str) -> Result<Option<String>, Error> {
        let path = self.notes_path(session)?;
        let notes = Notes::read(&self.memory.standing_notes(&path));
        let template = Notes::read(&self.notes_template());
        if notes.is_empty() || notes == template {
            return Ok(None);
        }
        Ok(Some(cut(&notes, &path)))
    }
}

impl Memory {
    fn own_notes_text(&self, name: &str) -> Option<String> {
        let home = self.place.config_home.clone().ok()?;
        let bytes =
            fs::tail(&home.join("session-memory").join("config").join(name), limits::PROMPT_BYTES as u64).ok()?;
        String::from_utf8(bytes).ok().filter(|text| !text.trim().is_empty())
    }

    fn standing_notes(&self, path: &Path) -> String {
        let standing = fs::read_beside(path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        standing.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| self.sessions().notes_template())
    }

    fn write_notes(&self, path: &Path, notes: &Notes) -> Result<(), Error> {
        if let Some(dir) = path.parent() {
            fs::create_private_dir(dir)?;
        }
        Ok(fs::replace(path, notes.write().as_bytes(), Durability::Synced)?)
    }

    /// Refuses when notes are off (S7).
    fn require_notes(&self) -> Result<(), Error> {
        self.require_on()?;
        if self.settings.notes_enabled { Ok(()) } else { Err(Error::NotesOff) }
    }
}

fn report(path: &Path, notes: &Notes, template: &Notes) -> NotesReport {
    let sections = notes.sections.iter().map(|section| {
        let tokens = estimate_tokens(&section.text);
        SectionSize { title: section.title.clone(), tokens, over: tokens > limits::NOTES_SECTION_TOKENS }
    });
    NotesReport {
        path: path.display().to_string(),
        empty: notes.is_empty() || notes == template,
        sections: sections.collect(),
        text: notes.write(),
    }
}

/// The notes within their limits, cut by section, and every cut said (S4).
fn cut(notes: &Notes, path: &Path) -> String {
    // The frame stays whole; the blank lines around a section and the word that it was cut are tokens, too.
    let around = |section: &NotesSection| estimate_tokens(&format!("# {}\n{}\n", section.title, section.about)) + 8;
    let mut left = limits::NOTES_TOKENS.saturating_sub(notes.sections.iter().map(around).sum());
    let mut out = notes.clone();
    for section in &mut out.sections {
        let room = left.min(limits::NOTES_SECTION_TOKENS);
        if estimate_tokens(&section.text) > room {
            section.text = cut_lines(&section.text, room, path);
        }
        left = left.saturating_sub(estimate_tokens(&section.text));
    }
    out.write()
}

/// As many whole lines as there is room for, and where the rest is.
fn cut_lines(text: &str, room: u64, path: &Path) -> String {
    let note = format!("[cut; the rest is in {}]", path.display());
    let Some(mut left) = room.checked_sub(estimate_tokens(&note) + 1) else { return "[cut]".to_owned() };
    let mut kept = Vec::new();
    for line in text.lines() {
        let tokens = estimate_tokens(line) + 1;
        if tokens > left {
            break;
        }
        left -= tokens;
        kept.push(line);
    }
    kept.push(&note);
    kept.join("\n")
}

/// Puts each `{{variable}}` in once; what a value says is never expanded again (S6).
fn fill_once(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find("{{") {
        let (before, tail) = rest.split_at(start);
        out.push_str(before);
        let found = tail[2..].find("}}").and_then(|end| {
            let name = &tail[2..2 + end];
            values.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value, &tail[end + 4..]))
        });
        match found {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            // An unknown variable is the user's own text.
            None => {
                out.push_str("{{");
                rest = &tail[2..];
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests;
