//! `dream`: consolidate now, show the phases, and say on one screen what was done.

use memdir::engine::{DreamInput, DreamJob, DreamPlan, Dreamt, Error, Gate, Memory, ModelDream, Phase};
use memdir::model::Cancel;
use memdir::model::fork::Progress;
use memdir::store::consolidate::Hold;
use memdir::store::history::ChangeId;
use serde_json::{Value, json};

use super::Outcome;
use crate::ui::{Style, Ui, counted, safe};

/// What was asked for.
pub(crate) struct Wanted {
    /// By hand: the gates of time and sessions do not count.
    pub(crate) force: bool,
    /// Only show it.
    pub(crate) dry_run: bool,
    /// More than `dream.max_loss` may go.
    pub(crate) yes: bool,
}

pub(crate) fn run(memory: &Memory, wanted: &Wanted, ui: &mut Ui) -> Outcome {
    memory.require_on()?;
    let gate = memory.dream_gate();
    if !wanted.is_let_through(&gate) {
        if ui.json {
            return Ok(ui.print_json(&not_now(&gate))?);
        }
        ui.line(format!("No dream now: {}.", gate.reason))?;
        ui.say("`memdir dream --force` dreams all the same; `--dry-run` only shows what it would do.");
        return Ok(());
    }
    let mut last = String::new();
    let (plan, dreamt) = dream(memory, wanted, &Cancel::default(), &mut |phase, text| {
        let mark = if last == phase { "" } else { phase };
        ui.say(format!("{mark:<11} {}", safe(text)));
        phase.clone_into(&mut last);
    })?;
    if ui.json {
        return Ok(ui.print_json(&document(&plan, dreamt.as_ref(), wanted.force))?);
    }
    if dreamt.is_none() {
        let diff = super::history::paint_diff(&plan.diff(), ui);
        ui.raw(&diff)?;
    }
    screen(&plan, dreamt.as_ref(), ui)
}

/// The same for a program that asks: one document, and how far it is meanwhile.
pub(crate) fn answer(
    memory: &Memory,
    wanted: &Wanted,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Value, Error> {
    memory.require_on()?;
    let gate = memory.dream_gate();
    if !wanted.is_let_through(&gate) {
        return Ok(not_now(&gate));
    }
    let (plan, dreamt) = dream(memory, wanted, cancel, tell)?;
    Ok(document(&plan, dreamt.as_ref(), wanted.force))
}

impl Wanted {
    fn is_let_through(&self, gate: &Gate) -> bool {
        self.force || self.dry_run || gate.run
    }
}

/// Dreams, or only plans it; what is cancelled lands nothing more.
fn dream(
    memory: &Memory,
    wanted: &Wanted,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<(DreamPlan, Option<Dreamt>), Error> {
    if wanted.dry_run {
        return Ok((plan(memory, wanted.yes, cancel, tell)?, None));
    }
    let hold = memory.begin_dream(wanted.force)?;
    let group =
        ChangeId::derive(&[b"dream", memory.now.timestamp().to_string().as_bytes(), &std::process::id().to_le_bytes()]);
    let dreamt = with_model(memory, &hold, &group, cancel, tell).and_then(|model| {
        let plan = plan(memory, wanted.yes, cancel, tell)?;
        // One act for both: `undo` takes the whole dream back.
        let mut dreamt = memory.land_dream(&plan, model.as_ref().map(|_| group.clone()), &|| hold.is_mine())?;
        if let Some(landed) = model.map(|model| model.landed).filter(|landed| landed.change.is_some()) {
            dreamt.files.splice(0..0, landed.files.into_iter().map(|(file, _)| file));
            dreamt.change = Some(group.to_string());
        }
        Ok((plan, dreamt))
    });
    match dreamt {
        Ok((plan, dreamt)) => {
            hold.finish()?;
            Ok((plan, Some(dreamt)))
        }
        Err(error) => {
            hold.roll_back();
            Err(error)
        }
    }
}

/// Lets the model dream first, where the user agreed to one; what it leaves is put in order by rule.
fn with_model(
    memory: &Memory,
    hold: &Hold<'_>,
    group: &ChangeId,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Option<ModelDream>, Error> {
    if !memory.model_is_quick() {
        return Ok(None);
    }
    let Ok(model) = memory.model(None) else { return Ok(None) };
    tell("model", &format!("{} thinks; end it with Ctrl-C, nothing is changed then", model.name()));
    let shell = crate::env::programs(memory);
    let job = DreamJob { model: &*model, shell: &shell, cancel: cancel.clone(), group: Some(group.clone()) };
    let dreamt = memory.dream_with(&job, hold, &mut |progress| match progress {
        Progress::Turn(turn) => tell("model", &format!("turn {turn}")),
        Progress::Touched(file) => tell("model", file.as_str()),
        Progress::Text(_) | Progress::Tool(_) => {}
    })?;
    tell("model", &dreamt.said);
    Ok(Some(dreamt))
}

fn plan(
    memory: &Memory,
    accept_loss: bool,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<DreamPlan, Error> {
    let input = DreamInput { transcripts: memory.recent_transcripts()?, accept_loss };
    let plan = memory.plan_dream(&input, &mut |phase: Phase, text: &str| tell(phase.as_str(), text))?;
    if cancel.is_cancelled() {
        return Err(Error::Refused("the dream was stopped before it landed".into()));
    }
    Ok(plan)
}

fn not_now(gate: &Gate) -> Value {
    let none: [&str; 0] = [];
    json!({ "ran": false, "reason": gate.reason, "phases": none, "changes": none, "checks": none, "change": null })
}

fn document(plan: &DreamPlan, dreamt: Option<&Dreamt>, by_hand: bool) -> Value {
    let phases: Vec<&str> = Phase::ALL.iter().map(|phase| phase.as_str()).collect();
    let reason = if by_hand { "by-hand" } else { "due" };
    json!({
        "ran": dreamt.is_some(),
        "reason": if dreamt.is_some() { reason } else { "dry-run" },
        "phases": phases,
        "changes": plan.changes,
        "waiting": plan.waiting,
        "checks": plan.checks,
        "unsure": plan.unsure,
        "overtaken": dreamt.map(|dreamt| &dreamt.overtaken),
        "change": dreamt.and_then(|dreamt| dreamt.change.clone()),
        "proposal": dreamt.and_then(|dreamt| dreamt.proposal.clone()),
        "diff": if dreamt.is_some() { String::new() } else { plan.diff() },
    })
}

/// One screen of what was done: every file that went, with where its content is now.
fn screen(plan: &DreamPlan, dreamt: Option<&Dreamt>, ui: &mut Ui) -> Outcome {
    if plan.is_empty() {
        ui.line("Nothing to do: memory is in order.")?;
    }
    let overtaken = |file: &str| dreamt.is_some_and(|dreamt| dreamt.overtaken.iter().any(|one| one == file));
    for (title, changes) in [("", &plan.changes), ("waits", &plan.waiting)] {
        for change in changes {
            let word = match (title, change.action, change.into.is_some()) {
                ("waits", ..) => "waits",
                _ if overtaken(&change.file) => "left alone",
                (_, "create", _) => "new",
                (_, "update", _) => "changed",
                (_, _, true) => "merged",
                _ => "archived",
            };
            let style = if matches!(word, "archived" | "waits") { Style::Warn } else { Style::Dim };
            let word = ui.paint(style, &format!("{word:<10}"));
            ui.line(format!("{word} {}  {}", safe(&change.file), safe(&change.why)))?;
        }
    }
    for unsure in &plan.unsure {
        let word = ui.paint(Style::Warn, "look      ");
        ui.line(format!("{word} {} and {}: {}", safe(&unsure.files[0]), safe(&unsure.files[1]), safe(&unsure.why)))?;
    }
    for check in plan.checks.iter().filter(|check| !check.ok) {
        let word = ui.paint(Style::Warn, "check     ");
        ui.line(format!("{word} {}: {}", check.name, safe(&check.detail)))?;
    }
    let Some(dreamt) = dreamt else {
        ui.say("Nothing was changed.");
        return Ok(());
    };
    if let Some(change) = &dreamt.change {
        let files = counted(dreamt.files.len(), "file", "files");
        ui.line(format!("{files} changed; everything is in the history. Take it all back: memdir undo {change}"))?;
    }
    if let Some(proposal) = &dreamt.proposal {
        let files = counted(plan.waiting.len(), "change waits", "changes wait");
        ui.line(format!("{files} for your yes: memdir inbox show {proposal}"))?;
    }
    Ok(())
}
