//! Instruction files: `CLAUDE.md` and others like it, with what they include (C1, C2, C3).
//!
//! Enters: where the project, the user's and the machine's files are, and a way to read. Leaves:
//! the files in the order in which later ones win, each with what it is, and every file that was
//! skipped with the reason. Never writes, never reads more than the limits allow, and never lets
//! a file of the repository pull in something from outside it that the user has not agreed to.
//!
//! - Order: managed, user, project from the root down to the working directory, local likewise.
//! - An included file is a block of its own right before the file that includes it, so that the
//!   including file has the last word. A file appears once, however often it is reached.
//! - A repository's file, or one reached through a link, may include only what lies inside the
//!   project. The user's local file may also reach the home directory, if the project is under
//!   git and git does not track that file; the user's global and the managed file may reach
//!   anything. An included file inside the project counts as the repository's, whoever includes it.
//! - The total is spent on instruction files first, the repository's last, and on includes after
//!   that: no include tree and no large repository can push the user's own files out.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::contents::{ContentSource, contents};
use crate::prompts::{Prompts, RenderError};
use crate::receipt::{ContextBlock, Receipt};
use memdir_core::limits::{INCLUDE_DEPTH, RULES_FILES, RULES_TOTAL_BYTES};
use memdir_guard::shown::one_line;

mod load;

pub use load::load;

/// Where to look for instruction files.
#[derive(Clone, Copy)]
pub struct RulesInput<'a> {
    /// The machine's file, `/etc/claude-code/CLAUDE.md`.
    pub managed: Option<&'a Path>,
    /// The user's file, `<config home>/CLAUDE.md`.
    pub user: Option<&'a Path>,
    /// The top of the checkout that holds `cwd` (of the worktree itself); `None` outside git.
    pub project_root: Option<&'a Path>,
    /// The working directory.
    pub cwd: &'a Path,
    /// What `~` means.
    pub home: Option<&'a Path>,
    /// Whether git tracks a file: a tracked `CLAUDE.local.md` is the repository's, not the user's.
    /// Not asked outside git, where nothing tells the two apart.
    pub is_tracked: &'a dyn Fn(&Path) -> bool,
    /// Files outside the project that the user lets its instruction files include, links resolved.
    pub approved: &'a [PathBuf],
}

/// One instruction file, loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is; for an included file, what the file is that brought it in.
    pub source: ContentSource,
    /// The file that includes it.
    pub included_by: Option<PathBuf>,
    /// Its text without the byte order mark and without blank space at its end.
    pub text: String,
}

/// A file that was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    /// Which one.
    pub path: String,
    /// Why not.
    pub reason: SkipReason,
}

/// Why an instruction file or an include was not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is included and does not exist.
    Missing,
    /// It exists and cannot be read.
    Unreadable(String),
    /// Its name or content is not that of a text file.
    NotText,
    /// There is nothing in it.
    Empty,
    /// A file of the repository points out of the project.
    OutsideProject,
    /// It is included by something that it includes.
    Cycle,
    /// It is there already.
    Repeated,
    /// The chain of includes is too long.
    TooDeep,
    /// There is no room left for it.
    OverTotal,
    /// Too many files or mentions were looked at.
    TooMany,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkipReason::Missing => f.write_str("no such file"),
            SkipReason::Unreadable(why) => write!(f, "cannot be read: {why}"),
            SkipReason::NotText => f.write_str("not a text file"),
            SkipReason::Empty => f.write_str("empty"),
            SkipReason::OutsideProject => {
                f.write_str("outside the project; a file of the repository reaches it only after your yes")
            }
            SkipReason::Cycle => f.write_str("includes itself"),
            SkipReason::Repeated => f.write_str("loaded already"),
            SkipReason::TooDeep => write!(f, "more than {INCLUDE_DEPTH} includes deep"),
            SkipReason::OverTotal => {
                write!(f, "no room left, instruction files hold {RULES_TOTAL_BYTES} bytes in all")
            }
            SkipReason::TooMany => write!(f, "more than {RULES_FILES} files and mentions"),
        }
    }
}

impl Serialize for SkipReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A file that was loaded and is longer than is good for a model (C3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongFile {
    /// Which one.
    pub path: String,
    /// How long it is.
    pub chars: usize,
}

/// What [`load`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// The files, later ones winning.
    pub files: Vec<RuleFile>,
    /// What was left out.
    pub skipped: Vec<SkippedFile>,
    /// What is too long, though loaded.
    pub long: Vec<LongFile>,
}

impl Rules {
    /// The `rules` block of a context, with every file under its label; `None` without files.
    pub fn block(&self, prompts: &mut Prompts) -> Result<Option<ContextBlock>, RenderError> {
        let mut parts = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let parent = file.included_by.as_deref();
            parts.push(contents(file.source, &file.path, parent, &file.text, prompts)?);
        }
        let limits = [SkipReason::OverTotal, SkipReason::TooMany, SkipReason::TooDeep];
        let cut = self.skipped.iter().any(|skipped| limits.contains(&skipped.reason));
        Ok((!parts.is_empty()).then(|| ContextBlock::new("rules", parts.join("\n\n"), cut)))
    }

    /// Notes what was loaded and what was dropped.
    pub fn note(&self, receipt: &mut Receipt) {
        for file in &self.files {
            receipt.loaded(&shown(&file.path));
        }
        for skipped in &self.skipped {
            receipt.dropped(&skipped.path, &skipped.reason.to_string());
        }
    }
}

fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests;
