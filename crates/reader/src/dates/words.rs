//! Prose cut into words, with what is between them.
//!
//! Enters: text and the ranges that are not prose. Leaves: words in order, each with the kind of
//! gap before it. Identifiers, file names, addresses, times and ISO dates come as one sealed word
//! that no rule may look into. Never copies: words are slices.

use std::ops::Range;

use crate::han::is_unspaced;

/// What is between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Blanks, or blanks and emphasis marks.
    Space,
    /// A comma.
    Comma,
    /// A bracket or a quotation mark.
    Bracket,
    /// A hyphen or dash without blanks, inside a date-like chunk.
    Hyphen,
    /// An apostrophe.
    Apostrophe,
    /// A comma inside a number.
    Tight,
    /// The end of a sentence, a list item, another script, the start of the text.
    Break,
}

/// One word.
#[derive(Clone, Copy, Debug)]
pub(super) struct DateWord<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) gap: Gap,
    pub(super) sealed: bool,
}

impl DateWord<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether this is an ISO date or month.
    pub(super) fn is_iso(&self) -> bool {
        let b = self.text.as_bytes();
        b.len() >= 7 && b[..4].iter().all(u8::is_ascii_digit) && b[4] == b'-'
    }

    /// The day of a full ISO date.
    pub(super) fn iso_day(&self) -> Option<jiff::civil::Date> {
        (self.text.len() == 10 && self.is_iso()).then(|| self.text.parse().ok()).flatten()
    }
}

/// Characters that tie words into identifiers, paths, times and versions.
const TIES: &[char] = &['_', '.', '/', '\\', '-', '–', '@', '#', '$', '~', '=', ':', '+', '&', '%'];
/// Ties that make an identifier of a word they stand directly before.
const BEFORE: &[char] = &['_', '.', '/', '\\', '-', '@', '#', '$', '~', '='];
/// Ties that make an identifier of a word they stand directly after.
const AFTER: &[char] = &['_', '/', '\\', '@', '$', '~', '=', '%', '#'];

/// Cuts `text` into words; `part` says which pieces of a hyphenated chunk may stand alone.
pub(super) fn words<'t>(text: &'t str, excluded: &[Range<usize>], part: fn(&str) -> bool) -> Vec<DateWord<'t>> {
    let mut words = Vec::new();
    let mut end = None;
    let mut at = 0;
    let mut excluded = excluded.iter().peekable();
    while at < text.len() {
        if let Some(range) = excluded.next_if(|s| s.start <= at) {
            let word = &text[at..range.end];
            words.push(DateWord { text: word, start: at, gap: gap(text, end, at), sealed: true });
            (at, end) = (range.end, Some(range.end));
            continue;
        }
        let stop = excluded.peek().map_or(text.len(), |s| s.start);
        let rest = &text[at..stop];
        let chunk = rest.find(|c| !in_chunk(c)).map_or(rest, |length| &rest[..length]);
        if chunk.is_empty() {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        end = push_chunk(text, at, chunk, end, part, &mut words).or(end);
        at += chunk.len();
    }
    words
}

fn in_chunk(c: char) -> bool {
    (c.is_alphanumeric() && !is_unspaced(c)) || TIES.contains(&c)
}

/// Adds the words of one chunk and returns where the last of them ends, if there was one.
fn push_chunk<'t>(
    text: &'t str,
    at: usize,
    chunk: &'t str,
    before: Option<usize>,
    part: fn(&str) -> bool,
    words: &mut Vec<DateWord<'t>>,
) -> Option<usize> {
    let core = chunk.trim_matches(TIES);
    if core.is_empty() {
        return None;
    }
    let lead = chunk.len() - chunk.trim_start_matches(TIES).len();
    let start = at + lead;
    let (head, tail) = (&chunk[..lead], &chunk[lead + core.len()..]);
    let emphasis = !head.is_empty() && head == tail && head.bytes().all(|b| b == b'_');
    let called = text[at + chunk.len()..].starts_with('(') && tail.is_empty();
    let tied = (head.ends_with(BEFORE) || tail.starts_with(AFTER) || called) && !emphasis;
    let mut kind = gap(text, before, start);
    let dashes = core.contains(['-', '–']);
    let sealed = tied
        || core.contains(|c| TIES.contains(&c) && !matches!(c, '-' | '–'))
        || (dashes && !core.split(['-', '–']).all(part));
    if dashes && !sealed {
        let mut from = start;
        for piece in core.split_inclusive(['-', '–']) {
            let word = piece.trim_end_matches(['-', '–']);
            words.push(DateWord { text: word, start: from, gap: kind, sealed });
            from += piece.len();
            kind = Gap::Hyphen;
        }
    } else {
        words.push(DateWord { text: core, start, gap: kind, sealed });
    }
    Some(start + core.len())
}

/// Names what is between two words.
fn gap(text: &str, from: Option<usize>, to: usize) -> Gap {
    let Some(between) = from.and_then(|from| text.get(from..to)) else {
        return Gap::Break;
    };
    let lines = between.bytes().filter(|b| *b == b'\n').count();
    let marked = between.contains(['.', '!', '?', ';', ':', '—', '|']);
    let foreign = between.contains(|c: char| !c.is_ascii() && !matches!(c, '’' | '‘' | '“' | '”' | '\u{a0}'));
    if matches!(between, "'" | "’") {
        Gap::Apostrophe
    } else if between == "," {
        Gap::Tight
    } else if lines > 1 || marked || foreign || (lines == 1 && !between.trim().is_empty()) {
        Gap::Break
    } else if between.contains(',') {
        Gap::Comma
    } else if between.contains(['(', ')', '[', ']', '{', '}', '"', '\'', '“', '”', '‘', '’', '<', '>']) {
        Gap::Bracket
    } else if between.contains(|c: char| !c.is_whitespace() && !matches!(c, '*' | '_')) {
        Gap::Break
    } else {
        Gap::Space
    }
}

#[cfg(test)]
mod tests {
    use super::Gap::{Apostrophe, Bracket, Break, Comma, Hyphen, Space};
    use super::*;

    fn cut(text: &str) -> Vec<(&str, Gap, bool)> {
        words(text, &[], |p| matches!(p, "mid" | "June")).into_iter().map(|w| (w.text, w.gap, w.sealed)).collect()
    }

    #[test]
    fn identifiers_are_sealed_and_prose_is_not() {
        for sealed in [
            "today.rs",
            "yesterday_report",
            "#friday",
            "@monday",
            "logs/today",
            "--today",
            "2026-04-10x",
            "18:00",
            "today()",
            "_today",
            "today=1",
            "week-of-today",
        ] {
            let got = cut(sealed);
            assert!(got.len() == 1 && got[0].2, "{sealed}: {got:?}");
        }
        for open in ["today.", "today:", "(today)", "_today_", "**today**", "today,", "\"today\""] {
            let got = cut(open);
            assert!(got.len() == 1 && got[0].0 == "today" && !got[0].2, "{open}: {got:?}");
        }
    }

    #[test]
    fn gaps_are_named() {
        let got: Vec<Gap> = cut("a b, c (d) e's mid-June. f\ng\n- h 中 i").iter().map(|w| w.1).collect();
        assert_eq!(got, [Break, Space, Comma, Bracket, Bracket, Apostrophe, Space, Hyphen, Break, Space, Break, Break]);
    }
}
