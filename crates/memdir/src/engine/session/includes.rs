//! Includes that lead out of the project: which the user has agreed to, and which wait (C2).
//!
//! Enters: a file that an instruction file of the repository names and that lies elsewhere. Leaves: whether the user once said yes to
//! exactly this file for this project. A repository can name any file of this machine, so without a yes it is left out, and said.
//! Kept in the state directory, where no repository writes; links are seen through, so that nobody exchanges what was agreed to.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::{Error, Memory, Sessions};
use memdir_context::rules::SkipReason;
use memdir_store::fs::{self, Durability};

/// A file that the user agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ApprovedIncludes {
    project: PathBuf,
    file: PathBuf,
}

/// The includes of this project that lead out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutsideIncludes {
    /// Those that the user agreed to.
    pub approved: Vec<String>,
    /// Those that are left out until they do.
    pub waiting: Vec<String>,
}

impl Sessions<'_> {
    /// The includes that lead out of the project.
    pub fn outside_includes(&self) -> OutsideIncludes {
        let approved = self.memory.approved_includes().iter().map(|file| file.display().to_string()).collect();
        OutsideIncludes { approved, waiting: self.memory.waiting_includes() }
    }

    /// The user says yes to a file, or takes it back. Returns the file as it is kept; `None` when that changes nothing.
    pub fn approve_include(&self, file: &Path, yes: bool) -> Result<Option<String>, Error> {
        let path = self.memory.around.below_cwd(file);
        let real = match fs::canonical(&path) {
            Ok(real) if real.is_file() => real,
            // What is gone can still be taken back.
            _ if !yes => path,
            _ => return Err(Error::Refused(format!("there is no file {}", path.display()))),
        };
        let wanted = ApprovedIncludes { project: self.memory.place.project.root.clone(), file: real };
        let mut all = self.memory.all_approved();
        let known = all.contains(&wanted);
        if known == yes {
            return Ok(None);
        }
        if yes {
            all.push(wanted.clone());
        } else {
            all.retain(|one| *one != wanted);
        }
        fs::create_private_dir(&self.memory.dirs.state)?;
        let lines: String = all.iter().filter_map(|yes| Some(serde_json::to_string(yes).ok()? + "\n")).collect();
        fs::replace(&self.memory.includes_file(), lines.as_bytes(), Durability::Synced)?;
        Ok(Some(wanted.file.display().to_string()))
    }
}

impl Memory {
    /// The files outside this project that its instruction files may include.
    pub(super) fn approved_includes(&self) -> Vec<PathBuf> {
        let here = |yes: &ApprovedIncludes| yes.project == self.place.project.root;
        self.all_approved().into_iter().filter(here).map(|yes| yes.file).collect()
    }

    /// The includes that are left out until the user agrees.
    pub(in crate::engine) fn waiting_includes(&self) -> Vec<String> {
        let outside = |reason: &SkipReason| matches!(reason, SkipReason::OutsideProject);
        let mut files: Vec<String> = Vec::new();
        for skipped in self.rules().skipped.into_iter().filter(|skipped| outside(&skipped.reason)) {
            if !files.contains(&skipped.path) {
                files.push(skipped.path);
            }
        }
        files
    }

    fn all_approved(&self) -> Vec<ApprovedIncludes> {
        let bytes = fs::read_beside(&self.includes_file()).unwrap_or_default();
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    fn includes_file(&self) -> PathBuf {
        self.dirs.state.join("includes.jsonl")
    }
}
