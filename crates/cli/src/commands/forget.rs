//! `forget` and `purge`.

use memdir::engine::{Error, Forgotten, Memory, NameMatches};
use serde_json::json;

use super::{CommandResult, naming};
use crate::failure::Failure;
use crate::ui::{Style, Ui, clip, counted, safe};

pub(crate) fn run(memory: &Memory, query: &str, ui: &mut Ui) -> CommandResult {
    let done = match memory.files().forget_file(query)? {
        Some(done) => done,
        None => forget_meant(memory, query, ui)?,
    };
    if ui.json {
        return Ok(ui.print_json(&done)?);
    }
    let undo = done
        .change
        .as_deref()
        .map(|change| format!("  {}", ui.paint(Style::Dim, &format!("undo: memdir undo {change}"))))
        .unwrap_or_default();
    Ok(ui.done(format!("forgot {}{undo}", done.files.join(", ")))?)
}

/// Forgets what a name may mean, after a question where it is not exactly one memory.
fn forget_meant(memory: &Memory, query: &str, ui: &mut Ui) -> Result<Forgotten, Failure> {
    let NameMatches { memories, exact } = match memory.files().meant(query) {
        // A slip is no partial match: a yes to the question is not a yes to another name.
        Err(Error::NotExactly { misspelled: true, .. }) => {
            memory.files().meant(&naming::to_change(memory, &[query.to_owned()], ui)?)?
        }
        meant => meant?,
    };
    if !exact {
        for listed in &memories {
            let about = clip(listed.description.as_deref().unwrap_or(""), 70);
            ui.say(format!("  {} ({})  {about}", safe(&listed.file), listed.scope));
        }
        let names: Vec<String> = memories.iter().map(|listed| safe(&listed.file)).collect();
        if !ui.confirm(&format!("Forget {}?", names.join(", ")))? {
            return Err(Failure::refused("nothing was forgotten"));
        }
    }
    Ok(memory.files().forget(&memories)?)
}

pub(super) fn run_purge(memory: &Memory, words: &[String], ui: &mut Ui) -> CommandResult {
    let file = &naming::to_change(memory, words, ui)?;
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
        ui.done(format!("purged {file}: {records} of the history emptied"))?;
        if remaining.is_empty() {
            let files = counted(purged.searched, "file", "files");
            ui.done(format!("searched {files} afterwards: no line of it is left"))?;
        }
        for (path, line) in &purged.remaining {
            ui.warn(format!("{} still says: {}", path.display(), clip(line, 80)));
        }
    }
    if remaining.is_empty() { Ok(()) } else { Err(Failure::Answered) }
}
