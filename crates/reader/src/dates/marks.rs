//! The date in brackets beside the words it explains: "by Thursday (2026-11-19)", 下周三(2026-04-15).
//!
//! Enters: a text. Leaves: the text without such brackets, and the way back from its places. Never takes a bracket with
//! anything but a date in it, so that what people put in brackets is still read.

use std::borrow::Cow;
use std::ops::Range;

use super::{DateMeaning, Found};
use crate::han::is_unspaced;

/// The bytes of the longest date with its closing bracket.
const LONGEST: usize = 32;

/// A text without its dates in brackets.
pub(super) struct UndatedText<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where each bracket was in the bare text, and how long it was.
    cuts: Vec<(usize, usize)>,
}

/// Takes out every date in brackets that follows a word.
pub(super) fn without(text: &str) -> UndatedText<'_> {
    let mut bare = String::new();
    let mut cuts = Vec::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(open) = text[from..].find('(').map(|at| from + at) {
        from = open + 1;
        let near = &text[from..text.floor_char_boundary(from + LONGEST)];
        let Some(close) = near.find(')').map(|at| from + at).filter(|close| is_date(&text[from..*close])) else {
            continue;
        };
        let start = text[..open].strip_suffix(' ').map_or(open, str::len);
        // A mark that closes emphasis belongs to the word.
        let word = text[copied..start].trim_end_matches(['*', '_']);
        if !word.ends_with(char::is_alphanumeric) {
            continue;
        }
        bare.push_str(&text[copied..start]);
        cuts.push((bare.len(), close + 1 - start));
        (copied, from) = (close + 1, close + 1);
    }
    if cuts.is_empty() {
        return UndatedText { text: Cow::Borrowed(text), cuts };
    }
    bare.push_str(&text[copied..]);
    UndatedText { text: Cow::Owned(bare), cuts }
}

impl UndatedText<'_> {
    /// The phrase at its place in the whole text; `None` when its date is beside it already.
    pub(super) fn place(&self, found: Found) -> Option<Found> {
        let before = self.cut_before(found.start + 1);
        let free = self.dated(&found).is_none();
        free.then(|| Found { start: found.start + before, end: found.end + before, meant: found.meant })
    }

    /// Where the phrase begins in the whole text, and the bracket with its date, if one is beside it.
    pub(super) fn dated(&self, found: &Found) -> Option<(usize, Range<usize>)> {
        let end = found.end + possessive(&self.text[found.end..]);
        let (at, length) = self.cuts.iter().find(|(at, _)| (found.start + 1..=end).contains(at))?;
        let mark = at + self.cut_before(*at);
        Some((found.start + self.cut_before(found.start + 1), mark..mark + length))
    }

    /// How much was cut out before `at`.
    fn cut_before(&self, at: usize) -> usize {
        self.cuts.iter().filter(|(cut, _)| *cut < at).map(|(_, length)| length).sum()
    }
}

/// How long the ending is that a date follows: "yesterday's (2026-04-09) outage".
pub(super) fn possessive(rest: &str) -> usize {
    let length = ["'s", "’s"].iter().find(|ending| rest.starts_with(**ending)).map_or(0, |ending| ending.len());
    if rest[length..].starts_with(char::is_alphanumeric) { 0 } else { length }
}

/// Writes a date behind the words that `text` ends with; scripts without blanks between words need none here.
pub(super) fn write(text: &mut String, meant: DateMeaning) {
    let tight = text.ends_with(|c: char| is_unspaced(c) || is_hangul(c));
    text.push_str(if tight { "(" } else { " (" });
    text.push_str(&meant.to_string());
    text.push(')');
}

pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether this is exactly how a date is written beside its words.
fn is_date(inside: &str) -> bool {
    let one = |date: &str| match date.as_bytes() {
        [year @ .., b'-', b'Q', b'1'..=b'4'] => digits(year, 4),
        [year @ .., b'-', m @ (b'0' | b'1'), n] if year.len() == 4 => digits(year, 4) && digits(&[*m, *n], 2),
        bytes if bytes.len() == 10 => date.parse::<jiff::civil::Date>().is_ok(),
        bytes => digits(bytes, 4) && matches!(bytes[0], b'1' | b'2'),
    };
    match inside.split_once(" – ") {
        Some((first, last)) => one(first) && one(last),
        None => one(inside.strip_prefix('~').unwrap_or(inside)),
    }
}

fn digits(bytes: &[u8], length: usize) -> bool {
    bytes.len() == length && bytes.iter().all(u8::is_ascii_digit)
}

/// The longest ending of a file's name, in bytes.
const LONGEST_ENDING: usize = 5;

/// The longest quotation that is taken for a name or somebody's words, in bytes.
const QUOTED: usize = 160;

/// Adds what is in quotation marks on one line to the ranges that are not prose of the speaker.
pub(super) fn add_quotations(text: &str, ranges: &mut Vec<Range<usize>>) {
    const MARKS: &[(char, char)] =
        &[('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』'), ('\'', '\''), ('‘', '’')];
    let own = ranges.len();
    let mut from = 0;
    while let Some((open, mark)) = text[from..].char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c)) {
        let start = from + open;
        let inside = start + mark.len_utf8();
        let closing = MARKS.iter().find(|(open, _)| *open == mark).map_or(mark, |(_, close)| *close);
        let near = &text[inside..text.floor_char_boundary(inside + QUOTED)];
        let line = near.split('\n').next().unwrap_or_default();
        // An apostrophe is not a quotation mark: one opens before a word and closes behind it.
        let single = matches!(mark, '\'' | '‘');
        let opens = !single || !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '\'');
        let closes = |at: &usize| !single || !line[at + closing.len_utf8()..].starts_with(char::is_alphanumeric);
        let end = line.match_indices(closing).map(|(at, _)| at).find(closes);
        let Some(length) = end.filter(|_| opens) else {
            from = inside;
            continue;
        };
        from = inside + length + closing.len_utf8();
        if !ranges[..own].iter().any(|range| range.start < from && start < range.end) {
            ranges.push(start..from);
        }
    }
    ranges.sort_by_key(|range| range.start);
}

/// Adds file names in scripts without blanks between words (下周计划.md); those of other scripts are one word anyway.
pub(super) fn add_file_names(text: &str, ranges: &mut Vec<Range<usize>>) {
    let own = ranges.len();
    for (dot, _) in text.match_indices('.') {
        let rest = &text[dot + 1..];
        let ending = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
        let named = rest.starts_with(|c: char| c.is_ascii_alphabetic()) && ending <= LONGEST_ENDING;
        let stem = text[..dot].trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if !named || !text[..dot].ends_with(|c: char| is_unspaced(c) || is_hangul(c)) {
            continue;
        }
        let range = stem.len()..dot + 1 + ending;
        if !ranges[..own].iter().any(|other| other.start < range.end && range.start < other.end) {
            ranges.push(range);
        }
    }
    ranges.sort_by_key(|range| range.start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_in_brackets_are_taken_out() {
        for (text, want) in [
            ("by Thursday (2026-11-19) noon", "by Thursday noon"),
            ("next week (2026-11-23 – 2026-11-29).", "next week."),
            ("下周三(2026-04-15)上线", "下周三上线"),
            ("in June (2026-06), Q3 (2026-Q3), next year (2027)", "in June, Q3, next year"),
            ("soon (~2026-05-15)", "soon"),
            ("Monday (a holiday) (2026-99-99)", "Monday (a holiday) (2026-99-99)"),
            ("x (2026) (12) (", "x (12) ("),
        ] {
            assert_eq!(without(text).text, want, "{text}");
        }
    }

    #[test]
    fn quotations_are_found_on_their_line() {
        let text = "say \"tomorrow\" or “next week”, 「明日」, the users' own, 'so' it's, an open \" one\nand \" more";
        let mut ranges = Vec::new();
        add_quotations(text, &mut ranges);
        let got: Vec<&str> = ranges.into_iter().map(|range| &text[range]).collect();
        assert_eq!(got, ["\"tomorrow\"", "“next week”", "「明日」", "'so'"]);
    }
}
