//! What a prompt names outright → the few memories that name it too.
//!
//! Enters: a prompt and the days it speaks of. Leaves: for each memory that holds a rare identifier, path, error code or day of the
//! prompt, what that is. An identifier is told from a word by how it is written (`createDraft`, `ERR_PEER_DEP`, `src/tax.ts:41`, `E0382`),
//! never by a list. What many memories name tells nothing and is left out. The whole prompt is read, however long a paste in it is:
//! a name in the middle of a stack trace is as exact as one in a question.

use std::collections::HashSet;

use super::lexical::{BadSegment, Searcher};
use super::rank::Known;
use super::tokens::{TokenShape, Tokenizer};

/// The part of a prompt that is looked through for names: a long log, and less than a millisecond.
const READ_BYTES: usize = 64 * 1024;
/// Names looked up of one prompt; a listing of files has thousands.
const NAMES: usize = 96;
/// Folders above a file by which its path is looked up.
const FOLDERS: usize = 5;
/// A longer name is not indexed as one term.
const NAME_BYTES: usize = 60;
/// A name in more memories than this, or in a larger share of them, says little about any of them.
const MOST_HOLDERS: u32 = 5;
const RARE_SHARE: u32 = 16;
/// A store that is larger is not gone through for what was written on a day.
const GONE_THROUGH: u32 = 4_096;
/// A prompt of so few words that names a day asks for what that day brought.
const ASKS_FOR_A_DAY_WORDS: usize = 12;

/// A time that a prompt names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedTime {
    /// As it is said.
    pub said: String,
    /// How its days are written in a memory: `2026-03-03`; a month is all of its days and `2026-03`.
    pub written: Vec<String>,
    /// How many days ago it was, the first and the last; `None` for what is not over.
    pub days_ago: Option<(u32, u32)>,
}

/// What a prompt and a memory both name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedName {
    /// An identifier, a path or an error code, as the prompt has it.
    Identifier(String),
    /// A day or a month that is in the memory.
    Day(String),
    /// The memory was written then.
    WrittenThen(String),
}

/// The memories that a prompt names something of, each once.
pub(super) fn holders<'k>(
    text: &str,
    times: &[NamedTime],
    searcher: &Searcher<'_>,
    known: &dyn Fn(u32) -> Option<Known<'k>>,
) -> Result<Vec<(u32, SharedName)>, BadSegment> {
    let rare = (searcher.docs() / RARE_SHARE).clamp(1, MOST_HOLDERS);
    let mut found: Vec<(u32, SharedName)> = Vec::new();
    let mut tokenizer = Tokenizer::default();
    for name in identifiers(text) {
        let Some(term) = term_of(&mut tokenizer, &name) else { continue };
        for doc in searcher.holders(&term, rare)? {
            add(&mut found, doc, SharedName::Identifier(name.clone()));
        }
    }
    for time in times {
        let mut holders: Vec<u32> = Vec::new();
        for day in &time.written {
            let Some(term) = term_of(&mut tokenizer, day) else { continue };
            holders.extend(searcher.holders(&term, MOST_HOLDERS)?);
        }
        holders.sort_unstable();
        holders.dedup();
        if holders.len() <= MOST_HOLDERS as usize {
            for doc in holders {
                add(&mut found, doc, SharedName::Day(time.said.clone()));
            }
        }
        for doc in written_then(text, time, searcher, known) {
            add(&mut found, doc, SharedName::WrittenThen(time.said.clone()));
        }
    }
    Ok(found)
}

fn add(found: &mut Vec<(u32, SharedName)>, doc: u32, named: SharedName) {
    if !found.iter().any(|(there, _)| *there == doc) {
        found.push((doc, named));
    }
}

/// What was written in a time that is over, where a short prompt asks for it and it is little.
fn written_then<'k>(
    text: &str,
    time: &NamedTime,
    searcher: &Searcher<'_>,
    known: &dyn Fn(u32) -> Option<Known<'k>>,
) -> Vec<u32> {
    let Some((last, first)) = time.days_ago else { return Vec::new() };
    // Who gives an order with a date in it does not ask what there was.
    if !text.contains(['?', '？'])
        || searcher.docs() > GONE_THROUGH
        || text.split_whitespace().nth(ASKS_FOR_A_DAY_WORDS).is_some()
    {
        return Vec::new();
    }
    let was_then = |doc: &u32| {
        let age = known(*doc).and_then(|known| known.age_days);
        age.is_some_and(|age| (first.min(last)..=first.max(last)).contains(&age))
    };
    let docs: Vec<u32> = (0..searcher.docs()).filter(was_then).collect();
    if docs.len() <= MOST_HOLDERS as usize { docs } else { Vec::new() }
}

/// A name as the one term that it is indexed as.
fn term_of(tokenizer: &mut Tokenizer, name: &str) -> Option<String> {
    let (mut whole, mut alone, mut terms) = (None, None, 0);
    tokenizer.each(name, |token| {
        terms += 1;
        if token.shape == TokenShape::Whole {
            whole = Some(token.text.to_owned());
        } else {
            alone = Some(token.text.to_owned());
        }
    });
    whole.or(alone.filter(|_| terms == 1))
}

/// The identifiers, paths and error codes of a text, in its order, each once.
pub(super) fn identifiers(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(READ_BYTES)];
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    let between = |c: char| {
        c.is_whitespace()
            || !c.is_ascii()
            || matches!(
                c,
                '"' | '\''
                    | '`'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | ','
                    | ';'
                    | '!'
                    | '?'
                    | '|'
                    | '*'
                    | '='
                    | '&'
            )
    };
    for word in text.split(between) {
        if names.len() >= NAMES {
            break;
        }
        // Most words are letters alone, in lower case.
        if word.len() < 4 || word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        for name in names_in(word) {
            if name.len() <= NAME_BYTES && seen.insert(name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// What a word names: itself where it is written like an identifier; a path also by its last parts.
fn names_in(word: &str) -> Vec<&str> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let word = without_line(word);
    let word = word.split_once("://").map_or(word, |(_, rest)| rest);
    if word.contains(['/', '\\']) {
        return names_in_path(word);
    }
    let is_name = is_snake(word) || is_code(word) || is_camel(word) || is_dotted(word);
    // `Object.createDraft` is found under its own name.
    let parts = word.split(['.', ':', '#']).filter(|part| *part != word && (is_snake(part) || is_camel(part)));
    is_name.then_some(word).into_iter().chain(parts).collect()
}

/// A path without the line and the column that follow it.
fn without_line(word: &str) -> &str {
    let mut word = word;
    while let Some((before, after)) = word.rsplit_once(':')
        && after.bytes().all(|byte| byte.is_ascii_digit())
    {
        word = before;
    }
    word
}

/// A path from each of its last folders on, down to the bare file name, and the folder that the file is in.
fn names_in_path(path: &str) -> Vec<&str> {
    let starts: Vec<usize> = path
        .char_indices()
        .filter(|(at, c)| !matches!(c, '/' | '\\' | '.' | '~') && (*at == 0 || path[..*at].ends_with(['/', '\\'])))
        .map(|(at, _)| at)
        .collect();
    let Some(last) = starts.last().copied() else { return Vec::new() };
    let is_file = has_extension(&path[last..]);
    if !is_file && starts.len() < 3 {
        return Vec::new();
    }
    let near = &starts[starts.len().saturating_sub(FOLDERS + 1)..];
    let mut names: Vec<&str> = near.iter().filter(|at| is_file || **at != last).map(|at| &path[*at..]).collect();
    let folder = path[..last].trim_end_matches(['/', '\\']);
    names.extend(near.iter().rev().skip(2).filter_map(|at| folder.get(*at..)).filter(|folder| !folder.is_empty()));
    names
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=6).contains(&extension.len())
            && extension.starts_with(|c: char| c.is_ascii_lowercase())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// `stop_times`, `ERR_PNPM_PEER_DEP`.
fn is_snake(word: &str) -> bool {
    let is_joined = |at: usize| {
        let (before, after) = (&word[..at], &word[at + 1..]);
        before.ends_with(|c: char| c.is_ascii_alphanumeric()) && after.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    word.match_indices('_').any(|(at, _)| is_joined(at)) && word.contains(|c: char| c.is_ascii_alphabetic())
}

/// `E0382`, `TS2345`, `ORA-00942`, `PAY-4211`: capitals and a number of at least three digits.
fn is_code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word[letters..].strip_prefix('-').unwrap_or(&word[letters..]);
    (1..=10).contains(&letters) && digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `createDraft` and `InvoiceDraftService`; `GitHub`, `macOS` and `iPhone` are names of this world.
fn is_camel(word: &str) -> bool {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let bytes = word.as_bytes();
    let humps = bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    let first = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    if bytes[0].is_ascii_lowercase() { humps >= 1 && first >= 2 && word.len() >= 8 } else { humps >= 2 }
}

/// `invoice.createDraft`, `recall.enabled`, `tax.ts`, `std::io::copy`; neither `Node.js`, `e.g` nor `done.Then`.
fn is_dotted(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
    let is_part =
        |part: &&str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    parts.len() >= 2
        && word.contains(['.', ':', '#'])
        && parts.iter().all(is_part)
        && parts.iter().all(|part| part.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_told_by_how_it_is_written() {
        for (text, names) in [
            ("why does createInvoiceDraft fail", vec!["createInvoiceDraft"]),
            ("ERR_PNPM_PEER_DEP again", vec!["ERR_PNPM_PEER_DEP"]),
            ("error[E0382]: borrow of moved value", vec!["E0382"]),
            ("the ticket PAY-4211, please", vec!["PAY-4211"]),
            ("set recall.enabled to false", vec!["recall.enabled"]),
            ("at Object.createInvoiceDraft", vec!["createInvoiceDraft"]),
            ("请看 parse_lines 的实现", vec!["parse_lines"]),
        ] {
            assert_eq!(identifiers(text), names, "{text}");
        }
    }

    #[test]
    fn a_path_is_looked_up_by_its_last_parts_and_without_its_line() {
        assert_eq!(
            identifiers("    at draft (/home/u/app/src/billing/tax.ts:41:7)"),
            [
                "home/u/app/src/billing/tax.ts",
                "u/app/src/billing/tax.ts",
                "app/src/billing/tax.ts",
                "src/billing/tax.ts",
                "billing/tax.ts",
                "tax.ts",
                "src/billing",
                "app/src/billing",
                "u/app/src/billing",
                "home/u/app/src/billing"
            ]
        );
    }

    #[test]
    fn a_word_or_a_name_of_this_world_is_no_identifier() {
        let text = "Follow-up: GitHub, macOS and iPhone with Node.js, e.g. and/or 3/4 at 10:30 on 2026-03-03, done.Then v1.2 --force HTTP 404 well-known";
        assert_eq!(identifiers(text), Vec::<String>::new());
    }
}
