//! `log add`, `log show`.

use memdir::engine::Memory;
use serde_json::json;

use super::CommandResult;
use crate::args::LogCommand;
use crate::failure::Failure;
use crate::ui::{Ui, safe};

pub(super) fn run(memory: &Memory, command: LogCommand, ui: &mut Ui) -> CommandResult {
    match command {
        LogCommand::Add { text } => {
            let logged = memory.sessions().log_add(&super::remember::text_or_stdin(text.join(" "))?)?;
            if ui.json {
                return Ok(ui.print_json(&logged)?);
            }
            Ok(ui.line(format!("{}  {}", logged.file, logged.line))?)
        }
        LogCommand::Show { date } => {
            let day = date
                .map(|text| {
                    text.parse::<jiff::civil::Date>()
                        .map_err(|_| Failure::refused(format!("{text} is not a date; write it as 2026-04-30")))
                })
                .transpose()?;
            let logs = memory.sessions().logs(day)?;
            if ui.json {
                let file = logs.first().map(|log| log.file.clone());
                return Ok(ui.print_json(&json!({ "file": file, "logs": logs }))?);
            }
            let mut prompts = memory.sessions().prompts();
            for log in &logs {
                let entry = memdir::context::age::daily_entry(&log.file, log.age_days, &log.text, &mut prompts)
                    .map_err(|error| Failure::Fault(error.to_string()))?;
                ui.line(safe(&entry))?;
                ui.line("")?;
            }
            if logs.is_empty() {
                ui.say("No log for that day. Add a line with: memdir log add \"…\"");
            }
            Ok(())
        }
    }
}
