//! Our own copy of the team's repository, without a working tree: made, brought up to date, asked, and committed to.
//!
//! Enters: an address and a branch. Leaves: objects by their names, and commits that are not yet pushed. Never checks anything out.

use std::collections::HashMap;

use super::{GitFailure, GitTransport, message, parse};
use crate::transport::{Authorship, RemoteChange, TransportError};
use memdir_core::limits;
use memdir_store::fs;

/// The branch in our own clone on which commits are made.
const OWN_BRANCH: &str = "refs/heads/memdir-sync";

/// How a repository names its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectHash {
    Sha1,
    Sha256,
}

impl ObjectHash {
    /// The one that names have this many digits of.
    pub(super) fn of(name: &str) -> ObjectHash {
        if name.len() == ObjectHash::Sha256.digits() { ObjectHash::Sha256 } else { ObjectHash::Sha1 }
    }

    pub(super) fn other(self) -> ObjectHash {
        if self == ObjectHash::Sha1 { ObjectHash::Sha256 } else { ObjectHash::Sha1 }
    }

    fn name(self) -> &'static str {
        if self == ObjectHash::Sha1 { "sha1" } else { "sha256" }
    }

    fn digits(self) -> usize {
        if self == ObjectHash::Sha1 { 40 } else { 64 }
    }

    /// How a content is named.
    pub(super) fn blob(self, content: &[u8]) -> String {
        let mut whole = format!("blob {}\0", content.len()).into_bytes();
        whole.extend_from_slice(content);
        let algorithm = match self {
            ObjectHash::Sha1 => &ring::digest::SHA1_FOR_LEGACY_USE_ONLY,
            ObjectHash::Sha256 => &ring::digest::SHA256,
        };
        ring::digest::digest(algorithm, &whole).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl GitTransport<'_> {
    /// Makes our own clone, empty at first.
    pub(super) fn ensure(&mut self) -> Result<(), TransportError> {
        if self.ready {
            return Ok(());
        }
        fs::create_private_dir(&self.clone).map_err(|error| self.local(&error))?;
        if !self.clone.join(".git").is_dir() {
            let format = format!("--object-format={}", self.hash.name());
            self.git(&["init", "-q", &format], b"").map_err(|failure| self.broken(failure))?;
        }
        for (key, value) in [
            ("remote.origin.url", self.url.as_str()),
            ("core.symlinks", "false"),
            ("gc.auto", "0"),
            ("transfer.fsckObjects", "true"),
            // What is too large for a memory is never held in memory as a whole.
            ("core.bigFileThreshold", "1m"),
        ] {
            self.git(&["config", key, value], b"").map_err(|failure| self.broken(failure))?;
        }
        // A run that was killed leaves locks behind; nobody else works here.
        for lock in ["index.lock", "HEAD.lock", "refs/heads/memdir-sync.lock", "shallow.lock", "config.lock"] {
            let path = self.clone.join(".git").join(lock);
            fs::remove(&path).map_err(|error| self.local(&error))?;
        }
        let format = self.text(&["rev-parse", "--show-object-format"], b"").map_err(|failure| self.broken(failure))?;
        self.hash = if format.trim() == "sha256" { ObjectHash::Sha256 } else { ObjectHash::Sha1 };
        self.ready = true;
        Ok(())
    }

    /// Makes our clone again when the repository names its objects by another hash than we thought.
    pub(super) fn ensure_for(&mut self, hash: ObjectHash) -> Result<(), TransportError> {
        if self.hash != hash {
            fs::remove_tree(&self.clone).map_err(|error| self.local(&error))?;
            self.hash = hash;
            self.ready = false;
        }
        self.ensure()
    }

    fn local(&self, error: &fs::FsError) -> TransportError {
        TransportError::Unreachable { place: self.clone.display().to_string(), why: error.to_string() }
    }

    pub(super) fn reference(&self) -> String {
        format!("refs/heads/{}", self.branch)
    }

    pub(super) fn has(&self, commit: &str) -> bool {
        !commit.is_empty() && self.git(&["cat-file", "-e", &format!("{commit}^{{commit}}")], b"").is_ok()
    }

    /// Brings a commit here. Blobs that are too large stay where they are, if the server can leave them out.
    pub(super) fn fetch(&self, commit: &str) -> Result<(), TransportError> {
        if self.has(commit) {
            return Ok(());
        }
        let filter = format!("--filter=blob:limit={}", limits::TEAM_FILE_BYTES + 1);
        let reference = self.reference();
        self.git(&["fetch", "-q", "--no-tags", "--no-write-fetch-head", &filter, "origin", &reference], b"")
            .map_err(|failure| self.unreachable(&failure))?;
        if self.has(commit) {
            Ok(())
        } else {
            Err(TransportError::Unreachable {
                place: crate::address::shown(&self.url),
                why: "the branch was rewritten meanwhile".into(),
            })
        }
    }

    /// Who last changed each path, between two commits.
    pub(super) fn authors(&self, range: &str) -> Result<HashMap<String, Authorship>, TransportError> {
        let limit = format!("-n{}", limits::TEAM_GIT_COMMITS);
        let format = "--format=%x01%an%x02%ae%x02%G?%x02%GF%x02%GS";
        let args = ["log", "-z", "--name-only", "--no-renames", "-m", "--first-parent", &limit, format, range];
        let log = self.text(&args, b"").map_err(|failure| self.broken(failure))?;
        Ok(parse::authors(&log, &self.folder))
    }

    /// The sizes of blobs; one that is not here is larger than anything.
    pub(super) fn sizes(&self, ids: &[String]) -> Result<Vec<u64>, TransportError> {
        let asked = ids.join("\n") + "\n";
        let said = self
            .text(&["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], asked.as_bytes())
            .map_err(|failure| self.broken(failure))?;
        Ok(said
            .lines()
            .map(|line| line.rsplit(' ').next().and_then(|size| size.parse().ok()).unwrap_or(u64::MAX))
            .collect())
    }

    pub(super) fn commit(&self, on: &str, changes: &[RemoteChange]) -> Result<Option<String>, GitFailure> {
        if on.is_empty() {
            self.git(&["read-tree", "--empty"], b"")?;
            let _ = self.git(&["update-ref", "-d", OWN_BRANCH], b"");
        } else {
            self.git(&["read-tree", on], b"")?;
            // There is no working tree, and what was too large to be fetched is missing: git is not to look for either.
            let all = self.git(&["ls-files", "-z"], b"")?;
            self.git(&["update-index", "--skip-worktree", "-z", "--stdin"], &all)?;
            self.git(&["update-ref", OWN_BRANCH, on], b"")?;
        }
        self.git(&["symbolic-ref", "HEAD", OWN_BRANCH], b"")?;
        let mut lines = Vec::new();
        for change in changes {
            let path = format!("{}{}", self.folder, change.path);
            let line = match &change.content {
                Some(content) => {
                    let id = self.text(&["hash-object", "-w", "--stdin"], content)?;
                    format!("100644 {}\t{path}\0", id.trim())
                }
                None => format!("0 {}\t{path}\0", "0".repeat(self.hash.digits())),
            };
            lines.extend_from_slice(line.as_bytes());
        }
        self.git(&["update-index", "-z", "--index-info"], &lines)?;
        let tree = self.text(&["write-tree"], b"")?;
        if !on.is_empty() && self.text(&["rev-parse", &format!("{on}^{{tree}}")], b"")? == tree {
            return Ok(None);
        }
        self.git(&["commit", "-q", "-F", "-"], message(changes).as_bytes())?;
        Ok(Some(self.text(&["rev-parse", "HEAD"], b"")?.trim().to_owned()))
    }
}
