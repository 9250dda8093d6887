//! `edit`: change a memory in `$EDITOR`, or with flags.

use std::path::PathBuf;

use memdir::engine::{Amendment, Error, Memory};
use serde_json::json;

use super::remember::text_or_stdin;
use super::{CommandResult, naming};
use crate::args::EditArgs;
use crate::env;
use crate::failure::Failure;
use crate::ui::{Style, Ui};

pub(super) fn run(memory: &Memory, args: EditArgs, ui: &mut Ui) -> CommandResult {
    let typed = naming::to_change(memory, &args.named.words, ui)?;
    let (file, change) = match amendment(args)? {
        Some(wanted) => memory.files().edit(&typed, &wanted)?,
        None => in_editor(memory, &typed, ui)?,
    };
    crate::env::take_in_change(memory);
    if ui.json {
        return Ok(ui.print_json(&json!({ "file": file, "change": change }))?);
    }
    let line = match change {
        Some(change) => format!("changed {file}  {}", ui.paint(Style::Dim, &format!("undo: memdir undo {change}"))),
        None => format!("{file} is as it was"),
    };
    Ok(ui.done(line)?)
}

/// What the flags ask for; without any, the editor opens.
fn amendment(args: EditArgs) -> Result<Option<Amendment>, Failure> {
    let EditArgs { named: _, name, description, kind, body, why, apply } = args;
    let flags = [&name, &description, &body, &why, &apply].iter().any(|flag| flag.is_some()) || kind.is_some();
    let body = body.map(text_or_stdin).transpose()?;
    Ok(flags.then(|| Amendment { name, description, kind: kind.map(Into::into), body, why, apply }))
}

/// Edits a copy and puts it back as a transaction. Text that cannot be saved stays in the copy.
pub(crate) fn in_editor(memory: &Memory, typed: &str, ui: &mut Ui) -> Result<(String, Option<String>), Failure> {
    let memory_ref = memory.files().find(typed)?;
    let Some(before) = memory_ref.store.root().read(&memory_ref.file)? else {
        return Err(Error::Unknown(typed.to_owned()).into());
    };
    let (copy, after) = edited(memory, memory_ref.file.file_name(), &before, ui)?;
    match memory.files().replace(typed, &before, after) {
        Ok(done) => {
            env::drop_copy(&copy);
            Ok(done)
        }
        Err(error) => Err(keep_copy(error, copy)),
    }
}

/// What a person made of a text in their editor, and the copy in which it is kept until it is saved.
pub(super) fn edited(memory: &Memory, name: &str, before: &[u8], ui: &Ui) -> Result<(PathBuf, Vec<u8>), Failure> {
    let Some(editor) = env::editor() else {
        return Err(Failure::refused(
            "no editor is set; set $EDITOR, or use --name, --description, --type, --body, --why or --apply",
        ));
    };
    if !ui.interactive() && !env::editor_is_explicit() {
        return Err(Failure::refused(
            "there is no terminal for an editor; use --name, --description, --type, --body, --why or --apply",
        ));
    }
    let copy = env::scratch_copy(memory, name, before)?;
    env::run_editor(&editor, &copy)?;
    let after = env::read_copy(&copy)?;
    Ok((copy, after))
}

pub(super) fn keep_copy(error: Error, copy: PathBuf) -> Failure {
    let kept = format!("Your text is in {}", copy.display());
    match Failure::from(error) {
        Failure::Refused(message) => Failure::Refused(format!("{message}. {kept}")),
        Failure::Fault(message) => Failure::Fault(format!("{message}. {kept}")),
        other => other,
    }
}
