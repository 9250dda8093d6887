//! Real directories and real repositories for the tests of this room.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::{Place, PlaceError};
use memdir_core::surroundings::Surroundings;

pub(super) struct Sandbox {
    _temp: TempDir,
    /// The real path of everything below.
    pub(super) root: PathBuf,
}

impl Sandbox {
    pub(super) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = crate::fs::canonical(temp.path()).unwrap();
        fs::create_dir_all(root.join("home")).unwrap();
        Sandbox { _temp: temp, root }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    pub(super) fn dir(&self, below: &str) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub(super) fn write(&self, below: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(super) fn copy(&self, from: &str, to: &str) {
        self.write(to, fs::read(self.path(from)).unwrap());
    }

    pub(super) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    #[cfg(unix)]
    pub(super) fn link(&self, target: impl AsRef<Path>, below: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// Runs git in a directory, with no configuration but the repository's own.
    pub(super) fn git(&self, below: &str, args: &[&str]) -> String {
        run_git(&self.path(below), args).unwrap_or_else(|| panic!("git {args:?} in {below}"))
    }

    /// A repository with one commit.
    pub(super) fn repository(&self, below: &str) -> PathBuf {
        let path = self.dir(below);
        self.git(below, &["init", "-q", "-b", "main"]);
        self.write(&format!("{below}/src/deep/file"), below);
        self.commit(below);
        path
    }

    pub(super) fn commit(&self, below: &str) {
        self.git(below, &["add", "-A", "-f"]);
        self.git(below, &["commit", "-q", "-m", "x"]);
    }

    /// A person at work in a directory, with nothing set.
    pub(super) fn around(&self, cwd: &str) -> Surroundings {
        Surroundings {
            cwd: self.path(cwd),
            home: Some(self.path("home")),
            config_dir: Some(self.path("home/.config")),
            state_dir: Some(self.path("home/.local/state")),
            cache_dir: Some(self.path("home/.cache")),
            managed_settings: vec![self.path("etc/managed-settings.json")],
            ..Surroundings::default()
        }
    }

    pub(super) fn place(&self, cwd: &str) -> Place {
        Place::find(&self.around(cwd)).unwrap()
    }

    /// The memory directory, relative to the sandbox.
    pub(super) fn memory(&self, cwd: &str) -> Result<String, PlaceError> {
        self.place(cwd).memory_dir.map(|dir| self.relative(&dir))
    }

    pub(super) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }
}

/// The runner that a caller passes in.
pub(super) fn run_git(dir: &Path, args: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-c", "protocol.file.allow=always"]).args(args).current_dir(dir);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["GIT_AUTHOR", "GIT_COMMITTER"] {
        git.env(format!("{who}_NAME"), "n").env(format!("{who}_EMAIL"), "n@example.org");
    }
    let done = git.output().unwrap();
    done.status.success().then(|| String::from_utf8(done.stdout).unwrap())
}
