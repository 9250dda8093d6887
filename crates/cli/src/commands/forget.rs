//! `forget` and `purge`.

use memdir::engine::Memory;
use serde_json::json;

use super::Outcome;
use crate::failure::Failure;
use crate::ui::{Style, Ui, clip, counted};

pub(crate) fn run(memory: &Memory, query: &str, ui: &mut Ui) -> Outcome {
    let found = memory.files().forget_candidates(query)?;
    let exact = found.len() == 1
        && [query, &format!("{query}.md")]
            .iter()
            .any(|name| found[0].file.ends_with(*name) || found[0].path() == *name);
    if !exact {
        for listed in &found {
            ui.say(format!(
                "  {} ({})  {}",
                listed.file,
                listed.scope,
                clip(listed.description.as_deref().unwrap_or(""), 70)
            ));
        }
        let question = match found.len() {
            1 => "Forget this memory?".to_owned(),
            several => format!("Forget these {several} memories?"),
        };
        if !ui.confirm(&question)? {
            return Err(Failure::refused("nothing was forgotten"));
        }
    }
    let done = memory.files().forget(&found)?;
    if ui.json {
        return Ok(ui.print_json(&done)?);
    }
    let undo = done
        .change
        .as_deref()
        .map(|change| format!("  {}", ui.paint(Style::Dim, &format!("undo: memdir undo {change}"))))
        .unwrap_or_default();
    Ok(ui.line(format!("forgot {}{undo}", done.files.join(", ")))?)
}

pub(super) fn run_purge(memory: &Memory, file: &str, ui: &mut Ui) -> Outcome {
    if !ui.confirm(&format!("Remove {file} for good, history included? This cannot be undone."))? {
        return Err(Failure::refused("nothing was removed"));
    }
    let (file, purged) = memory.files().purge(file)?;
    let remaining: Vec<_> = purged
        .remaining
        .iter()
        .map(|(path, line)| json!({ "file": path.display().to_string(), "text": line }))
        .collect();
    if ui.json {
        ui.print_json(&json!({
            "file": file,
            "change": purged.change.as_ref().map(|change| change.id.to_string()),
            "records": purged.records,
            "searched": purged.searched,
            "remaining": remaining,
        }))?;
    } else {
        let records = counted(purged.records, "record", "records");
        ui.line(format!("purged {file}: {records} of the history emptied"))?;
        if remaining.is_empty() {
            let files = counted(purged.searched, "file", "files");
            ui.line(format!("searched {files} afterwards: no line of it is left"))?;
        }
        for (path, line) in &purged.remaining {
            ui.warn(format!("{} still says: {}", path.display(), clip(line, 80)));
        }
    }
    if remaining.is_empty() { Ok(()) } else { Err(Failure::Answered) }
}
