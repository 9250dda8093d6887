//! Our server in a host's TOML, every other byte kept.
//!
//! Enters: the file's text. Leaves: it with our table at its end, or our entry in an inline table; or without
//! them. Other servers, comments and their order stay. A file whose lines end in different ways may have
//! them made alike when a person has changed it since and our part is taken out of it.

use std::path::Path;

use serde_json::Value;
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value as TomlValue};

use super::InstallError;
use super::server::{NAME, ServerEntry, is_ours};

const BOM: &str = "\u{feff}";

pub(super) fn put_in(path: &Path, text: &str, server: &ServerEntry) -> Result<String, InstallError> {
    let mut document = parse(path, text)?;
    let odd = || InstallError::Odd { path: path.to_path_buf(), key: server.list.to_owned() };
    let Some(list) = document.get_mut(server.list) else { return Ok(appended(text, server)) };
    let is_inline = list.is_inline_table();
    let list = list.as_table_like_mut().ok_or_else(odd)?;
    let Some(entry) = list.get_mut(NAME) else {
        if !is_inline {
            return Ok(appended(text, server));
        }
        list.insert(NAME, Item::Value(TomlValue::InlineTable(inline(&server.entry))));
        return Ok(printed(text, &document));
    };
    let key = format!("{}.{NAME}", server.list);
    let entry = entry.as_table_like_mut().filter(|entry| starts_us(*entry));
    let entry = entry.ok_or_else(|| InstallError::Taken { path: path.to_path_buf(), key })?;
    Ok(if renew(entry, &server.entry) { printed(text, &document) } else { text.to_owned() })
}

/// Takes our server out. `was` is the file before it was put in: a list it had stays, empty or not.
pub(super) fn take_out(path: &Path, text: &str, list: &str, was: Option<&[u8]>) -> Result<String, InstallError> {
    let mut document = parse(path, text)?;
    let servers = document.get_mut(list).and_then(Item::as_table_like_mut);
    let Some(servers) = servers else { return Ok(text.to_owned()) };
    if !servers.get_mut(NAME).and_then(Item::as_table_like_mut).is_some_and(|entry| starts_us(entry)) {
        return Ok(text.to_owned());
    }
    if let Some(rest) = without_table(text, list) {
        return Ok(rest);
    }
    servers.remove(NAME);
    let empty = servers.is_empty();
    let had = was
        .and_then(|bytes| String::from_utf8_lossy(bytes).trim_start_matches(BOM).parse::<DocumentMut>().ok())
        .is_some_and(|was| was.contains_key(list));
    if empty && !had {
        document.remove(list);
    }
    Ok(printed(text, &document))
}

/// The text without the lines of our table, where it stands as one: comments around it are not its own.
fn without_table(text: &str, list: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let header = format!("[{list}.{NAME}");
    let is_ours = |line: &str| line.trim().strip_prefix(&header).is_some_and(|rest| rest.starts_with([']', '.']));
    let is_talk = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
    (0..lines.len()).filter(|&start| is_ours(lines[start])).find_map(|start| {
        let next = |line: &&str| line.trim_start().starts_with('[') && !is_ours(line);
        let mut end = lines[start + 1..].iter().position(next).map_or(lines.len(), |more| start + 1 + more);
        while is_talk(lines[end - 1]) {
            end -= 1;
        }
        // The blank line before it came with it.
        let before = start.saturating_sub(usize::from(start > 0 && lines[start - 1].trim().is_empty()));
        let rest = [&lines[..before], &lines[end..]].concat().concat();
        let document: DocumentMut = rest.trim_start_matches(BOM).parse().ok()?;
        document.get(list).is_none_or(|list| list.get(NAME).is_none()).then_some(rest)
    })
}

fn parse(path: &Path, text: &str) -> Result<DocumentMut, InstallError> {
    text.trim_start_matches(BOM).parse().map_err(|error: toml_edit::TomlError| InstallError::NotToml {
        path: path.to_path_buf(),
        reason: error.message().to_owned(),
    })
}

/// The text with our table after everything that is there.
fn appended(text: &str, server: &ServerEntry) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines = vec![format!("[{}.{NAME}]", server.list)];
    for (key, value) in &inline(&server.entry) {
        lines.push(format!("{key} = {}", value.to_string().trim()));
    }
    let gap = match text.trim_start_matches(BOM) {
        "" => String::new(),
        some if some.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    format!("{text}{gap}{}{end}", lines.join(end))
}

/// What was changed, with the line ends that the file had.
fn printed(text: &str, document: &DocumentMut) -> String {
    let bom = if text.starts_with(BOM) { BOM } else { "" };
    let new = document.to_string().replace("\r\n", "\n");
    if text.contains("\r\n") { format!("{bom}{}", new.replace('\n', "\r\n")) } else { format!("{bom}{new}") }
}

/// Brings our keys up to date; those that a person added stay. `false`: they are.
fn renew(entry: &mut dyn TableLike, wanted: &Value) -> bool {
    let mut changed = false;
    for (key, value) in &inline(wanted) {
        let there = entry.get(key).map(ToString::to_string);
        let same = there.as_ref().is_some_and(|there| there.trim() == value.to_string().trim());
        // What a person may have set since is theirs; how we are started is ours.
        if there.is_none() || (!same && matches!(key, "command" | "args")) {
            entry.insert(key, Item::Value(value.clone()));
            changed = true;
        }
    }
    changed
}

fn starts_us(entry: &dyn TableLike) -> bool {
    let command = entry.get("command").and_then(Item::as_str);
    let args = entry.get("args").and_then(Item::as_array).into_iter().flatten().filter_map(TomlValue::as_str);
    is_ours(command.into_iter().chain(args))
}

fn inline(entry: &Value) -> InlineTable {
    let mut table = InlineTable::new();
    for (key, value) in entry.as_object().into_iter().flatten() {
        let value = match value {
            Value::String(text) => TomlValue::from(text.as_str()),
            Value::Number(number) => TomlValue::from(number.as_i64().unwrap_or_default()),
            Value::Array(items) => TomlValue::Array(items.iter().filter_map(Value::as_str).collect::<Array>()),
            _ => continue,
        };
        table.insert(key, value);
    }
    table
}
