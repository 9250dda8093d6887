//! The user's own `git`, for sharing team memory: with their credentials, signing and hooks, and with an end.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use memdir::limits::TEAM_GIT_SECONDS;
use memdir::team::git::{GitFailure, GitProgram};

/// Variables that would lead git to another repository than the one it is run in.
const ELSEWHERE: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// Runs `git`.
pub(crate) struct UserGit {
    /// Somebody is there who can be asked for a password.
    pub(crate) attended: bool,
}

impl GitProgram for UserGit {
    fn run(&self, dir: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitFailure> {
        let failed = |said: String| GitFailure { output: String::new(), said };
        let mut command = Command::new("git");
        command.arg("-C").arg(dir).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in ELSEWHERE {
            command.env_remove(name);
        }
        // A blob that was left out on purpose is not fetched after all; messages are read, so they are English.
        command.env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
        // Whatever the user's own configuration makes of an address, it starts no program.
        command.env("GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file");
        if !self.attended {
            command.env("GIT_TERMINAL_PROMPT", "0").env("SSH_ASKPASS_REQUIRE", "never");
        }
        let mut child = command.spawn().map_err(|error| failed(format!("git could not be started: {error}")))?;
        let (stdin, mut stdout, mut stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // A git that does not read all of it says why itself.
                let _ = stdin.map(|mut stdin| stdin.write_all(input));
            });
            let out = scope.spawn(move || read(&mut stdout));
            let err = scope.spawn(move || read(&mut stderr));
            let end = Instant::now() + Duration::from_secs(TEAM_GIT_SECONDS);
            let status = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Ok(status),
                    Ok(None) if Instant::now() >= end => {
                        let _ = child.kill();
                        let _ = child.wait();
                        break Err(failed(format!("git took longer than {TEAM_GIT_SECONDS} seconds")));
                    }
                    Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                    Err(error) => break Err(failed(error.to_string())),
                }
            };
            let (output, said) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
            if status?.success() {
                return Ok(output);
            }
            Err(GitFailure {
                output: String::from_utf8_lossy(&output).into_owned(),
                said: String::from_utf8_lossy(&said).into_owned(),
            })
        })
    }
}

fn read(from: &mut Option<impl std::io::Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    bytes
}
