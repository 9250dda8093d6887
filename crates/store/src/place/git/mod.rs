//! The canonical root of a git repository, found by reading (P3).
//!
//! Enters: a real directory. Leaves: the top of its working tree, the root that every worktree of
//! the repository shares, and the git directories when they provably belong to it. Never runs
//! `git`, never heeds `GIT_DIR`, never follows a pointer that does not point back: a checkout
//! with a forged `.git` file keeps its own root and gains nothing of the repository it names.
//!
//! The answers were compared with those of the real client, layout by layout: a `.git` that is
//! broken still marks its directory as the root, the worktrees of a bare repository share the
//! bare directory. One thing is otherwise: a worktree of a submodule shares the memory of the submodule.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::gitconfig;
use memdir_core::limits;
use memdir_core::read;

/// A working tree and the repository behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkingTree {
    /// The directory that holds `.git`.
    pub(super) top: PathBuf,
    /// The directory that stands for the whole repository.
    pub(super) root: PathBuf,
    /// `None` when what `.git` names could not be shown to belong to this working tree.
    pub(super) dirs: Option<GitDirs>,
}

/// Where a working tree's own data and the repository's shared data are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitDirs {
    /// Holds `index`.
    pub(super) own: PathBuf,
    /// Holds `config` and `shallow`.
    pub(super) common: PathBuf,
}

/// The nearest working tree around a real path.
pub(super) fn discover(start: &Path) -> Option<WorkingTree> {
    start.ancestors().find_map(|top| {
        let dot_git = top.join(".git");
        let meta = fs::symlink_metadata(&dot_git).ok()?;
        if meta.is_dir() {
            return Some(with_directory(top, Some(dot_git)));
        }
        let meta = if meta.is_symlink() { fs::metadata(&dot_git).ok()? } else { meta };
        if meta.is_dir() {
            Some(with_directory(top, real(&dot_git)))
        } else if meta.is_file() {
            Some(with_pointer(top))
        } else {
            None
        }
    })
}

/// The usual case: `.git` is a directory, or a link to one.
fn with_directory(top: &Path, git_dir: Option<PathBuf>) -> WorkingTree {
    let dirs = git_dir.filter(|dir| belongs(dir, top)).map(|dir| GitDirs { own: dir.clone(), common: dir });
    WorkingTree { top: top.to_owned(), root: top.to_owned(), dirs }
}

/// `.git` is a file that names the git directory: a worktree, a submodule, or a forgery.
fn with_pointer(top: &Path) -> WorkingTree {
    let alone = |dirs| WorkingTree { top: top.to_owned(), root: top.to_owned(), dirs };
    let Some(own) = pointer(&top.join(".git"), "gitdir:", top).filter(|dir| dir.is_dir()) else {
        return alone(None);
    };
    match read::small(&own.join("commondir"), limits::GIT_POINTER_BYTES) {
        // Submodules and separate git directories have no commondir: their own repository.
        Ok(None) => alone(belongs(&own, top).then(|| GitDirs { own: own.clone(), common: own })),
        Ok(Some(_)) => match worktree(top, &own) {
            Some(common) => {
                WorkingTree { top: top.to_owned(), root: shared_root(&common), dirs: Some(GitDirs { own, common }) }
            }
            None => alone(None),
        },
        Err(_) => alone(None),
    }
}

/// The common directory of a worktree, when both ends agree: the git directory is an entry of the
/// repository's `worktrees/`, and the entry names this working tree. Only somebody who can write
/// into the repository can make such an entry.
fn worktree(top: &Path, own: &Path) -> Option<PathBuf> {
    let common = pointer(&own.join("commondir"), "", own)?;
    if own.parent()? != common.join("worktrees") {
        return None;
    }
    let text = line(&own.join("gitdir"), "")?;
    let back = own.join(text);
    // The directory is resolved, not the `.git` in it: a linked `.git` would lead to the entry of
    // a worktree that is somebody else's.
    (back.file_name()? == ".git" && real(back.parent()?)? == top).then_some(common)
}

/// The directory that stands for a repository: around `.git`, the checkout that a submodule's directory names and that points
/// back to it, or the bare directory itself.
fn shared_root(common: &Path) -> PathBuf {
    match common.parent() {
        Some(parent) if common.file_name().is_some_and(|name| name == ".git") => parent.to_owned(),
        _ => checkout_of(common).unwrap_or_else(|| common.to_owned()),
    }
}

/// The checkout of a submodule or of a separate git directory, when both ends agree.
fn checkout_of(common: &Path) -> Option<PathBuf> {
    let top = named_worktree(common)?;
    (pointer(&top.join(".git"), "gitdir:", &top)? == common).then_some(top)
}

/// Whether a git directory is this working tree's own: it lies in it, or its config names it.
fn belongs(git_dir: &Path, top: &Path) -> bool {
    git_dir.starts_with(top) || named_worktree(git_dir).is_some_and(|path| path == top)
}

/// The working tree that a git directory's config names.
fn named_worktree(git_dir: &Path) -> Option<PathBuf> {
    let mut named = None;
    gitconfig::each(&config_of(git_dir)?, |entry| {
        if (entry.section, entry.subsection, entry.key) == ("core", "", "worktree") {
            named = Some(git_dir.join(entry.value));
        }
    });
    real(&named?)
}

/// The text of a repository's config; bytes that are not UTF-8 are replaced.
pub(super) fn config_of(common: &Path) -> Option<String> {
    let bytes = read::small(&common.join("config"), limits::GIT_CONFIG_BYTES).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The real path that a pointer file names, relative to `base`.
fn pointer(file: &Path, prefix: &str, base: &Path) -> Option<PathBuf> {
    real(&base.join(line(file, prefix)?))
}

/// The one path in a pointer file.
fn line(file: &Path, prefix: &str) -> Option<PathBuf> {
    let bytes = read::small(file, limits::GIT_POINTER_BYTES).ok()??;
    let text = bytes.strip_prefix(prefix.as_bytes())?.trim_ascii();
    (!text.is_empty()).then(|| path_from(text))
}

#[cfg(unix)]
fn path_from(bytes: &[u8]) -> PathBuf {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).as_ref())
}

/// The path with every link resolved, in the spelling people use.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    crate::fs::canonical(path).ok()
}

#[cfg(test)]
mod tests;
