//! A memory directory for tests of the engine: its own home, a fixed day, no git.

#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Memory, Signature};
use memdir_core::surroundings::{Flags, Surroundings};
use memdir_store::Store;
use memdir_store::history::Actor;

/// A home with a project and a memory directory.
pub(crate) struct TestMemory {
    home: PathBuf,
    /// Removes it; another process's bench has none.
    _dir: Option<tempfile::TempDir>,
    vars: BTreeMap<String, String>,
}

impl TestMemory {
    /// An empty one.
    pub(crate) fn new() -> TestMemory {
        let dir = tempfile::tempdir().unwrap();
        let home = memdir_store::fs::canonical(dir.path()).unwrap();
        let bench = TestMemory { home, _dir: Some(dir), vars: BTreeMap::new() };
        std::fs::create_dir_all(bench.project()).unwrap();
        std::fs::create_dir_all(bench.dir()).unwrap();
        bench
    }

    /// The bench of another process.
    pub(crate) fn at(home: PathBuf) -> TestMemory {
        TestMemory { home, _dir: None, vars: BTreeMap::new() }
    }

    /// One with these memories, as an editor would leave them, and their pointers.
    pub(crate) fn with(files: &[(&str, &str)]) -> TestMemory {
        let bench = TestMemory::new();
        let mut index = String::new();
        for (file, content) in files {
            bench.put(file, content);
            if !file.contains('/') {
                index += &format!("- [{file}]({file}) — a hook\n");
            }
        }
        bench.put("MEMORY.md", &index);
        bench
    }

    /// Sets a variable of memdir.
    pub(crate) fn set(mut self, name: &str, value: &str) -> TestMemory {
        self.vars.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.home.clone()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.home().join("work/app")
    }

    /// The memory directory.
    pub(crate) fn dir(&self) -> PathBuf {
        self.home().join("memories/app")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.home().join("state")
    }

    pub(crate) fn put(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.dir().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.dir().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Everything below the memory directory with its bytes; links with where they lead.
    pub(crate) fn bytes(&self) -> BTreeMap<String, Vec<u8>> {
        below(&self.dir())
    }

    /// What is left in the staging directories.
    pub(crate) fn rubbish(&self) -> Vec<String> {
        below(&self.state()).into_keys().filter(|path| path.contains("/staging/")).collect()
    }

    /// Opens memory as a process would, a Tuesday in April.
    pub(crate) fn memory(&self) -> Memory {
        self.memory_at("2026-04-14T10:00:00[UTC]")
    }

    /// The same by another clock.
    pub(crate) fn memory_at(&self, now: &str) -> Memory {
        let around = Surroundings {
            cwd: self.project(),
            home: Some(self.home()),
            vars: self.vars.clone(),
            config_dir: Some(self.home().join("config")),
            state_dir: Some(self.state()),
            cache_dir: Some(self.home().join("cache")),
            flags: Flags { memory_dir: Some(self.dir()), ..Flags::default() },
            ..Surroundings::default()
        };
        let signature = Signature { actor: Actor::User, session: None, message: None };
        Memory::open(around, |_, _| None, now.parse().unwrap(), signature).unwrap()
    }
}

/// The private store of an opened memory.
pub(crate) fn store(memory: &Memory) -> &Store {
    memory.private_store().unwrap().unwrap()
}

/// A memory file.
pub(crate) fn topic(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {name} in short\ntype: {kind}\n---\n\n{body}\n")
}

fn below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(dir) = left.pop() {
        for path in std::fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() {
                found.insert(name, std::fs::read_link(&path).unwrap().as_os_str().as_encoded_bytes().to_vec());
            } else if path.is_dir() {
                left.push(path);
            } else {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    found
}
