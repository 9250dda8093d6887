//! `dream`: consolidate now, show the phases, and say on one screen what was done.
//!
//! The library does all of it ([`memdir::engine::Dreaming`]); here it is asked for and told. Ctrl-C stops it: nothing is changed
//! then, and the locks are as before.

mod screen;

use std::sync::Arc;

use memdir::engine::{DreamEnvironment, DreamProgress, DreamRequest, Memory};

use super::CommandResult;
use super::progress::ProgressLine;
use crate::interrupt::Interrupt;
use crate::ui::{Ui, safe};

pub(crate) fn run(memory: &Memory, request: &DreamRequest, ui: &mut Ui) -> CommandResult {
    let interrupt = Interrupt::hold();
    let shell = crate::env::programs(memory);
    let environment = DreamEnvironment { runner: Arc::new(crate::runner::Processes), shell: &shell };
    // The phase once, then what happens in it.
    let mut last = "";
    let mut line = ProgressLine::new(ui);
    let mut tell = |step: DreamProgress<'_>| {
        if let DreamProgress::Step(_, what, done, total) = step {
            return line.at(done, total, what);
        }
        line.next();
        let text = match step {
            DreamProgress::Thinking(model) => format!("{model} thinks; Ctrl-C stops it, nothing is changed then"),
            step => step.to_string(),
        };
        let mark = if last == step.part() { "" } else { step.part() };
        ui.say(format!("{mark:<11} {}", safe(&text)));
        last = step.part();
    };
    let ran = memory.dream().run(request, Some(&environment), &mut tell, &interrupt.cancel());
    line.clear();
    let report = match ran {
        Ok(report) => report,
        Err(failed) => {
            // What the first scope came to is told before the second one fails.
            if !failed.report.not_now() && !ui.json {
                screen::print(&failed.report, ui)?;
            }
            return Err(failed.error.into());
        }
    };
    if ui.json {
        return Ok(ui.print_json(&report)?);
    }
    if report.not_now() {
        ui.line(format!("No dream now: {}.", safe(&report.gate().words())))?;
        ui.say("`memdir dream --force` dreams all the same; `--dry-run` only shows what it would do.");
        return Ok(());
    }
    if request.dry_run {
        let diff = super::history::paint_diff(&report.diff(), ui);
        ui.raw(&diff)?;
    }
    screen::print(&report, ui)
}

/// `dream --stop`: the one that runs elsewhere ends as at Ctrl-C.
pub(super) fn stop(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let stopped = memory.dream().stop()?;
    if ui.json {
        return Ok(ui.print_json(&serde_json::json!({ "stopped": stopped }))?);
    }
    let told = if stopped { "The dream stops; nothing is changed by it." } else { "No dream is running." };
    Ok(ui.line(told)?)
}
