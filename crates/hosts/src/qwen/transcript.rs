//! Qwen Code: `~/.qwen/projects/<working directory>/chats/<session>.jsonl`.
//!
//! One JSON object a line with `uuid` and `parentUuid`, parts as Gemini writes them, and a
//! `provenance` that says whether a person typed it.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use serde_json::Value;

use crate::transcript::chain::{Chain, number};
use crate::transcript::find::{files, names};
use crate::transcript::json::{self, kept, output, text};
use crate::transcript::lines::{self, Region};
use crate::transcript::parts::{function_calls, function_results, own_of_parts, part_texts};
use crate::transcript::{
    Claim, ConversationDetails, Injected, Message, OnMessage, Origin, Role, Search, Transcripts, own,
};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts::of_lines(
    find,
    is_line,
    read,
    notice,
    Injected { tags: &["qwen:user-prompt-submit-context", "qwen:session-start-context"], openings: &[], wrappers: &[] },
);

fn find(search: &Search<'_>) -> Vec<PathBuf> {
    let Some(projects) = search.below_home(".qwen/projects") else { return Vec::new() };
    search.here(names(&projects).into_iter().flat_map(|folder| files(&projects.join(folder).join("chats"), "jsonl")))
}

fn is_line(line: &Value) -> Option<Claim> {
    let in_parts = line.get("message").is_some_and(|message| message.get("parts").is_some());
    Claim::Sure.when(line.get("provenance").is_some() || in_parts)
}

fn notice(line: &Value, about: &mut ConversationDetails) {
    about.session = about.session.take().or_else(|| text(line, "sessionId").map(str::to_owned));
    about.cwd = about.cwd.take().or_else(|| text(line, "cwd").map(Into::into));
}

fn read(file: &File, region: &Region, each: &mut OnMessage<'_>) -> io::Result<ConversationDetails> {
    let mut about = ConversationDetails::default();
    let mut chain = Chain::default();
    let mut odd = 0;
    about.odd_lines = lines::for_each(file, *region, |line, _| {
        match serde_json::from_slice::<Value>(line) {
            Ok(value) => {
                if let Some(id) = text(&value, "uuid") {
                    chain.push(id, text(&value, "parentUuid"));
                }
            }
            Err(_) => odd += usize::from(!line.trim_ascii().is_empty()),
        }
        Ok(true)
    })?;
    about.odd_lines += odd;
    let branch = chain.branch(region.start == 0);
    lines::for_each(file, *region, |line, _| {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return Ok(true) };
        let Some(id) = text(&value, "uuid").filter(|id| branch.contains(&number(id))) else { return Ok(true) };
        notice(&value, &mut about);
        Ok(message(&value, id).is_none_or(|message| each(message).is_continue()))
    })?;
    Ok(about)
}

fn message(line: &Value, id: &str) -> Option<Message> {
    let parts = line.get("message")?.get("parts")?;
    let time = line.get("timestamp").and_then(json::time);
    let (role, origin, words, tool_uses) = match text(line, "type")? {
        "user" => {
            // What was typed stands apart from what hooks added to it.
            let shown = line.get("systemPayload").and_then(|payload| text(payload, "displayText"));
            let words = shown.map_or_else(|| own_of_parts(parts), own);
            let typed = text(line, "provenance").is_none_or(|provenance| provenance == "real_user");
            (Role::User, if typed { Origin::Own } else { Origin::Injected }, words, Vec::new())
        }
        "assistant" => (Role::Assistant, Origin::Own, part_texts(parts), function_calls(parts)),
        "tool_result" => (Role::Tool, Origin::Own, function_results(parts).map(output).collect(), Vec::new()),
        _ => return None,
    };
    if words.is_empty() && tool_uses.is_empty() {
        return None;
    }
    Some(Message { id: id.to_owned(), role, origin, text: kept(&words), tool_uses, time })
}
