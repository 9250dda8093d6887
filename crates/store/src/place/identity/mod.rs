//! Which project a memory directory belongs to (P3).
//!
//! Enters: a project, and a way to run `git` that the caller owns. Leaves: a record of root
//! commits, remote and path, and the answer whether two records mean one project. Never runs on
//! the way of a hook (walking a history takes time), never keeps a credential.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Project, remote};
use memdir_core::limits::ROOT_COMMITS;

/// What is recorded beside a memory directory, because its slug is not unique.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The project's root, as text.
    pub path: String,
    /// The remote, without scheme, user, password and port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// The commits without a parent, over all branches, sorted. More than one where histories
    /// were joined or a branch started afresh.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root_commits: Vec<String>,
}

/// Whether two identities are one project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// One project, wherever it lies now.
    Same,
    /// Two projects; nothing is written until a person decides.
    Different,
    /// Two paths and nothing else to compare: to be treated like a difference, said differently.
    Unknown,
}

/// The arguments that list root commits. Over all branches, so that a checkout of a branch with
/// its own beginning (`gh-pages`) does not look like another project.
pub(super) const ROOT_COMMIT_ARGS: [&str; 3] = ["rev-list", "--max-parents=0", "--all"];

impl Identity {
    /// Reads a project's identity.
    ///
    /// `git` runs the program in a directory and returns its standard output, or `None`; it
    /// should clear every `GIT_*` variable. It is not called outside git, nor in a shallow clone,
    /// whose oldest commit is only the oldest one fetched.
    pub fn of(project: &Project, git: impl FnOnce(&Path, &[&str]) -> Option<String>) -> Identity {
        let mut identity = Identity { path: project.root.to_string_lossy().into_owned(), ..Identity::default() };
        if let Some(common) = project.common_git_dir() {
            identity.remote = remote::of(common, &project.root);
            if !common.join("shallow").exists() {
                let output = git(&project.checkout, &ROOT_COMMIT_ARGS).unwrap_or_default();
                identity.root_commits = commits(&output);
            }
        }
        identity
    }
}

/// The ids in the output of `git rev-list`: the oldest few, sorted.
fn commits(output: &str) -> Vec<String> {
    let is_id = |line: &&str| matches!(line.len(), 40 | 64) && line.bytes().all(|b| b.is_ascii_hexdigit());
    let mut ids: Vec<String> = output
        .lines()
        .map(str::trim)
        .filter(is_id)
        .rev() // git lists the newest first
        .take(ROOT_COMMITS)
        .map(str::to_ascii_lowercase)
        .collect();
    ids.sort();
    ids
}

/// Compares by root commits, else by remote, else by path.
pub fn same_project(a: &Identity, b: &Identity) -> Match {
    let decide = |same| if same { Match::Same } else { Match::Different };
    if !a.root_commits.is_empty() && !b.root_commits.is_empty() {
        return decide(a.root_commits.iter().any(|commit| b.root_commits.contains(commit)));
    }
    match (&a.remote, &b.remote) {
        (Some(a), Some(b)) => decide(a == b),
        _ if a.path == b.path => Match::Same,
        _ => Match::Unknown,
    }
}

#[cfg(test)]
mod tests;
