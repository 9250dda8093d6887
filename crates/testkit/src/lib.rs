//! An isolated machine for tests: its own home, an empty environment, a fixed clock.
//!
//! Enters: the path of the `memdir` binary. Leaves: real processes on real files in a temporary
//! directory that is removed afterwards. Nothing of the machine the tests run on is seen: no
//! settings, no memories, no variables but `PATH`.
//!
//! - [`model_server`]: a scripted model on loopback that speaks the real wires.
//! - [`HttpClient`]: requests to a server, right or wrong.
//! - `script`: a scripted model in the same process (feature `model`).
//! - `bucket`: an object store in memory (feature `team`).

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::unwrap_used, clippy::return_self_not_must_use)] // it is all test

#[cfg(feature = "team")]
pub mod bucket;
mod http_client;
pub mod model_server;
#[cfg(feature = "model")]
pub mod script;
pub mod tls;

pub use http_client::{HttpClient, HttpReply};

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// Makes a symbolic link. On Windows that takes a right that not every user has.
pub fn link(target: impl AsRef<Path>, link: impl AsRef<Path>) -> std::io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(windows)]
    if target.as_ref().is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

/// The time every test runs at unless it says otherwise: a Tuesday.
pub const NOW: &str = "2026-04-14T10:00:00Z";

/// A home directory, a project below it and a way to run `memdir` there.
pub struct TestEnv {
    dir: TempDir,
    binary: PathBuf,
    now: String,
    vars: Vec<(String, String)>,
}

/// What a run of `memdir` gave.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
    what: String,
}

impl TestEnv {
    /// A fresh home with an empty project (no git) at `~/work/app`.
    pub fn new(binary: impl AsRef<Path>) -> TestEnv {
        let dir = tempfile::Builder::new().prefix("memdir-test-").tempdir().expect("a temporary directory");
        let env = TestEnv { dir, binary: binary.as_ref().to_path_buf(), now: NOW.to_owned(), vars: Vec::new() };
        std::fs::create_dir_all(env.project()).expect("the project directory");
        env
    }

    /// The same with a git repository of one commit in the project.
    pub fn with_git(binary: impl AsRef<Path>) -> TestEnv {
        let env = TestEnv::new(binary);
        env.init_repository(&env.project(), "first");
        env
    }

    /// The home directory, links resolved.
    pub fn home(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("home").join("home")
    }

    /// The project's directory.
    pub fn project(&self) -> PathBuf {
        self.home().join("work/app")
    }

    /// Where the project's memory is.
    pub fn memory(&self) -> PathBuf {
        let status = self.json(&["status"]);
        PathBuf::from(status["memory"]["dir"].as_str().expect("a memory directory"))
    }

    /// Where history is kept.
    pub fn state(&self) -> PathBuf {
        self.home().join(".local/state/memdir")
    }

    /// Where caches are kept.
    pub fn cache(&self) -> PathBuf {
        self.home().join(".cache/memdir")
    }

    /// Sets the clock.
    pub fn at(&mut self, now: &str) -> &mut TestEnv {
        now.clone_into(&mut self.now);
        self
    }

    /// Sets a variable for every later run.
    pub fn var(&mut self, name: &str, value: &str) -> &mut TestEnv {
        self.vars.retain(|(known, _)| known != name);
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A command that runs `memdir` in the project.
    pub fn command<I: AsRef<OsStr>>(&self, args: &[I]) -> Command {
        self.program(&self.binary, args)
    }

    /// A command that runs any program in the project, as isolated as `memdir` is.
    pub fn program<I: AsRef<OsStr>>(&self, program: impl AsRef<OsStr>, args: &[I]) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("TZ", "UTC")
            .env("MEMDIR_NOW", &self.now)
            .env("MEMDIR_NO_BACKGROUND", "1")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            // Where lines are counted (tests/coverage), those of this process count too.
            .envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)))
            .envs(self.vars.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Runs `memdir` in the project.
    pub fn run<I: AsRef<OsStr>>(&self, args: &[I]) -> Run {
        finish(&mut self.command(args))
    }

    /// Runs `memdir` in another directory.
    pub fn run_in<I: AsRef<OsStr>>(&self, dir: &Path, args: &[I]) -> Run {
        finish(self.command(args).current_dir(dir))
    }

    /// Runs `memdir … --json`, which must succeed, and reads what it printed.
    pub fn json(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).ok().json()
    }

    /// Runs `git` somewhere; it must succeed.
    pub fn git(&self, dir: &Path, args: &[&str]) -> String {
        let mut command = self.program("git", args);
        let output = command
            .current_dir(dir)
            .envs([("GIT_AUTHOR_NAME", "Test"), ("GIT_AUTHOR_EMAIL", "test@example.org")])
            .envs([("GIT_COMMITTER_NAME", "Test"), ("GIT_COMMITTER_EMAIL", "test@example.org")])
            .output()
            .expect("git runs");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Makes a repository with one commit; its text makes the root commit unique.
    pub fn init_repository(&self, dir: &Path, text: &str) {
        std::fs::create_dir_all(dir).expect("a directory");
        self.git(dir, &["init", "-q", "-b", "main"]);
        std::fs::write(dir.join("README.md"), text).expect("a file");
        self.git(dir, &["add", "."]);
        self.git(dir, &["commit", "-q", "-m", text]);
    }

    /// Writes a file of the memory directory as an editor would.
    pub fn write_memory(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.memory().join(file);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, content).expect("a file");
    }

    /// Reads a file of the memory directory.
    pub fn read_memory(&self, file: &str) -> String {
        std::fs::read_to_string(self.memory().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Every path below the memory directory, relative and sorted, hidden files included.
    pub fn memory_files(&self) -> Vec<String> {
        let root = self.memory();
        let mut found = Vec::new();
        below(&root, &root, &mut found);
        found.sort();
        found
    }
}

impl Run {
    /// Expects success.
    #[track_caller]
    pub fn ok(self) -> Run {
        assert_eq!(self.code, Some(0), "{self}");
        self
    }

    /// Expects this exit code.
    #[track_caller]
    pub fn fails(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Expects these words in what was said.
    #[track_caller]
    pub fn says(self, words: &str) -> Run {
        assert!(self.stderr.contains(words), "stderr lacks {words:?}\n{self}");
        self
    }

    /// Expects these words in what was printed.
    #[track_caller]
    pub fn prints(self, words: &str) -> Run {
        assert!(self.stdout.contains(words), "stdout lacks {words:?}\n{self}");
        self
    }

    /// What was printed, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error})\n{self}"))
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "$ {}\nexit {:?}\n--- stdout\n{}\n--- stderr\n{}", self.what, self.code, self.stdout, self.stderr)
    }
}

/// A program of this crate, built if need be: cargo builds the programs of dependencies for nobody.
pub fn binary(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let dir = BUILT.get_or_init(|| {
        // target/<profile>/deps/<test> is what runs now.
        let test = std::env::current_exe().expect("the test's own path");
        let profile = test.parent().and_then(Path::parent).expect("the profile's directory");
        let target = profile.parent().expect("the target directory");
        let name = match profile.file_name().and_then(OsStr::to_str) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--offline", "--package", "memdir-testkit", "--bins", "--profile", name]);
        build.arg("--target-dir").arg(target).current_dir(env!("CARGO_MANIFEST_DIR"));
        finish(&mut build).ok();
        profile.to_path_buf()
    });
    dir.join(name)
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Run {
    let what = format!("{command:?}");
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{what}: {error}"));
    Run {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        what,
    }
}

fn below(root: &Path, dir: &Path, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            below(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).expect("below").to_string_lossy().into_owned());
        }
    }
}
