//! GitHub Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`.
//!
//! One event a line. What the person typed is `user.message` `data.content`; the text that was sent,
//! with reminders in it, stands beside it and is not read.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use crate::transcript::find::names;
use crate::transcript::json::{self, kept, output, text};
use crate::transcript::lines::{self, Region};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Role, Search, ToolUse, Transcripts,
    named_after_folder, own,
};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    session_of: named_after_folder,
    ..Transcripts::of_lines(
        find,
        is_line,
        read,
        notice,
        Injected { tags: &["system_reminder", "current_datetime"], openings: &[], wrappers: &[] },
    )
};

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let Some(sessions) = search.below_home(".copilot/session-state") else { return Vec::new() };
    search.here(names(&sessions).into_iter().map(|session| sessions.join(session).join("events.jsonl")))
}

fn is_line(line: &Value) -> Option<Claim> {
    Claim::Sure.when(["data", "id", "parentId"].iter().all(|key| line.get(key).is_some()))
}

fn notice(line: &Value, about: &mut ConversationDetails) {
    let Some(data) = line.get("data") else { return };
    let place = data.get("context").unwrap_or(data);
    about.session = about.session.take().or_else(|| text(data, "sessionId").map(str::to_owned));
    about.cwd = about.cwd.take().or_else(|| text(place, "cwd").map(Into::into));
}

fn read(file: &File, region: &Region, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let mut odd = 0;
    let long = lines::for_each(file, *region, |line, _| {
        let Ok(value) = serde_json::from_slice::<Value>(line) else {
            odd += usize::from(!line.trim_ascii().is_empty());
            return Ok(true);
        };
        if text(&value, "type") == Some("session.start")
            && let Some(data) = value.get("data")
        {
            about.session = text(data, "sessionId").map(str::to_owned);
            about.cwd = data.get("context").and_then(|context| text(context, "cwd")).map(Into::into);
        }
        Ok(message(&value).is_none_or(|message| each(message).is_continue()))
    })?;
    about.odd_lines = odd + long;
    Ok(about)
}

fn message(line: &Value) -> Option<Message> {
    let data = line.get("data")?;
    let (role, words, tool_uses) = match text(line, "type")? {
        "user.message" => (Role::User, own(text(data, "content")?), Vec::new()),
        "assistant.message" => {
            let calls = data.get("toolRequests").and_then(Value::as_array).into_iter().flatten();
            let tool_uses = calls.filter_map(|call| ToolUse::read(call, "arguments"));
            (Role::Assistant, text(data, "content").unwrap_or_default().to_owned(), tool_uses.collect())
        }
        "tool.execution_complete" => (Role::Tool, data.get("result").map(output).unwrap_or_default(), Vec::new()),
        _ => return None,
    };
    if words.is_empty() && tool_uses.is_empty() {
        return None;
    }
    let id = text(line, "id").unwrap_or_default().to_owned();
    let time = line.get("timestamp").and_then(json::time);
    // A sub-agent's prompt is written by the main one.
    let injected = role == Role::User && data.get("agentName").is_some_and(|name| !name.is_null());
    let origin = if injected { Origin::Injected } else { Origin::Own };
    Some(Message { id, role, origin, text: kept(&words), tool_uses, time })
}
