//! Instruction files: what is prose, what is a mention, and how far a repository's file reaches (C2).
//!
//! Input: five files of a project in memory, each of which may mention the others and the world.

#![no_main]

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use memdir::context::files::{FileAccess, Found};
use memdir::context::include::mentions;
use memdir::context::prose::prose;
use memdir::context::rules::{RulesInput, load};
use memdir::limits;
use memdir_fuzz::{parts, text};

fuzz_target!(|data: &[u8]| {
    let whole = text(data);
    reading(&whole);
    let files: [&[u8]; 5] = parts(data);
    reaching(files);
});

fn reading(text: &str) {
    let mut end = 0;
    for range in prose(text) {
        assert!(range.start >= end && range.start <= range.end, "ranges overlap or run backwards");
        assert!(text.get(range.clone()).is_some(), "{range:?} is not on characters");
        end = range.end;
    }
    for path in mentions(text) {
        assert!(!path.is_empty() && path.len() <= limits::INCLUDE_PATH_BYTES);
        assert!(!path.contains(['\n', '\0']) && path.trim_start() == path, "{path:?} is no path");
    }
}

/// A project in `/p`, with what it must not reach beside it.
fn reaching(files: [&[u8]; 5]) {
    let names = ["/p/CLAUDE.md", "/p/a.md", "/p/docs/b.md", "/p/.claude/rules/c.md", "/p/CLAUDE.local.md"];
    let mut all: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    all.extend(names.iter().zip(files).map(|(name, bytes)| (PathBuf::from(name), bytes.to_vec())));
    for outside in ["/etc/passwd", "/home/me/secret.md", "/home/me/.ssh/id.txt", "/x.md"] {
        all.insert(outside.into(), b"treasure".to_vec());
    }
    let tree = Tree { files: all, read: RefCell::default() };
    let input = RulesInput {
        managed: None,
        user: None,
        project_root: Some(Path::new("/p")),
        cwd: Path::new("/p/docs"),
        home: Some(Path::new("/home/me")),
        // All of it came with the repository.
        is_tracked: &|_| true,
    };
    let rules = load(&input, &tree);
    for path in tree.read.borrow().iter() {
        assert!(path.starts_with("/p"), "{} was read", path.display());
    }
    let mut seen = HashSet::new();
    let mut bytes = 0;
    for (at, file) in rules.files.iter().enumerate() {
        assert!(seen.insert(file.path.clone()), "{} is there twice", file.path.display());
        assert!(!file.text.contains("treasure") || tree.files[&clean(&file.path)].windows(8).any(|w| w == b"treasure"));
        bytes += file.text.len();
        if let Some(parent) = &file.included_by {
            let parent = rules.files.iter().position(|other| &other.path == parent);
            assert!(parent.is_some_and(|parent| parent > at), "{} stands behind what includes it", file.path.display());
        }
    }
    assert!(bytes <= limits::RULES_TOTAL_BYTES + 16, "{bytes}");
}

struct Tree {
    files: BTreeMap<PathBuf, Vec<u8>>,
    read: RefCell<Vec<PathBuf>>,
}

impl FileAccess for Tree {
    fn find(&self, path: &Path) -> io::Result<Option<Found>> {
        let real = clean(path);
        Ok(self.files.get(&real).map(|bytes| Found { bytes: bytes.len() as u64, real: real.clone() }))
    }

    fn read(&self, real: &Path, limit: usize) -> io::Result<Vec<u8>> {
        self.read.borrow_mut().push(real.to_path_buf());
        let bytes = self.files.get(real).ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes[..bytes.len().min(limit)].to_vec())
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        let dir = clean(dir);
        Ok(self.files.keys().filter(|path| path.parent() == Some(&dir)).filter_map(|path| path.file_name().map(Into::into)).collect())
    }

    fn real_dir(&self, dir: &Path) -> io::Result<PathBuf> {
        Ok(clean(dir))
    }
}

fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => out.push(name),
            Component::ParentDir => drop(out.pop()),
            _ => {}
        }
    }
    out
}
