//! Gemini CLI: `~/.gemini/tmp/<slug>/chats/session-<time>-<id>.jsonl`.
//!
//! A header line, then messages and `$set` patches. A message that is written again under its id
//! replaces the earlier one; it is read where it stands last.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::transcript::chain::number;
use crate::transcript::find::files;
use crate::transcript::json::{self, output, text};
use crate::transcript::lines::{self, Region};
use crate::transcript::parts::{function_results, own_of_parts, part_texts};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Search, Stamp, ToolUse, Transcripts,
};

/// Bytes of its list of projects that are looked at.
const PROJECTS_BYTES: u64 = 1024 * 1024;

pub(super) const TRANSCRIPTS: Transcripts = Transcripts::of_lines(
    find,
    is_line,
    read,
    notice,
    Injected { tags: &["hook_context", "session_context", "untrusted_context"], openings: &[], wrappers: &[] },
);

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let Some(home) = search.below_home(".gemini") else { return Vec::new() };
    let slugs = slugs(&home.join("projects.json"), &search.project.roots);
    let chats = slugs.iter().flat_map(|slug| files(&home.join("tmp").join(slug).join("chats"), "jsonl"));
    chats.filter(|file| search.wants(file)).collect()
}

/// The names under which it keeps a directory and those below it.
fn slugs(file: &Path, roots: &[PathBuf]) -> Vec<String> {
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|file| file.take(PROJECTS_BYTES).read_to_end(&mut bytes));
    let Ok(value) = opened.map_err(drop).and_then(|_| serde_json::from_slice::<Value>(&bytes).map_err(drop)) else {
        return Vec::new();
    };
    let projects = value.get("projects").and_then(Value::as_object).into_iter().flatten();
    let ours = projects.filter(|(path, _)| roots.iter().any(|root| Path::new(path).starts_with(root)));
    ours.filter_map(|(_, slug)| slug.as_str().map(str::to_owned)).collect()
}

fn is_line(line: &Value) -> Option<Claim> {
    let has = |key: &str| line.get(key).is_some();
    Claim::Sure.when(has("sessionId") && (has("projectHash") || has("startTime")) && !has("uuid"))
}

fn notice(line: &Value, about: &mut ConversationDetails) {
    about.session = about.session.take().or_else(|| text(line, "sessionId").map(str::to_owned));
    about.cwd = about.cwd.take().or_else(|| text(line, "cwd").map(Into::into));
}

fn read(file: &File, region: &Region, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
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
            let words = own_of_parts(content);
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
