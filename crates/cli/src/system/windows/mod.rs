//! Windows: job objects, Ctrl-C, `cmd`. There is no shell that the tools of a model are made for.

mod handles;
mod job;

use std::ffi::c_int;
use std::io::{IsTerminal as _, stdin};
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};

use super::{InputState, StopMode};

/// What edits a text when nobody chose an editor.
pub(crate) const EDITOR: &str = "notepad";
/// Signals that ask the process to end.
pub(crate) const ENDING: &[c_int] = &[SIGINT, SIGTERM];
/// The signal that suspends a program, where there is one.
pub(crate) const SUSPEND: Option<c_int> = None;
/// Whether commands can be run in a shell.
pub(crate) const HAS_SHELL: bool = false;

/// Waits until somebody types, at most so long; a console that is gone ends the process by itself.
pub(crate) fn wait_for_keys(patience: Duration) -> InputState {
    let _ = ratatui::crossterm::event::poll(patience);
    InputState::Maybe
}

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Lets a command begin a family of its own; [`ProcessTree::of`] makes it one.
pub(crate) fn found_family(command: &mut Command) -> &mut Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP)
}

/// A process and all it started.
#[derive(Debug)]
pub(crate) struct ProcessTree(Option<job::Job>);

impl ProcessTree {
    /// The family of a process that was just started. What it has started already is not in it.
    pub(crate) fn of(child: &Child) -> ProcessTree {
        ProcessTree(job::Job::of(child).ok())
    }

    /// Whether the first process has ended.
    pub(crate) fn has_ended(&self, child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    /// Ends all of it. There is no way to ask.
    pub(crate) fn end(&self, how: StopMode) {
        if let (Some(job), StopMode::AtOnce) = (&self.0, how) {
            job.end();
        }
    }
}

/// Lets a command run beside us, whoever ends, without a window and without our input and output.
pub(crate) fn detach(command: &mut Command) -> &mut Command {
    handles::keep();
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP)
}

/// A process that was detached has left already.
pub(crate) fn leave_session() {}

/// A command line in the shell of the system.
pub(crate) fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.raw_arg(format!("/S /C \"{line}\""));
    command
}

/// An editor, which may be a command with arguments, on a file.
pub(crate) fn editor(editor: &str, file: &Path) -> Command {
    shell(&format!("{editor} \"{}\"", file.display()))
}

/// Shows an address in the user's browser.
pub(crate) fn browser(url: &str) -> Command {
    let mut command = Command::new("rundll32");
    command.arg("url.dll,FileProtocolHandler").arg(url);
    command
}

/// Files allow what their directory does.
pub(crate) fn let_others_read(_file: &Path) {}

/// A terminal on which Ctrl-C does not end the process.
pub(crate) struct QuietTerminal {
    over: Arc<AtomicBool>,
}

impl QuietTerminal {
    /// `interrupted` is called for each Ctrl-C, which is no letter here.
    pub(crate) fn take(_letter: u8, interrupted: impl Fn() + Send + 'static) -> Option<QuietTerminal> {
        if !stdin().is_terminal() {
            return None;
        }
        let pressed = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGINT, Arc::clone(&pressed)).ok()?;
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                if pressed.swap(false, Ordering::Relaxed) {
                    interrupted();
                }
                std::thread::sleep(LOOK);
            }
        });
        Some(QuietTerminal { over })
    }
}

impl Drop for QuietTerminal {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
