//! Claude Code: `<config home>/projects/<slug of the working directory>/<session>.jsonl`.
//!
//! One JSON object a line. Conversation lines carry `uuid` and `parentUuid`; an answer is one line a
//! content block, all with one `message.id`. After a compaction the chain goes on through
//! `logicalParentUuid`. Sub-agents (`isSidechain`), injected lines (`isMeta`), summaries and
//! attachments stand between what was typed and what was answered.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io;

use serde::Deserialize;
use serde_json::Value;

use super::chain::{Chain, number};
use super::json::{self, is, output, text};
use super::lines::{self, Region};
use super::own::own;
use super::{About, Each, Message, Origin, Stamp, ToolUse};

/// What decides where a line belongs, read without the rest of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link<'l> {
    #[serde(borrow, default)]
    uuid: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    parent_uuid: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    logical_parent_uuid: Option<Cow<'l, str>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(borrow, default, rename = "type")]
    kind: Option<Cow<'l, str>>,
    #[serde(borrow, default)]
    message: Option<Answer<'l>>,
}

/// What tells the blocks of one answer from those of another.
#[derive(Deserialize)]
struct Answer<'l> {
    #[serde(borrow, default)]
    id: Option<Cow<'l, str>>,
}

pub(super) fn read(file: &File, region: &Region, each: &mut Each<'_>) -> io::Result<About> {
    let mut about = About::default();
    let (branch, answers) = branch(file, *region, &mut about)?;
    let on_branch = |link: &Link<'_>| {
        let own = link.uuid.as_deref().is_some_and(|id| branch.contains(&number(id)));
        // Blocks of one answer may hang beside each other when tools run at once.
        let answer = link.message.as_ref().and_then(|message| message.id.as_deref());
        own || answer.is_some_and(|id| answers.contains(&number(id)))
    };
    lines::for_each(file, *region, |line, _| {
        let speaks = memchr::memmem::find(line, b"\"message\"").is_some();
        let Some(link) = speaks.then(|| serde_json::from_slice::<Link<'_>>(line).ok()).flatten() else {
            return Ok(true);
        };
        if link.is_sidechain || !on_branch(&link) {
            return Ok(true);
        }
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return Ok(true) };
        notice(&value, &mut about);
        for message in messages(&value) {
            if each(message).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(about)
}

/// The lines and the answers of the branch that ends the conversation.
fn branch(file: &File, region: Region, about: &mut About) -> io::Result<(HashSet<u64>, HashSet<u64>)> {
    let mut chain = Chain::default();
    let mut answers: Vec<(u64, u64)> = Vec::new();
    let mut odd = 0;
    let long = lines::for_each(file, region, |line, _| {
        let Ok(link) = serde_json::from_slice::<Link<'_>>(line) else {
            odd += usize::from(!line.trim_ascii().is_empty());
            return Ok(true);
        };
        let Some(id) = link.uuid.as_deref().filter(|_| !link.is_sidechain) else { return Ok(true) };
        chain.push(id, link.parent_uuid.as_deref().or(link.logical_parent_uuid.as_deref()));
        if link.kind.as_deref() == Some("assistant")
            && let Some(answer) = link.message.as_ref().and_then(|message| message.id.as_deref())
        {
            answers.push((number(id), number(answer)));
        }
        Ok(true)
    })?;
    about.odd_lines = odd + long;
    let branch = chain.branch(region.start == 0);
    let answers = answers.into_iter().filter(|(id, _)| branch.contains(id)).map(|(_, answer)| answer).collect();
    Ok((branch, answers))
}

fn notice(line: &Value, about: &mut About) {
    if about.session.is_none() {
        about.session = text(line, "sessionId").map(str::to_owned);
    }
    if about.cwd.is_none() {
        about.cwd = text(line, "cwd").map(Into::into);
    }
    about.unattended |= text(line, "entrypoint").is_some_and(|entry| entry.starts_with("sdk"));
}

/// The messages of a line: a user's line may hold words and tool results.
fn messages(line: &Value) -> Vec<Message> {
    let (Some(id), Some(said)) = (text(line, "uuid"), line.get("message")) else { return Vec::new() };
    let stamp = Stamp { id, time: line.get("timestamp").and_then(json::time) };
    let content = said.get("content").unwrap_or(&Value::Null);
    match text(line, "type") {
        Some("user") => {
            let injected = is(line, "isMeta") || is(line, "isVisibleInTranscriptOnly") || !typed(line);
            let origin = if is(line, "isCompactSummary") || is(line, "repeatsCompactSummary") {
                Origin::Summary
            } else if injected {
                Origin::Injected
            } else {
                Origin::Own
            };
            let words = words(content);
            let own = if origin == Origin::Own { own(&words) } else { words };
            let results = results(content).map(|result| stamp.result(&output(result)));
            results.chain(stamp.said(origin, &own)).collect()
        }
        Some("assistant") => {
            let tool_uses = blocks(content, "tool_use").filter_map(|block| ToolUse::read(block, "input")).collect();
            // An error of the connection stands under the model's name.
            let origin = if is(line, "isApiErrorMessage") { Origin::Injected } else { Origin::Own };
            stamp.answer(&words(content), tool_uses).map(|message| Message { origin, ..message }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a user line came from a person: some hosts of Claude Code name who began the turn.
fn typed(line: &Value) -> bool {
    const OTHERS: &[&str] = &["hook", "system", "task", "task-notification", "agent", "teammate", "cron", "auto"];
    !text(line, "turnOrigin").or(text(line, "promptSource")).is_some_and(|origin| OTHERS.contains(&origin))
}

fn blocks<'v>(content: &'v Value, kind: &'static str) -> impl Iterator<Item = &'v Value> {
    content.as_array().into_iter().flatten().filter(move |block| text(block, "type") == Some(kind))
}

fn results(content: &Value) -> impl Iterator<Item = &Value> {
    blocks(content, "tool_result").filter_map(|block| block.get("content"))
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        _ => blocks(content, "text").filter_map(|block| text(block, "text")).collect::<Vec<_>>().join("\n"),
    }
}
