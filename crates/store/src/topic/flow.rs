//! Values in braces and brackets: `{type: feedback, node_type: memory}`, `[a, b]`.
//!
//! Enters: bytes that start at the bracket. Leaves: the closing bracket, the entries, the items.
//! Never goes deeper than the outermost level: memdir needs nothing below it.

use std::ops::Range;

use super::entry::{KeyEntry, ValueStyle};
use super::line::{EntryKey, close_quote, is_space};

/// The length of the bracketed value at the start of `text`, if it closes.
pub(super) fn close(text: &[u8]) -> Option<usize> {
    let mut end = None;
    walk(text, |at, depth| {
        if depth == 0 {
            end = Some(at + 1);
        }
        end.is_none()
    });
    end
}

/// The spans between the outermost commas, relative to `text`, trimmed, without empty ones.
pub(super) fn items(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 1;
    let mut push = |start: usize, end: usize| {
        let item = &text[start..end];
        let left = start + (item.len() - item.trim_ascii_start().len());
        let item = item.trim_ascii();
        if !item.is_empty() {
            found.push(left..left + item.len());
        }
    };
    walk(text, |at, depth| {
        if depth == 0 || depth == 1 && text[at] == b',' {
            push(start, at);
            start = at + 1;
        }
        depth > 0
    });
    found
}

/// The entries of a mapping in braces; positions are those of the whole file.
pub(super) fn entries(bytes: &[u8], value: Range<usize>) -> Vec<KeyEntry> {
    if bytes.get(value.start) != Some(&b'{') {
        return Vec::new();
    }
    items(&bytes[value.clone()])
        .into_iter()
        .filter_map(|item| entry(bytes, value.start + item.start..value.start + item.end))
        .collect()
}

fn entry(bytes: &[u8], item: Range<usize>) -> Option<KeyEntry> {
    let text = &bytes[item.clone()];
    let (token, colon) = if matches!(text[0], b'"' | b'\'') {
        let token = close_quote(text)?;
        let colon = token + (text[token..].len() - text[token..].trim_ascii_start().len());
        (token, (text.get(colon) == Some(&b':')).then_some(colon)?)
    } else {
        let colon =
            (0..text.len()).find(|at| text[*at] == b':' && text.get(at + 1).is_none_or(u8::is_ascii_whitespace))?;
        (text[..colon].trim_ascii_end().len(), colon)
    };
    let rest = &text[colon + 1..];
    let start = item.end - rest.trim_ascii_start().len();
    let style = match bytes[start..item.end].first() {
        None => ValueStyle::Empty,
        Some(b'[' | b'{') => ValueStyle::Flow,
        Some(b'"') if close_quote(&bytes[start..item.end]) == Some(item.end - start) => ValueStyle::Double,
        Some(b'\'') if close_quote(&bytes[start..item.end]) == Some(item.end - start) => ValueStyle::Single,
        Some(_) => ValueStyle::Plain,
    };
    let colon = item.start + colon;
    Some(KeyEntry {
        key: EntryKey { token: item.start..item.start + token, colon },
        style,
        value: if style == ValueStyle::Empty { colon + 1..colon + 1 } else { start..item.end },
        tail: item.end..item.end,
        span: item,
        indent: 0,
    })
}

/// Calls `visit(position, depth after it)` for each bracket and comma outside quotes, until it
/// answers false.
fn walk(text: &[u8], mut visit: impl FnMut(usize, usize) -> bool) {
    let mut depth = 0_usize;
    // A quote opens a string only where a value can start: the one in `don't` does not.
    let mut fresh = true;
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' | b'\'' if fresh => match close_quote(&text[at..]) {
                Some(length) => at += length - 1,
                None => return,
            },
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' if at > 0 && (is_space(text[at - 1]) || text[at - 1] == b'\n') => {
                at += memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
                continue;
            }
            _ => {}
        }
        if b"[]{},".contains(byte) && !visit(at, depth) {
            return;
        }
        fresh = b"[{,:".contains(byte) || fresh && byte.is_ascii_whitespace();
        at += 1;
    }
}
