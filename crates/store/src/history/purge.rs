//! Really removing a memory: the file, every trace of its text in the history, and the caches.
//!
//! The history keeps that something was there, when and by whom, but no longer what. Afterwards
//! everything of ours is searched for the text that was removed, so the answer is not a promise
//! but a finding.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Author, Change, Hash, Version, Visit};
use crate::fs::{self, FsError};
use crate::index::Index;
use crate::{ChangeError, Intent, OnSecret, Store};
use memdir_guard::confine::RelPath;

/// Lines shorter than this prove nothing: they may stand anywhere.
const TELLING_CHARS: usize = 16;

/// How the names of purged files begin in the history.
const PURGED: &str = "purged-";

/// What a purge did and found.
#[derive(Debug, Default)]
pub struct Purged {
    /// The change that removed the file, if it still was there.
    pub change: Option<Change>,
    /// How many records of the history were emptied.
    pub records: usize,
    /// Where the text still stands, and which line: other memories that say the same.
    pub remaining: Vec<(PathBuf, String)>,
    /// How many files of the memory and its history were searched.
    pub searched: usize,
}

impl Store {
    /// Removes a memory and every trace of its text.
    pub fn purge(
        &self,
        file: &RelPath,
        index: &RelPath,
        author: &Author,
        others: &[&Store],
    ) -> Result<Purged, ChangeError> {
        let target = file.as_str().strip_prefix("team/").unwrap_or(file.as_str()).to_owned();
        let intent = Intent { on_secret: OnSecret::Restore, ..Intent::new("purged") };
        let ((), change) = self.change(author, &intent, |edit| {
            edit.remove(file)?;
            edit.unpoint(index, &target)
        })?;
        let _lock = self.lock(std::time::Duration::from_secs(30))?;
        let telling = self.telling_lines(file.as_str())?;
        if telling.is_empty() && change.is_none() && !self.mentions(file.as_str())? {
            return Err(ChangeError::Refused(format!("there is no {file} here, and none in the history")));
        }
        let contents = self.contents_of(file.as_str())?;
        let mut records = self.journal().rewrite(|change| empty(change, file.as_str(), &target))?;
        let base = target.rsplit('/').next().unwrap_or(&target);
        for other in others {
            records += other.forget_contents(&contents, base)?;
        }
        self.drop_caches()?;
        let mut purged = Purged {
            change: change.map(|mut change| {
                empty(&mut change, file.as_str(), &target);
                change
            }),
            records,
            ..Purged::default()
        };
        for store in std::iter::once(&self).chain(others) {
            purged.searched += search(store.root().path(), &telling, &mut purged.remaining, 0)?;
            // What else memdir keeps comes and goes with its work: searched, not counted.
            for dir in [store.state_dir(), store.cache_dir()] {
                search(dir, &telling, &mut purged.remaining, 0)?;
            }
            purged.searched += fs::names(&store.state_dir().join("journal"))?.len();
        }
        Ok(purged)
    }

    /// Lines of every version of a file that are long enough to tell it apart.
    fn telling_lines(&self, path: &str) -> Result<HashSet<String>, FsError> {
        let mut lines = HashSet::new();
        self.journal().newest_first(|change| {
            for file in change.files.iter().filter(|file| file.path == path) {
                for content in file.before.iter().chain(&file.after).filter_map(Version::content) {
                    let text = String::from_utf8_lossy(&content);
                    lines.extend(
                        text.lines()
                            .map(str::trim)
                            .filter(|line| line.chars().count() >= TELLING_CHARS)
                            .map(str::to_owned),
                    );
                }
            }
            Visit::More
        })?;
        Ok(lines)
    }

    fn mentions(&self, path: &str) -> Result<bool, FsError> {
        let mut found = false;
        self.journal().newest_first(|change| {
            found = change.files.iter().any(|file| file.path == path);
            if found { Visit::Enough } else { Visit::More }
        })?;
        Ok(found)
    }

    /// Takes contents out of this history that were purged from another one: a memory that moved here
    /// or away left its text in both.
    pub(crate) fn forget_contents(&self, contents: &HashSet<Hash>, target: &str) -> Result<usize, ChangeError> {
        let _lock = self.lock(std::time::Duration::from_secs(30))?;
        let mut records = self.journal().rewrite(|change| {
            let mut edited = false;
            for file in &mut change.files {
                let versions = file.before.iter_mut().chain(&mut file.after);
                let mut gone = false;
                for version in versions.filter(|version| contents.contains(&version.hash)) {
                    version.empty();
                    gone = true;
                }
                if gone || file.path.rsplit('/').next() == Some(target) {
                    file.path = purged_name(&file.path);
                    edited = true;
                }
            }
            if edited {
                for pointer in &mut change.pointers {
                    pointer.edits.retain(|edit| edit.target != target);
                }
            }
            edited
        })?;
        // It was here once: former texts of the index may still quote it.
        if records > 0 {
            records += self.journal().rewrite(|change| unpoint(change, target))?;
        }
        self.drop_caches()?;
        Ok(records)
    }

    /// Every content a file ever had, by hash.
    pub(crate) fn contents_of(&self, path: &str) -> Result<HashSet<Hash>, FsError> {
        let mut hashes = HashSet::new();
        self.journal().newest_first(|change| {
            for file in change.files.iter().filter(|file| file.path == path) {
                hashes.extend(file.before.iter().chain(&file.after).map(|version| version.hash));
            }
            Visit::More
        })?;
        Ok(hashes)
    }

    /// Forgets everything that can be made again: all of it may quote the text.
    fn drop_caches(&self) -> Result<(), FsError> {
        for dir in [self.cache_dir().join("search"), self.cache_dir().to_path_buf()] {
            for name in fs::names(&dir)?.into_iter().filter(|name| name != "search") {
                fs::remove(&dir.join(name))?;
            }
        }
        *self.catalog.borrow_mut() = None;
        Ok(())
    }
}

/// What a purged file is called from then on: its name was made from what it said.
pub fn purged_name(path: &str) -> String {
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let known = path.strip_prefix(folder).is_some_and(|name| name.starts_with(PURGED));
    if known {
        return path.to_owned();
    }
    format!("{folder}{PURGED}{}.md", &blake3::hash(path.as_bytes()).to_hex().as_str()[..12])
}

/// Takes the text of one file, and its name, out of a change.
fn empty(change: &mut Change, path: &str, target: &str) -> bool {
    let mut edited = false;
    for file in change.files.iter_mut().filter(|file| file.path == path) {
        for version in file.before.iter_mut().chain(&mut file.after) {
            version.empty();
        }
        file.path = purged_name(path);
        edited = true;
    }
    for pointer in &mut change.pointers {
        let count = pointer.edits.len();
        pointer.edits.retain(|edit| edit.target != target);
        edited |= pointer.edits.len() != count;
    }
    unpoint(change, target) || edited
}

/// Takes the pointer to one file out of the texts of indexes; the rest of them stays.
fn unpoint(change: &mut Change, target: &str) -> bool {
    let mut edited = false;
    for file in change.files.iter_mut().filter(|file| file.path.rsplit('/').next() == Some("MEMORY.md")) {
        for version in file.before.iter_mut().chain(&mut file.after) {
            let Some(content) = version.content() else { continue };
            let mut index = Index::parse(content);
            let edit = index.unpoint(target);
            if edit.before.is_some() {
                index.apply(&edit);
                *version = Version::of(index.as_bytes());
                edited = true;
            }
        }
    }
    edited
}

/// Looks for the lines in every file below a directory. Returns how many files it looked at.
fn search(
    dir: &Path,
    telling: &HashSet<String>,
    remaining: &mut Vec<(PathBuf, String)>,
    depth: usize,
) -> Result<usize, FsError> {
    let mut searched = 0;
    for name in fs::names(dir)? {
        let path = dir.join(name);
        let facts = std::fs::symlink_metadata(&path);
        match facts {
            Ok(facts) if facts.is_dir() && depth < memdir_core::limits::SCAN_DEPTH => {
                searched += search(&path, telling, remaining, depth + 1)?;
            }
            Ok(facts) if facts.is_file() => {
                searched += 1;
                let bytes = fs::read_beside(&path)?;
                if let Some(line) = telling.iter().find(|line| quoted(&bytes, line)) {
                    remaining.push((path, line.clone()));
                }
            }
            _ => {}
        }
    }
    Ok(searched)
}

/// Whether bytes hold a line, as it is or as JSON would write it.
fn quoted(bytes: &[u8], line: &str) -> bool {
    let escaped = serde_json::to_string(line).unwrap_or_default();
    memchr::memmem::find(bytes, line.as_bytes()).is_some()
        || (escaped.len() > 2 && memchr::memmem::find(bytes, &escaped.as_bytes()[1..escaped.len() - 1]).is_some())
}
