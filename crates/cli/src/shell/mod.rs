//! Runs the read-only commands of a model: real programs, no shell.
//!
//! Enters: a job whose programs and arguments the library has judged. Leaves: what they
//! printed. The programs see no environment but a search path, and nothing to read from but each
//! other. Each has a process group of its own, which is killed when time is up, when there is too
//! much output, or when somebody cancels.

use std::ffi::OsString;
use std::io::{PipeReader, PipeWriter, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use memdir::guard::shell::{Sink, When};
use memdir::model::tools::{JobOutput, ReadyCall, Shell, ShellJob, ToolError};

use crate::system::{self, ProcessTree, StopMode};

/// How often a running program is looked after.
const LOOK: Duration = Duration::from_millis(20);
/// What is read of a program's output at once.
const PIECE: usize = 8 * 1024;

/// The programs of this machine.
pub(crate) struct Programs {
    /// Where they are looked for.
    path: OsString,
}

impl Programs {
    /// Programs from a search path. Directories that are relative, or lie in the project, are left out: a
    /// checkout must not be able to bring its own `ls`.
    pub(crate) fn from(path: &OsString, project: &Path) -> Programs {
        let trusted = |dir: &PathBuf| dir.is_absolute() && !dir.starts_with(project);
        let dirs = std::env::split_paths(path).filter(trusted);
        Programs { path: std::env::join_paths(dirs).unwrap_or_default() }
    }
}

impl Programs {
    /// Runs a command that the person has seen and agreed to, in a shell. Of the environment it sees
    /// everything but what looks like a key.
    pub(crate) fn run_agreed(&self, command: &str, job: &ShellJob) -> Result<JobOutput, String> {
        require_shell()?;
        let failed = |error: std::io::Error| format!("the command could not be started: {error}");
        let (result, writer) = std::io::pipe().map_err(failed)?;
        let mut sh = system::shell(command);
        system::found_family(sh.current_dir(&job.cwd).stdin(Stdio::null()));
        sh.stdout(writer.try_clone().map_err(failed)?).stderr(writer);
        for (name, _) in std::env::vars_os() {
            let spelled = name.to_string_lossy().to_uppercase();
            if ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|word| spelled.contains(word)) {
                sh.env_remove(name);
            }
        }
        let mut pipeline = Pipeline { children: Vec::new() };
        pipeline.take(sh.spawn().map_err(failed)?);
        // It holds the writing end of the pipe.
        drop(sh);
        let mut printed = JobOutput { status: Some(0), ..JobOutput::default() };
        pipeline.finish(result, job, Instant::now() + job.timeout, &mut printed);
        Ok(printed)
    }
}

impl Shell for Programs {
    fn run(&self, job: &ShellJob) -> Result<JobOutput, ToolError> {
        require_shell()?;
        let until = Instant::now() + job.timeout;
        let mut printed = JobOutput { status: Some(0), ..JobOutput::default() };
        for step in &job.steps {
            let runs = match step.when {
                When::Always => true,
                When::Succeeded => printed.status == Some(0),
                When::Failed => printed.status != Some(0),
            };
            if !runs {
                continue;
            }
            let (result, writer) = std::io::pipe().map_err(|error| format!("no pipe could be made: {error}"))?;
            let mut pipeline = Pipeline { children: Vec::new() };
            self.start(&step.pipeline, &job.cwd, writer, &mut pipeline)?;
            pipeline.finish(result, job, until, &mut printed);
            if printed.cut || printed.timed_out || job.cancel.is_cancelled() {
                break;
            }
        }
        Ok(printed)
    }
}

impl Programs {
    /// Starts the programs of a pipeline, each reading what the one before it prints.
    fn start(
        &self,
        calls: &[ReadyCall],
        cwd: &Path,
        result: PipeWriter,
        pipeline: &mut Pipeline,
    ) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("no pipe could be made: {error}");
        let mut input: Option<PipeReader> = None;
        for (at, call) in calls.iter().enumerate() {
            let (output, next) = if at + 1 == calls.len() {
                (result.try_clone().map_err(failed)?, None)
            } else {
                let (reader, writer) = std::io::pipe().map_err(failed)?;
                (writer, Some(reader))
            };
            let stream = |sink: Sink| -> Result<Stdio, String> {
                Ok(match sink {
                    Sink::Nothing => Stdio::null(),
                    Sink::Output => output.try_clone().map_err(failed)?.into(),
                    Sink::Complaints => result.try_clone().map_err(failed)?.into(),
                })
            };
            let mut command = Command::new(call.program);
            command
                .args(&call.args)
                .current_dir(cwd)
                .env_clear()
                .env("PATH", &self.path)
                .env("LC_ALL", "C.UTF-8")
                .stdin(input.take().map_or_else(Stdio::null, Stdio::from))
                .stdout(stream(call.out)?)
                .stderr(stream(call.err)?);
            let child = system::found_family(&mut command)
                .spawn()
                .map_err(|error| format!("{} could not be started: {error}", call.program))?;
            pipeline.take(child);
            input = next;
        }
        Ok(())
    }
}

/// Running programs; those that still run are killed when it is dropped.
struct Pipeline {
    children: Vec<(Child, ProcessTree)>,
}

impl Pipeline {
    fn take(&mut self, child: Child) {
        let family = ProcessTree::of(&child);
        self.children.push((child, family));
    }

    /// Takes what is printed until the programs end or must be ended.
    fn finish(mut self, result: PipeReader, job: &ShellJob, until: Instant, printed: &mut JobOutput) {
        let pieces = pieces_of(result);
        loop {
            match pieces.recv_timeout(LOOK.min(until.saturating_duration_since(Instant::now()))) {
                Ok(piece) => {
                    let room = job.output_bytes.saturating_sub(printed.text.len());
                    printed.cut |= piece.len() > room;
                    printed.text.extend_from_slice(&piece[..piece.len().min(room)]);
                    if printed.cut {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            printed.timed_out = Instant::now() >= until;
            if printed.timed_out || job.cancel.is_cancelled() {
                break;
            }
        }
        printed.status = self.end(printed, job, until);
    }

    /// Waits for programs that closed their output, and kills those that may not go on.
    fn end(&mut self, printed: &mut JobOutput, job: &ShellJob, until: Instant) -> Option<i32> {
        let stopped = printed.cut || printed.timed_out || job.cancel.is_cancelled();
        while !stopped && Instant::now() < until && !job.cancel.is_cancelled() {
            if self.children.iter_mut().all(|(child, _)| matches!(child.try_wait(), Ok(Some(_)))) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let running = self.kill();
        printed.timed_out |= running && !printed.cut && Instant::now() >= until;
        let last = self.children.last_mut().and_then(|(child, _)| child.try_wait().ok().flatten());
        // Cut output is an answer; the program that was stopped for it did not fail.
        if printed.cut { Some(0) } else { last.and_then(|status: ExitStatus| status.code()) }
    }

    /// Kills what still runs, with all it may have started. Says whether something did.
    fn kill(&mut self) -> bool {
        let mut running = false;
        for (child, family) in &mut self.children {
            if matches!(child.try_wait(), Ok(None)) {
                running = true;
                family.end(StopMode::AtOnce);
                let _ = child.wait();
            }
        }
        running
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Commands are judged as those of a Unix shell, and only there do they run.
fn require_shell() -> Result<(), String> {
    if system::HAS_SHELL {
        return Ok(());
    }
    Err("commands are not run on Windows, where there is no Bash; use Read, Glob and Grep".to_owned())
}

/// What comes out of a pipe, read beside the loop that watches the time.
fn pieces_of(mut result: PipeReader) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; PIECE];
        while let Ok(read @ 1..) = result.read(&mut buffer) {
            if send.send(buffer[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    receive
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
