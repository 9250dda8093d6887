//! One pointer line, written strictly (I1).
//!
//! Enters: a target, a title and a hook, all of them any text. Leaves: one line within the limit
//! that is read back as a pointer to that target. Never lets text break out of its brackets.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;

use super::line::{topic_file, without_dot};
use memdir_core::limits;
use memdir_guard::shown;
use memdir_lexicon as lexicon;

/// Behind a long title there is still room for so much of the hook.
const HOOK_ROOM: usize = 60;
/// Indentation and bullet of a line that is replaced stay, unless they are absurdly long.
const LEAD_CHARS: usize = 12;
/// What an ordinary line starts with.
pub(super) const LEAD: &str = "- ";

/// Whether a pointer can name this file, and is read back as naming it.
pub(super) fn is_target(target: &str) -> bool {
    topic_file(&encode(target)).is_some_and(|read| read == target)
}

/// Writes a pointer of at most [`limits::POINTER_CHARS`] characters: the hook says what the title does not, and is cut
/// first, in its middle, because its end is what sets it apart; then the title is. The target is never cut; only one too
/// long by itself breaks the limit.
pub(super) fn pointer(lead: &str, target: &str, title: &str, hook: &str) -> String {
    let hook = one_line(hook);
    let title = title_text(title);
    composed(lead, target, &title, without_title(&hook, &title), cut_inside)
}

/// The same as it was written before hooks left out what the title says; such lines are memdir's own too.
pub(super) fn former_pointer(lead: &str, target: &str, title: &str, hook: &str) -> String {
    composed(lead, target, title, &one_line(hook), cut)
}

/// A hook without the title that it begins with, behind an article or "make sure that" or not; nothing where that is all of it.
fn without_title<'h>(hook: &'h str, title: &str) -> &'h str {
    let article = |text: &'h str| {
        let (first, rest) = text.split_once(' ')?;
        lexicon::NAME_OPENING.contains(&first.to_lowercase()).then_some(rest)
    };
    let lower = hook.to_lowercase();
    let led = |lead: &str| lower.strip_prefix(lead)?.starts_with(' ').then(|| hook.get(lead.len() + 1..))?;
    let lead = lexicon::TITLE_OPENING.iter().filter_map(led).min_by_key(|rest| rest.len());
    let beginnings = [lead.and_then(article), lead, article(hook), Some(hook)];
    let behind = |rest: &'h str| Some(behind_title(rest, title)).filter(|behind| *behind != rest);
    beginnings.into_iter().flatten().find_map(behind).unwrap_or(hook)
}

/// What follows the title in a hook that begins with it, or the hook.
fn behind_title<'h>(hook: &'h str, title: &str) -> &'h str {
    let mut rest = hook.chars();
    for letter in title.chars() {
        if !rest.next().is_some_and(|other| other == letter || other.to_lowercase().eq(letter.to_lowercase())) {
            return hook;
        }
    }
    let rest = rest.as_str();
    let ends_word = title.is_empty() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    let end = |c: char| c.is_whitespace() || ",;:.!?—–，；：。！？、".contains(c);
    if ends_word && !title.is_empty() { rest.trim_start_matches(end) } else { hook }
}

fn composed(
    lead: &str,
    target: &str,
    title: &str,
    hook: &str,
    shorten: for<'t> fn(&'t str, usize) -> Cow<'t, str>,
) -> String {
    let lead = if lead.chars().count() <= LEAD_CHARS { lead } else { LEAD };
    let target = without_dot(target);
    let name = target.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let title = [title, stem, "memory"].map(title_text).into_iter().find(|title| !title.is_empty());
    let title = title.unwrap_or_default();
    let target = encode(target);
    let fixed = format!("{lead}[]({target})").chars().count();
    let room = limits::POINTER_CHARS.saturating_sub(fixed);
    let for_hook = if hook.is_empty() { 0 } else { hook.chars().count().min(HOOK_ROOM) + 3 };
    let title = cut(&title, room.saturating_sub(for_hook).max(room / 2).max(1));
    let mut line = format!("{lead}[{title}]({target})");
    let left = room.saturating_sub(title.chars().count() + 3);
    if !hook.is_empty() && left > 1 {
        line.push_str(" — ");
        line.push_str(&shorten(hook, left));
    }
    line
}

/// How many characters a pointer to this file has at least: a long name cannot be cut.
pub(super) fn shortest(lead: &str, target: &str) -> usize {
    pointer(lead, target, "", "").chars().count()
}

/// A title as it can be in brackets: others would end it early, and a backslash at its end
/// would hide the one that does.
pub(super) fn title_text(title: &str) -> String {
    let mut title = one_line(title).replace('[', "(").replace(']', ")");
    title.truncate(title.trim_end_matches(['\\', ' ']).len());
    title
}

/// One line without control and direction characters, runs of space as one.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * limits::LONG_LINE_CHARS));
    for letter in text.chars() {
        if letter.is_whitespace() || (letter.is_ascii() && is_hidden(letter)) {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !is_hidden(letter) {
            out.push(letter);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Control characters and those that reorder or hide what a reader sees.
fn is_hidden(letter: char) -> bool {
    shown::is_hidden(letter) || matches!(letter, '\u{200e}' | '\u{200f}')
}

/// At most `room` characters, cut at a word if that does not cost half, with a mark of the cut.
pub(super) fn cut(text: &str, room: usize) -> Cow<'_, str> {
    if text.len() <= room || text.chars().nth(room).is_none() {
        return Cow::Borrowed(text);
    }
    let letters: Vec<(usize, char)> = text.char_indices().take(room + 1).collect();
    let mut keep = room.saturating_sub(1);
    // Not between a letter and what belongs to it.
    let joins = |letter: char| is_combining_mark(letter) || matches!(letter, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    while keep > 0 && (joins(letters[keep].1) || letters[keep - 1].1 == '\u{200d}') {
        keep -= 1;
    }
    let kept = &text[..letters[keep].0];
    let word = match letters[keep].1 {
        ' ' => kept.len(),
        _ => kept.rfind(' ').filter(|at| *at > kept.len() / 2).unwrap_or(kept.len()),
    };
    let kept = kept[..word].trim_end_matches([' ', ',', ';', ':', '.', '-', '—', '–']);
    Cow::Owned(format!("{kept}…"))
}

/// At most `room` characters: the beginning and the end, cut at words, with a mark between them.
fn cut_inside(text: &str, room: usize) -> Cow<'_, str> {
    if text.len() <= room || text.chars().nth(room).is_none() {
        return Cow::Borrowed(text);
    }
    let tail = room / 3;
    let from = text.char_indices().rev().nth(tail.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let Some(word) = text[from..].find(' ').map(|at| from + at + 1) else { return cut(text, room) };
    let end = &text[word..];
    if end.is_empty() {
        return cut(text, room);
    }
    let head = cut(text, room - end.chars().count() - 1);
    Cow::Owned(format!("{head} {end}"))
}

/// A target as it can be in a link.
pub(super) fn encode(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    for letter in target.chars() {
        if letter.is_whitespace() || is_hidden(letter) || "%()<>#\\".contains(letter) {
            for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a String cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(letter);
        }
    }
    out
}
