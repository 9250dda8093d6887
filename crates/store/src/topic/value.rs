//! What a value says: plain, quoted and block text turned into the string that was meant.
//!
//! Enters: the file's bytes and an [`KeyEntry`]. Leaves: its text, borrowed where the file already
//! holds it letter for letter. Never fails: bad UTF-8 is shown as U+FFFD, an escape nobody knows
//! stays as it is written.

use std::borrow::Cow;

use super::entry::{KeyEntry, ValueStyle};
use super::flow;
use super::line::{LineSpan, close_quote};

/// The text of an entry's value; of a list or mapping, its source.
pub(super) fn text<'a>(bytes: &'a [u8], entry: &KeyEntry) -> Cow<'a, str> {
    let raw = &bytes[entry.value.clone()];
    match entry.style {
        ValueStyle::Empty => Cow::Borrowed(""),
        ValueStyle::Plain => flowing(lossy(raw), false),
        ValueStyle::Single | ValueStyle::Double => unquote(raw),
        ValueStyle::Flow => lossy(raw),
        ValueStyle::Nested => lossy(bytes[entry.tail.clone()].trim_ascii()),
        ValueStyle::Block => Cow::Owned(block(bytes, entry)),
    }
}

/// The text of a key.
pub(super) fn key<'a>(bytes: &'a [u8], entry: &KeyEntry) -> Cow<'a, str> {
    let raw = &bytes[entry.key.token.clone()];
    if matches!(raw.first(), Some(b'"' | b'\'')) { unquote(raw) } else { lossy(raw) }
}

/// Whether the entry has that key, letter for letter or in any case; most keys need no decoding.
pub(super) fn has_key(bytes: &[u8], entry: &KeyEntry, wanted: &str, any_case: bool) -> bool {
    let raw = &bytes[entry.key.token.clone()];
    let decoded;
    let raw = if matches!(raw.first(), Some(b'"' | b'\'')) || !raw.is_ascii() {
        decoded = key(bytes, entry);
        decoded.as_bytes()
    } else {
        raw
    };
    if any_case { raw.eq_ignore_ascii_case(wanted.as_bytes()) } else { raw == wanted.as_bytes() }
}

/// The items of a list, in either notation; nothing for any other value.
pub(super) fn items<'a>(bytes: &'a [u8], entry: &KeyEntry) -> Vec<Cow<'a, str>> {
    let scalar = |raw: &'a [u8]| {
        let raw = raw.trim_ascii();
        let quoted = matches!(raw.first(), Some(b'"' | b'\'')) && close_quote(raw) == Some(raw.len());
        if quoted { unquote(raw) } else { lossy(raw) }
    };
    let raw = &bytes[entry.value.clone()];
    match entry.style {
        ValueStyle::Flow if raw.first() == Some(&b'[') => {
            flow::items(raw).into_iter().map(|item| scalar(&raw[item])).collect()
        }
        ValueStyle::Nested => {
            let tail = &bytes[..entry.tail.end];
            let mut at = entry.tail.start;
            let mut found = Vec::new();
            while let Some(line) = LineSpan::at(tail, at) {
                at = line.next;
                if line.is_item(bytes) {
                    found.push(scalar(&bytes[line.content(bytes) + 1..line.end]));
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

pub(super) fn lossy(raw: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(raw)
}

/// Flowing text over several lines as one: a break is a space, an empty line is a break.
fn flowing(text: Cow<'_, str>, escapes: bool) -> Cow<'_, str> {
    if text.contains('\n') { Cow::Owned(fold(&text, escapes)) } else { text }
}

fn fold(text: &str, escapes: bool) -> String {
    let mut lines = text.split('\n').peekable();
    let mut out = String::with_capacity(text.len());
    out.push_str(lines.next().unwrap_or_default());
    let mut breaks = 0_usize;
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if line.is_empty() && lines.peek().is_some() {
            breaks += 1;
            continue;
        }
        out.truncate(out.trim_end_matches([' ', '\t', '\r']).len());
        let escaped = escapes && out.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        if escaped {
            out.pop();
        } else if breaks == 0 {
            out.push(' ');
        }
        out.extend(std::iter::repeat_n('\n', breaks));
        breaks = 0;
        out.push_str(line);
    }
    out
}

/// The text between quotes, both of which `raw` holds.
fn unquote(raw: &[u8]) -> Cow<'_, str> {
    let double = raw.first() == Some(&b'"');
    let mut text = flowing(lossy(&raw[1..raw.len() - 1]), double);
    if double && text.contains('\\') {
        text = Cow::Owned(unescape(&text));
    } else if !double && text.contains('\'') {
        text = Cow::Owned(text.replace("''", "'"));
    }
    text
}

/// Resolves the escapes of YAML and JSON; `C:\path` in double quotes keeps its backslash.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(mark) = rest.chars().next() else {
            out.push('\\');
            break;
        };
        let meant = match mark {
            '0' => '\0',
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'e' => '\u{1b}',
            ' ' | '"' | '/' | '\\' => mark,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' | 'u' | 'U' => {
                let Some((meant, length)) = code_point(rest) else {
                    out.push('\\');
                    continue;
                };
                out.push(meant);
                rest = &rest[length..];
                continue;
            }
            _ => {
                out.push('\\');
                continue;
            }
        };
        out.push(meant);
        rest = &rest[mark.len_utf8()..];
    }
    out.push_str(rest);
    out
}

/// `x41`, `u00e9`, `U0001F600`, and JSON's pair `uD83D\uDE00`: the character and the length read.
fn code_point(text: &str) -> Option<(char, usize)> {
    let hex = |text: &str, digits: usize| {
        let digits = text.get(1..=digits)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
        u32::from_str_radix(digits, 16).ok()
    };
    let digits = match text.as_bytes().first()? {
        b'x' => 2,
        b'u' => 4,
        _ => 8,
    };
    let first = hex(text, digits)?;
    if let Some(found) = char::from_u32(first) {
        return Some((found, 1 + digits));
    }
    let low = text.get(5..)?.strip_prefix('\\').filter(|rest| rest.starts_with('u'));
    match low.and_then(|rest| hex(rest, 4)) {
        Some(low) if digits == 4 && first < 0xdc00 && (0xdc00..0xe000).contains(&low) => {
            let pair = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            char::from_u32(pair).map(|found| (found, 11))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, 1 + digits)),
    }
}

/// The text of a block scalar: `|` keeps the breaks, `>` folds them.
fn block(bytes: &[u8], entry: &KeyEntry) -> String {
    let head = &bytes[entry.value.clone()];
    let body = lossy(&bytes[entry.tail.clone()]);
    let lines: Vec<&str> = body.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indent = match head.iter().find(|byte| byte.is_ascii_digit()) {
        Some(digit) => entry.indent + usize::from(digit - b'0'),
        None => lines.iter().find(|line| !line.trim().is_empty()).map_or(0, |line| depth(line)),
    };
    let mut out = String::with_capacity(body.len());
    let folded = head[0] == b'>';
    // A break between two lines of running text is a space; one next to an indented line stays.
    let mut breaks = 0_usize;
    let mut previous: Option<bool> = None;
    for line in &lines {
        let line = &line[depth(line).min(indent)..];
        if line.trim().is_empty() && (folded || line.is_empty()) {
            breaks += 1;
            continue;
        }
        let running = folded && !line.starts_with([' ', '\t']);
        match previous {
            None => {}
            Some(true) if running && breaks == 0 => out.push(' '),
            Some(true) if running => {}
            Some(_) => out.push('\n'),
        }
        out.extend(std::iter::repeat_n('\n', breaks));
        breaks = 0;
        previous = Some(running);
        out.push_str(line);
    }
    if head.contains(&b'+') {
        out.extend(std::iter::repeat_n('\n', breaks + usize::from(previous.is_some())));
    } else if !head.contains(&b'-') && previous.is_some() {
        out.push('\n');
    }
    out
}
