//! What a key does: a change of what is shown, or wishes. The same letters as on the page.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::rows::fitting;
use super::state::{Browse, Line, Said, View, Wish};

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("/", "search as you type: names first, then texts"),
    ("j k ↓ ↑", "next, previous; space and PgUp by pages"),
    ("enter", "read; esc goes back"),
    ("e", "edit in $EDITOR"),
    ("p", "pin or unpin"),
    ("f", "forget"),
    ("u", "undo"),
    ("i m tab", "inbox, memories"),
    ("a x", "in the inbox: accept, reject"),
    ("q", "quit"),
];

impl Browse {
    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Wish> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control) {
            (KeyCode::Char('c'), true) => return vec![Wish::Leave],
            (KeyCode::Char('z'), true) => return vec![Wish::Suspend],
            _ => {}
        }
        let said = self.said.take();
        if let Some(Said::Ask(_, wish)) = said {
            return if matches!(key.code, KeyCode::Char('y' | 'Y')) { vec![wish] } else { Vec::new() };
        }
        if std::mem::take(&mut self.help) {
            return Vec::new();
        }
        if let Some(wishes) = self.typed(key, control) {
            return wishes;
        }
        if self.reading { self.read_key(key) } else { self.list_key(key, control) }
    }

    /// A letter of the query; `None` when it is another key.
    fn typed(&mut self, key: KeyEvent, control: bool) -> Option<Vec<Wish>> {
        if !self.typing {
            return None;
        }
        match key.code {
            KeyCode::Char('u') if control => self.query.clear(),
            KeyCode::Char('w') if control => {
                let kept = self.query.trim_end().rfind(' ').map_or(0, |space| space + 1);
                self.query.truncate(kept);
            }
            KeyCode::Char(letter) if !control => self.query.push(letter),
            KeyCode::Backspace => drop(self.query.pop()),
            KeyCode::Enter => {
                self.typing = false;
                return Some(Vec::new());
            }
            KeyCode::Esc => {
                self.typing = false;
                self.query.clear();
            }
            _ => return None,
        }
        Some(self.searched())
    }

    fn searched(&mut self) -> Vec<Wish> {
        self.shown = fitting(&self.rows, &self.query);
        self.hits.clear();
        let mut wishes = self.moved(0);
        wishes.push(Wish::LookFor(self.query.clone()));
        wishes
    }

    fn list_key(&mut self, key: KeyEvent, control: bool) -> Vec<Wish> {
        let (last, leap) = (self.len().saturating_sub(1), self.list_height.max(2) - 1);
        match key.code {
            KeyCode::Char('d') if control => self.moved(self.at + leap / 2),
            KeyCode::Char('u') if control => self.moved(self.at.saturating_sub(leap / 2)),
            KeyCode::Char(_) if control => Vec::new(),
            KeyCode::Down | KeyCode::Char('j') => self.moved(self.at + 1),
            KeyCode::Up | KeyCode::Char('k') => self.moved(self.at.saturating_sub(1)),
            KeyCode::PageDown | KeyCode::Char(' ') => self.moved(self.at + leap),
            KeyCode::PageUp => self.moved(self.at.saturating_sub(leap)),
            KeyCode::Home | KeyCode::Char('g') => self.moved(0),
            KeyCode::End | KeyCode::Char('G') => self.moved(last),
            KeyCode::Char('q') => vec![Wish::Leave],
            KeyCode::Enter | KeyCode::Right | KeyCode::Char('l') => self.open(),
            KeyCode::Esc if self.view == View::Inbox => self.turn_to(View::Memories),
            KeyCode::Esc if !self.query.is_empty() => {
                self.query.clear();
                self.searched()
            }
            KeyCode::Tab => self.turn_to(if self.view == View::Inbox { View::Memories } else { View::Inbox }),
            _ => self.deed(key.code),
        }
    }

    fn read_key(&mut self, key: KeyEvent) -> Vec<Wish> {
        let furthest = self.page_lines.saturating_sub(self.page_height);
        let leap = self.page_height.max(2) - 1;
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Left | KeyCode::Char('q' | 'h') => self.reading = false,
            KeyCode::Down | KeyCode::Char('j') => self.scroll += 1,
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll += leap,
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(leap),
            KeyCode::Home | KeyCode::Char('g') => self.scroll = 0,
            KeyCode::End | KeyCode::Char('G') => self.scroll = furthest,
            code => return self.deed(code),
        }
        self.scroll = self.scroll.min(furthest);
        Vec::new()
    }

    fn open(&mut self) -> Vec<Wish> {
        match (self.view, self.handle()) {
            (View::Memories, Some(handle)) => vec![Wish::Read { handle, opened: true }],
            (View::Inbox, Some(_)) => {
                self.reading = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn turn_to(&mut self, view: View) -> Vec<Wish> {
        (self.view, self.reading, self.typing) = (view, false, false);
        self.moved(0)
    }

    /// What is done to what is selected, in the list and in the reader.
    fn deed(&mut self, code: KeyCode) -> Vec<Wish> {
        let row = match self.line(self.at) {
            Some(Line::Memory(row) | Line::Text(row, _)) => Some((row.handle.clone(), row.name.clone(), row.pinned)),
            _ => None,
        };
        let proposal = (self.view == View::Inbox).then(|| self.handle()).flatten();
        match (code, row, proposal) {
            (KeyCode::Char('?'), ..) => {
                self.help = true;
                Vec::new()
            }
            (KeyCode::Char('/'), ..) => {
                let wishes = if self.view == View::Inbox { self.turn_to(View::Memories) } else { Vec::new() };
                (self.typing, self.reading) = (true, false);
                wishes
            }
            (KeyCode::Char('i'), ..) => self.turn_to(View::Inbox),
            (KeyCode::Char('m'), ..) => self.turn_to(View::Memories),
            (KeyCode::Char('u'), ..) => vec![self.changes.pop().map_or(Wish::LastChange, |id| Wish::Undo(Some(id)))],
            (KeyCode::Char('e'), Some((handle, ..)), _) => vec![Wish::Edit(handle)],
            (KeyCode::Char('p'), Some((handle, _, pinned)), _) => vec![Wish::Pin(handle, !pinned)],
            (KeyCode::Char('f'), Some((handle, name, true)), _) => {
                self.said = Some(Said::Ask(format!("{name} is pinned. Forget it?"), Wish::Forget(handle)));
                Vec::new()
            }
            (KeyCode::Char('f'), Some((handle, ..)), _) => vec![Wish::Forget(handle)],
            (KeyCode::Char('a'), _, Some(id)) => vec![Wish::Accept(id)],
            (KeyCode::Char('x'), _, Some(id)) => vec![Wish::Reject(id)],
            _ => Vec::new(),
        }
    }
}
