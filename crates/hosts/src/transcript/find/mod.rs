//! Where the hosts keep the conversations of a project.
//!
//! Enters: the surroundings and the directories of the project. Leaves: every transcript that belongs to it, oldest
//! first. Each host says where its own are ([`Search`] helps it look): one that keys its files by directory is asked
//! for that directory; the others are looked through, and a file counts when it says that it happened here. A
//! conversation in a database is named `<database>/<session>`. Never reads more than a file's beginning.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::database::{Database, written};
use super::{Host, about};
use memdir_core::surroundings::Surroundings;

/// Files of one host that are looked at; a machine has thousands of old conversations.
const FILES: usize = 20_000;

/// Which project.
#[derive(Clone, Debug)]
pub struct TranscriptQuery {
    /// Its roots (the main checkout, a worktree); conversations below them count.
    pub roots: Vec<PathBuf>,
    /// The names Claude Code may keep it under: slugs of the working directory, the checkout, the root.
    pub slugs: Vec<String>,
    /// Only what was written after this; nothing else is opened.
    pub since: Option<SystemTime>,
}

/// Every transcript of a project on this machine, oldest first.
pub fn transcripts(around: &Surroundings, project: &TranscriptQuery) -> Vec<(Host, PathBuf)> {
    let mut found: Vec<(Host, PathBuf)> = Vec::new();
    for host in Host::ALL {
        let Some(kept) = &host.definition().transcripts else { continue };
        let search = Search { around, project, host };
        found.extend((kept.find)(&search).into_iter().map(|path| (host, path)));
    }
    found.retain(|(_, file)| wants(project, file));
    found.sort_by_cached_key(|(host, path)| (changed(path), *host, path.clone()));
    found.dedup();
    found
}

/// The path of a session whose host says no more than its name: one in a database. Looks at no more than whether it is there.
pub fn kept_at(around: &Surroundings, host: Host, session: &str) -> Option<PathBuf> {
    let plain = !session.is_empty() && session.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let database = host.definition().transcripts.as_ref()?.database.as_ref()?;
    let file = data_dir(around)?.join(database.file);
    (plain && file.is_file()).then(|| file.join(session))
}

/// One host, looking for the conversations of one project.
pub(crate) struct Search<'s> {
    /// The machine.
    pub(crate) around: &'s Surroundings,
    /// What is looked for.
    pub(crate) project: &'s TranscriptQuery,
    host: Host,
}

impl Search<'_> {
    /// A place below the user's home.
    pub(crate) fn below_home(&self, path: &str) -> Option<PathBuf> {
        self.around.home.as_ref().map(|home| home.join(path))
    }

    /// A directory that a variable names, else one below the user's home.
    pub(crate) fn named_or_below_home(&self, variable: &str, path: &str) -> Option<PathBuf> {
        self.around.var(variable).map(PathBuf::from).or_else(|| self.below_home(path))
    }

    /// Whether a file was written recently enough.
    pub(crate) fn wants(&self, file: &Path) -> bool {
        wants(self.project, file)
    }

    /// Whether a conversation happened in the project, by what its file says.
    pub(crate) fn happened_here(&self, file: &Path) -> bool {
        let cwd = about(file, self.host).ok().and_then(|about| about.cwd);
        cwd.is_some_and(|cwd| self.project.roots.iter().any(|root| cwd.starts_with(root)))
    }

    /// The files that are recent enough and say that they happened in the project.
    pub(crate) fn here(&self, files: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
        files.into_iter().filter(|file| self.wants(file) && self.happened_here(file)).collect()
    }

    /// The conversations of the host's database.
    pub(crate) fn in_database(&self) -> Vec<PathBuf> {
        let database = self.host.definition().transcripts.as_ref().and_then(|kept| kept.database.as_ref());
        let sessions = |database: &Database| {
            let file = data_dir(self.around)?.join(database.file);
            Some(database.sessions(&file, &self.project.roots))
        };
        database.and_then(sessions).unwrap_or_default()
    }
}

fn wants(project: &TranscriptQuery, file: &Path) -> bool {
    project.since.is_none_or(|since| changed(file) > since)
}

/// Where programs keep data.
fn data_dir(around: &Surroundings) -> Option<PathBuf> {
    let usual = || around.home.as_ref().map(|home| home.join(".local/share"));
    around.var("XDG_DATA_HOME").map(PathBuf::from).or_else(usual)
}

/// Every plain file below a directory, links not followed.
pub(crate) fn walk(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for name in names(dir) {
        let path = dir.join(name);
        if found.len() >= FILES {
            return;
        }
        match fs::symlink_metadata(&path) {
            Ok(facts) if facts.is_dir() && depth > 0 => walk(&path, depth - 1, found),
            Ok(facts) if facts.is_file() => found.push(path),
            _ => {}
        }
    }
}

/// The files in a directory whose names end so.
pub(crate) fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = names(dir).into_iter().map(|name| dir.join(name)).collect();
    found.retain(|path| path.extension().is_some_and(|own| own == extension) && path.is_file());
    found
}

/// The names in a directory, sorted; one that cannot be read has none.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().take(FILES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn changed(path: &Path) -> SystemTime {
    written(path).map_or(SystemTime::UNIX_EPOCH, |(_, time)| time)
}

#[cfg(test)]
mod tests;
