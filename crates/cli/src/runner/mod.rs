//! Starts the user's agent for the library, and ends it with everything it started.
//!
//! The agent gets a process group of its own. When its time is up, when somebody cancels or has heard enough, and also
//! when it has ended and left something behind, the whole group is told to end and then ended. Its
//! output is read line by line within bounds; what it complains about is kept to the last lines.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use memdir::limits::{MODEL_ANSWER_BYTES, MODEL_EVENT_BYTES, MODEL_TICK_MS};
use memdir::model::CallLimits;
use memdir::model::command::{OnLine, ProgramEnd, ProgramStart, RunError, Runner};
use memdir::store::fs::{self, Durability, FsError};

use crate::system::{self, ProcessTree, StopMode};

/// How long a group that was told to end may take, and how long the last words of one that ended are waited for.
const GRACE: Duration = Duration::from_millis(500);
/// What is kept of its complaints.
const STDERR_BYTES: usize = 4 * 1024;

/// Starts real processes.
#[derive(Debug)]
pub(crate) struct Processes;

impl Runner for Processes {
    fn run(&self, job: &ProgramStart, call: &CallLimits, on_line: OnLine<'_>) -> Result<ProgramEnd, RunError> {
        let end = Instant::now() + call.timeout;
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            RunError::Failed(format!("{} {what}: {error}", job.program.display()))
        };
        put_in_place(&job.files).map_err(|error| failed("was not started", &error))?;
        let mut command = Command::new(&job.program);
        command
            .args(&job.args)
            .envs(job.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&job.dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child =
            system::found_family(&mut command).spawn().map_err(|error| failed("could not be started", &error))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed("did not take its input", &"a pipe is missing"));
        };
        let mut group = ProcessGroup { family: ProcessTree::of(&child), child };
        let prompt = job.stdin.clone();
        std::thread::spawn(move || {
            let mut stdin = stdin;
            // An agent that does not listen ends without its question; it says so itself.
            let _ = stdin.write_all(prompt.as_bytes());
        });
        let (complain, complaints) = mpsc::channel();
        std::thread::spawn(move || complain.send(last_bytes(stderr)));
        let (send, lines) = mpsc::sync_channel(64);
        std::thread::spawn(move || read_lines(stdout, &send));
        let mut bytes = 0;
        let mut ended = None;
        loop {
            if call.cancel.is_cancelled() {
                return Err(RunError::Cancelled);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(RunError::TimedOut);
            }
            match lines.recv_timeout(left.min(Duration::from_millis(MODEL_TICK_MS))) {
                Ok(Some(line)) => {
                    bytes += line.len();
                    if bytes > MODEL_ANSWER_BYTES {
                        return Err(RunError::TooMuch);
                    }
                    if on_line(&line).is_break() {
                        return Err(RunError::Enough);
                    }
                }
                Ok(None) => return Err(RunError::TooMuch),
                // What it left running holds its pipes open: end that, then its last words arrive. What went
                // its own way before cannot be ended and is not waited for.
                Err(RecvTimeoutError::Timeout) if group.has_ended() => {
                    group.family.end(StopMode::AtOnce);
                    if ended.get_or_insert_with(Instant::now).elapsed() > GRACE {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Its output is closed, so it is about to end, or will be made to.
        let code = group.finish(call, end)?;
        Ok(ProgramEnd { code, stderr: complaints.recv_timeout(GRACE).unwrap_or_default() })
    }

    fn gate(&self) -> Option<PathBuf> {
        crate::env::own_path()
    }
}

/// The files that an agent reads for this run. One that stands as it should is left alone: another may be reading it.
fn put_in_place(files: &[(PathBuf, String)]) -> Result<(), FsError> {
    for (path, text) in files {
        if fs::read_beside(path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        if let Some(dir) = path.parent() {
            fs::create_private_dir(dir)?;
        }
        fs::replace(path, text.as_bytes(), Durability::Cache)?;
    }
    Ok(())
}

/// A process and all it started; none of it outlives this.
struct ProcessGroup {
    child: Child,
    family: ProcessTree,
}

impl ProcessGroup {
    fn has_ended(&mut self) -> bool {
        self.family.has_ended(&mut self.child)
    }

    /// Waits for the exit code.
    fn finish(&mut self, call: &CallLimits, end: Instant) -> Result<Option<i32>, RunError> {
        while !self.has_ended() {
            if call.cancel.is_cancelled() {
                return Err(RunError::Cancelled);
            }
            if Instant::now() >= end {
                return Err(RunError::TimedOut);
            }
            std::thread::sleep(Duration::from_millis(MODEL_TICK_MS));
        }
        self.family.end(StopMode::AtOnce);
        self.child.wait().map(|status| status.code()).map_err(|error| RunError::Failed(error.to_string()))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if !self.has_ended() {
            self.family.end(StopMode::Gently);
            let until = Instant::now() + GRACE;
            while !self.has_ended() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(MODEL_TICK_MS));
            }
        }
        self.family.end(StopMode::AtOnce);
        let _ = self.child.wait();
    }
}

/// Hands on each line; `None` for one that does not end.
fn read_lines(stdout: impl Read, send: &SyncSender<Option<String>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MODEL_EVENT_BYTES as u64).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let too_long = line.len() >= MODEL_EVENT_BYTES && !line.ends_with(b"\n");
        let line = (!too_long).then(|| String::from_utf8_lossy(&line).trim_end().to_owned());
        if send.send(line).is_err() || too_long {
            return;
        }
    }
}

/// The end of a stream.
fn last_bytes(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let mut piece = [0; 4 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        kept.extend_from_slice(&piece[..read]);
        kept.drain(..kept.len().saturating_sub(STDERR_BYTES));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
