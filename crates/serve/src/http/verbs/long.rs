//! Work that takes a while: it says how far it is, and stops when nobody waits for it any more.

use std::ops::ControlFlow;
use std::path::PathBuf;

use memdir::engine::{DreamRequest, EngineChoice, Error, Memory, TranscriptSource};
use memdir::hosts::Host;
use serde_json::json;

use super::super::api::{SentFields, WorkWatcher};
use super::{Done, value};
use crate::ServeContext;

pub(super) fn dream(context: &ServeContext, memory: &Memory, fields: &SentFields, watcher: &WorkWatcher) -> Done {
    let wish = |name: &str| fields.switch(name).unwrap_or(false);
    let request = DreamRequest {
        force: wish("force"),
        dry_run: wish("dry_run"),
        yes: wish("accept_loss"),
        ..DreamRequest::default()
    };
    let report = context.dream(memory, &request, &mut |part, text| watcher.tell(part, text), &watcher.cancel)?;
    context.changed(memory);
    value(&report)
}

pub(super) fn extract(context: &ServeContext, memory: &Memory, fields: &SentFields, watcher: &WorkWatcher) -> Done {
    let host = fields.text("host").and_then(|name| Host::ALL.into_iter().find(|host| host.as_str() == name));
    let wanted: Vec<(Option<Host>, PathBuf)> = match fields.text("transcript") {
        Some(path) => vec![(host, memory.around.below_cwd(path.as_ref()))],
        None => {
            let found = memory.learn().transcripts()?.into_iter().filter(|(of, _)| host.is_none_or(|host| host == *of));
            found.map(|(of, path)| (Some(of), path)).collect()
        }
    };
    // A program that asks waits for the answer; the built-in engine gives it within seconds.
    let mut engine = EngineChoice::offline("over-http");
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for (at, (host, path)) in wanted.iter().enumerate() {
        let source = TranscriptSource { path, host: *host, since: fields.text("since") };
        let step = &mut |messages: usize| {
            let part = format!("{}/{}", at + 1, wanted.len());
            watcher.tell(&part, &format!("{}: {messages} messages", path.display()));
            if watcher.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match memory.learn().extract_transcript(&source, &mut engine, step) {
            Ok(run) => runs.push(run),
            // One file that cannot be read must not keep the others from being learned from.
            Err(error) if wanted.len() > 1 => failed.push(json!({ "transcript": path, "error": error.to_string() })),
            Err(error) => return Err(error.into()),
        }
        if watcher.cancel.is_cancelled() {
            break;
        }
    }
    if runs.iter().any(|run| !run.extracted.saved.is_empty()) {
        context.changed(memory);
    }
    Ok(json!({ "transcripts": runs, "failed": failed }))
}

pub(super) fn import(context: &ServeContext, memory: &Memory, fields: &SentFields, watcher: &WorkWatcher) -> Done {
    let source = fields.needed("source");
    let found = memory.files().find_to_import(source, fields.text("path").map(std::path::Path::new))?;
    watcher.tell("found", &format!("{} in {source}", found.len()));
    if watcher.cancel.is_cancelled() {
        return Err(stopped().into());
    }
    let report = memory.files().import(source, &found, fields.switch("dry_run").unwrap_or(false), &mut |_, _| {})?;
    context.changed(memory);
    value(&report)
}

pub(super) fn team_sync(context: &ServeContext, memory: &Memory, fields: &SentFields, watcher: &WorkWatcher) -> Done {
    watcher.tell("sync", fields.text("name").unwrap_or("every team"));
    let report = context.sync(memory, fields.text("name"), fields.switch("dry_run").unwrap_or(false))?;
    context.changed(memory);
    value(&report)
}

pub(super) fn fix(context: &ServeContext, memory: &Memory, _: &SentFields, watcher: &WorkWatcher) -> Done {
    watcher.tell("look", "looking for what is wrong");
    let checkup = memory.files().checkup()?;
    let fixable = checkup.findings.iter().filter(|finding| finding.fixable).count();
    watcher.tell("repair", &format!("{fixable} of {} can be repaired", checkup.findings.len()));
    if watcher.cancel.is_cancelled() {
        return Err(stopped().into());
    }
    let repaired = memory.files().repair()?;
    context.changed(memory);
    value(&repaired)
}

fn stopped() -> Error {
    Error::Refused("stopped before anything was changed".to_owned())
}
