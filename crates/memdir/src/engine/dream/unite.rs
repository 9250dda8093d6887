//! Two memories become one.
//!
//! Enters: the desk and its near pairs. Leaves: duplicates merged into the newer file with all that
//! either said, older versions of a fact replaced by the newer one, and what nobody can tell from
//! the words, for a person. A pinned memory is never written on and never goes; what an older version
//! said beside the changed fact is taken over.

use super::desk::{Desk, Dropped, Fate};
use super::pairs::nearest;
use super::relate::{Relation, may_relate, relate};
use crate::text::likeness::{self, Note, words};

/// Memories that may contradict each other, or themselves.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Unsure {
    /// The two files, or the one that holds both versions.
    pub files: Vec<String>,
    /// What to look at.
    pub why: String,
}

/// Merges and replaces what can be; returns what is unsure.
pub(super) fn unite(desk: &mut Desk) -> Vec<Unsure> {
    let notes: Vec<Note> = desk.sheets.iter().map(|sheet| Note::read(&sheet.text())).collect();
    let mut unsure = Vec::new();
    for near in nearest(desk, &notes).into_iter().filter(|near| may_relate(near.score, near.mutual)) {
        let (one, other) = (&desk.sheets[near.one], &desk.sheets[near.other]);
        let relation = relate(one, other, (&notes[near.one], &notes[near.other]), near.score, near.mutual);
        // A third that says the same joins what the first two became.
        let (one, other) = (desk.heir(near.one), desk.heir(near.other));
        let whole = desk.sheets[one].stays() && desk.sheets[other].stays();
        if one == other || !whole {
            continue;
        }
        match relation {
            Relation::Unsure => unsure.push(Unsure {
                files: vec![desk.sheets[one].file.to_string(), desk.sheets[other].file.to_string()],
                why: "they are about the same thing and differ; both are kept".to_owned(),
            }),
            Relation::Same => {
                let newer_first = desk.sheets[one].written >= desk.sheets[other].written;
                let (newer, older) = if newer_first { (one, other) } else { (other, one) };
                merge(desk, older, newer);
            }
            // Only the two that were compared: what others were merged into them is not superseded.
            Relation::Supersedes { first_wins } if one == near.one && other == near.other => {
                let (newer, older) = if first_wins { (one, other) } else { (other, one) };
                replace(desk, older, newer);
            }
            Relation::Supersedes { .. } | Relation::Apart => {}
        }
    }
    unsure
}

/// Folds one memory into another; the union of both stays.
fn merge(desk: &mut Desk, older: usize, newer: usize) {
    // A pin keeps its file as it is: the other one goes only if the pinned one says all of it.
    let (older, newer) = if desk.sheets[older].topic.pinned() { (newer, older) } else { (older, newer) };
    if desk.sheets[older].topic.pinned() {
        return;
    }
    let (name, told, body) = (desk.sheets[older].name(), desk.sheets[older].description(), desk.sheets[older].body());
    if desk.sheets[newer].topic.pinned() {
        if desk.sheets[newer].says(&format!("{told}\n{body}")) {
            desk.sheets[older].fate = Fate::Merged(newer);
        }
        return;
    }
    let file = desk.sheets[older].file.to_string();
    let target = &mut desk.sheets[newer];
    let united = likeness::merge_body(&body, &target.body());
    target.topic.set_body(&united);
    // What recall went by must still be found: the description, and the name where it says more.
    for line in [told, name] {
        if !line.trim().is_empty() && !target.says(&line) {
            target.add_paragraph(&line);
        }
    }
    if target.kind().is_none()
        && let Some(kind) = desk.sheets[older].kind()
    {
        // Nobody asked for a type; without one the text is merged all the same.
        let _ = desk.sheets[newer].topic.set_kind(kind);
    }
    desk.sheets[newer].notes.push(format!("says what {file} said too"));
    desk.sheets[older].fate = Fate::Merged(newer);
}

/// Lets the newer version of a fact stand for the older one.
fn replace(desk: &mut Desk, older: usize, newer: usize) {
    if desk.sheets[older].topic.pinned() {
        return;
    }
    let by = desk.sheets[newer].file.to_string();
    let kept = unrelated(&desk.sheets[older].body(), &desk.sheets[older].description());
    if !kept.is_empty() && desk.sheets[newer].topic.pinned() {
        return;
    }
    let file = desk.sheets[older].file.to_string();
    let target = &mut desk.sheets[newer];
    for sentence in &kept {
        if !target.says(sentence) {
            target.add_paragraph(sentence);
            target.notes.push(format!("keeps a sentence of {file}"));
        }
    }
    let sheet = &mut desk.sheets[older];
    let reason = format!("superseded by {by}");
    let told = sheet.description();
    let body = sheet.body();
    let lines = body.lines().chain([told.as_str()]).filter(|line| !line.trim().is_empty());
    sheet.dropped.extend(lines.map(|line| Dropped { line: line.to_owned(), reason: reason.clone() }));
    sheet.fate = Fate::Superseded(newer);
}

/// Sentences of an older version that are about something else: they name something and share no
/// word with the fact that changed.
fn unrelated(body: &str, told: &str) -> Vec<String> {
    let statement = likeness::statement_of(body);
    let mut sentences = sentences(&statement).into_iter();
    let first = sentences.next().unwrap_or_default();
    let about: Vec<String> = words(&format!("{told} {first}"));
    sentences
        .filter(|sentence| {
            let own = words(sentence);
            own.len() >= 3 && !own.iter().any(|word| about.contains(word))
        })
        .collect()
}

/// The sentences of one line of prose.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let next = text[end..].chars().next();
        let ends =
            matches!(c, '。' | '！' | '？') || matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends {
            found.push(text[start..end].trim().to_owned());
            start = end;
        }
    }
    if !text[start..].trim().is_empty() {
        found.push(text[start..].trim().to_owned());
    }
    found
}
