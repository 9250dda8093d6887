//! Gemini CLI: `~/.gemini/tmp/<slug>/chats/session-<time>-<id>.jsonl`.
//!
//! A header line, then messages and `$set` patches. A message that is written again under its id
//! replaces the earlier one; it is read where it stands last.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use serde_json::Value;

use super::chain::number;
use super::json::{self, output, text};
use super::lines::{self, Region};
use super::own::own;
use super::{About, Each, Message, Origin, Stamp, ToolUse};

pub(super) fn read(file: &File, region: &Region, each: &mut Each<'_>) -> io::Result<About> {
    let mut about = About::default();
    let mut last: HashMap<u64, u64> = HashMap::new();
    let mut odd = 0;
    about.odd_lines = lines::for_each(file, *region, |line, at| {
        match serde_json::from_slice::<Value>(line) {
            Ok(value) => drop(text(&value, "id").map(|id| last.insert(number(id), at))),
            Err(_) => odd += usize::from(!line.trim_ascii().is_empty()),
        }
        Ok(true)
    })?;
    about.odd_lines += odd;
    lines::for_each(file, *region, |line, at| {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return Ok(true) };
        if let Some(session) = text(&value, "sessionId") {
            about.session = Some(session.to_owned());
        }
        let Some(id) = text(&value, "id").filter(|id| last.get(&number(id)) == Some(&at)) else { return Ok(true) };
        for message in messages(&value, id) {
            if each(message).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(about)
}

fn messages(line: &Value, id: &str) -> Vec<Message> {
    let time = line.get("timestamp").and_then(json::time);
    let content = line.get("content").unwrap_or(&Value::Null);
    let stamp = Stamp { id, time };
    match text(line, "type") {
        Some("user") => {
            let results = function_results(content).map(output).collect::<Vec<_>>().join("\n");
            let words = own(&part_texts(content));
            let tool = (!results.is_empty()).then(|| stamp.result(&results));
            tool.into_iter().chain(stamp.said(Origin::Own, &words)).collect()
        }
        Some("gemini") => {
            let calls = line.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
            let tool_uses = calls.filter_map(|call| ToolUse::read(call, "args")).collect();
            stamp.answer(&part_texts(content), tool_uses).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The words of a content: a string, or parts with `text` that are no thoughts.
pub(super) fn part_texts(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let parts = content.as_array().into_iter().flatten().filter(|part| !json::is(part, "thought"));
    parts.filter_map(|part| text(part, "text")).collect::<Vec<_>>().join("\n")
}

pub(super) fn function_calls(parts: &Value) -> Vec<ToolUse> {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter_map(|part| ToolUse::read(part.get("functionCall")?, "args")).collect()
}

pub(super) fn function_results(parts: &Value) -> impl Iterator<Item = &Value> {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter_map(|part| part.get("functionResponse")?.get("response"))
}
