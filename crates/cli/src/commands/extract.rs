//! `extract`: learn from transcripts now.
//!
//! Ctrl-C stops it where it is: what was learned stays, and the same command goes on from there.

use std::ops::ControlFlow;
use std::path::PathBuf;

use memdir::engine::{Effect, Memory, ModelEnvironment, TranscriptRun, TranscriptSource};
use memdir::hosts::Host;
use serde_json::json;

use super::CommandResult;
use super::progress::ProgressLine;
use crate::args;
use crate::env;
use crate::failure::Failure;
use crate::hint;
use crate::interrupt::Interrupt;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, args: &args::Extract, ui: &mut Ui) -> CommandResult {
    let host: Option<Host> = args.host.map(Into::into);
    let wanted: Vec<(Option<Host>, PathBuf)> = if args.all {
        let found = memory.learn().transcripts()?;
        found
            .into_iter()
            .filter(|(of, _)| host.is_none_or(|host| host == *of))
            .map(|(of, path)| (Some(of), path))
            .collect()
    } else {
        args.transcripts.iter().map(|path| (host, memory.around.below_cwd(path))).collect()
    };
    if args.all {
        let transcripts = counted(wanted.len(), "transcript", "transcripts");
        ui.say(format!("{transcripts} of this project on this machine"));
    }
    let (shell, texts) = (env::programs(memory), env::own_texts(memory));
    let runner = Some(std::sync::Arc::new(crate::runner::Processes) as _);
    let interrupt = Interrupt::hold();
    let cancel = interrupt.cancel();
    let mut engine = memory.learn().choose_engine(ModelEnvironment {
        shell: &shell,
        cancel: cancel.clone(),
        own_texts: &texts,
        runner,
    });
    let group = memory.history().group();
    let mut progress = ProgressLine::new(ui);
    let (mut runs, mut stopped_at) = (Vec::new(), None);
    for (at, (host, path)) in wanted.iter().enumerate() {
        let source = TranscriptSource { path, host: *host, since: args.since.as_deref() };
        let mut step = |messages: usize| {
            let messages = counted(messages, "message", "messages");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            progress.at(at, wanted.len(), &format!("{}: {messages}", safe(&name)));
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match memory.learn().extract_transcript(&source, &mut engine, &mut step) {
            Ok(run) => runs.push(run),
            // One file that cannot be read must not keep the others from being learned from.
            Err(error) if wanted.len() > 1 => {
                progress.clear();
                ui.warn(error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
        if cancel.is_cancelled() {
            stopped_at = Some(at + 1);
            break;
        }
    }
    drop(interrupt);
    progress.clear();
    let act = group.name();
    if runs.iter().any(|run| !run.extracted.saved.is_empty()) {
        crate::env::take_in_change(memory);
    }
    report(&runs, stopped_at.is_some(), ui)?;
    if let (Some(act), false) = (act, ui.json) {
        ui.say(format!("undo: memdir undo {act}"));
    }
    let Some(at) = stopped_at else { return Ok(()) };
    if ui.json {
        return Err(Failure::Answered);
    }
    let saved = runs.iter().map(|run| run.extracted.saved.len()).sum();
    let saved = counted(saved, "memory that was saved stays", "memories that were saved stay");
    let all = counted(wanted.len(), "transcript", "transcripts");
    Err(Failure::refused(format!("stopped at {at} of {all}; {saved}. The same command goes on where it stopped")))
}

fn report(runs: &[TranscriptRun], stopped: bool, ui: &mut Ui) -> CommandResult {
    if ui.json {
        let mut document = document(runs);
        if stopped {
            document["stopped"] = json!(true);
        }
        return Ok(ui.print_json(&document)?);
    }
    for run in runs {
        for saved in &run.extracted.saved {
            let kind = saved.kind.map_or("untyped", memdir::kind::Type::as_str);
            let done = match saved.action {
                Effect::Created => "created",
                Effect::Updated => "updated",
                Effect::Deleted => "deleted",
            };
            let action = ui.paint(Style::Good, done);
            ui.line(format!("{action} {} ({kind}, {})", saved.file, saved.scope))?;
        }
        for waiting in &run.extracted.waiting {
            let id = waiting.id.as_deref().unwrap_or_default();
            let verb = waiting.action.verb();
            ui.line(format!("waits for a yes: {verb} {} (memdir inbox accept {id})", safe(&waiting.name)))?;
        }
        for refused in &run.extracted.refused {
            let question = refused.question.as_deref().unwrap_or_default();
            ui.line(format!("{} {} {question}", ui.paint(Style::Warn, "not saved:"), refused.why))?;
        }
        for down in &run.extracted.turned_down {
            let head = ui.paint(Style::Warn, "turned down:");
            ui.line(format!("{head} {} {} ({})", safe(&down.file), safe(&down.reason), down.rule.as_str()))?;
        }
        if let Some(reason) = run.reason.as_deref().filter(|reason| reason.starts_with("model-")) {
            ui.say(format!("the built-in engine learned, not the model ({})", safe(reason)));
        }
        if let Some(line) = hint::extracted_line(&run.extracted) {
            ui.say(line);
        }
    }
    let messages: usize = runs.iter().map(|run| run.extracted.messages).sum();
    if runs.iter().all(|run| run.extracted.saved.is_empty() && run.extracted.waiting.is_empty()) {
        ui.say(match (runs.len(), messages) {
            (0, _) => "There is nothing to read.".to_owned(),
            (_, 0) => "No new messages: what was read once is not read again.".to_owned(),
            _ => format!("Nothing to save in {}.", counted(messages, "message", "messages")),
        });
    }
    Ok(())
}

/// One document for all transcripts; with one, its own fields.
fn document(runs: &[TranscriptRun]) -> serde_json::Value {
    if let [run] = runs {
        return serde_json::to_value(run).unwrap_or_default();
    }
    let all = |field: &str| -> Vec<serde_json::Value> {
        let values = runs.iter().filter_map(|run| serde_json::to_value(run).ok()?.get(field)?.as_array().cloned());
        values.flatten().collect()
    };
    json!({
        "messages": runs.iter().map(|run| run.extracted.messages).sum::<usize>(),
        "saved": all("saved"),
        "waiting": all("waiting"),
        "refused": all("refused"),
        "turned_down": all("turned_down"),
        "denied": all("denied"),
        "skipped": if runs.iter().all(|run| run.extracted.messages == 0) { json!("nothing-new") } else { json!(null) },
        "cursor": runs.last().and_then(|run| run.cursor.clone()),
        "usage": usage(runs),
        "transcripts": runs,
    })
}

/// What a model used for all of them; null when none was asked.
fn usage(runs: &[TranscriptRun]) -> serde_json::Value {
    let used: Vec<&memdir::engine::LearningUsage> = runs.iter().filter_map(|run| run.usage.as_ref()).collect();
    let sum = |of: fn(&memdir::engine::LearningUsage) -> u64| used.iter().map(|usage| of(usage)).sum::<u64>();
    if used.is_empty() {
        return json!(null);
    }
    json!({
        "input": sum(|usage| usage.input),
        "output": sum(|usage| usage.output),
        "cache_read": sum(|usage| usage.cache_read),
        "cache_write": sum(|usage| usage.cache_write),
        "hit_percent": null,
    })
}

impl From<memdir::hosts::transcript::TranscriptError> for Failure {
    fn from(error: memdir::hosts::transcript::TranscriptError) -> Failure {
        memdir::engine::Error::from(error).into()
    }
}
