//! The memory tool's dealings with text: numbered lines, one replacement, one insertion, listings.

use std::collections::BTreeMap;

use memdir_guard::confine::RelPath;
use memdir_store::walk::WalkedFile;

/// Lines shown before and after what changed.
const CONTEXT: usize = 4;
/// How deep a listing goes.
const LEVELS: usize = 2;

/// Lines with their numbers, six columns wide; all of them or a range.
pub(super) fn numbered(content: &str, range: Option<(i64, i64)>) -> Result<String, String> {
    let lines: Vec<&str> = content.lines().collect();
    let (first, last) = match range {
        None => (1, lines.len()),
        Some((first, last)) => {
            let count = lines.len().max(1) as i64;
            let end = if last == -1 { count } else { last.min(count) };
            if first < 1 || first > count || end < first {
                return Err(format!(
                    "Error: Invalid `view_range` parameter: [{first}, {last}]. \
                     It should be within the range of lines of the file: [1, {count}]"
                ));
            }
            (first as usize, end as usize)
        }
    };
    let shown = lines.iter().enumerate().skip(first - 1).take(last + 1 - first);
    Ok(shown.map(|(at, line)| format!("{:>6}\t{line}", at + 1)).collect::<Vec<_>>().join("\n"))
}

/// The text with `old` replaced, which must be in it exactly once.
pub(super) fn replaced(content: &str, old: &str, new: &str, path: &str) -> Result<String, String> {
    let places: Vec<usize> =
        if old.is_empty() { Vec::new() } else { content.match_indices(old).map(|(at, _)| at).collect() };
    match places.as_slice() {
        [] => Err(format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")),
        [at] => Ok(format!("{}{new}{}", &content[..*at], &content[at + old.len()..])),
        several => {
            let mut lines: Vec<String> = several.iter().map(|at| (line_of(content, *at) + 1).to_string()).collect();
            lines.dedup();
            Err(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. \
                 Please ensure it is unique",
                lines.join(", ")
            ))
        }
    }
}

/// The text with lines added after a line; 0 is the beginning.
pub(super) fn inserted(content: &str, line: i64, added: &str) -> Result<String, String> {
    let lines: Vec<&str> = content.split_inclusive('\n').collect();
    let at = usize::try_from(line).ok().filter(|at| *at <= lines.len()).ok_or_else(|| {
        format!(
            "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {}]",
            lines.len()
        )
    })?;
    let mut text: String = lines[..at].concat();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(added);
    let rest = lines[at..].concat();
    if !rest.is_empty() && !text.ends_with('\n') && !added.is_empty() {
        text.push('\n');
    }
    Ok(text + &rest)
}

/// The lines around a piece of text that was just put in.
pub(super) fn around(content: &str, new: &str) -> String {
    let first = content.find(new).map_or(0, |at| line_of(content, at));
    let last = first + new.lines().count().max(1) - 1;
    let lines: Vec<&str> = content.lines().collect();
    let from = first.saturating_sub(CONTEXT);
    let until = (last + CONTEXT + 1).min(lines.len());
    let shown = lines.iter().enumerate().take(until).skip(from);
    shown.map(|(at, line)| format!("{:>6}\t{line}", at + 1)).collect::<Vec<_>>().join("\n")
}

fn line_of(content: &str, at: usize) -> usize {
    content[..at].bytes().filter(|byte| *byte == b'\n').count()
}

/// A directory two levels deep, with sizes.
pub(super) fn directory(shown: &str, at: Option<&RelPath>, files: &[&WalkedFile]) -> String {
    let strip = at.map_or(0, |at| at.as_str().len() + 1);
    let mut entries: BTreeMap<String, u64> = BTreeMap::new();
    let mut total = 0;
    for found in files {
        let parts: Vec<&str> = found.path[strip..].split('/').collect();
        if parts.contains(&"node_modules") {
            continue;
        }
        total += found.facts.size;
        for depth in 1..=parts.len().min(LEVELS) {
            let folder = if depth < parts.len() { "/" } else { "" };
            *entries.entry(format!("{}{folder}", parts[..depth].join("/"))).or_default() += found.facts.size;
        }
    }
    let mut text = format!(
        "Here're the files and directories up to 2 levels deep in {shown}, excluding hidden items and node_modules:\n\
         {}\t{shown}",
        size(total)
    );
    for (path, bytes) in entries {
        text.push_str(&format!("\n{}\t{shown}/{path}", size(bytes)));
    }
    text
}

/// A size as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{:.1}K", bytes as f64 / 1024.0),
        _ => format!("{:.1}M", bytes as f64 / 1_048_576.0),
    }
}
