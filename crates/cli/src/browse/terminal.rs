//! Takes over the terminal, and restores it however the program ends.
//!
//! Given back when dropped, on a panic, before an editor starts and before the process is suspended.
//! Signals that would end the process are noted instead, and end the loop.

use std::io::{self, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use crate::system::{ENDING, SUSPEND};

/// The whole screen, until it is dropped.
pub(super) struct TerminalScreen {
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
    ended: Arc<AtomicBool>,
    stopped: Arc<AtomicBool>,
}

impl TerminalScreen {
    pub(super) fn take() -> io::Result<TerminalScreen> {
        let (ended, stopped) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        for &signal in ENDING {
            signal_hook::flag::register(signal, Arc::clone(&ended))?;
        }
        if let Some(signal) = SUSPEND {
            signal_hook::flag::register(signal, Arc::clone(&stopped))?;
        }
        on_panic(give_back);
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let mut screen = TerminalScreen { terminal, ended, stopped };
        screen.enter()?;
        // The first look sets up the listening for a new size; before it one would be missed.
        event::poll(Duration::ZERO)?;
        Ok(screen)
    }

    fn enter(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen)?;
        // What was drawn before is gone. Asking the terminal to clear would ask it where the cursor is, too.
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }

    /// Runs something that needs the terminal as it was.
    pub(super) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let result = work();
        self.enter()?;
        Ok(result)
    }

    /// Stops until the shell goes on with it, where a shell can.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        let Some(signal) = SUSPEND else { return Ok(()) };
        self.lend(|| signal_hook::low_level::emulate_default_handler(signal))?
    }

    /// Whether somebody wants the process to end.
    pub(super) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Whether somebody wants it to stop; says so once.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.swap(false, Ordering::Relaxed)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        give_back();
    }
}

/// The terminal as it was; harmless when it is so already.
fn give_back() {
    // There is nobody left to tell.
    let _ = disable_raw_mode();
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = io::stdout().flush();
}

/// First `restore`, then whatever a panic did before: its words must be readable.
fn on_panic(restore: impl Fn() + Send + Sync + 'static) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore();
        before(panic);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_the_terminal_back_first() {
        let restored = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&restored);
        on_panic(move || seen.store(true, Ordering::Relaxed));
        let ended = std::thread::spawn(|| panic!("on purpose")).join();
        assert!(ended.is_err() && restored.load(Ordering::Relaxed));
    }
}
