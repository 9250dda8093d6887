//! `eval actions`: calls that an agent is about to make, each with a few memories, and whether it is told, held or left alone
//! (`evals/FORMAT.md`). Each call goes through the hook of Claude Code, in a conversation of its own.

use std::path::Path;

use memdir::hosts::{Host, wire};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::given::{GivenMemory, write_given};
use super::{Scratch, open, share};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

#[derive(Deserialize)]
struct ActionCase {
    id: String,
    memories: Vec<GivenMemory>,
    call: ToolCallCase,
    expect: ExpectedVerdict,
    #[serde(default)]
    memory: Option<String>,
}

#[derive(Deserialize)]
struct ToolCallCase {
    tool: String,
    input: Value,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum ExpectedVerdict {
    Hold,
    Tell,
    Silent,
}

/// What came of a case.
#[derive(Default)]
struct Answer {
    shown: Vec<String>,
    why: Vec<String>,
    held: bool,
}

/// How many cases came out as expected, of how many.
#[derive(Default, Serialize)]
struct Scores {
    /// The right memory was given, where one had to be.
    told: [usize; 2],
    /// Nothing was given, where nothing had to be.
    silent: [usize; 2],
    /// The right memory was given and the call refused, where it had to be.
    held: [usize; 2],
    /// The right memory was given and the call not refused, where it only had to be told.
    only_told: [usize; 2],
}

pub(crate) fn actions(file: &Path, misses: bool, ui: &mut Ui) -> CommandResult {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::refused(format!("{} cannot be read: {error}", file.display())))?;
    let scratch = Scratch::new();
    let mut scores = Scores::default();
    for (number, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let case: ActionCase = serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a case is not as FORMAT.md says: {error}")))?;
        let answer = run(&case, &scratch.0.join(number.to_string()))?;
        let given = case.memory.as_ref().is_some_and(|file| answer.shown.contains(file));
        let mut count = |sum: fn(&mut Scores) -> &mut [usize; 2], right: bool| {
            let sum = sum(&mut scores);
            sum[0] += usize::from(right);
            sum[1] += 1;
            right
        };
        let right = match case.expect {
            ExpectedVerdict::Silent => count(|scores| &mut scores.silent, answer.shown.is_empty()),
            ExpectedVerdict::Hold => {
                count(|scores| &mut scores.told, given);
                count(|scores| &mut scores.held, given && answer.held)
            }
            ExpectedVerdict::Tell => {
                count(|scores| &mut scores.told, given);
                count(|scores| &mut scores.only_told, given && !answer.held)
            }
        };
        if misses && !right {
            let call: String = case.call.input.to_string().chars().take(200).collect();
            let done = if answer.held {
                "held"
            } else if answer.shown.is_empty() {
                "silent"
            } else {
                "told"
            };
            ui.line(format!("{} [{:?}] {done}: {} {call}", case.id, case.expect, case.call.tool))?;
            for (file, why) in answer.shown.iter().zip(&answer.why) {
                ui.line(format!("    {file}: {why}"))?;
            }
            for memory in case
                .memories
                .iter()
                .filter(|memory| case.expect == ExpectedVerdict::Silent || Some(&memory.file) == case.memory.as_ref())
            {
                ui.line(format!(
                    "    · {} | {} | {}",
                    memory.name,
                    memory.description,
                    memory.body.replace('\n', " ⏎ ")
                ))?;
            }
        }
    }
    if ui.json {
        return Ok(ui.print_json(&scores)?);
    }
    let rows =
        [("told", scores.told), ("silent", scores.silent), ("held", scores.held), ("only told", scores.only_told)];
    for (name, [right, all]) in rows {
        ui.line(format!("{name:<10}{right:>5} of {all:<5}{:.1} %", 100.0 * share(right, all)))?;
    }
    Ok(())
}

/// Lays out the memories of a case and makes the call.
fn run(case: &ActionCase, scratch: &Path) -> Result<Answer, Failure> {
    let store = scratch.join("memory");
    write_given(&case.memories, &store)?;
    let said = json!({
        "hook_event_name": "PreToolUse",
        "session_id": case.id,
        "cwd": scratch,
        "tool_name": case.call.tool,
        "tool_input": case.call.input,
    });
    let Some(host) = Host::named("claude-code") else { return Ok(Answer::default()) };
    let call = wire::read(host, said.to_string().as_bytes(), None);
    let memory = open(&store, scratch, "2026-04-10T09:00:00Z", &[])?;
    let done = memory.sessions().hook(host.profile(), &call, Vec::new());
    std::fs::remove_dir_all(scratch)?;
    Ok(Answer { shown: done.shown, why: done.why, held: done.hold })
}
