//! Walking a memory directory: names and facts of every file below it, in one pass.
//!
//! Enters: an open root. Leaves: Markdown files with their facts, and whatever else was met that a
//! person should know of. Follows no link, opens no file, keeps one handle a level open, so a low
//! limit of open files drops nothing.

use std::io;

use super::fs::{Dir, DirEntry, FileKind, FileStat, FsError, Root, TEMP_PREFIX, met_a_link};
use memdir_core::limits;

/// A Markdown file below the root.
#[derive(Clone, Debug)]
pub struct WalkedFile {
    /// Relative to the root, `/`-separated.
    pub path: String,
    /// What `stat` says.
    pub facts: FileStat,
}

/// Something below the root that is not a usable memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableEntry {
    /// Relative to the root; names that are not UTF-8 are shown lossily.
    pub path: String,
    /// What is wrong with it.
    pub why: EntryFault,
}

/// What can be wrong with a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryFault {
    /// A symbolic link; never followed.
    Link,
    /// A directory, device or pipe under the name of a Markdown file.
    NotAFile,
    /// A name that is not UTF-8.
    Name,
    /// A directory that could not be listed.
    Unreadable,
    /// Deeper than [`limits::SCAN_DEPTH`].
    TooDeep,
}

impl EntryFault {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            EntryFault::Link => "is a symbolic link, which memdir does not follow",
            EntryFault::NotAFile => "is not a regular file",
            EntryFault::Name => "has a name that is not valid UTF-8",
            EntryFault::Unreadable => "could not be listed",
            EntryFault::TooDeep => "is nested too deeply",
        }
    }
}

/// Everything below a root.
#[derive(Debug, Default)]
pub struct Walk {
    /// Markdown files, indexes included, in no order.
    pub files: Vec<WalkedFile>,
    /// What else was met.
    pub odd: Vec<UnusableEntry>,
}

/// Walks a root.
pub fn walk(root: &Root) -> Result<Walk, FsError> {
    let mut files = Vec::new();
    let OtherEntries { odd, .. } =
        each(root, &mut |path, facts| files.push(WalkedFile { path: path.to_owned(), facts }))?;
    Ok(Walk { files, odd })
}

/// What a walk came past besides Markdown files.
#[derive(Debug, Default)]
pub struct OtherEntries {
    /// What a person should know of.
    pub odd: Vec<UnusableEntry>,
    /// Every directory that was listed, relative to the root; the root itself is empty.
    pub directories: Vec<String>,
}

/// Hands every Markdown file below a root to `met`, in no order. Returns what else was met.
pub fn each(root: &Root, met: &mut dyn FnMut(&str, FileStat)) -> Result<OtherEntries, FsError> {
    let walker = Walker::walk(root, met)?;
    Ok(OtherEntries { odd: walker.odd, directories: walker.directories })
}

/// Lists one directory and looks at no file of it: each Markdown file goes to `met` with its inode, which the
/// listing says. What `known` does not know among the directories in it is walked to the ground. Returns the
/// directories that were listed; a directory that is not there any more has nothing in it.
pub(super) fn list(
    root: &Root,
    dir: &str,
    known: &dyn Fn(&str) -> bool,
    met: &mut dyn FnMut(&str, u64),
) -> Result<Vec<String>, FsError> {
    let above = if dir.is_empty() { String::new() } else { format!("{dir}/") };
    let depth = dir.split('/').filter(|part| !part.is_empty()).count();
    let mut fresh = Vec::new();
    let failed = |error| FsError::io("list", root.path().join(dir).display().to_string(), error);
    let handle = match open(root, dir) {
        Ok(handle) => handle,
        Err(error) if error.kind() == io::ErrorKind::NotFound || met_a_link(&error) => return Ok(fresh),
        Err(error) => return Err(failed(error)),
    };
    fresh.push(dir.to_owned());
    let mut path = above.clone();
    let mut unknown = Vec::new();
    let mut meet = |entry: &DirEntry<'_>| {
        let Some(name) = entry.name().filter(|name| !name.starts_with('.')) else { return };
        path.truncate(above.len());
        path.push_str(name);
        let kind = match entry.kind() {
            FileKind::Unknown => handle.look_at(entry).map_or(FileKind::Unknown, |look| look.kind),
            said => said,
        };
        match kind {
            FileKind::File if is_markdown(name) => met(&path, entry.inode()),
            FileKind::Directory if !is_markdown(name) && !known(&path) => unknown.push(name.to_owned()),
            _ => {}
        }
    };
    handle.entries(&mut meet).map_err(failed)?;
    for name in unknown.into_iter().filter(|_| depth + 1 < limits::SCAN_DEPTH) {
        let mut by_inode = |path: &str, facts: FileStat| met(path, facts.inode);
        let mut walker = Walker::new(&mut by_inode);
        walker.path = format!("{above}{name}/");
        // What cannot be opened is not listed; `doctor` names it.
        if handle.step(&name).and_then(|below| walker.visit(&below, depth + 1)).is_ok() {
            fresh.append(&mut walker.directories);
        }
    }
    Ok(fresh)
}

/// Opens a directory below a root, step by step and through no link.
fn open(root: &Root, dir: &str) -> io::Result<Dir> {
    let mut handle = root.handle().again()?;
    for part in dir.split('/').filter(|part| !part.is_empty()) {
        handle = handle.step(part)?;
    }
    Ok(handle)
}

/// Every plain file below a root by its path, Markdown or not, in order; hidden ones are left out.
pub fn plain_files(root: &Root) -> Result<Vec<WalkedFile>, FsError> {
    let mut found = Vec::new();
    let failed = |error| FsError::io("list", root.path().display().to_string(), error);
    plain_below(root.handle(), "", 0, &mut found).map_err(failed)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn plain_below(dir: &Dir, above: &str, depth: usize, found: &mut Vec<WalkedFile>) -> io::Result<()> {
    let mut directories = Vec::new();
    dir.entries(&mut |entry| {
        let Some(name) = entry.name() else { return };
        if name.starts_with('.') {
            return;
        }
        let Ok(look) = dir.look_at(entry) else { return };
        match look.kind {
            FileKind::File => found.push(WalkedFile { path: format!("{above}{name}"), facts: look.facts }),
            FileKind::Directory => directories.push(name.to_owned()),
            _ => {}
        }
    })?;
    for name in directories.into_iter().filter(|_| depth + 1 < limits::SCAN_DEPTH) {
        // What cannot be opened is not listed; `doctor` names it.
        if let Ok(below) = dir.step(&name) {
            let _ = plain_below(&below, &format!("{above}{name}/"), depth + 1, found);
        }
    }
    Ok(())
}

/// Temporary files of ours, wherever they are below a root.
pub(super) fn leftovers(root: &Root) -> Result<Vec<String>, FsError> {
    Ok(Walker::walk(root, &mut |_, _| {})?.leftovers)
}

struct Walker<'m> {
    /// The directory being listed, with its last `/`; one buffer for all names.
    path: String,
    met: &'m mut dyn FnMut(&str, FileStat),
    odd: Vec<UnusableEntry>,
    directories: Vec<String>,
    leftovers: Vec<String>,
}

impl<'m> Walker<'m> {
    fn new(met: &'m mut dyn FnMut(&str, FileStat)) -> Walker<'m> {
        Walker { path: String::new(), met, odd: Vec::new(), directories: Vec::new(), leftovers: Vec::new() }
    }

    fn walk(root: &Root, met: &'m mut dyn FnMut(&str, FileStat)) -> Result<Walker<'m>, FsError> {
        let mut walker = Walker::new(met);
        let failed = |error| FsError::io("list", root.path().display().to_string(), error);
        walker.visit(root.handle(), 0).map_err(failed)?;
        Ok(walker)
    }

    fn visit(&mut self, dir: &Dir, depth: usize) -> io::Result<()> {
        let mut directories = Vec::new();
        self.directories.push(self.path.trim_end_matches('/').to_owned());
        dir.entries(&mut |entry| self.meet(dir, entry, &mut directories))?;
        for name in directories {
            if depth + 1 >= limits::SCAN_DEPTH {
                self.odd(&name, EntryFault::TooDeep);
                continue;
            }
            let above = self.path.len();
            self.path.push_str(&name);
            self.path.push('/');
            let opened = dir.step(&name).and_then(|below| self.visit(&below, depth + 1));
            self.path.truncate(above);
            if opened.is_err() {
                self.odd(&name, EntryFault::Unreadable);
            }
        }
        Ok(())
    }

    /// Takes in one entry of a directory; what is a directory itself comes later.
    fn meet(&mut self, dir: &Dir, entry: &DirEntry<'_>, directories: &mut Vec<String>) {
        let Some(name) = entry.name() else {
            return self.odd(&entry.shown(), EntryFault::Name);
        };
        if name.starts_with('.') {
            if name.starts_with(TEMP_PREFIX) {
                self.leftovers.push(format!("{}{name}", self.path));
            }
            return;
        }
        let markdown = is_markdown(name);
        match entry.kind() {
            FileKind::Directory if markdown => self.odd(name, EntryFault::NotAFile),
            FileKind::Directory => directories.push(name.to_owned()),
            FileKind::Link => self.odd(name, EntryFault::Link),
            FileKind::File if !markdown => {}
            _ => self.look(dir, entry, name, markdown, directories),
        }
    }

    /// Stats one entry: for its facts, and for its kind where the file system does not say.
    fn look(&mut self, dir: &Dir, entry: &DirEntry<'_>, name: &str, markdown: bool, directories: &mut Vec<String>) {
        let Ok(look) = dir.look_at(entry) else { return };
        match look.kind {
            FileKind::File if markdown => {
                let above = self.path.len();
                self.path.push_str(name);
                (self.met)(&self.path, look.facts);
                self.path.truncate(above);
            }
            FileKind::Directory if !markdown => directories.push(name.to_owned()),
            FileKind::Link => self.odd(name, EntryFault::Link),
            FileKind::File => {}
            _ if markdown => self.odd(name, EntryFault::NotAFile),
            _ => {}
        }
    }

    fn odd(&mut self, name: &str, why: EntryFault) {
        self.odd.push(UnusableEntry { path: format!("{}{name}", self.path), why });
    }
}

fn is_markdown(name: &str) -> bool {
    name.len() > 3 && name.as_bytes()[name.len() - 3..].eq_ignore_ascii_case(b".md")
}
