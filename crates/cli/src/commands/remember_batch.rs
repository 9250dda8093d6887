//! `remember --batch`: save many memories at once, from lines of JSON.
//!
//! Enters: a file or stdin, one JSON object a line. Leaves: what became of each line. A line that cannot be used is named, and nothing
//! is saved: the file is still there to be corrected.

use std::io::Read as _;
use std::path::Path;

use memdir::engine::{Memory, Remember, RememberOutcome, Remembered};
use memdir::limits::BATCH_BYTES;
use serde_json::json;

use super::CommandResult;
use crate::failure::Failure;
use crate::ui::{Style, Ui, counted};

pub(super) fn run(memory: &Memory, batch: &Path, ui: &mut Ui) -> CommandResult {
    let (lines, wanted) = parsed(&read(batch)?)?;
    let saved = memory
        .files()
        .remember_all(&wanted)
        .map_err(|refused| bad_line(lines.get(refused.at).copied().unwrap_or_default(), &refused.error.to_string()))?;
    crate::env::take_in_change(memory);
    let count = |action: RememberOutcome| saved.iter().filter(|one| one.action == action).count();
    let (created, updated, known) =
        (count(RememberOutcome::Created), count(RememberOutcome::Updated), count(RememberOutcome::Unchanged));
    let act = saved.iter().find_map(|one| one.change.as_deref());
    if ui.json {
        let rows: Vec<_> = lines.iter().zip(&saved).map(|(line, one)| row(*line, one)).collect();
        let all =
            json!({ "created": created, "updated": updated, "unchanged": known, "change": act, "memories": rows });
        return Ok(ui.print_json(&all)?);
    }
    for (line, one) in lines.iter().zip(&saved) {
        for warning in &one.warnings {
            ui.warn(format!("line {line}: {warning}"));
        }
    }
    let undo =
        act.map(|act| format!("  {}", ui.paint(Style::Dim, &format!("undo: memdir undo {act}")))).unwrap_or_default();
    let created = counted(created, "memory", "memories");
    Ok(ui.done(format!("remembered {created}, updated {updated}, {known} already known{undo}"))?)
}

fn row(line: usize, one: &Remembered) -> serde_json::Value {
    let mut row = serde_json::to_value(one).unwrap_or_default();
    if let Some(fields) = row.as_object_mut() {
        fields.insert("line".into(), line.into());
    }
    row
}

fn read(batch: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let failed = |error| Failure::refused(format!("could not read {}: {error}", batch.display()));
    if batch.as_os_str() == "-" {
        std::io::stdin().lock().take(BATCH_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = std::fs::File::open(batch).map_err(failed)?;
        file.take(BATCH_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > BATCH_BYTES {
        return Err(Failure::refused(format!("the batch has more than {BATCH_BYTES} bytes; divide it")));
    }
    String::from_utf8(bytes).map_err(|_| Failure::refused("the batch is not valid UTF-8"))
}

/// The memories of a batch, and the line of each; empty lines are passed over.
fn parsed(text: &str) -> Result<(Vec<usize>, Vec<Remember>), Failure> {
    let (mut lines, mut wanted) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let one: Remember = serde_json::from_str(line).map_err(|error| bad_line(number, &error.to_string()))?;
        lines.push(number);
        wanted.push(one);
    }
    if wanted.is_empty() {
        return Err(Failure::refused("there is nothing to remember: the batch is empty"));
    }
    Ok((lines, wanted))
}

fn bad_line(number: usize, why: &str) -> Failure {
    Failure::refused(format!("line {number} of the batch: {why}. Nothing of it was saved"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let good = r#"{"text": "Mara likes tea", "type": "user"}"#;
        let (lines, wanted) = parsed(&format!("{good}\n\n{good}\n")).unwrap();
        assert_eq!((lines, wanted.len()), (vec![1, 3], 2));
        for (bad, why) in [("{", "EOF"), (r#"{"txt": "x"}"#, "txt"), (r#"{"text": "x", "type": "song"}"#, "song")] {
            let Err(Failure::Refused(message)) = parsed(&format!("{good}\n{bad}\n")) else { panic!("{bad}") };
            assert!(message.contains("line 2") && message.contains(why), "{message}");
        }
        assert!(parsed("\n").is_err());
    }
}
