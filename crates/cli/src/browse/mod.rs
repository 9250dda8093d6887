//! `memdir` without arguments on a terminal: every memory in a list, to search, read and put right.
//!
//! Enters: keys. Leaves: what the library's verbs do, each in the history. Never starts on a pipe.
//!
//! - `state`, `keys`: what is shown and what a key does to it; no terminal, no files.
//! - `rows`, `page`: memories as lines of a list, texts as lines of a reader.
//! - `draw`: the screen.
//! - `actions`, `finder`: what touches memory, here and on a thread beside it.
//! - `terminal`: taken whole, given back as it was.

mod actions;
mod draw;
mod finder;
mod keys;
mod page;
mod rows;
mod state;
mod terminal;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{IsTerminal as _, stdin, stdout};
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEventKind};

use self::draw::Theme;
use self::finder::Finder;
use self::state::{Browse, BrowseAction};
use self::terminal::TerminalScreen;
use crate::args::Global;
use crate::commands::CommandResult;
use crate::env;
use crate::system::{InputState, wait_for_keys};
use crate::ui::Ui;

/// How long to wait for a key before looking for updates.
const TICK: Duration = Duration::from_millis(60);

/// Whether there is a terminal to show a list on.
pub(crate) fn is_possible(ui: &Ui) -> bool {
    !ui.json && stdin().is_terminal() && stdout().is_terminal() && !env::terminal_is_dumb()
}

/// Shows the list until it is left.
pub(crate) fn run(global: &Global, ui: &mut Ui) -> CommandResult {
    // What is wrong with the place of memory is said plainly, not on a screen that goes away.
    let memory = env::open(global)?;
    memory.require_on()?;
    let mut browse = Browse::new(env::below_home(&memory.place.project.root));
    let first = actions::all(&memory)?;
    drop(memory);
    let finder = Finder::start(global.clone());
    let theme = Theme { color: ui.has_color() };
    let mut screen = TerminalScreen::take()?;
    let mut actions: VecDeque<BrowseAction> = browse.apply(first).into();
    loop {
        while let Some(action) = actions.pop_front() {
            let update = match action {
                BrowseAction::Leave => return Ok(()),
                BrowseAction::Suspend => {
                    screen.suspend()?;
                    None
                }
                BrowseAction::LookFor(query) => {
                    finder.look_for(query);
                    None
                }
                edit @ (BrowseAction::Edit(_) | BrowseAction::New) => {
                    screen.lend(|| actions::perform(edit, global, ui))?
                }
                action => actions::perform(action, global, ui),
            };
            actions.extend(update.map(|update| browse.apply(update)).unwrap_or_default());
        }
        screen.terminal.draw(|frame| draw::draw(frame, &mut browse, theme))?;
        actions.extend(wait(&mut screen, &mut browse, &finder)?);
    }
}

/// Waits for a key, an update or a signal; returns when something is to be drawn.
fn wait(screen: &mut TerminalScreen, browse: &mut Browse, finder: &Finder) -> std::io::Result<Vec<BrowseAction>> {
    loop {
        if screen.is_ended() {
            return Ok(vec![BrowseAction::Leave]);
        }
        if screen.is_stopped() {
            return Ok(vec![BrowseAction::Suspend]);
        }
        if let Ok(update) = finder.updates.try_recv() {
            return Ok(browse.apply(update));
        }
        if wait_for_keys(TICK) == InputState::Gone {
            return Ok(vec![BrowseAction::Leave]);
        }
        // Keys that are there already are taken together: a held key never runs behind.
        let mut actions = Vec::new();
        let mut seen = false;
        while event::poll(Duration::ZERO)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    actions.extend(browse.key(key));
                    seen = true;
                }
                Event::Resize(..) => seen = true,
                _ => {}
            }
            // What a key wished for comes before the next key.
            if !actions.is_empty() {
                break;
            }
        }
        if seen {
            return Ok(actions);
        }
    }
}
