//! What was said since the last dream: lines of daily logs (L2), and narrow pieces of conversations.
//!
//! Enters: log files, in the memory directory and beside it (L1b), and how far each was read before; the
//! last part of transcripts. Leaves: statements with their time as exactly as it is known, the oldest first, and who made them. Never a whole
//! transcript: a drifted memory shows in what a person said, and of that the newest part is enough.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::{Date, Time};

use super::time_order::TimeInterval;
use crate::engine::outside_memory::{BESIDE, dated};
use crate::engine::{Error, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits;
use memdir_hosts::transcript::{Role, recent};
use memdir_store::Store;
use memdir_store::daily_log::day_of_log;
use memdir_store::fs::Root;

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawStatement {
    pub(super) text: String,
    /// What was said right before, for what "it" means.
    pub(super) before: String,
    pub(super) day: Date,
    /// When it was said; `None` if nothing says so; then it was at any time before now.
    pub(super) when: Option<TimeInterval>,
    /// Where it stands, for the history.
    pub(super) source: String,
    /// A person said it, as far as can be told.
    pub(super) by_user: bool,
    /// It is in a log, which nobody else distils; else it only shows drift.
    pub(super) logged: bool,
    /// The log says what it is: a line in our own form, of which nothing is lost (L2).
    pub(super) kind: Option<Type>,
}

/// How far each log was distilled, in bytes: logs are only appended to.
pub(super) type Distilled = BTreeMap<String, u64>;

/// The lines that logs have got since they were last distilled.
pub(super) fn logs(
    memory: &Memory,
    store: &Store,
    scope: Scope,
    done: &Distilled,
) -> Result<(Vec<RawStatement>, Distilled), Error> {
    let mut found = (Vec::new(), Distilled::new());
    read_logs(memory, store.root(), "", done, &mut found)?;
    // The folder beside the memory directory is the project's.
    if let Some(beside) = memory.logs_beside().filter(|_| scope == Scope::Private) {
        read_logs(memory, &beside, BESIDE, done, &mut found)?;
    }
    Ok(found)
}

fn read_logs(
    memory: &Memory,
    root: &Root,
    prefix: &str,
    done: &Distilled,
    found: &mut (Vec<RawStatement>, Distilled),
) -> Result<(), Error> {
    let (zone, now) = (memory.now.time_zone(), memory.now.timestamp());
    let when = |day: Date, minute: Option<Time>| TimeInterval::on(day, minute, zone, now);
    for path in dated(root)? {
        let Some(day) = day_of_log(path.as_str()) else { continue };
        let Ok(Some(bytes)) = root.read(&path) else { continue };
        let name = format!("{prefix}{path}");
        let from = done.get(&name).map_or(0, |from| usize::try_from(*from).unwrap_or(usize::MAX));
        // A log that became shorter is another log.
        let from = if from > bytes.len() { 0 } else { from };
        found.1.insert(name.clone(), bytes.len() as u64);
        let text = String::from_utf8_lossy(&bytes[from..]).into_owned();
        found.0.extend(text.lines().filter_map(|line| entry(line, day, &when, &name)));
    }
    Ok(())
}

/// A line of a log: `- 09:30 [feedback] …`, `- 09:30 user: …`.
fn entry(
    line: &str,
    day: Date,
    when: &dyn Fn(Date, Option<Time>) -> TimeInterval,
    source: &str,
) -> Option<RawStatement> {
    let rest = line.trim();
    let rest = ["- ", "* ", "+ "].iter().find_map(|bullet| rest.strip_prefix(bullet))?.trim();
    let (minute, rest) = timed(rest);
    let (kind, rest) = tagged(rest);
    let (by_user, text) = speaker(rest);
    (!text.is_empty()).then(|| RawStatement {
        text: text.to_owned(),
        before: String::new(),
        day,
        when: Some(when(day, minute)),
        source: source.to_owned(),
        // Whoever files it under a type has heard it from the user.
        by_user: by_user || kind.is_some(),
        logged: true,
        kind,
    })
}

/// The type that a line is filed under, and the rest of it.
fn tagged(text: &str) -> (Option<Type>, &str) {
    let tag = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match tag.and_then(|(tag, rest)| Some((Type::parse(tag)?, rest))) {
        Some((kind, rest)) => (Some(kind), rest.trim()),
        None => (None, text),
    }
}

/// The time that a line begins with, and the rest of it.
fn timed(text: &str) -> (Option<Time>, &str) {
    let (head, rest) = text.split_once(' ').unwrap_or((text, ""));
    let time = head.trim_matches(['[', ']', '(', ')', ':', '*']);
    let is_time =
        time.len() >= 4 && time.contains(':') && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    if !is_time {
        return (None, text);
    }
    let padded = if time.find(':') == Some(1) { format!("0{time}") } else { time.to_owned() };
    (padded.parse().ok(), rest.trim())
}

/// Who said it, and what: `user: x`, `user said again: x`, `用户:x`; else the log's own words.
fn speaker(text: &str) -> (bool, &str) {
    let lower = text.to_ascii_lowercase();
    let named = ["user", "the user", "用户"].iter().find(|name| lower.starts_with(**name));
    let Some(name) = named else { return (false, text) };
    let after = &text[name.len()..];
    if !after.starts_with([' ', ':', '：', '说', '要', '希']) {
        return (false, text);
    }
    // "user said again: no pandas" is about what follows the colon, "user liked x" about all of it.
    let head = after.find([':', '：']).filter(|at| after[..*at].split_whitespace().count() <= 3);
    match head {
        Some(at) => (true, after[at..].trim_start_matches([':', '：', ' '])),
        None => (true, text),
    }
}

/// What people said in conversations, the newest part of each.
pub(super) fn conversations(memory: &Memory, files: &[std::path::PathBuf]) -> Vec<RawStatement> {
    files.iter().take(limits::DREAM_TRANSCRIPTS).flat_map(|file| talk(memory, file)).collect()
}

fn talk(memory: &Memory, file: &Path) -> Vec<RawStatement> {
    let Ok(messages) = recent(file, None, limits::DREAM_TRANSCRIPT_BYTES) else { return Vec::new() };
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut statements = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for message in messages {
        let text = message.text.trim().to_owned();
        if message.is_own() && !text.is_empty() && text.chars().count() <= limits::DREAM_SAID_CHARS {
            let said_at: Option<Timestamp> = message.time.filter(|time| *time <= memory.now.timestamp());
            let said_on = said_at.map(|time| time.to_zoned(memory.now.time_zone().clone()).date());
            statements.push(RawStatement {
                text: text.clone(),
                before: before.join(" "),
                day: said_on.unwrap_or(memory.now.date()),
                when: said_at.map(|time| TimeInterval::exact(time, memory.now.timestamp())),
                source: name.clone(),
                by_user: true,
                logged: false,
                kind: None,
            });
        }
        if message.is_own() || message.role == Role::Assistant {
            before.push(text);
            if before.len() > 2 {
                before.remove(0);
            }
        }
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_a_log_line_says_who_spoke() {
        let day = "2026-04-06".parse().unwrap();
        let when = |day, minute| TimeInterval::on(day, minute, &jiff::tz::TimeZone::UTC, Timestamp::MAX);
        let read = |line: &str| entry(line, day, &when, "log").map(|raw| (raw.by_user, raw.text));
        assert_eq!(read("- 09:30 user: no pandas"), Some((true, "no pandas".into())));
        assert_eq!(read("- 14:40 user said again: no pandas"), Some((true, "no pandas".into())));
        assert_eq!(read("- 15:45 user liked the CSV"), Some((true, "user liked the CSV".into())));
        assert_eq!(read("- users pay: monthly"), Some((false, "users pay: monthly".into())));
        assert_eq!(read("- 08:12 ran the tests"), Some((false, "ran the tests".into())));
        assert_eq!(read("# 2026-04-06"), None);
        let kind = |line: &str| entry(line, day, &when, "log").and_then(|raw| raw.kind);
        assert_eq!(read("- 09:30 [feedback] no pandas"), Some((true, "no pandas".into())));
        assert_eq!(kind("- 09:30 [feedback] no pandas"), Some(Type::Feedback));
        assert_eq!(
            (kind("- [wip] no pandas"), read("- [wip] no pandas")),
            (None, Some((false, "[wip] no pandas".into())))
        );
        let at = |line: &str| entry(line, day, &when, "log").and_then(|raw| raw.when).unwrap().earliest.to_string();
        assert_eq!(at("- 9:30 user: no pandas"), "2026-04-06T09:30:00Z");
        assert_eq!(at("- [14:40:12] no pandas"), "2026-04-06T14:40:12Z");
        assert_eq!(at("- no pandas"), "2026-04-06T00:00:00Z");
    }
}
