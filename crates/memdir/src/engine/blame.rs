//! Which change each line of a memory comes from.
//!
//! Enters: a memory. Leaves: its lines as they are now, each with the newest change that wrote it. Changes no memory.

use serde::Serialize;

use super::{Error, History};
use memdir_store::history::{Change, Version, Visit};

/// One line and where it comes from.
#[derive(Debug, Serialize)]
pub struct BlamedLine {
    /// Its number, from 1.
    pub line: usize,
    /// The change that brought it; `None`: it was there before the history began.
    pub change: Option<String>,
    /// When.
    pub time: Option<jiff::Timestamp>,
    /// By whom.
    pub actor: Option<&'static str>,
    /// In which session.
    pub session: Option<String>,
    /// By which message.
    pub message: Option<String>,
    /// The line itself.
    pub text: String,
}

impl History<'_> {
    /// Blames every line of a memory.
    pub fn blame(&self, typed: &str) -> Result<(String, Vec<BlamedLine>), Error> {
        self.notice()?;
        let memory_ref = self.memory.files().find(typed)?;
        let mut changes: Vec<(Change, String)> = Vec::new();
        let mut path = memory_ref.file.to_string();
        memory_ref.store.journal().newest_first(|change| {
            let named = path.clone();
            if change.files.iter().any(|file| file.follows(&mut path)) {
                changes.push((change, named));
            }
            Visit::More
        })?;
        // Oldest first: each version hands its lines on to the next.
        let mut lines: Vec<(String, Option<usize>)> = Vec::new();
        for (at, (change, named)) in changes.iter().enumerate().rev() {
            let versions =
                change.files.iter().filter(|file| file.path == *named).filter_map(|file| file.after.as_ref());
            for content in versions.filter_map(Version::content) {
                lines = hand_on(lines, &String::from_utf8_lossy(&content), at);
            }
        }
        let current = memory_ref.store.root().read(&memory_ref.file)?.unwrap_or_default();
        let lines = hand_on(lines, &String::from_utf8_lossy(&current), usize::MAX);
        let blamed = lines.into_iter().enumerate().map(|(at, (text, origin))| {
            let change = origin.and_then(|origin| changes.get(origin)).map(|(change, _)| change);
            BlamedLine {
                line: at + 1,
                change: change.map(|change| change.id.to_string()),
                time: change.map(|change| change.time),
                actor: change.map(|change| change.actor.as_str()),
                session: change.and_then(|change| change.session.clone()),
                message: change.and_then(|change| change.message.clone()),
                text,
            }
        });
        Ok((memory_ref.file.to_string(), blamed.collect()))
    }
}

/// The lines of a new version: those that were there keep their origin, the others get this one.
fn hand_on(old: Vec<(String, Option<usize>)>, new: &str, origin: usize) -> Vec<(String, Option<usize>)> {
    let before: String = old.iter().map(|(line, _)| format!("{line}\n")).collect();
    let after: String = new.lines().map(|line| format!("{line}\n")).collect();
    let patch = diffy::DiffOptions::new().set_context_len(0).create_patch(&before, &after).to_string();
    let mut lines = Vec::new();
    let mut old = old.into_iter();
    let mut taken = 0;
    for part in patch.lines().skip(2) {
        if let Some(range) = part.strip_prefix("@@ -") {
            // Lines up to where the hunk begins are untouched. A pure insertion names the line before it.
            let (start, count) = range_of(range);
            let untouched = if count == 0 { start } else { start.saturating_sub(1) };
            while taken < untouched {
                lines.extend(old.next());
                taken += 1;
            }
        } else if part.starts_with('-') {
            old.next();
            taken += 1;
        } else if let Some(text) = part.strip_prefix('+') {
            lines.push((text.to_owned(), Some(origin)));
        }
    }
    lines.extend(old);
    lines
}

/// `12,3 +…` → (12, 3); a missing count is one line.
fn range_of(text: &str) -> (usize, usize) {
    let range = text.split(' ').next().unwrap_or_default();
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    (start.parse().unwrap_or(0), count.parse().unwrap_or(1))
}
