//! The user's editor, and the private copy of a memory that it is given.

use std::path::{Path, PathBuf};

use memdir::engine::Memory;

use crate::failure::Failure;
use crate::system;

/// The editor, as most programs choose it.
pub(crate) fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
        .or_else(|| Some(system::EDITOR.to_owned()))
}

/// Whether the user chose an editor, which may then be a program that needs no terminal.
pub(crate) fn editor_is_explicit() -> bool {
    ["VISUAL", "EDITOR"].iter().any(|name| std::env::var(name).is_ok_and(|value| !value.trim().is_empty()))
}

/// A private copy of a memory for an editor, with the name that editors colour by.
pub(crate) fn scratch_copy(memory: &Memory, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
    let dir = memory.dirs().state.join("edit").join(std::process::id().to_string());
    memdir::store::fs::create_private_dir(&dir)?;
    let copy = dir.join(name);
    memdir::store::fs::replace(&copy, content, memdir::store::fs::Durability::Cache)?;
    Ok(copy)
}

/// Lets the user edit a file; the editor may be a command with arguments.
pub(crate) fn run_editor(editor: &str, file: &Path) -> Result<(), Failure> {
    let status = system::editor(editor, file)
        .status()
        .map_err(|error| Failure::Fault(format!("could not start the editor {editor}: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::refused(format!("the editor {editor} ended with {status}; nothing was changed")))
    }
}

/// What the user made of the copy.
pub(crate) fn read_copy(copy: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(copy).map_err(|error| Failure::Fault(format!("could not read {}: {error}", copy.display())))
}

/// Removes the copy and its directory.
pub(crate) fn drop_copy(copy: &Path) {
    let _ = std::fs::remove_file(copy);
    if let Some(dir) = copy.parent() {
        let _ = std::fs::remove_dir(dir);
    }
}
