//! The entries of a mapping: for each key, where its value stands and how it is written.
//!
//! Enters: bytes, cut at the end of the mapping. Leaves: [`KeyEntry`] spans and the lines that belong
//! to no entry. Never fails: a value whose quotes or brackets do not close is read as plain text,
//! and a line that cannot be read is a stray, not an error (F5).

use std::ops::Range;

use super::flow;
use super::line::{EntryKey, LineSpan, comment, is_space, skip_spaces};

/// How a value is written, and so how it is read and replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueStyle {
    /// Nothing behind the colon.
    Empty,
    /// Bare text, on one line or several.
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|` or `>`; the text stands on the lines below, in `tail`.
    Block,
    /// `[…]` or `{…}`
    Flow,
    /// A mapping or list on the lines below, in `tail`.
    Nested,
}

/// One `key: value`.
#[derive(Clone, Debug)]
pub(super) struct KeyEntry {
    pub(super) key: EntryKey,
    pub(super) style: ValueStyle,
    /// The value's own bytes; for `Block` its indicator, for `Empty` and `Nested` nothing.
    pub(super) value: Range<usize>,
    /// The lines below that are the value of a `Block` or `Nested` entry.
    pub(super) tail: Range<usize>,
    /// All its lines with their endings; inside braces, the item without its commas.
    pub(super) span: Range<usize>,
    pub(super) indent: usize,
}

/// A mapping's entries in file order, and the starts of lines that belong to none.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    pub(super) entries: Vec<KeyEntry>,
    pub(super) strays: Vec<usize>,
}

/// Reads the block mapping from `start` to the end of `bytes`.
pub(super) fn mapping(bytes: &[u8], start: usize) -> Mapping {
    let mut found = Mapping::default();
    let mut base = usize::MAX;
    let mut at = start;
    while let Some(line) = LineSpan::at(bytes, at) {
        at = line.next;
        if line.is_blank(bytes) || line.is_comment(bytes) {
            continue;
        }
        let indent = line.indent(bytes);
        match line.key(bytes) {
            // One of our own words is believed even when its line is indented by mistake.
            Some(key) if indent <= base || key.is_word(bytes) => {
                base = base.min(indent);
                let entry = entry(bytes, line, key, indent);
                at = entry.span.end;
                found.entries.push(entry);
            }
            _ => found.strays.push(line.start),
        }
    }
    found
}

fn entry(bytes: &[u8], mut line: LineSpan, key: EntryKey, indent: usize) -> KeyEntry {
    let start = line.start;
    let mut at = skip_spaces(bytes, key.colon + 1, line.end);
    let empty = key.colon + 1..key.colon + 1;
    let made = |key, style, value, tail: Range<usize>, end: usize| KeyEntry {
        key,
        style,
        value,
        tail,
        span: start..end,
        indent,
    };
    let text = &bytes[at..line.end];
    if text.is_empty() || text[0] == b'#' {
        let Some(below) = value_below(bytes, line.next, indent) else {
            // `# note` is a comment; `#1 rule`, with nothing below, is text.
            if text.get(1).is_none_or(|byte| is_space(*byte)) {
                return made(key, ValueStyle::Empty, empty, line.next..line.next, line.next);
            }
            let (end, last) = plain_end(bytes, at, line, indent);
            return made(key, ValueStyle::Plain, at..end, last..last, last);
        };
        if below.is_item(bytes) || below.key(bytes).is_some() {
            let end = nested_end(bytes, below, indent);
            return made(key, ValueStyle::Nested, empty, line.next..end, end);
        }
        at = below.content(bytes);
        line = below;
    }
    if let Some((style, end)) = delimited(bytes, at, indent)
        && let Some(last) = LineSpan::at(bytes, end.saturating_sub(1))
        && only_comment(&bytes[end..last.end])
    {
        return made(key, style, at..end, last.next..last.next, last.next);
    }
    if let Some(end) = block_indicator(bytes, at, line.end) {
        let keep = bytes[at..end].contains(&b'+');
        let tail = block_end(bytes, line.next, indent, keep);
        return made(key, ValueStyle::Block, at..end, line.next..tail, tail);
    }
    let (end, last) = plain_end(bytes, at, line, indent);
    made(key, ValueStyle::Plain, at..end, last..last, last)
}

/// The first line below an empty key that can hold its value.
fn value_below(bytes: &[u8], mut at: usize, indent: usize) -> Option<LineSpan> {
    while let Some(line) = LineSpan::at(bytes, at) {
        at = line.next;
        if line.is_blank(bytes) || line.is_comment(bytes) {
            continue;
        }
        let own = line.indent(bytes);
        return (own > indent || own == indent && line.is_item(bytes)).then_some(line);
    }
    None
}

fn nested_end(bytes: &[u8], first: LineSpan, indent: usize) -> usize {
    let list = first.is_item(bytes);
    let mut end = first.next;
    let mut at = first.next;
    while let Some(line) = LineSpan::at(bytes, at) {
        at = line.next;
        if line.is_blank(bytes) {
            continue;
        }
        let own = line.indent(bytes);
        if own > indent || list && own == indent && line.is_item(bytes) {
            end = line.next;
        } else if !line.is_comment(bytes) {
            break;
        }
    }
    end
}

/// The end of a quoted or bracketed value, if it closes before the next key.
fn delimited(bytes: &[u8], at: usize, indent: usize) -> Option<(ValueStyle, usize)> {
    let style = match bytes[at] {
        b'"' => ValueStyle::Double,
        b'\'' => ValueStyle::Single,
        b'[' | b'{' => ValueStyle::Flow,
        _ => return None,
    };
    let own = LineSpan::at(bytes, at)?;
    let end = close(style, &bytes[at..own.next]).or_else(|| {
        // It may go on below, up to the next key of this mapping or of one around it.
        let mut limit = own.next;
        while let Some(line) = LineSpan::at(bytes, limit)
            && (line.indent(bytes) > indent || line.key(bytes).is_none())
        {
            limit = line.next;
        }
        close(style, &bytes[at..limit])
    });
    end.map(|end| (style, at + end))
}

fn close(style: ValueStyle, text: &[u8]) -> Option<usize> {
    match style {
        ValueStyle::Flow => flow::close(text),
        _ => super::line::close_quote(text),
    }
}

fn only_comment(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start();
    rest.is_empty() || rest[0] == b'#' && rest.len() < text.len()
}

/// The end of a block scalar's indicator (`|`, `>-`, `|2+`), if that is all the line holds.
fn block_indicator(bytes: &[u8], at: usize, line_end: usize) -> Option<usize> {
    let text = &bytes[at..line_end];
    if !matches!(text.first()?, b'|' | b'>') {
        return None;
    }
    let marks = text[1..].iter().take(2).take_while(|byte| matches!(**byte, b'-' | b'+' | b'1'..=b'9')).count();
    only_comment(&text[1 + marks..]).then_some(at + 1 + marks)
}

/// The end of a block scalar's lines; blank ones at the end count only where they are kept (`+`).
fn block_end(bytes: &[u8], from: usize, indent: usize, keep: bool) -> usize {
    let mut end = from;
    let mut at = from;
    while let Some(line) = LineSpan::at(bytes, at) {
        at = line.next;
        let blank = line.is_blank(bytes);
        if !blank && line.indent(bytes) <= indent {
            break;
        }
        if !blank || keep {
            end = line.next;
        }
    }
    end
}

/// The end of a plain value's text and the end of its last line.
///
/// It goes on over indented lines, as in YAML, and over unindented prose directly below, as models
/// write it; it stops at keys, list items and comments.
fn plain_end(bytes: &[u8], at: usize, first: LineSpan, indent: usize) -> (usize, usize) {
    let text_end = |from: usize, line: LineSpan| match comment(&bytes[from..line.end]) {
        Some(cut) => (from + cut, true),
        None => (from + bytes[from..line.end].trim_ascii_end().len(), false),
    };
    let (mut end, mut done) = text_end(at, first);
    let mut last = first.next;
    let mut next = first.next;
    let mut after_blank = false;
    while !done && let Some(line) = LineSpan::at(bytes, next) {
        next = line.next;
        if line.is_blank(bytes) {
            after_blank = true;
            continue;
        }
        let key = line.key(bytes);
        let goes_on = if line.indent(bytes) > indent {
            key.is_none_or(|key| !key.is_word(bytes))
        } else {
            key.is_none() && !after_blank && !line.is_item(bytes)
        };
        if !goes_on || line.is_comment(bytes) {
            break;
        }
        (end, done) = text_end(line.content(bytes), line);
        last = line.next;
        after_blank = false;
    }
    (end, last)
}

/// The spaces and tabs in front of an entry's line.
pub(super) fn indentation(bytes: &[u8], entry: &KeyEntry) -> Range<usize> {
    let end = entry.key.token.start;
    let start = bytes[..end].iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1);
    start..end
}
