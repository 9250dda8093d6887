//! The project a run is about: its root, its working tree, its slug (P2, P3).
//!
//! Enters: the surroundings. Leaves: real paths. Never runs `git` and never writes.

use std::path::{Path, PathBuf};

use super::{
    PlaceError,
    git::{self, GitDirs},
    slug::slug,
    tracked,
    validate::clean,
};
use memdir_core::settings::{HostFiles, HostSettings};
use memdir_core::surroundings::Surroundings;

/// One project, as memory knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The canonical git root, one for all worktrees; outside git the working directory. Memory
    /// is keyed on it.
    pub root: PathBuf,
    /// The top of this working tree: the root, unless this is a worktree. Committed files are
    /// looked for here.
    pub checkout: PathBuf,
    /// The real working directory. Transcripts are keyed on it.
    pub cwd: PathBuf,
    /// The root's name below `projects/`.
    pub slug: String,
    repository: Repository,
}

/// What is known of the repository behind a project.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Repository {
    /// There is none.
    None,
    /// There is a `.git`, but what it names could not be shown to be this project's.
    Unproven,
    /// Its own.
    Own(GitDirs),
}

impl Project {
    /// Finds the project around `--project` or the working directory.
    ///
    /// A working directory that was deleted under a running session still has its name, and so
    /// its memory.
    pub fn find(around: &Surroundings) -> Result<Project, PlaceError> {
        let asked = around.directory();
        let cwd = match git::real(&asked) {
            Some(real) if around.flags.project.is_none() || real.is_dir() => real,
            None if around.flags.project.is_none() && asked.is_absolute() => clean(&asked),
            _ => return Err(PlaceError::NoProject(asked)),
        };
        let (root, checkout, repository) = match git::discover(&cwd) {
            Some(tree) => (tree.root, tree.top, tree.dirs.map_or(Repository::Unproven, Repository::Own)),
            None => (cwd.clone(), cwd.clone(), Repository::None),
        };
        Ok(Project { slug: slug(&root), root, checkout, cwd, repository })
    }

    /// Whether this is a git repository whose data can be read and is its own.
    pub fn is_git(&self) -> bool {
        self.common_git_dir().is_some()
    }

    /// The directory with the repository's config, shared by all worktrees.
    pub fn common_git_dir(&self) -> Option<&Path> {
        match &self.repository {
            Repository::Own(dirs) => Some(&dirs.common),
            Repository::None | Repository::Unproven => None,
        }
    }

    /// Reads what the host's settings say for this project (P5).
    ///
    /// The client looks for local settings at the root first and then in the working directory;
    /// the top of a worktree is added, where its committed files are.
    pub(super) fn host_settings(&self, around: &Surroundings, config_home: Option<&Path>) -> HostSettings {
        let mut dirs: Vec<&Path> = Vec::with_capacity(3);
        for dir in [&self.root, &self.checkout, &self.cwd] {
            if !dirs.contains(&dir.as_path()) {
                dirs.push(dir);
            }
        }
        let files =
            HostFiles { managed: &around.managed_settings, flags: &around.flags.settings, project: &dirs, config_home };
        HostSettings::load(files, |dir| self.may_be_committed(dir))
    }

    /// Whether git tracks a file of this checkout. What cannot be told counts as tracked.
    pub fn tracks(&self, path: &Path) -> bool {
        let dirs = match &self.repository {
            Repository::None => return false,
            Repository::Unproven => return true,
            Repository::Own(dirs) => dirs,
        };
        let below = path.strip_prefix(&self.checkout).ok().and_then(Path::to_str);
        below.is_none_or(|below| tracked::is_tracked(&dirs.own.join("index"), below))
    }

    /// Whether `.claude/settings.local.json` in a directory of this project may have come with
    /// the repository. Only a plain file at its plain place that the index does not list has not.
    fn may_be_committed(&self, dir: &Path) -> bool {
        let local = dir.join(".claude").join("settings.local.json");
        // A link could lead to a tracked file under another name.
        if git::real(&local).is_none_or(|real| real != local) {
            return true;
        }
        let dirs = match &self.repository {
            Repository::None => return false,
            Repository::Unproven => return true,
            Repository::Own(dirs) => dirs,
        };
        // The root's index is the repository's; a worktree has its own.
        let (top, index) = if dir == self.root { (&self.root, &dirs.common) } else { (&self.checkout, &dirs.own) };
        match local.strip_prefix(top).ok().and_then(Path::to_str) {
            Some(path) => tracked::is_tracked(&index.join("index"), &path.replace('\\', "/")),
            None => true,
        }
    }
}
