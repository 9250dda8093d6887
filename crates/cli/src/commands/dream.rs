//! `dream`: consolidate now, show the phases, and say on one screen what was done.
//!
//! The project's memory and the user's are dreamt one after the other, each with its own lock and gate; both
//! are one act in the history. Ctrl-C stops it: nothing is changed then, and the locks are as before.

mod screen;

use memdir::engine::{DreamInput, DreamJob, DreamPlan, Dreamt, Error, Memory, ModelDream, Phase};
use memdir::kind::Scope;
use memdir::model::Cancel;
use memdir::store::consolidate::Hold;
use memdir::store::history::ChangeId;
use serde_json::{Value, json};

use super::Outcome;
use crate::interrupt::Interrupt;
use crate::ui::{Ui, safe};

/// What was asked for.
pub(crate) struct Wanted {
    /// By hand: the gates of time and sessions do not count.
    pub(crate) force: bool,
    /// Only show it.
    pub(crate) dry_run: bool,
    /// Somebody said yes: a first dream may land, and more than `dream.max_loss` may go.
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

/// A scope, whether it is its turn, and why or why not.
type Turn = (Scope, bool, String);

pub(crate) fn run(memory: &Memory, wanted: &Wanted, ui: &mut Ui) -> Outcome {
    memory.require_on()?;
    let turns = turns(memory, wanted);
    if turns.iter().all(|(_, due, _)| !due) {
        if ui.json {
            return Ok(ui.print_json(&not_now(&turns))?);
        }
        ui.line(format!("No dream now: {}.", why_not(&turns)))?;
        ui.say("`memdir dream --force` dreams all the same; `--dry-run` only shows what it would do.");
        return Ok(());
    }
    let interrupt = Interrupt::hold();
    let mut last = String::new();
    let mut nights = Vec::new();
    // The phase once, then what happens in it.
    let ended = dream(memory, wanted, &turns, &interrupt.cancel(), &mut nights, &mut |phase, text| {
        let mark = if last == phase { "" } else { phase };
        ui.say(format!("{mark:<11} {}", safe(text)));
        phase.clone_into(&mut last);
    });
    if let Err(error) = ended {
        // What the first scope came to is told before the second one fails.
        if !nights.is_empty() && !ui.json {
            screen::print(&nights, ui)?;
        }
        return Err(error.into());
    }
    if ui.json {
        return Ok(ui.print_json(&document(&nights, &turns, wanted))?);
    }
    if wanted.dry_run {
        let diff: String = nights.iter().map(|night| night.plan.diff()).collect();
        let diff = super::history::paint_diff(&diff, ui);
        ui.raw(&diff)?;
    }
    screen::print(&nights, ui)
}

/// The same for a program that asks: one document, and how far it is meanwhile.
pub(crate) fn answer(
    memory: &Memory,
    wanted: &Wanted,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Value, Error> {
    memory.require_on()?;
    let turns = turns(memory, wanted);
    if turns.iter().all(|(_, due, _)| !due) {
        return Ok(not_now(&turns));
    }
    let mut nights = Vec::new();
    dream(memory, wanted, &turns, cancel, &mut nights, tell)?;
    Ok(document(&nights, &turns, wanted))
}

fn turns(memory: &Memory, wanted: &Wanted) -> Vec<Turn> {
    let turn = |scope| {
        let gate = memory.dream_gate(scope);
        let there = gate.reason != "no-memories" || scope == Scope::Private;
        let by_hand = wanted.force || wanted.dry_run;
        (scope, there && (gate.run || by_hand), gate.reason)
    };
    Memory::DREAMT.into_iter().map(turn).collect()
}

fn why_not(turns: &[Turn]) -> &str {
    turns.first().map(|(.., reason)| reason.as_str()).unwrap_or_default()
}

fn not_now(turns: &[Turn]) -> Value {
    let none: [&str; 0] = [];
    json!({
        "ran": false, "reason": why_not(turns), "phases": none, "changes": none, "checks": none, "change": null,
        "scopes": scopes(turns, &[]),
    })
}

fn scopes(turns: &[Turn], nights: &[Night]) -> Vec<Value> {
    let ran = |scope: Scope| nights.iter().any(|night| night.scope == scope && night.dreamt.is_some());
    turns.iter().map(|(scope, _, reason)| json!({ "scope": scope, "ran": ran(*scope), "gate": reason })).collect()
}

/// Dreams every scope whose turn it is, as one act.
fn dream(
    memory: &Memory,
    wanted: &Wanted,
    turns: &[Turn],
    cancel: &Cancel,
    nights: &mut Vec<Night>,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<(), Error> {
    let group =
        ChangeId::derive(&[b"dream", memory.now.timestamp().to_string().as_bytes(), &std::process::id().to_le_bytes()]);
    let due: Vec<Scope> = turns.iter().filter(|(_, due, _)| *due).map(|(scope, ..)| *scope).collect();
    for scope in &due {
        if due.len() > 1 {
            tell("memory", screen::whose(*scope));
        }
        nights.push(one(memory, wanted, *scope, &group, cancel, tell)?);
    }
    Ok(())
}

/// Dreams one scope.
fn one(
    memory: &Memory,
    wanted: &Wanted,
    scope: Scope,
    group: &ChangeId,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Night, Error> {
    let input = DreamInput {
        // Before the lock is taken: that writes a new time into it.
        transcripts: memory.recent_transcripts(memory.last_dream(scope)),
        yes: wanted.yes,
        cancel: cancel.clone(),
        ..DreamInput::of(scope)
    };
    if wanted.dry_run {
        return Ok(Night { scope, plan: plan(memory, &input, tell)?, dreamt: None, waits: None });
    }
    let hold = memory.begin_dream(scope, wanted.force)?;
    let night = held(memory, &input, &hold, group, tell);
    match night {
        Ok(night) => {
            hold.finish()?;
            Ok(night)
        }
        Err(error) => {
            hold.roll_back();
            Err(error)
        }
    }
}

/// Dreams while the lock is held: a model first, where the user agreed to one, then the rules.
fn held(
    memory: &Memory,
    input: &DreamInput,
    hold: &Hold<'_>,
    group: &ChangeId,
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Night, Error> {
    let model = with_model(memory, input, hold, group, tell)?;
    // Both together are one dream.
    let spent = model.as_ref().map_or(0, ModelDream::changed);
    let plan = plan(memory, &DreamInput { spent, ..input.clone() }, tell)?;
    input.go_on()?;
    // One act for all of it: `undo` takes the whole dream back.
    let mut dreamt = memory.land_dream(&plan, Some(group.clone()), &|| hold.may_land())?;
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
    tell: &mut dyn FnMut(&str, &str),
) -> Result<Option<ModelDream>, Error> {
    // The user's own agent works on the project's directory; it is not sent into another.
    if input.scope != Scope::Private && !memory.model_is_quick() {
        return Ok(None);
    }
    let runner = std::sync::Arc::new(crate::runner::Processes);
    let Ok(model) = memory.model(Some(runner)) else { return Ok(None) };
    tell("model", &format!("{} thinks; Ctrl-C stops it, nothing is changed then", model.name()));
    let shell = crate::env::programs(memory);
    let job = DreamJob {
        scope: input.scope,
        transcripts: &input.transcripts,
        model: &*model,
        shell: &shell,
        cancel: input.cancel.clone(),
        yes: input.yes,
        group: Some(group.clone()),
    };
    let dreamt = memory.dream_with(&job, hold, &mut |phase, text| tell(phase.as_str(), text))?;
    tell("model", &dreamt.said);
    Ok(Some(dreamt))
}

fn plan(memory: &Memory, input: &DreamInput, tell: &mut dyn FnMut(&str, &str)) -> Result<DreamPlan, Error> {
    memory.plan_dream(input, &mut |phase, text| tell(phase.as_str(), text))
}

fn document(nights: &[Night], turns: &[Turn], wanted: &Wanted) -> Value {
    let of = |night: &Night, list: &[memdir::engine::DreamChange]| -> Vec<Value> {
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
            let rules = night.dreamt.iter().flat_map(|dreamt| dreamt.proposals.iter().map(String::as_str));
            night.waits.as_ref().map(|(id, _)| id.as_str()).into_iter().chain(rules)
        })
        .collect();
    json!({
        "ran": ran,
        "first": nights.iter().any(|night| night.plan.first),
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
        "scopes": scopes(turns, nights),
        "diff": if ran { String::new() } else { nights.iter().map(|night| night.plan.diff()).collect() },
    })
}
