//! `init`: wire memdir into the agents on this machine, or take it out again.
//!
//! Shows the plan, asks once, writes, and tries what it wrote. Nothing is written before the yes.

use memdir::hosts::Host;
use memdir::hosts::install::{self, HostPlan, Machine, Obstacle, PlannedFile};
use serde_json::{Value, json};

use super::CommandResult;
use crate::args::{Global, Init};
use crate::env;
use crate::failure::Failure;
use crate::ui::{Style, Ui, counted, safe};

/// Lines in a row that are shown whole, and how many of a longer run are.
const WHOLE_RUN: usize = 20;
const RUN_BEGINS: usize = 12;

pub(super) fn run(global: &Global, args: &Init, ui: &mut Ui) -> CommandResult {
    let memory = env::open(global)?;
    let program = env::own_program(&memory.around)?;
    let copy = env::own_path().and_then(|path| Some((env::lasting_place(&memory.around, &path)?, path)));
    let copy = copy.filter(|_| !args.remove);
    let has_program = |name: &str| env::has_program(&memory.around, name);
    let machine = Machine { tools: args.mcp, ..env::machine(&memory, &program, &has_program) };
    let named = args.hosts.iter().map(|name| named(name)).collect::<Result<Vec<Host>, Failure>>()?;
    let all = if named.is_empty() { Host::ALL.to_vec() } else { named.clone() };
    let mut plans = Vec::new();
    for host in all {
        let plan = if args.remove { install::plan_removal(&machine, host) } else { install::plan(&machine, host) };
        let plan = plan.map_err(|error| Failure::refused(error.to_string()))?;
        if plan.found || named.contains(&host) || (args.remove && !plan.changes.is_empty()) {
            plans.push(plan);
        }
    }
    let writes = plans.iter().any(|plan| !plan.changes.is_empty());
    if !ui.json {
        show(&plans, args, ui)?;
        if let Some((place, _)) = &copy {
            let place = safe(&place.display().to_string());
            ui.line(format!("memdir runs from a cache that may be emptied; the agents call a copy of it: {place}"))?;
        }
    }
    if !writes || args.dry_run {
        return finish(&plans, false, args, ui);
    }
    let files = plans.iter().map(|plan| plan.changes.len()).sum();
    let agents = plans.iter().filter(|plan| !plan.changes.is_empty()).count();
    let what = format!("{} of {}", counted(files, "file", "files"), counted(agents, "agent", "agents"));
    let question = if args.remove {
        format!("Take memdir out of {what}?")
    } else {
        format!("Change {what}? What is there now is kept, and `memdir init --remove` brings it back.")
    };
    if !ui.confirm(&question)? {
        ui.say("Nothing was changed.");
        return finish(&plans, false, args, ui);
    }
    if let Some((place, path)) = &copy {
        env::copy_program(path, place)?;
    }
    for plan in &mut plans {
        if let Err(error) = install::apply(&machine, plan, args.remove) {
            plan.problem = Some(error);
        }
    }
    if !args.remove {
        try_out(&mut plans, &program, ui);
        consent(global, &memory, args, ui)?;
    }
    finish(&plans, true, args, ui)
}

/// Calls each hook that was wired as its agent will, with an event that asks for nothing, and the server once.
fn try_out(plans: &mut [HostPlan], program: &str, ui: &mut Ui) {
    let mut server = None;
    for plan in plans.iter_mut().filter(|plan| plan.problem.is_none() && !plan.changes.is_empty()) {
        let title = plan.host.profile().title;
        let mut silent = Vec::new();
        if plan.host.profile().shape.is_some() && !env::hook_answers(program, plan.host) {
            silent.push(format!("`{program} hook {}`", plan.host));
        }
        if plan.serves && !*server.get_or_insert_with(|| env::server_answers(program)) {
            silent.push(format!("`{program} mcp`"));
        }
        let tried = plan.serves || plan.host.profile().shape.is_some();
        if silent.is_empty() && !plan.obstacles.is_empty() {
            ui.say(format!("{title}: wired, but it will not run yet; see above."));
        } else if silent.is_empty() {
            ui.say(format!("{title}: wired{}.", if tried { ", tried, answers" } else { "" }));
        } else {
            let note = format!("{} did not answer; check that memdir is installed.", silent.join(" and "));
            ui.say(format!("{title}: wired, but {note}"));
            plan.notes.push(note);
        }
    }
}

fn named(name: &str) -> Result<Host, Failure> {
    Host::named(name).ok_or_else(|| {
        let known: Vec<&str> = Host::ALL.iter().map(|host| host.as_str()).collect();
        Failure::refused(format!("{name} is not an agent memdir knows; it knows {}", known.join(" ")))
    })
}

/// Asks whether background work may use the model that is there.
fn consent(global: &Global, memory: &memdir::engine::Memory, args: &Init, ui: &mut Ui) -> CommandResult {
    let Some(model) = memory.models().on_offer().filter(|_| !args.no_model) else { return Ok(()) };
    ui.say("Without a model memdir learns from your conversations with its built-in engine, offline.");
    let question = format!(
        "May background work also send conversations and memories to {}, at most {} tokens a day?",
        safe(&model),
        memory.settings.model_tokens_per_day
    );
    if ui.confirm(&question)? {
        env::set_setting(global, "model.consent", "true")?;
        ui.say("Agreed. `memdir settings model.consent false` takes it back; `memdir settings model.driver` chooses another.");
    } else {
        ui.say("No model is used. `memdir settings model.consent true` agrees later.");
    }
    Ok(())
}

fn show(plans: &[HostPlan], args: &Init, ui: &mut Ui) -> CommandResult {
    let remove = args.remove;
    for plan in plans {
        let title = ui.paint(Style::Bold, plan.host.profile().title);
        let state = match (&plan.problem, plan.changes.is_empty(), remove) {
            (Some(error), _, _) => ui.paint(Style::Bad, &safe(&error.to_string())),
            (None, true, true) => "has nothing of memdir".to_owned(),
            (None, true, false) if !plan.notes.is_empty() && plan.host.profile().shape.is_none() => String::new(),
            (None, true, false) if !plan.obstacles.is_empty() => "is wired, and will not run it yet".to_owned(),
            (None, true, false) => "is wired already".to_owned(),
            (None, false, _) => String::new(),
        };
        let found = if plan.found { "" } else { " (not found on this machine)" };
        ui.line(format!("{title}{found} {state}").trim_end())?;
        for change in &plan.changes {
            ui.line(format!("  {}", safe(&change.path.display().to_string())))?;
            show_diff(&change.diff(), args, ui)?;
        }
        for note in &plan.notes {
            let note = format!("  {}", ui.paint(Style::Warn, &safe(note)));
            ui.line(note)?;
        }
        for Obstacle { message, remedy } in &plan.obstacles {
            let line = format!("  {}", ui.paint(Style::Bad, &safe(&format!("{message}; {remedy}"))));
            ui.line(line)?;
        }
    }
    if plans.is_empty() {
        ui.say("No agent that memdir knows was found. Name one to wire it all the same: memdir init claude-code");
    }
    Ok(())
}

/// A diff, so that the question about it stays on the screen: of a long run of what memdir puts in, or takes out of its own, the beginning
/// is enough. A line that is somebody else's is always shown.
fn show_diff(diff: &str, args: &Init, ui: &mut Ui) -> CommandResult {
    let own = if args.remove { '-' } else { '+' };
    let lines: Vec<&str> = diff.lines().skip(2).collect();
    let mut at = 0;
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|line| line.starts_with(own)).count();
        let shown = if args.dry_run || run <= WHOLE_RUN { run.max(1) } else { RUN_BEGINS };
        for line in &lines[at..at + shown] {
            let style = match line.as_bytes().first() {
                Some(b'+') => Style::Good,
                Some(b'-') => Style::Bad,
                _ => Style::Dim,
            };
            let line = format!("    {}", ui.paint(style, &safe(line)));
            ui.line(line)?;
        }
        if shown < run {
            let more = format!("    … {run} lines like these in all; --dry-run shows each");
            let more = ui.paint(Style::Dim, &more);
            ui.line(more)?;
        }
        at += shown.max(run);
    }
    Ok(())
}

fn finish(plans: &[HostPlan], applied: bool, args: &Init, ui: &mut Ui) -> CommandResult {
    if ui.json {
        let hosts: Vec<Value> = plans.iter().map(document).collect();
        ui.print_json(&json!({ "hosts": hosts, "applied": applied }))?;
    }
    let problems: Vec<String> =
        plans.iter().filter_map(|plan| Some(format!("{}: {}", plan.host, plan.problem.as_ref()?))).collect();
    if applied && problems.is_empty() {
        let hooked = plans.iter().any(|plan| plan.host.profile().shape.is_some());
        ui.say(match (args.remove, hooked) {
            (true, _) => "Done. The agents are as they were; memories stay where they are.",
            (false, true) => "See it working: start an agent and ask it something; `memdir status --hooks` then shows what it was told and why.\n\
             Take it out again: memdir init --remove",
            (false, false) => "See it working: start the agent and ask what it remembers of this project; it then asks memdir, or suggests the command.\n\
             Take it out again: memdir init --remove",
        });
    }
    match problems.is_empty() {
        true => Ok(()),
        false if ui.json => Err(Failure::Answered),
        false => Err(Failure::refused(problems.join("\n"))),
    }
}

fn document(plan: &HostPlan) -> Value {
    let change = |change: &PlannedFile| {
        let action = match (&change.before, &change.after) {
            (None, _) => "create",
            (_, None) => "remove",
            _ => "change",
        };
        json!({ "path": change.path, "action": action, "diff": change.diff() })
    };
    json!({
        "name": plan.host,
        "found": plan.found,
        "changes": plan.changes.iter().map(change).collect::<Vec<_>>(),
        "notes": plan.notes,
        "obstacles": plan.obstacles.iter().map(|Obstacle { message, remedy }| json!({ "message": message, "remedy": remedy })).collect::<Vec<_>>(),
        "problem": plan.problem.as_ref().map(ToString::to_string),
    })
}
