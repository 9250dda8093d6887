//! `recall`: the few memories that matter for a prompt.

use std::sync::Arc;
use std::time::Duration;

use memdir::engine::{Memory, ModelStatus, RecallRequest, asking};
use memdir::kind::Rating;
use memdir::model::command::Runner;
use memdir::model::{CallLimits, Cancel, SharedModel};
use memdir::settings::Selector;
use serde_json::{Value, json};

use super::list::introduced;
use super::{CommandResult, naming};
use crate::args::RecallArgs;
use crate::hint;
use crate::runner::Processes;
use crate::ui::{Style, Ui, clip, counted, safe};

pub(super) fn run(memory: &Memory, args: &RecallArgs, ui: &mut Ui) -> CommandResult {
    let selector = args.selector.map_or(memory.settings.recall_selector, Selector::from);
    let model = match model(memory, selector) {
        Ok(model) => model,
        Err(status) => {
            ui.say(format!("no model chooses: {}", hint::with_command(&status.reason_text, status.hint().as_ref())));
            None
        }
    };
    let query = args.query.join(" ");
    let request = RecallRequest {
        query: &query,
        recent_tools: &args.recent_tool,
        surfaced: &args.surfaced,
        session: args.session.as_deref(),
        room: memdir::limits::INLINE_BYTES,
        model: model.map(|model| {
            let patience = Duration::from_secs(memdir::limits::SELECT_SECONDS);
            (asking(model, CallLimits { timeout: patience, cancel: Cancel::default() }), patience)
        }),
        model_only: selector == Selector::Model,
        earlier: None,
    };
    let answer = memory.recall().for_prompt(request)?;
    if answer.behind {
        crate::env::refresh_in_background(memory);
    }
    if ui.json {
        let mut document =
            serde_json::to_value(&answer).map_err(|error| crate::failure::Failure::Fault(error.to_string()))?;
        if let (false, Value::Object(fields)) = (args.explain, &mut document) {
            fields.insert("skipped".into(), json!(answer.skipped.iter().take(10).collect::<Vec<_>>()));
        }
        return Ok(ui.print_json(&document)?);
    }
    for one in &answer.selected {
        let kind = one.kind.map_or("-", memdir::kind::Type::as_str);
        let age = memdir::context::age::memory_age(one.age_days);
        let line = format!(
            "{}  {}",
            ui.paint(Style::Bold, &safe(&one.file)),
            ui.paint(Style::Dim, &format!("{kind}, {}, {age}, {:.2}", one.scope, one.score))
        );
        ui.line(line)?;
        ui.line(format!("    {}", clip(&introduced(&one.title, &one.description), 100)))?;
        if let Some(from) = &one.from {
            ui.line(format!("    {}", ui.paint(Style::Dim, &format!("from {}", safe(&from.shown())))))?;
        }
        if args.explain {
            let why = format!("    {}", ui.paint(Style::Good, &safe(&one.why)));
            ui.line(why)?;
        }
        for found in one.evidence.iter().filter(|found| found.standing != memdir::engine::EvidenceState::There) {
            let word = if found.standing == memdir::engine::EvidenceState::Gone { "is gone" } else { "changed since" };
            let line = format!("    {}", ui.paint(Style::Warn, &format!("{} {word}", safe(&found.name))));
            ui.line(line)?;
        }
    }
    if args.explain {
        for one in answer.skipped.iter().filter(|one| one.near) {
            let line = ui.paint(Style::Dim, &format!("- {}: {}", safe(&one.file), safe(&one.reason)));
            ui.line(line)?;
        }
    }
    if answer.partial {
        ui.say(
            "Recall is warming up: memories are still being read in the background; a moment later there may be more.",
        );
    }
    if answer.selected.is_empty() {
        ui.say(answer.reason.unwrap_or("No memory matters for this."));
        if memory.files().forgotten_place().is_some() {
            ui.say("`memdir adopt` takes them over.");
        }
        if query.split_whitespace().count() == 1 {
            ui.say(format!("`memdir search {}` looks for the word itself.", safe(&query)));
        }
    }
    Ok(())
}

/// `recall --not`, `recall --always`: what a person says about being told a memory.
pub(super) fn rate(memory: &Memory, typed: &str, rating: Rating, ui: &mut Ui) -> CommandResult {
    let file = naming::to_change(memory, &[typed.to_owned()], ui)?;
    let rated = memory.recall().rate(&file, rating)?;
    if ui.json {
        return Ok(ui.print_json(&rated)?);
    }
    let undo = ui.paint(Style::Dim, &format!("undo: memdir undo {}", rated.id));
    Ok(ui.done(format!("{}: {}  {undo}", safe(&rated.file), rating.words()))?)
}

/// The model that has a say. Left to itself only one that answers within seconds is asked.
fn model(memory: &Memory, selector: Selector) -> Result<Option<SharedModel>, ModelStatus> {
    let runner = || Some(Arc::new(Processes) as Arc<dyn Runner>);
    match selector {
        Selector::Local => Ok(None),
        Selector::Auto if !memory.models().is_quick() => Ok(None),
        Selector::Auto => Ok(memory.models().get(runner()).ok()),
        Selector::Model => memory.models().get(runner()).map(Some),
    }
}

/// `choose`: let a model choose for a session's last prompt; started in the background by its hook.
pub(super) fn choose(memory: &Memory, session: &str, ui: &mut Ui) -> CommandResult {
    let Ok(Some(model)) = model(memory, memory.settings.recall_selector) else { return Ok(()) };
    let patience = Duration::from_secs(memdir::limits::LATE_SELECT_SECONDS);
    let ask = asking(model, CallLimits { timeout: patience, cancel: Cancel::default() });
    let chosen = memory.recall().choose_late(session, ask, patience)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "chosen": chosen }))?);
    }
    ui.say(format!("{} chosen for the next tool", counted(chosen, "memory", "memories")));
    Ok(())
}

/// `refresh`: bring the search cache up to date; started in the background.
pub(super) fn refresh(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let missing = memory.recall().refresh(usize::MAX, &|| false)?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "missing": missing }))?);
    }
    ui.say(format!("search is up to date; {} without vectors", counted(missing, "memory", "memories")));
    Ok(())
}
