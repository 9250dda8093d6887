//! A conversation of no host: JSON lines of `{"role","text"}`, as evaluation sets and scripts write them.
//!
//! Enters: a part of a file. Leaves: its messages; one has no id, so it is named after where its line
//! begins. Lines that are no such message are counted and stepped over.

use std::fs::File;
use std::io;

use serde_json::Value;

use super::json::{self, kept, text};
use super::lines::{self, Region};
use super::own_words::own;
use super::{ConversationDetails, Message, OnMessage, Origin, Role, ToolUse, tail};

fn role(line: &Value) -> Option<Role> {
    match text(line, "role")? {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "tool" => Some(Role::Tool),
        _ => None,
    }
}

pub(crate) fn read(file: &File, region: Region, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let mut odd = 0;
    let long = lines::for_each(file, region, |line, at| {
        let value = serde_json::from_slice::<Value>(line).ok();
        let Some(message) = value.as_ref().and_then(|value| message(value, at)) else {
            odd += usize::from(!line.trim_ascii().is_empty());
            return Ok(true);
        };
        Ok(each(message).is_continue())
    })?;
    about.odd_lines = odd + long;
    Ok(about)
}

fn message(line: &Value, at: u64) -> Option<Message> {
    let (role, said) = (role(line)?, text(line, "text")?);
    let (origin, said) = match role {
        Role::User => {
            let typed = own(said);
            if typed.is_empty() { (Origin::Injected, kept(said)) } else { (Origin::Own, kept(&typed)) }
        }
        _ => (Origin::Own, kept(said)),
    };
    let calls = line.get("tool_uses").and_then(Value::as_array).into_iter().flatten();
    let tool_uses = calls.filter_map(|call| {
        Some(ToolUse { name: text(call, "name")?.to_owned(), input: call.get("input").cloned().unwrap_or_default() })
    });
    Some(Message {
        id: tail::place(at),
        role,
        origin,
        text: said,
        tool_uses: tool_uses.collect(),
        time: line.get("timestamp").and_then(json::time),
    })
}
