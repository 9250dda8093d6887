//! Hooks and our server in a host's JSON, comments and order kept.
//!
//! Enters: the file's text, which may hold comments and trailing commas. Leaves: it with our hooks and our
//! server added to those that are there, or without them. Every other byte stays, except where an empty list of
//! ours goes with them.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use super::InstallError;
use super::server::{NAME, ServerEntry, is_our_entry};

pub(super) const HOOKS: &str = "hooks";
const BOM: &str = "\u{feff}";

/// What goes into the file.
pub(crate) struct OwnEntries {
    /// The word that follows `memdir hook` in a call of ours.
    pub(crate) host: &'static str,
    /// A hook for each event.
    pub(crate) hooks: Vec<(&'static str, Value)>,
    /// Our server.
    pub(crate) server: Option<ServerEntry>,
}

/// Adds a hook to each event, and our server to the list of them.
pub(super) fn put_in(path: &Path, text: &str, ours: &OwnEntries) -> Result<String, InstallError> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
    let root = parse(path, if text.trim().is_empty() { "{}\n" } else { text })?;
    let odd = |key: &str| InstallError::Odd { path: path.to_path_buf(), key: key.to_owned() };
    let object = root.object_value().ok_or_else(|| odd("(the file)"))?;
    if !ours.hooks.is_empty() {
        let events = object.object_value_or_create(HOOKS).ok_or_else(|| odd(HOOKS))?;
        put_hooks(&events, ours).map_err(|event| odd(&format!("{HOOKS}.{event}")))?;
    }
    if let Some(server) = &ours.server {
        let servers = object.object_value_or_create(server.list).ok_or_else(|| odd(server.list))?;
        let key = format!("{}.{NAME}", server.list);
        put_server(&servers, server).map_err(|()| InstallError::Taken { path: path.to_path_buf(), key })?;
    }
    Ok(format!("{bom}{root}"))
}

/// The name of an event whose hooks are no list, if one is.
fn put_hooks(events: &CstObject, ours: &OwnEntries) -> Result<(), &'static str> {
    for (event, hook) in &ours.hooks {
        let list = events.array_value_or_create(event).ok_or(*event)?;
        let there: Vec<CstNode> = our_calls(&list, ours.host).collect();
        match there.first() {
            Some(there) if there.to_serde_value().as_ref() == Some(hook) => {}
            // Of an older version, or with a person's changes: what is in force now.
            Some(CstNode::Container(_)) => {
                for old in there {
                    old.remove();
                }
                list.append(input(hook));
            }
            _ => drop(list.append(input(hook))),
        }
    }
    Ok(())
}

/// Our entry as it should be; what a person added to it stays. Fails when the name is somebody else's.
fn put_server(servers: &CstObject, server: &ServerEntry) -> Result<(), ()> {
    let Some(there) = servers.get(NAME) else {
        servers.append(NAME, input(&server.entry));
        return Ok(());
    };
    let entry = there.object_value().ok_or(())?;
    if !entry.to_serde_value().is_some_and(|value| is_our_entry(&value)) {
        return Err(());
    }
    for (key, value) in server.entry.as_object().into_iter().flatten() {
        // What a host or a person may have set since is theirs; how we are started is ours.
        match entry.get(key) {
            None => drop(entry.append(key, input(value))),
            Some(old) if matches!(key.as_str(), "command" | "args") => {
                if old.value().and_then(|old| old.to_serde_value()).as_ref() != Some(value) {
                    old.set_value(input(value));
                }
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Takes what is ours out. `was` is the file before it was put in: what it had stays, empty or not.
pub(super) fn take_out(path: &Path, text: &str, ours: &OwnEntries, was: Option<&[u8]>) -> Result<String, InstallError> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
    let root = parse(path, text)?;
    let was = was.and_then(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        CstRootNode::parse(text.trim_start_matches(BOM), &ParseOptions::default()).ok()
    });
    let was = was.and_then(|root| root.object_value());
    if let Some(object) = root.object_value() {
        take_hooks(&object, ours.host, was.as_ref());
        if let Some(server) = &ours.server {
            take_server(&object, server, was.as_ref());
        }
    }
    Ok(format!("{bom}{root}"))
}

fn take_server(object: &CstObject, server: &ServerEntry, was: Option<&CstObject>) {
    let Some(servers) = object.object_value(server.list) else { return };
    let Some(there) = servers.get(NAME) else { return };
    if !there.object_value().and_then(|entry| entry.to_serde_value()).is_some_and(|value| is_our_entry(&value)) {
        return;
    }
    there.remove();
    if servers.properties().is_empty()
        && was.and_then(|was| was.get(server.list)).is_none()
        && let Some(list) = object.get(server.list)
    {
        list.remove();
    }
}

fn take_hooks(object: &CstObject, host: &str, was: Option<&CstObject>) {
    let Some(events) = object.object_value(HOOKS) else { return };
    let had = was.and_then(|was| was.object_value(HOOKS));
    let mut took = false;
    for event in events.properties() {
        let Some(list) = event.array_value() else { continue };
        let found: Vec<CstNode> = our_calls(&list, host).collect();
        let some = !found.is_empty();
        for one in found {
            one.remove();
        }
        took |= some;
        let name = event.decoded_name().unwrap_or_default();
        if some && list.elements().is_empty() && had.as_ref().and_then(|had| had.get(&name)).is_none() {
            event.remove();
        }
    }
    if took
        && events.properties().is_empty()
        && had.is_none()
        && let Some(hooks) = object.get(HOOKS)
    {
        hooks.remove();
    }
}

fn parse(path: &Path, text: &str) -> Result<CstRootNode, InstallError> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| InstallError::NotJson { path: path.to_path_buf(), reason: error.to_string() })
}

/// The entries of a list that call `memdir hook HOST`, and nothing else.
fn our_calls(list: &CstArray, host: &str) -> impl Iterator<Item = CstNode> {
    list.elements().into_iter().filter(move |element| element.as_object().is_some_and(|entry| calls_us(&entry, host)))
}

fn calls_us(entry: &CstObject, host: &str) -> bool {
    let Some(hooks) = entry.array_value(HOOKS) else { return false };
    let hooks = hooks.elements();
    !hooks.is_empty() && hooks.iter().all(|hook| hook.to_serde_value().is_some_and(|hook| is_our_call(&hook, host)))
}

/// A call of ours, and where it stands: the event, the entry below it, the call in that.
pub(crate) struct CallPlace<'v> {
    pub(crate) event: &'v str,
    pub(crate) group: usize,
    pub(crate) call: usize,
    pub(crate) matcher: Option<&'v str>,
    pub(crate) hook: &'v Value,
}

/// Every call of `memdir hook HOST` in a file, as a host reads it: of two equal keys the last.
pub(crate) fn our_places<'v>(file: &'v Value, host: &str) -> Vec<CallPlace<'v>> {
    let mut found = Vec::new();
    for (event, groups) in file.get(HOOKS).and_then(Value::as_object).into_iter().flatten() {
        for (group, entry) in groups.as_array().into_iter().flatten().enumerate() {
            let matcher = entry.get("matcher").and_then(Value::as_str);
            for (call, hook) in entry.get(HOOKS).and_then(Value::as_array).into_iter().flatten().enumerate() {
                if is_our_call(hook, host) {
                    found.push(CallPlace { event, group, call, matcher, hook });
                }
            }
        }
    }
    found
}

fn is_our_call(hook: &Value, host: &str) -> bool {
    let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
    let args = hook.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let words: Vec<&str> = command
        .split(|letter: char| letter.is_whitespace() || letter == ';')
        .filter(|word| !word.is_empty())
        .chain(args.iter().filter_map(Value::as_str))
        .collect();
    command.contains("memdir") && words.windows(2).any(|pair| pair == ["hook", host])
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
