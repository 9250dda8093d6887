//! What a key does: a change of what is shown, or actions. The same letters as on the page.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::rows::Filter;
use super::state::{Browse, BrowseAction, ListLine, ListView, StatusLine};

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("/", "search as you type: names first, then texts"),
    ("j k ↓ ↑", "next, previous; space and PgUp by pages"),
    ("enter", "read; esc goes back"),
    ("t s", "the next type only, the next scope only"),
    ("n", "a new memory in $EDITOR"),
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
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<BrowseAction> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control) {
            (KeyCode::Char('c'), true) => return vec![BrowseAction::Leave],
            (KeyCode::Char('z'), true) => return vec![BrowseAction::Suspend],
            _ => {}
        }
        let said = self.said.take();
        if let Some(StatusLine::Ask(_, action)) = said {
            return if matches!(key.code, KeyCode::Char('y' | 'Y')) { vec![action] } else { Vec::new() };
        }
        if std::mem::take(&mut self.help) {
            return Vec::new();
        }
        if let Some(actions) = self.typed(key, control) {
            return actions;
        }
        if self.reading { self.read_key(key) } else { self.list_key(key, control) }
    }

    /// A letter of the query; `None` when it is another key.
    fn typed(&mut self, key: KeyEvent, control: bool) -> Option<Vec<BrowseAction>> {
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

    /// Shows what fits now: from the top while words are typed, else where the selected memory stands.
    fn searched(&mut self) -> Vec<BrowseAction> {
        let held = self.handle().filter(|_| self.query.is_empty());
        self.hits.clear();
        self.fit();
        let mut actions = self.go_to(held.as_deref());
        actions.push(BrowseAction::LookFor(self.query.clone()));
        actions
    }

    /// Shows only memories that a filter lets through; the selected one stays, if it is one of them.
    fn filtered(&mut self) -> Vec<BrowseAction> {
        let held = self.handle();
        if self.view == ListView::Inbox {
            return Vec::new();
        }
        self.reading = false;
        self.fit();
        self.go_to(held.as_deref())
    }

    fn list_key(&mut self, key: KeyEvent, control: bool) -> Vec<BrowseAction> {
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
            KeyCode::Char('q') => vec![BrowseAction::Leave],
            KeyCode::Enter | KeyCode::Right | KeyCode::Char('l') => self.open(),
            KeyCode::Esc if self.view == ListView::Inbox => self.turn_to(ListView::Memories),
            KeyCode::Esc if !self.query.is_empty() || !self.filter.is_open() => {
                self.query.clear();
                self.filter = Filter::default();
                self.searched()
            }
            KeyCode::Tab => {
                self.turn_to(if self.view == ListView::Inbox { ListView::Memories } else { ListView::Inbox })
            }
            _ => self.action(key.code),
        }
    }

    fn read_key(&mut self, key: KeyEvent) -> Vec<BrowseAction> {
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
            code => return self.action(code),
        }
        self.scroll = self.scroll.min(furthest);
        Vec::new()
    }

    fn open(&mut self) -> Vec<BrowseAction> {
        match (self.view, self.handle()) {
            (ListView::Memories, Some(handle)) => vec![BrowseAction::Read { handle, opened: true }],
            (ListView::Inbox, Some(_)) => {
                self.reading = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn turn_to(&mut self, view: ListView) -> Vec<BrowseAction> {
        let left = self.handle();
        if std::mem::replace(&mut self.view, view) != view && view == ListView::Inbox {
            self.left_at = left;
        }
        (self.reading, self.typing) = (false, false);
        // Back among the memories the one that was left is the selected one.
        let held = if view == ListView::Memories { self.left_at.take() } else { None };
        self.go_to(held.as_deref())
    }

    /// What is done to what is selected, in the list and in the reader.
    fn action(&mut self, code: KeyCode) -> Vec<BrowseAction> {
        let row = match self.line(self.at) {
            Some(ListLine::Memory(row) | ListLine::Text(row, _)) => {
                Some((row.handle.clone(), row.name.clone(), row.pinned))
            }
            _ => None,
        };
        let proposal = (self.view == ListView::Inbox).then(|| self.handle()).flatten();
        match (code, row, proposal) {
            (KeyCode::Char('?'), ..) => {
                self.help = true;
                Vec::new()
            }
            (KeyCode::Char('/'), ..) => {
                let actions = if self.view == ListView::Inbox { self.turn_to(ListView::Memories) } else { Vec::new() };
                (self.typing, self.reading) = (true, false);
                actions
            }
            (KeyCode::Char('i'), ..) => self.turn_to(ListView::Inbox),
            (KeyCode::Char('m'), ..) => self.turn_to(ListView::Memories),
            (KeyCode::Char('n'), ..) => vec![BrowseAction::New],
            (KeyCode::Char('t'), ..) if self.view == ListView::Memories => {
                self.filter.next_kind(&self.rows);
                self.filtered()
            }
            (KeyCode::Char('s'), ..) if self.view == ListView::Memories => {
                self.filter.next_scope(&self.rows);
                self.filtered()
            }
            (KeyCode::Char('u'), ..) => {
                vec![self.changes.pop().map_or(BrowseAction::LastChange, |id| BrowseAction::Undo(Some(id)))]
            }
            (KeyCode::Char('e'), Some((handle, ..)), _) => vec![BrowseAction::Edit(handle)],
            (KeyCode::Char('p'), Some((handle, _, pinned)), _) => vec![BrowseAction::Pin(handle, !pinned)],
            (KeyCode::Char('f'), Some((handle, name, true)), _) => {
                self.said =
                    Some(StatusLine::Ask(format!("{name} is pinned. Forget it?"), BrowseAction::Forget(handle)));
                Vec::new()
            }
            (KeyCode::Char('f'), Some((handle, ..)), _) => vec![BrowseAction::Forget(handle)],
            (KeyCode::Char('a'), _, Some(id)) => vec![BrowseAction::Accept(id)],
            (KeyCode::Char('x'), _, Some(id)) => vec![BrowseAction::Reject(id)],
            (KeyCode::Char(letter), ..) => {
                self.said = Some(StatusLine::Badly(format!("{letter} does nothing here; ? shows the keys")));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}
