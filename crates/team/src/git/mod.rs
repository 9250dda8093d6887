//! The shared side as a branch of plain files, through the user's own `git`.
//!
//! Enters: an address, a branch, perhaps a folder of it. Leaves: a [`Transport`]. Works in a clone of its own in the state
//! directory, without a working tree: what others committed is read from objects, so a link is never made and a large blob never
//! written out. Commits are made by `git commit` and pushed by `git push`, so the user's name, signing key, hooks and credentials
//! are in force. A push that is not a fast-forward is refused by the server: that is the compare-and-swap.

mod clone;
mod parse;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::address;
use super::transport::{
    EntryKind, HeldReason, Published, RemoteChange, RemoteEntry, SharedRevision, SharedState, Transport, TransportError,
};
use clone::ObjectHash;
use memdir_core::limits;

/// How `git` is run; the library starts no process.
pub trait GitProgram {
    /// Runs `git` in a directory with this on its standard input. Gives its output, or what it said.
    fn run(&self, dir: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitFailure>;
}

/// How `git` failed.
#[derive(Clone, Debug, Default)]
pub struct GitFailure {
    /// What it printed.
    pub output: String,
    /// What it said.
    pub said: String,
}

/// The shared side in git.
pub struct GitTransport<'g> {
    program: &'g dyn GitProgram,
    clone: PathBuf,
    url: String,
    branch: String,
    /// The folder in the repository, with a slash at its end; empty: all of it.
    folder: String,
    /// Our clone was looked after.
    ready: bool,
    /// How the repository names its objects, as far as it was seen.
    hash: ObjectHash,
}

impl<'g> GitTransport<'g> {
    /// A branch of a repository; `clone` is where our own copy of it is kept.
    pub fn new(program: &'g dyn GitProgram, clone: &Path, url: &str, branch: &str, folder: &str) -> GitTransport<'g> {
        let folder = folder.trim_matches('/');
        GitTransport {
            program,
            clone: clone.to_path_buf(),
            url: url.to_owned(),
            branch: branch.to_owned(),
            folder: if folder.is_empty() { String::new() } else { format!("{folder}/") },
            ready: false,
            hash: ObjectHash::Sha1,
        }
    }

    fn git(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitFailure> {
        self.program.run(&self.clone, args, input)
    }

    fn text(&self, args: &[&str], input: &[u8]) -> Result<String, GitFailure> {
        self.git(args, input).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn broken(&self, failure: GitFailure) -> TransportError {
        TransportError::Malformed { place: address::shown(&self.url), why: words(&failure) }
    }

    fn unreachable(&self, failure: &GitFailure) -> TransportError {
        let said = failure.said.to_lowercase();
        let place = address::shown(&self.url);
        let refused = [
            "permission denied",
            "authentication",
            "not found",
            "does not exist",
            "does not appear",
            "could not read username",
            "403",
            "401",
            "denied",
        ];
        if refused.iter().any(|word| said.contains(word)) && !said.contains("could not resolve") {
            return TransportError::Refused { place, why: words(failure) };
        }
        TransportError::Unreachable { place, why: words(failure) }
    }
}

impl Transport for GitTransport<'_> {
    fn look(&mut self, known: Option<&SharedRevision>) -> Result<SharedState, TransportError> {
        self.ensure()?;
        let said = self
            .text(&["ls-remote", "origin", &self.reference()], b"")
            .map_err(|failure| self.unreachable(&failure))?;
        let now = SharedRevision(said.split_whitespace().next().unwrap_or_default().to_owned());
        if !now.0.is_empty() {
            self.ensure_for(ObjectHash::of(&now.0))?;
        }
        Ok(if known == Some(&now) { SharedState::Same } else { SharedState::Now(now) })
    }

    fn entries(
        &mut self,
        since: Option<&SharedRevision>,
        now: &SharedRevision,
    ) -> Result<Vec<RemoteEntry>, TransportError> {
        self.ensure()?;
        if now.0.is_empty() {
            return Ok(Vec::new());
        }
        self.fetch(&now.0)?;
        let since = since.map(|mark| mark.0.as_str()).filter(|commit| self.has(commit));
        let raw = match since {
            Some(since) => self.git(
                &[
                    "diff-tree",
                    "-r",
                    "-z",
                    "--raw",
                    "--no-renames",
                    "--no-abbrev",
                    since,
                    &now.0,
                    "--",
                    &self.pathspec(),
                ],
                b"",
            ),
            None => self.git(&["ls-tree", "-r", "-z", "--full-tree", &now.0, &self.pathspec()], b""),
        };
        let raw = String::from_utf8_lossy(&raw.map_err(|failure| self.broken(failure))?).into_owned();
        let mut found = if since.is_some() { parse::changes(&raw) } else { parse::tree(&raw) };
        if since.is_none() {
            // Graves: what the history says was deleted and is not there.
            let limit = format!("-n{}", limits::TEAM_GIT_COMMITS);
            let args = [
                "log",
                "-z",
                "--raw",
                "--no-renames",
                "--no-abbrev",
                "--diff-filter=D",
                "--format=",
                &limit,
                &now.0,
                "--",
                &self.pathspec(),
            ];
            let log = self.git(&args, b"").map_err(|failure| self.broken(failure))?;
            for gone in parse::changes(&String::from_utf8_lossy(&log)) {
                if found.iter().all(|known| known.path != gone.path) {
                    found.push(gone);
                }
            }
        }
        let files: Vec<String> = found.iter().filter(|found| found.is_file()).map(|found| found.id.clone()).collect();
        let sizes = if files.is_empty() { Vec::new() } else { self.sizes(&files)? };
        let sizes: HashMap<String, u64> = files.into_iter().zip(sizes).collect();
        let range = since.map_or_else(|| now.0.clone(), |since| format!("{since}..{}", now.0));
        let authors = self.authors(&range)?;
        let inside = found.into_iter().filter_map(|found| {
            let path = found.path.strip_prefix(&self.folder)?.to_owned();
            let author = authors.get(&path).cloned().unwrap_or_default();
            let bytes = sizes.get(&found.id).copied().unwrap_or(0);
            Some(RemoteEntry { kind: found.kind(bytes), path, author })
        });
        // What is not Markdown belongs to the repository, not to memory. Links are named, so that people hear of them.
        Ok(inside.filter(|entry| entry.path.to_lowercase().ends_with(".md")).collect())
    }

    fn read(
        &mut self,
        wanted: &[&RemoteEntry],
        limit: usize,
    ) -> Result<Vec<Result<Vec<u8>, HeldReason>>, TransportError> {
        let fits = |entry: &&RemoteEntry| match &entry.kind {
            EntryKind::File { id, bytes } if *bytes <= limit as u64 => Some(id.clone()),
            _ => None,
        };
        let ids: Vec<Option<String>> = wanted.iter().map(fits).collect();
        let asked: String = ids.iter().flatten().map(|id| format!("{id}\n")).collect();
        let bytes = self.git(&["cat-file", "--batch"], asked.as_bytes()).map_err(|failure| self.broken(failure))?;
        let malformed = || TransportError::Malformed {
            place: address::shown(&self.url),
            why: "git returned other contents than were asked for".into(),
        };
        let mut contents = parse::batch(&bytes).into_iter();
        let content = |id: Option<String>| match id {
            Some(_) => contents.next().map(Ok).ok_or_else(malformed),
            None => Ok(Err("too-large".into())),
        };
        ids.into_iter().map(content).collect()
    }

    fn publish(&mut self, on: &SharedRevision, changes: &[RemoteChange]) -> Result<Published, TransportError> {
        self.ensure()?;
        match self.commit_and_push(on, changes)? {
            Ok(published) => Ok(published),
            Err(failure) if on.0.is_empty() && parse::is_other_hash(&failure) => {
                // Only an empty repository does not show how it names its objects.
                self.ensure_for(self.hash.other())?;
                self.commit_and_push(on, changes)?.map_err(|failure| self.unreachable(&failure))
            }
            Err(failure) => Err(self.unreachable(&failure)),
        }
    }

    fn id_of(&self, content: &[u8]) -> String {
        self.hash.blob(content)
    }
}

impl GitTransport<'_> {
    /// The inner error is one of the way there.
    fn commit_and_push(
        &self,
        on: &SharedRevision,
        changes: &[RemoteChange],
    ) -> Result<Result<Published, GitFailure>, TransportError> {
        let refused =
            |failure: GitFailure| TransportError::Refused { place: address::shown(&self.url), why: words(&failure) };
        let Some(commit) = self.commit(&on.0, changes).map_err(refused)? else {
            return Ok(Ok(Published::As(on.clone())));
        };
        let target = format!("{commit}:{}", self.reference());
        match self.git(&["push", "--porcelain", "origin", &target], b"") {
            Ok(_) => Ok(Ok(Published::As(SharedRevision(commit)))),
            Err(failure) if parse::is_overtaken(&failure) => Ok(Ok(Published::Overtaken)),
            Err(failure) if failure.output.contains("[remote rejected]") => Err(refused(failure)),
            Err(failure) => Ok(Err(failure)),
        }
    }

    fn pathspec(&self) -> String {
        if self.folder.is_empty() { ".".to_owned() } else { self.folder.clone() }
    }
}

fn message(changes: &[RemoteChange]) -> String {
    let count = changes.len();
    let mut text = format!("Share {count} {}\n\n", if count == 1 { "memory" } else { "memories" });
    for change in changes.iter().take(50) {
        text.push_str(&format!("{} {}\n", if change.content.is_some() { "+" } else { "-" }, change.path));
    }
    text
}

fn words(failure: &GitFailure) -> String {
    let said = if failure.said.trim().is_empty() { &failure.output } else { &failure.said };
    let line = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    let line: String = memdir_guard::shown::one_line(&address::without_logins(&line)).chars().take(300).collect();
    if line.is_empty() { "git failed without a message".to_owned() } else { line }
}
