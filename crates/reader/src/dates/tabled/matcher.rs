//! A pattern held against a place in a text.
//!
//! Enters: a rule and where to begin. Leaves: where the phrase ends, and the number, unit, weekday, month and day it
//! named. Words are compared without their case. Never ends inside a word of a language that parts words by blanks.

use jiff::civil::Weekday;

use super::super::marks::is_hangul;
use super::language::{CalendarUnit, DatePattern, Language, PatternPiece, PieceRole};

/// What a phrase named.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NamedDate {
    /// Where the pattern ends.
    pub(super) end: usize,
    /// Where the phrase ends, if more of the pattern follows it.
    pub(super) phrase: Option<usize>,
    pub(super) count: Option<i64>,
    pub(super) unit: Option<CalendarUnit>,
    pub(super) weekday: Option<Weekday>,
    pub(super) month: Option<i8>,
    pub(super) day: Option<i8>,
}

/// Holds `rule` against the text at `at`.
pub(super) fn matched(language: &Language, rule: &DatePattern, text: &str, at: usize) -> Option<NamedDate> {
    let said = pieces(language, &rule.pieces, text, NamedDate { end: at, ..NamedDate::default() }, true)?;
    (said.end > at).then_some(said)
}

/// The pieces one after the other; one that may miss is tried first with, then without.
fn pieces(
    language: &Language,
    rest: &[(PatternPiece, PieceRole)],
    text: &str,
    said: NamedDate,
    first: bool,
) -> Option<NamedDate> {
    let Some(((piece, part), rest)) = rest.split_first() else {
        return Some(said);
    };
    let with = || {
        let start = if first { said.end } else { after_blanks(language, text, said.end)? };
        let mut taken = take(language, piece, text, NamedDate { end: start, ..said })?;
        if *part == PieceRole::Behind {
            taken.phrase = said.phrase.or(Some(said.end));
        }
        pieces(language, rest, text, taken, false)
    };
    let without = || if *part == PieceRole::MayMiss { pieces(language, rest, text, said, first) } else { None };
    with().or_else(without)
}

/// The place after the blanks that part two words.
fn after_blanks(language: &Language, text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
    let line = usize::from(rest[blanks..].starts_with('\n'));
    let tight = !language.spaced || text[..at].ends_with('\'') || text[..at].ends_with('’');
    (blanks + line > 0 || tight).then_some(at + blanks + line)
}

fn take(language: &Language, piece: &PatternPiece, text: &str, said: NamedDate) -> Option<NamedDate> {
    let at = said.end;
    let whole = |end: usize| !language.spaced || ends_word(text, end);
    match piece {
        PatternPiece::Words(words) => words.iter().find_map(|(word, open)| {
            let end = same(text, at, word)?;
            let tail = &text[end..];
            let letters = tail.len() - tail.trim_start_matches(char::is_alphabetic).len();
            let end = if *open { end + letters } else { end };
            (whole(end) || word.ends_with(['\'', '’'])).then_some(NamedDate { end, ..said })
        }),
        PatternPiece::Count => {
            let (end, count) = digits(text, at, 3).or_else(|| word(&language.numbers, text, at, whole))?;
            Some(NamedDate { end, count: Some(count), ..said })
        }
        PatternPiece::Unit => {
            word(&language.units, text, at, whole).map(|(end, unit)| NamedDate { end, unit: Some(unit), ..said })
        }
        PatternPiece::Weekday => {
            word(&language.weekdays, text, at, whole).map(|(end, day)| NamedDate { end, weekday: Some(day), ..said })
        }
        PatternPiece::Month => {
            word(&language.months, text, at, whole).map(|(end, month)| NamedDate { end, month: Some(month), ..said })
        }
        PatternPiece::Day => {
            let (end, day) = digits(text, at, 2)?;
            let mark = [".", "er", "º", "ª", "o", ":e", ":a", "-го"]
                .iter()
                .find(|mark| language.spaced && text[end..].starts_with(**mark));
            let end = end + mark.map_or(0, |mark| mark.len());
            let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
            Some(NamedDate { end, day: Some(day), ..said })
        }
    }
}

/// The first word of a table that is at `at`, with its value.
fn word<V: Copy>(table: &[(&str, V)], text: &str, at: usize, whole: impl Fn(usize) -> bool) -> Option<(usize, V)> {
    table.iter().find_map(|(word, value)| same(text, at, word).filter(|end| whole(*end)).map(|end| (end, *value)))
}

/// A number of at most `most` digits that is not part of a longer one.
fn digits(text: &str, at: usize, most: usize) -> Option<(usize, i64)> {
    let length = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 || length > most {
        return None;
    }
    let end = at + length;
    let decimal =
        text[end..].strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    (!decimal).then(|| text[at..end].parse().ok()).flatten().map(|number| (end, number))
}

/// Where `word`, given in lower case, ends in `text` if it is at `at`.
pub(super) fn same(text: &str, at: usize, word: &str) -> Option<usize> {
    let mut end = at;
    let mut chars = text[at..].chars();
    for wanted in word.chars() {
        let c = chars.next()?;
        let equal = c == wanted || c.to_lowercase().eq(std::iter::once(wanted)) || (c == '’' && wanted == '\'');
        equal.then_some(())?;
        end += c.len_utf8();
    }
    Some(end)
}

/// Whether no letter or digit goes on at `end`.
pub(super) fn ends_word(text: &str, end: usize) -> bool {
    !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Whether what hangs on a phrase without a blank is an ending of the language.
pub(super) fn ends_with_ending(language: &Language, text: &str, end: usize) -> bool {
    let run = text[end..].find(|c: char| !is_hangul(c)).map_or(&text[end..], |length| &text[end..end + length]);
    run.is_empty() || language.endings.contains(&run)
}
