//! A value that is told outright: behind the word for it, before it, beside a name, or as a row of words.
//!
//! Enters: a text, where the word for a credential stands, and the words around it. Leaves: the place of the value. What stands
//! between must say no more than that the value comes; anything else is talk of passwords, which everybody may remember.

use std::ops::Range;

use super::entropy::Mix;
use super::judge::{is_uuid, reads_like_a_name};
use super::nearby::{AHEAD, is_called_a_name, is_of_others, is_part};
use super::noise::{is_odd_case, is_value};
use super::placeholder::is_placeholder;
use memdir_lexicon::guard as lexicon;

/// Letters of a password behind a name and a stroke, at least.
const PAIRED: usize = 8;
/// A random word that is a key's value and no abbreviation.
const KEY_CHARS: usize = 16;

/// The value that is told behind the word for a password.
pub(super) fn told(text: &str, word: &Range<usize>, behind: &[Range<usize>], paired: bool) -> Option<Range<usize>> {
    for value in behind.iter().take(4) {
        let between = text.get(word.end..value.start)?;
        if !says_so(between) {
            return None;
        }
        let said = &text[value.clone()];
        if (is_value(said) || paired && is_odd_case(said)) && !is_part(text, value) {
            return Some(value.clone());
        }
    }
    None
}

/// A random word behind the word for a token, even one of a single case.
pub(super) fn told_key(text: &str, word: &Range<usize>, behind: &[Range<usize>]) -> Option<Range<usize>> {
    let value = behind
        .iter()
        .take(3)
        .find(|value| !lexicon::IS.contains(&text[(*value).clone()].to_ascii_lowercase().as_str()))?;
    let (between, said) = (text.get(word.end..value.start)?, &text[value.clone()]);
    let long = said.len() >= if said.bytes().all(|byte| byte.is_ascii_hexdigit()) { 32 } else { KEY_CHARS };
    (long
        && says_so(between)
        && (is_value(said) && !reads_like_a_name(said) || is_uuid(said))
        && !is_part(text, value)
        && !is_of_others(text, word))
    .then(|| value.clone())
}

/// "… is our API key", and an identifier directly before "secret key".
pub(super) fn told_before(text: &str, word: &Range<usize>, before: &[Range<usize>]) -> Option<Range<usize>> {
    let value = before.iter().rev().find(|value| value.end <= word.start)?;
    let (said, between) = (&text[value.clone()], text.get(value.end..word.start)?);
    let mut words = between.split_whitespace();
    let is_whose = |next: Option<&str>| next.is_some_and(|next| ["the", "our", "my", "an", "a"].contains(&next));
    let told = words.next() == Some("is") && is_whose(words.next()) && words.count() <= 1;
    let ends = text[word.end..].trim_start_matches(' ').chars().next().is_none_or(|next| !next.is_alphanumeric());
    let long = said.len() >= if said.bytes().all(|byte| byte.is_ascii_hexdigit()) { 32 } else { KEY_CHARS };
    let random = is_value(said) && !reads_like_a_name(said);
    (long
        && (told && ends && (random || is_uuid(said)) || between == " " && is_uuid(said))
        && !is_part(text, value)
        && !is_called_a_name(text, value)
        && !is_of_others(text, word))
    .then(|| value.clone())
}

/// The second of a name and a password with a stroke or a colon between, in the line of the word for a login: `kiln / …`.
pub(super) fn pair(text: &str, word: &Range<usize>, behind: &[Range<usize>]) -> Option<Range<usize>> {
    let line = text[word.end..].find('\n').map_or(text.len(), |end| word.end + end).min(word.end + AHEAD);
    let value = behind.iter().take_while(|value| value.start < line).take(6).find(|value| {
        let before = text[..value.start].trim_end();
        let name = before.strip_suffix(['/', ':', '／', '：']).map(str::trim_end);
        let named =
            name.is_some_and(|name| name.len() > word.end && name.ends_with(|letter: char| letter.is_alphanumeric()));
        let said = &text[(*value).clone()];
        named && before.len() < value.start && said.len() >= PAIRED && is_value(said) && !is_part(text, value)
    })?;
    let said = &text[value.clone()];
    (Mix::of(said).upper > 0 && Mix::of(said).lower > 0 && !reads_like_a_name(said)).then(|| value.clone())
}

/// Four to eight digits that a PIN is said to be.
pub(super) fn pin(text: &str, word: &Range<usize>, behind: &[Range<usize>]) -> Option<Range<usize>> {
    let value = behind.iter().take(6).find(|value| {
        let said = &text[(*value).clone()];
        said.bytes().all(|byte| byte.is_ascii_digit()) || is_combination(said)
    })?;
    let between = text.get(word.end..value.start)?;
    let mut said = between.split_whitespace().rev();
    let last = said.next().unwrap_or_default();
    let tells = between.trim().is_empty()
        || between.trim_end().ends_with([':', '=', '：'])
        || lexicon::IS.contains(&last.to_lowercase().as_str())
        || only_glued(between.trim());
    ((4..=8).contains(&value.len())
        && between.len() <= AHEAD
        && !between.contains(['.', '\n'])
        && tells
        && !is_placeholder(&text[value.clone()]))
    .then(|| value.clone())
}

/// `12-34-56`
fn is_combination(said: &str) -> bool {
    said.len() == 8 && said.split('-').all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// So many plain words in a row, none of which holds a sentence together.
pub(super) fn row(text: &str, from: usize, least: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let tells = [":", "：", "=", " is", " are", " ist", " est", " es", "是", "は"]
        .iter()
        .filter_map(|sign| Some(rest.find(sign)? + sign.len()))
        .filter(|end| !rest[*end..].starts_with(|letter: char| letter.is_ascii_alphabetic()));
    let start = tells.filter(|at| *at <= AHEAD / 2).min().or_else(|| rest.starts_with(" \"").then_some(1))?;
    let row = rest[start..].trim_start_matches([' ', '"', '\'', '`', '\n', '«', '„', '“', '「', '\u{a0}']);
    let start = text.len() - row.len();
    let (mut end, mut next, mut count) = (start, start, 0);
    for word in row.split_inclusive([' ', '\n']) {
        let at = next;
        next += word.len();
        let word = word.trim_end();
        let bare = word.trim_end_matches(['"', '\'', '`', '.', ',']);
        let plain = (2..=10).contains(&bare.len())
            && bare.bytes().all(|byte| byte.is_ascii_lowercase())
            && !lexicon::COMMON.contains(&bare);
        if !plain {
            break;
        }
        count += 1;
        end = at + bare.len();
        if bare.len() < word.len() {
            break;
        }
    }
    (count >= least).then_some(start..end)
}

/// Whether what stands between a word and its value only says that the value comes.
fn says_so(between: &str) -> bool {
    between.len() <= AHEAD
        && !between.contains("\n\n")
        && between.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').all(|piece| {
            let lower = piece.to_lowercase();
            piece.is_empty() || lexicon::IS.contains(&lower.as_str()) || only_glued(&lower)
        })
}

/// `은`, `は`, `改成`, glued to what is before or behind.
fn only_glued(piece: &str) -> bool {
    let mut rest = piece;
    while !rest.is_empty() {
        let next = lexicon::IS.iter().filter(|word| !word.is_ascii()).find_map(|word| rest.strip_prefix(word));
        let Some(next) = next else { return false };
        rest = next;
    }
    true
}
