//! Memory that others keep outside our directories: read, never written (L1b, L3).
//!
//! Enters: where the project and its memory are. Leaves: the project's own `.claude/MEMORY.md`, and
//! the daily logs in a `logs` folder beside the memory directory. What comes with a repository is
//! reached without following a link out of it.

use std::path::PathBuf;

use super::Memory;
use super::listing::{FileRole, role};
use memdir_guard::confine::RelPath;
use memdir_store::fs::{FsError, Root};
use memdir_store::walk;

/// Where the first layout keeps what a project remembers.
const PROJECT_MEMORY: &str = ".claude/MEMORY.md";
/// How a log beside the memory directory is named.
pub(super) const BESIDE: &str = "../logs/";

/// The project's own memory file.
pub(super) struct ProjectMemory {
    /// As it is named in listings, relative to the project.
    pub(super) file: &'static str,
    /// Where it is.
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

impl Memory {
    /// The project's `.claude/MEMORY.md`, unless that is a memory directory's own index.
    pub(super) fn project_memory(&self) -> Option<ProjectMemory> {
        let checkout = &self.place.project.checkout;
        let path = checkout.join(PROJECT_MEMORY);
        // One look is all that the usual project costs.
        if !path.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
            return None;
        }
        let stores = self.stores().unwrap_or_default();
        if stores.iter().any(|(_, store)| path.parent() == Some(store.root().path())) {
            return None;
        }
        let bytes = Root::open(checkout).ok()?.read(&RelPath::parse(PROJECT_MEMORY).ok()?).ok()??;
        Some(ProjectMemory { file: PROJECT_MEMORY, path, bytes })
    }

    /// The `logs` folder beside the memory directory, if there is one.
    pub(super) fn logs_beside(&self) -> Option<Root> {
        Root::open(&self.private_dir().ok()?.parent()?.join("logs")).ok()
    }
}

/// The daily logs below a directory, by their paths in it.
pub(super) fn dated(root: &Root) -> Result<Vec<RelPath>, FsError> {
    let mut paths: Vec<RelPath> = walk::walk(root)?
        .files
        .into_iter()
        .filter(|found| role(&found.path) == FileRole::Log)
        .filter_map(|found| RelPath::parse(&found.path).ok())
        .collect();
    paths.sort();
    Ok(paths)
}
