//! The parts of a Markdown text that are not prose: code, addresses, link targets.
//!
//! Enters: text. Leaves: byte ranges, in order, that prose rules must step over. Never fails: an
//! unclosed fence reaches to the end, an unclosed code span is prose. Linear in the text.

use std::collections::HashMap;
use std::ops::Range;

/// Every range that is code, a URL, a link target or a `[[link]]`, in order, without overlaps.
pub(super) fn non_prose(text: &str) -> Vec<Range<usize>> {
    let mut ranges = fences(text);
    let outside = gaps(&ranges, text.len());
    for gap in outside {
        code_spans(text, gap.clone(), &mut ranges);
        delimited(text, gap.clone(), "](", ")", &mut ranges);
        delimited(text, gap.clone(), "[[", "]]", &mut ranges);
        addresses(text, gap, &mut ranges);
    }
    merge(ranges)
}

/// Fenced blocks with their fences.
fn fences(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start_matches(' ');
        let mark = body.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |m| body.chars().take_while(|c| *c == m).count());
        match (open, mark) {
            (None, Some(mark)) if length >= 3 && !(mark == '`' && body[length..].contains('`')) => {
                open = Some((at, mark, length));
            }
            (Some((start, mark, least)), Some(m))
                if m == mark && length >= least && body[length..].trim().is_empty() =>
            {
                ranges.push(start..at + line.len());
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    ranges.extend(open.map(|(start, ..)| start..text.len()));
    ranges
}

/// What lies between the ranges.
fn gaps(ranges: &[Range<usize>], end: usize) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = 0;
    for range in ranges {
        gaps.push(at..range.start);
        at = range.end;
    }
    gaps.push(at..end);
    gaps
}

/// Code spans: a run of backticks closes at the next run of the same length in its paragraph.
fn code_spans(text: &str, within: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let mut start = within.start;
    for paragraph in text[within].split_inclusive("\n\n") {
        let bytes = paragraph.as_bytes();
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let mut i = 0;
        while let Some(offset) = memchr::memchr(b'`', &bytes[i..]) {
            let from = i + offset;
            let length = bytes[from..].iter().take_while(|b| **b == b'`').count();
            runs.push((from, length));
            i = from + length;
        }
        let mut later: HashMap<usize, usize> = HashMap::new();
        let mut closer = vec![None; runs.len()];
        for (index, (_, length)) in runs.iter().enumerate().rev() {
            closer[index] = later.insert(*length, index);
        }
        let mut index = 0;
        while index < runs.len() {
            if let Some(close) = closer[index] {
                let (end, length) = runs[close];
                ranges.push(start + runs[index].0..start + end + length);
                index = close + 1;
            } else {
                index += 1;
            }
        }
        start += paragraph.len();
    }
}

/// `open … close` on one line, the marks included.
fn delimited(text: &str, within: Range<usize>, open: &str, close: &str, ranges: &mut Vec<Range<usize>>) {
    let mut at = within.start;
    for line in text[within].split_inclusive('\n') {
        let mut from = 0;
        while let Some(start) = line[from..].find(open).map(|i| from + i) {
            let inside = start + open.len();
            let Some(length) = line[inside..].find(close) else {
                break;
            };
            let end = inside + length + close.len();
            ranges.push(at + start..at + end);
            from = end;
        }
        at += line.len();
    }
}

/// `scheme://…` up to the first blank, bracket or unspaced character.
fn addresses(text: &str, within: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let mut from = within.start;
    while let Some(mark) = text[from..within.end].find("://").map(|i| from + i) {
        let scheme = text[from..mark]
            .bytes()
            .rev()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
            .count();
        let rest = &text[mark..within.end];
        let length = rest
            .find(|c: char| {
                c.is_whitespace()
                    || matches!(c, '<' | '>' | '"' | '`' | ')' | ']' | '|')
                    || super::han::is_unspaced(c)
                    || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
            })
            .unwrap_or(rest.len());
        ranges.push(mark - scheme..mark + length);
        from = mark + length;
    }
}

fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|r| (r.start, r.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::non_prose;

    #[test]
    fn code_and_addresses_are_not_prose() {
        let table: &[(&str, &[&str])] = &[
            ("see `today.rs` now", &["`today.rs`"]),
            ("``a ` b`` c", &["``a ` b``"]),
            ("an unclosed ` is prose", &[]),
            ("no span across\n\nparagraphs ` here", &[]),
            ("a\n```sh\ntoday\n```\nb", &["```sh\ntoday\n```\n"]),
            ("a\n~~~\nto the end", &["~~~\nto the end"]),
            ("at https://x.org/today, then", &["https://x.org/today,"]),
            ("[today](today.md) ok", &["](today.md)"]),
            ("as [[today]] says", &["[[today]]"]),
            ("见 https://x.org/a。明天", &["https://x.org/a"]),
        ];
        for (text, want) in table {
            let got: Vec<&str> = non_prose(text).into_iter().map(|r| &text[r]).collect();
            assert_eq!(&got, want, "{text:?}");
        }
    }

    #[test]
    fn many_unclosed_marks_stay_linear() {
        let mut text = String::new();
        for n in 1..1_500 {
            text.push_str(&"`".repeat(n));
            text.push(' ');
        }
        assert!(non_prose(&text).is_empty());
        assert!(non_prose(&"[[".repeat(200_000)).is_empty());
    }
}
