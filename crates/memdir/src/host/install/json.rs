//! Hooks in a host's JSON, comments and order kept.
//!
//! Enters: the file's text, which may hold comments and trailing commas. Leaves: it with our hooks added
//! to those that are there, or without them. Every other byte stays, except where an empty list of
//! ours goes with them.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use super::super::Host;
use super::InstallError;

const HOOKS: &str = "hooks";
const BOM: &str = "\u{feff}";

/// Adds a hook to each event.
pub(super) fn put_in(
    path: &Path,
    text: &str,
    host: Host,
    hooks: &[(&'static str, Value)],
) -> Result<String, InstallError> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
    let root = parse(path, if text.trim().is_empty() { "{}\n" } else { text })?;
    let odd = |key: &str| InstallError::Odd { path: path.to_path_buf(), key: key.to_owned() };
    let object = root.object_value().ok_or_else(|| odd("(the file)"))?;
    let events = object.object_value_or_create(HOOKS).ok_or_else(|| odd(HOOKS))?;
    for (event, hook) in hooks {
        let list = events.array_value_or_create(event).ok_or_else(|| odd(&format!("{HOOKS}.{event}")))?;
        let ours: Vec<CstNode> = ours(&list, host).collect();
        match ours.first() {
            Some(there) if there.to_serde_value().as_ref() == Some(hook) => {}
            // Of an older version, or with a person's changes: what is in force now.
            Some(CstNode::Container(_)) => {
                for old in ours {
                    old.remove();
                }
                list.append(input(hook));
            }
            _ => drop(list.append(input(hook))),
        }
    }
    Ok(format!("{bom}{root}"))
}

/// Takes our hooks out. `was` is the file before they were put in: what it had stays, empty or not.
pub(super) fn take_out(path: &Path, text: &str, host: Host, was: Option<&[u8]>) -> Result<String, InstallError> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
    let root = parse(path, text)?;
    let Some(events) = root.object_value().and_then(|object| object.object_value(HOOKS)) else {
        return Ok(format!("{bom}{text}"));
    };
    let was = was.and_then(|bytes| CstRootNode::parse(&String::from_utf8_lossy(bytes), &ParseOptions::default()).ok());
    let had = was.and_then(|root| root.object_value()).and_then(|object| object.object_value(HOOKS));
    for event in events.properties() {
        let Some(list) = event.array_value() else { continue };
        let found: Vec<CstNode> = ours(&list, host).collect();
        let some = !found.is_empty();
        for one in found {
            one.remove();
        }
        let name = event.decoded_name().unwrap_or_default();
        if some && list.elements().is_empty() && had.as_ref().and_then(|had| had.get(&name)).is_none() {
            event.remove();
        }
    }
    if events.properties().is_empty()
        && had.is_none()
        && let Some(hooks) = root.object_value().and_then(|object| object.get(HOOKS))
    {
        hooks.remove();
    }
    Ok(format!("{bom}{root}"))
}

fn parse(path: &Path, text: &str) -> Result<CstRootNode, InstallError> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| InstallError::NotJson { path: path.to_path_buf(), reason: error.to_string() })
}

/// The entries of a list that call `memdir hook HOST`, and nothing else.
fn ours(list: &CstArray, host: Host) -> impl Iterator<Item = CstNode> {
    list.elements().into_iter().filter(move |element| element.as_object().is_some_and(|entry| calls_us(&entry, host)))
}

fn calls_us(entry: &CstObject, host: Host) -> bool {
    let Some(hooks) = entry.array_value(HOOKS) else { return false };
    let hooks = hooks.elements();
    !hooks.is_empty() && hooks.iter().all(|hook| hook.to_serde_value().is_some_and(|hook| is_our_call(&hook, host)))
}

fn is_our_call(hook: &Value, host: Host) -> bool {
    let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
    let args = hook.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let words: Vec<&str> = command
        .split(|letter: char| letter.is_whitespace() || letter == ';')
        .filter(|word| !word.is_empty())
        .chain(args.iter().filter_map(Value::as_str))
        .collect();
    command.contains("memdir") && words.windows(2).any(|pair| pair == ["hook", host.as_str()])
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(on) => CstInputValue::Bool(*on),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
