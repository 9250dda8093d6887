//! Unix: process groups, signals, `termios`, `sh`.

use std::ffi::c_int;
use std::io::{IsTerminal as _, stdin};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};

use super::{InputState, StopMode};

/// What edits a text when nobody chose an editor.
pub(crate) const EDITOR: &str = "vi";
/// Signals that ask the process to end.
pub(crate) const ENDING: &[c_int] = &[SIGINT, SIGTERM, SIGHUP];
/// The signal that suspends a program, where there is one.
pub(crate) const SUSPEND: Option<c_int> = Some(SIGTSTP);
/// Whether commands can be run in a shell.
pub(crate) const HAS_SHELL: bool = true;

/// Waits until somebody types, at most so long. Reading from a terminal that is gone fails for ever, and whoever reads keys tries
/// again for ever: so this is asked first.
pub(crate) fn wait_for_keys(patience: Duration) -> InputState {
    let stdin = stdin();
    let mut open = [PollFd::new(&stdin, PollFlags::IN)];
    let patience = Timespec { tv_sec: 0, tv_nsec: i64::from(patience.subsec_nanos()) };
    // A signal ends the wait; what it says is looked at next.
    let _ = poll(&mut open, Some(&patience));
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if open[0].revents().intersects(gone) { InputState::Gone } else { InputState::Maybe }
}

/// Lets a command begin a family of its own.
pub(crate) fn found_family(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// A process and all it started.
#[derive(Debug)]
pub(crate) struct ProcessTree(Option<Pid>);

impl ProcessTree {
    /// The family of a process that [`found_family`] started.
    pub(crate) fn of(child: &Child) -> ProcessTree {
        ProcessTree(i32::try_from(child.id()).ok().and_then(Pid::from_raw))
    }

    /// Whether the first process has ended. It is not reaped, so its number stays its own.
    pub(crate) fn has_ended(&self, _child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.0.is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Ends all of it.
    pub(crate) fn end(&self, how: StopMode) {
        if let Some(pid) = self.0 {
            // Nobody left to tell is as good as told.
            let _ = kill_process_group(pid, if how == StopMode::Gently { Signal::TERM } else { Signal::KILL });
        }
    }
}

/// Lets a command run beside us, whoever ends.
pub(crate) fn detach(command: &mut Command) -> &mut Command {
    command
}

/// Leaves the session of whoever started this process: an agent that ends takes everything in its own with it.
pub(crate) fn leave_session() {
    // It fails for the first process of a job in a shell, which nobody ends but the shell.
    let _ = rustix::process::setsid();
}

/// A command line in a shell.
pub(crate) fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

/// An editor, which may be a command with arguments, on a file.
pub(crate) fn editor(editor: &str, file: &Path) -> Command {
    let mut command = shell(&format!("{editor} \"$1\""));
    command.arg("memdir-edit").arg(file);
    command
}

/// Shows an address in the user's browser.
pub(crate) fn browser(url: &str) -> Command {
    let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    command.arg(url);
    command
}

/// Lets everybody read a file, as an editor would make it.
pub(crate) fn let_others_read(file: &Path) {
    let _ = std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644));
}

/// A terminal on which Ctrl-C is a letter; as it was when dropped.
pub(crate) struct QuietTerminal {
    before: Termios,
}

impl QuietTerminal {
    /// `letter` is what Ctrl-C types from now on; `_interrupted` is for systems where it stays a signal.
    pub(crate) fn take(letter: u8, _interrupted: impl Fn() + Send + 'static) -> Option<QuietTerminal> {
        if !stdin().is_terminal() {
            return None;
        }
        let before = tcgetattr(stdin()).ok()?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ISIG);
        quiet.special_codes[SpecialCodeIndex::VEOL] = letter;
        tcsetattr(stdin(), OptionalActions::Now, &quiet).ok()?;
        Some(QuietTerminal { before })
    }
}

impl Drop for QuietTerminal {
    fn drop(&mut self) {
        // There is nothing left to tell anybody about it.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}
