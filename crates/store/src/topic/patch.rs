//! The bytes that change when a value is replaced or added, each as a span and its new text.
//!
//! Enters: the file, what is known of its frontmatter, a key and a value that is YAML already.
//! Leaves: edits in file order. Never overlaps them, and never reaches beyond the entry.

use std::borrow::Cow;
use std::ops::Range;

use super::entry::{KeyEntry, ValueStyle, indentation};
use super::front::{BOM, Front};
use super::scalar::{self, ScalarPlace};
use super::value;

/// A span of the file and what is there afterwards.
pub(crate) type SpanEdit = (Range<usize>, String);

/// The line ending a file uses: that of its first line.
pub(super) fn line_ending(bytes: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

pub(super) fn is_flow(front: &Front) -> bool {
    front.metadata.is_some_and(|at| front.top.entries[at].style == ValueStyle::Flow)
}

/// Whether an entry is in the braces of `metadata`.
pub(super) fn in_braces(front: &Front, entry: &KeyEntry) -> bool {
    let metadata = front.metadata.map(|at| &front.top.entries[at]);
    metadata.is_some_and(|metadata| metadata.style == ValueStyle::Flow && metadata.value.contains(&entry.span.start))
}

/// Replaces the value of an entry.
pub(super) fn replace(bytes: &[u8], entry: &KeyEntry, shown: &str) -> Vec<SpanEdit> {
    let mut edits = vec![match entry.style {
        ValueStyle::Empty | ValueStyle::Nested => fill(bytes, entry, shown),
        // `type:feedback` lacks the space that makes it YAML.
        _ if entry.value.start == entry.key.colon + 1 => (entry.value.clone(), format!(" {shown}")),
        _ => (entry.value.clone(), shown.to_owned()),
    }];
    if !entry.tail.is_empty() {
        edits.push((entry.tail.clone(), String::new()));
    }
    edits
}

/// Puts a value behind a colon that has none, in front of a comment if there is one.
fn fill(bytes: &[u8], entry: &KeyEntry, shown: &str) -> SpanEdit {
    let spaced = bytes.get(entry.key.colon + 1) == Some(&b' ');
    let at = entry.key.colon + 1 + usize::from(spaced);
    let before = if spaced { "" } else { " " };
    let after = if bytes.get(at) == Some(&b'#') { " " } else { "" };
    (at..at, format!("{before}{shown}{after}"))
}

/// Adds a key that is missing: `x`, or `metadata.x`.
pub(super) fn add(bytes: &[u8], front: Option<&Front>, key: &str, shown: &str) -> Vec<SpanEdit> {
    match (front, key.strip_prefix("metadata.")) {
        (None, _) => vec![fresh(bytes, key, shown)],
        (Some(front), Some(inner)) => add_inner(bytes, front, inner, shown),
        (Some(front), None) => vec![add_top(bytes, front, key, shown)],
    }
}

fn add_top(bytes: &[u8], front: &Front, key: &str, shown: &str) -> SpanEdit {
    let anchor = ["name", "description", "type"]
        .iter()
        .filter_map(|word| front.find(bytes, word))
        .max_by_key(|entry| entry.span.end);
    let at = anchor.map_or(front.inside.end, |entry| entry.span.end);
    add_line(bytes, at, &outermost(bytes, front), key, shown)
}

/// The indentation of the outermost entry: another one may be indented by mistake.
fn outermost<'a>(bytes: &'a [u8], front: &Front) -> Cow<'a, str> {
    let entry = front.top.entries.iter().min_by_key(|entry| entry.indent);
    String::from_utf8_lossy(&bytes[entry.map_or(0..0, |entry| indentation(bytes, entry))])
}

fn add_inner(bytes: &[u8], front: &Front, key: &str, shown: &str) -> Vec<SpanEdit> {
    // A new mapping goes to the end: an entry that is indented by mistake would become part of it.
    let at_the_end = || {
        let outer = outermost(bytes, front);
        let nested = below(bytes, &outer, key, shown);
        vec![add_line(bytes, front.inside.end, &outer, "metadata", &nested)]
    };
    let Some(at) = front.metadata else { return at_the_end() };
    let metadata = &front.top.entries[at];
    let outer = String::from_utf8_lossy(&bytes[indentation(bytes, metadata)]);
    let name = scalar::write(key, ScalarPlace::Flow);
    let is_null = matches!(&*value::text(bytes, metadata), "null" | "~");
    let swallows = front.top.entries.get(at + 1).is_some_and(|next| next.indent > metadata.indent);
    match (metadata.style, front.inner.last()) {
        (ValueStyle::Flow, Some(last)) if !bytes[metadata.value.clone()].contains(&b'\n') => {
            vec![(last.span.end..last.span.end, format!(", {name}: {shown}"))]
        }
        // Over several lines the first is the safe one: a line below that holds a key could be
        // taken for one of its own.
        (ValueStyle::Flow, _) if bytes[metadata.value.start] == b'{' => {
            let inside = metadata.value.start + 1..metadata.value.end - 1;
            let comma = if bytes[inside.clone()].trim_ascii().is_empty() { "" } else { ", " };
            vec![(inside.start..inside.start, format!("{name}: {shown}{comma}"))]
        }
        (ValueStyle::Nested, Some(last)) => {
            let indent = indentation(bytes, last);
            let indent = String::from_utf8_lossy(&bytes[indent]);
            vec![add_line(bytes, last.span.end, &indent, key, shown)]
        }
        (ValueStyle::Empty, None) => {
            let indent = format!("{outer}  ");
            vec![add_line(bytes, metadata.span.end, &indent, key, shown)]
        }
        (ValueStyle::Plain, None) if is_null && !swallows => {
            let nested = below(bytes, &outer, key, shown);
            vec![(metadata.value.clone(), nested)]
        }
        // `metadata` is text or a list: it stays, and a mapping of that name follows it.
        _ => at_the_end(),
    }
}

fn below(bytes: &[u8], outer: &str, key: &str, shown: &str) -> String {
    let name = scalar::write(key, ScalarPlace::Flow);
    format!("{}{outer}  {name}: {shown}", line_ending(bytes))
}

fn add_line(bytes: &[u8], at: usize, indent: &str, key: &str, shown: &str) -> SpanEdit {
    let ending = line_ending(bytes);
    let start = if at == 0 || bytes[at - 1] == b'\n' { "" } else { ending };
    let name = scalar::write(key, ScalarPlace::Flow);
    let space = if shown.starts_with(['\r', '\n']) { "" } else { " " };
    (at..at, format!("{start}{indent}{name}:{space}{shown}{ending}"))
}

/// Frontmatter for a file that has none.
fn fresh(bytes: &[u8], key: &str, shown: &str) -> SpanEdit {
    let at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let ending = line_ending(bytes);
    let line = match key.strip_prefix("metadata.") {
        Some(inner) => format!("metadata:{}", below(bytes, "", inner, shown)),
        None => format!("{}: {shown}", scalar::write(key, ScalarPlace::Flow)),
    };
    let gap = if bytes.len() == at { "" } else { ending };
    (at..at, format!("---{ending}{line}{ending}---{ending}{gap}"))
}

pub(super) fn only_commas(text: &[u8]) -> bool {
    text.iter().all(|byte| *byte == b',' || byte.is_ascii_whitespace())
}

/// An item in braces with one of the commas around it, and the space that went with it.
pub(super) fn with_comma(bytes: &[u8], item: Range<usize>) -> Range<usize> {
    let before = bytes[..item.start].trim_ascii_end();
    if before.last() == Some(&b',') {
        return before.len() - 1..item.end;
    }
    let after = &bytes[item.end..];
    let gap = after.len() - after.trim_ascii_start().len();
    if after.get(gap) != Some(&b',') {
        return item;
    }
    let rest = &after[gap + 1..];
    item.start..bytes.len() - rest.trim_ascii_start().len()
}
