//! Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`.
//!
//! Lines of `{timestamp, type, payload}`. What was said is in `response_item`; the same words come
//! again as `event_msg`, which is not read. A message says of each of its parts where it comes from
//! (`content_item_kinds`); older versions do not, and there the tags tell.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use crate::transcript::find::walk;
use crate::transcript::json::{self, input, kept, output, text};
use crate::transcript::lines::{self, Region};
use crate::transcript::tail::place;
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Role, Search, ToolUse, Transcripts, own_of,
};

/// Folders below which it keeps its days.
const DEPTH: usize = 4;

pub(super) const TRANSCRIPTS: Transcripts = Transcripts::of_lines(
    find,
    is_line,
    read,
    notice,
    Injected {
        tags: &[
            "environment_context",
            "user_instructions",
            "permissions",
            "skills_instructions",
            "user_action",
            "turn_aborted",
            "hook_prompt",
        ],
        openings: &["# AGENTS.md instructions for "],
        wrappers: &[],
    },
);

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let Some(home) = search.named_or_below_home("CODEX_HOME", ".codex") else { return Vec::new() };
    let mut all = Vec::new();
    walk(&home.join("sessions"), DEPTH, &mut all);
    all.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("rollout-") && name.ends_with(".jsonl")
    });
    search.here(all)
}

fn is_line(line: &Value) -> Option<Claim> {
    Claim::Sure.when(line.get("payload").is_some() && line.get("timestamp").is_some())
}

fn notice(line: &Value, about: &mut ConversationDetails) {
    let Some(payload) = line.get("payload") else { return };
    about.session = about.session.take().or_else(|| text(payload, "session_id").map(str::to_owned));
    about.cwd = about.cwd.take().or_else(|| text(payload, "cwd").map(Into::into));
    about.unattended |= text(payload, "source") == Some("exec");
}

fn read(file: &File, region: &Region, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let mut odd = 0;
    let mut of_person = true;
    if region.start > 0 {
        // Whose conversation it is stands in the first line.
        lines::for_each(file, Region { start: 0, end: region.start }, |line, _| {
            if let Ok(value) = serde_json::from_slice::<Value>(line) {
                of_person &= head(&value, &mut about);
            }
            Ok(false)
        })?;
    }
    let long = lines::for_each(file, *region, |line, at| {
        let Ok(value) = serde_json::from_slice::<Value>(line) else {
            odd += usize::from(!line.trim_ascii().is_empty());
            return Ok(true);
        };
        of_person &= head(&value, &mut about);
        let Some(mut message) = message(&value, at) else { return Ok(true) };
        if !of_person && message.role == Role::User {
            message.origin = Origin::Injected;
        }
        Ok(each(message).is_continue())
    })?;
    about.odd_lines = odd + long;
    Ok(about)
}

/// Reads the line that says what a conversation is. Returns whether a person may be speaking in it.
fn head(line: &Value, about: &mut ConversationDetails) -> bool {
    if text(line, "type") != Some("session_meta") {
        return true;
    }
    let Some(payload) = line.get("payload") else { return true };
    about.session = text(payload, "id").map(str::to_owned);
    about.cwd = text(payload, "cwd").map(Into::into);
    about.unattended = text(payload, "source") == Some("exec");
    let thread = text(payload, "thread_source").unwrap_or("user");
    // A sub-agent's source is an object that names its parent.
    thread == "user" && payload.get("source").is_none_or(Value::is_string)
}

fn message(line: &Value, at: u64) -> Option<Message> {
    let payload = line.get("payload")?;
    let time = line.get("timestamp").and_then(json::time);
    let id = text(payload, "id").or(text(payload, "call_id")).map_or_else(|| place(at), str::to_owned);
    let message = |role, origin, words: String, tool_uses| {
        Some(Message { id: id.clone(), role, origin, text: kept(&words), tool_uses, time })
    };
    match (text(line, "type")?, text(payload, "type")) {
        ("compacted", _) => message(Role::User, Origin::Summary, output(payload), Vec::new()),
        ("response_item", Some("message")) => match text(payload, "role")? {
            "assistant" => {
                let words = parts(payload).filter_map(|(part, _)| text(part, "text")).collect::<Vec<_>>().join("\n");
                message(Role::Assistant, Origin::Own, words, Vec::new())
            }
            "user" => {
                let typed = parts(payload).filter(|(_, kind)| kind.is_none_or(|kind| kind == "user.text"));
                let words = own_of(typed.filter_map(|(part, _)| text(part, "text")));
                if words.is_empty() { None } else { message(Role::User, Origin::Own, words, Vec::new()) }
            }
            _ => None,
        },
        ("response_item", Some("function_call" | "custom_tool_call" | "local_shell_call")) => {
            let given = payload.get("arguments").or(payload.get("input")).or(payload.get("action"));
            // Arguments are JSON inside a string.
            let parsed = given.and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok());
            let name = [text(payload, "namespace"), text(payload, "name")];
            let name = name.into_iter().flatten().collect::<Vec<_>>().join("__");
            let used = ToolUse { name, input: parsed.as_ref().or(given).map(input).unwrap_or_default() };
            message(Role::Assistant, Origin::Own, String::new(), vec![used])
        }
        ("response_item", Some("function_call_output" | "custom_tool_call_output")) => {
            message(Role::Tool, Origin::Own, payload.get("output").map(output).unwrap_or_default(), Vec::new())
        }
        _ => None,
    }
}

/// The parts of a message, each with where it comes from if the host says so.
fn parts(payload: &Value) -> impl Iterator<Item = (&Value, Option<&str>)> {
    let kinds =
        payload.get("internal_chat_message_metadata_passthrough").and_then(|more| more.get("content_item_kinds"));
    let content = payload.get("content").and_then(Value::as_array).into_iter().flatten();
    content.enumerate().map(move |(at, part)| (part, kinds.and_then(|kinds| kinds.get(at)).and_then(Value::as_str)))
}
