//! `dream`: consolidate now, show the phases, and say on one screen what was done.
//!
//! The project's memory and the user's are dreamt one after the other, each with its own lock and gate; both
//! are one act in the history. Ctrl-C stops it: nothing is changed then, and the locks are as before.

mod screen;

use memdir::engine::{DreamInput, DreamJob, DreamPlan, Dreamt, Memory, ModelDream, Phase};
use memdir::kind::Scope;
use memdir::model::Cancel;
use memdir::store::consolidate::Hold;
use memdir::store::history::ChangeId;
use serde_json::json;

use super::Outcome;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::ui::{Ui, safe};

/// What was asked for.
pub(crate) struct Wanted {
    /// By hand: the gates of time and sessions do not count.
    pub(crate) force: bool,
    /// Only show it.
    pub(crate) dry_run: bool,
    /// More than `dream.max_loss` may go.
    pub(crate) yes: bool,
}

/// What came of one scope.
pub(super) struct Night {
    scope: Scope,
    plan: DreamPlan,
    /// `None` in a dry run.
    dreamt: Option<Dreamt>,
    /// What a model's dream left waiting, and why.
    waits: Option<(String, String)>,
}

pub(crate) fn run(memory: &Memory, wanted: &Wanted, ui: &mut Ui) -> Outcome {
    memory.require_on()?;
    let gates: Vec<(Scope, bool, String)> = Memory::DREAMT
        .into_iter()
        .map(|scope| {
            let gate = memory.dream_gate(scope);
            let there = gate.reason != "no-memories" || scope == Scope::Private;
            let by_hand = wanted.force || wanted.dry_run;
            (scope, there && (gate.run || by_hand), gate.reason)
        })
        .collect();
    let due: Vec<Scope> = gates.iter().filter(|(_, run, _)| *run).map(|(scope, ..)| *scope).collect();
    if due.is_empty() {
        return no_dream(&gates, ui);
    }
    let interrupt = Interrupt::hold();
    let cancel = interrupt.cancel();
    let group =
        ChangeId::derive(&[b"dream", memory.now.timestamp().to_string().as_bytes(), &std::process::id().to_le_bytes()]);
    let mut nights = Vec::new();
    for scope in &due {
        if due.len() > 1 {
            ui.say(format!("Dreaming {}.", screen::whose(*scope)));
        }
        let night = one(memory, wanted, *scope, &group, &cancel, ui);
        match night {
            Ok(night) => nights.push(night),
            // What the first scope came to is told before the second one fails.
            Err(error) => {
                if nights.is_empty() || ui.json {
                    return Err(error);
                }
                screen::print(&nights, ui)?;
                return Err(error);
            }
        }
    }
    if ui.json {
        return report(&nights, &gates, wanted, ui);
    }
    if wanted.dry_run {
        let diff: String = nights.iter().map(|night| night.plan.diff()).collect();
        let diff = super::history::paint_diff(&diff, ui);
        ui.raw(&diff)?;
    }
    screen::print(&nights, ui)
}

/// Nothing is due: says why, scope by scope.
fn no_dream(gates: &[(Scope, bool, String)], ui: &mut Ui) -> Outcome {
    let reason = gates.first().map(|(.., reason)| reason.as_str()).unwrap_or_default();
    if ui.json {
        let none: [&str; 0] = [];
        return Ok(ui.print_json(&json!({
            "ran": false, "reason": reason, "phases": none, "changes": none, "checks": none, "change": null,
            "scopes": scopes(gates, &[]),
        }))?);
    }
    ui.line(format!("No dream now: {reason}."))?;
    ui.say("`memdir dream --force` dreams all the same; `--dry-run` only shows what it would do.");
    Ok(())
}

fn scopes(gates: &[(Scope, bool, String)], nights: &[Night]) -> Vec<serde_json::Value> {
    let ran = |scope: Scope| nights.iter().any(|night| night.scope == scope && night.dreamt.is_some());
    gates.iter().map(|(scope, _, reason)| json!({ "scope": scope, "ran": ran(*scope), "gate": reason })).collect()
}

/// Dreams one scope.
fn one(
    memory: &Memory,
    wanted: &Wanted,
    scope: Scope,
    group: &ChangeId,
    cancel: &Cancel,
    ui: &mut Ui,
) -> Result<Night, Failure> {
    let input = DreamInput {
        // Before the lock is taken: that writes a new time into it.
        transcripts: memory.recent_transcripts(memory.last_dream(scope)),
        accept_loss: wanted.yes,
        cancel: cancel.clone(),
        ..DreamInput::of(scope)
    };
    if wanted.dry_run {
        return Ok(Night { scope, plan: plan(memory, &input, ui)?, dreamt: None, waits: None });
    }
    let hold = memory.begin_dream(scope, wanted.force)?;
    let night = held(memory, &input, &hold, group, ui);
    match night {
        Ok(night) => {
            hold.finish().map_err(memdir::engine::Error::from)?;
            Ok(night)
        }
        Err(error) => {
            hold.roll_back();
            Err(error)
        }
    }
}

/// Dreams while the lock is held: a model first, where the user agreed to one, then the rules.
fn held(memory: &Memory, input: &DreamInput, hold: &Hold<'_>, group: &ChangeId, ui: &mut Ui) -> Result<Night, Failure> {
    let model = with_model(memory, input, hold, group, ui)?;
    let plan = plan(memory, input, ui)?;
    input.go_on()?;
    // One act for all of it: `undo` takes the whole dream back.
    let mut dreamt = memory.land_dream(&plan, Some(group.clone()), &|| hold.is_mine())?;
    let mut waits = None;
    if let Some(model) = model {
        waits = model.waits;
        if model.landed.change.is_some() {
            dreamt.files.splice(0..0, model.landed.files.into_iter().map(|(file, _)| file));
            dreamt.change = Some(group.to_string());
        }
    }
    if dreamt.change.is_some() {
        dreamt.change = Some(group.to_string());
    }
    Ok(Night { scope: input.scope, plan, dreamt: Some(dreamt), waits })
}

fn with_model(
    memory: &Memory,
    input: &DreamInput,
    hold: &Hold<'_>,
    group: &ChangeId,
    ui: &mut Ui,
) -> Result<Option<ModelDream>, Failure> {
    // The user's own agent works on the project's directory; it is not sent into another.
    if input.scope != Scope::Private && !memory.model_is_quick() {
        return Ok(None);
    }
    let runner = std::sync::Arc::new(crate::runner::Processes);
    let Ok(model) = memory.model(Some(runner)) else { return Ok(None) };
    ui.say(format!("{:<11} {} thinks; Ctrl-C stops it, nothing is changed then", "model", model.name()));
    let shell = crate::env::programs(memory);
    let job = DreamJob {
        scope: input.scope,
        transcripts: &input.transcripts,
        model: &*model,
        shell: &shell,
        cancel: input.cancel.clone(),
        group: Some(group.clone()),
    };
    let dreamt = memory.dream_with(&job, hold, &mut teller(ui))?;
    ui.say(safe(&dreamt.said));
    Ok(Some(dreamt))
}

fn plan(memory: &Memory, input: &DreamInput, ui: &mut Ui) -> Result<DreamPlan, Failure> {
    Ok(memory.plan_dream(input, &mut teller(ui))?)
}

/// Prints progress: the phase once, then what happens in it.
fn teller(ui: &mut Ui) -> impl FnMut(Phase, &str) {
    let mut last = None;
    move |phase: Phase, text: &str| {
        let mark = if last == Some(phase) { " ".repeat(11) } else { format!("{:<11}", phase.as_str()) };
        last = Some(phase);
        ui.say(format!("{mark} {}", safe(text)));
    }
}

fn report(nights: &[Night], gates: &[(Scope, bool, String)], wanted: &Wanted, ui: &mut Ui) -> Outcome {
    let of = |night: &Night, list: &[memdir::engine::DreamChange]| -> Vec<serde_json::Value> {
        let change = |change: &memdir::engine::DreamChange| json!({ "file": change.file, "action": change.action, "into": change.into, "why": change.why, "scope": night.scope });
        list.iter().map(change).collect()
    };
    let phases: Vec<&str> = Phase::ALL.iter().map(|phase| phase.as_str()).collect();
    let done = || nights.iter().filter_map(|night| night.dreamt.as_ref());
    let ran = done().next().is_some();
    let why = if wanted.force { "by-hand" } else { "due" };
    let proposals: Vec<&str> = nights
        .iter()
        .flat_map(|night| {
            let rules = night.dreamt.as_ref().and_then(|dreamt| dreamt.proposal.as_deref());
            night.waits.as_ref().map(|(id, _)| id.as_str()).into_iter().chain(rules)
        })
        .collect();
    Ok(ui.print_json(&json!({
        "ran": ran,
        "reason": if ran { why } else { "dry-run" },
        "phases": phases,
        "changes": nights.iter().flat_map(|night| of(night, &night.plan.changes)).collect::<Vec<_>>(),
        "waiting": nights.iter().flat_map(|night| of(night, &night.plan.waiting)).collect::<Vec<_>>(),
        "checks": nights.iter().flat_map(|night| &night.plan.checks).collect::<Vec<_>>(),
        "unsure": nights.iter().flat_map(|night| &night.plan.unsure).collect::<Vec<_>>(),
        "overtaken": done().flat_map(|dreamt| &dreamt.overtaken).collect::<Vec<_>>(),
        "change": done().find_map(|dreamt| dreamt.change.clone()),
        "proposal": proposals.first(),
        "proposals": proposals,
        "scopes": scopes(gates, nights),
        "diff": if ran { String::new() } else { nights.iter().map(|night| night.plan.diff()).collect() },
    }))?)
}
