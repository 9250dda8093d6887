//! What is on the screen. No terminal, no files: updates in, actions out; `keys` says what a key does to it.

use super::page::TextPage;
use super::rows::{Filter, MemoryRow, TextHit, fitting};

/// Something to do that needs memory or the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BrowseAction {
    /// The memory for reading; `opened`: a person asked for it, it is not only passed by.
    Read {
        handle: String,
        opened: bool,
    },
    /// Lines that contain this, looked for beside everything else.
    LookFor(String),
    /// A new memory, written in an editor.
    New,
    Edit(String),
    Pin(String, bool),
    Forget(String),
    /// A change of ours, or the last of anybody.
    Undo(Option<String>),
    /// What the last change of anybody was, to ask about it.
    LastChange,
    Accept(String),
    Reject(String),
    Reload,
    Suspend,
    Leave,
}

/// What an action led to, or what happened by itself.
#[derive(Clone, Debug)]
pub(super) enum Update {
    /// Everything there is.
    All {
        rows: Vec<MemoryRow>,
        waiting: Vec<WaitingProposal>,
    },
    Read {
        handle: String,
        page: TextPage,
        opened: bool,
    },
    Found {
        query: String,
        hits: Vec<TextHit>,
    },
    Done {
        words: String,
        change: Option<String>,
    },
    /// A memory that is new, to be selected.
    Added {
        words: String,
        change: Option<String>,
        handle: String,
    },
    Undone {
        words: String,
    },
    LastChange(String),
    Failed(String),
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WaitingProposal {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) page: TextPage,
}

/// Which list is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ListView {
    #[default]
    Memories,
    Inbox,
}

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListLine<'b> {
    Memory(&'b MemoryRow),
    /// A memory whose text contains what is typed, with the line.
    Text(&'b MemoryRow, &'b str),
    Proposal(&'b WaitingProposal),
}

/// What is said at the bottom until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StatusLine {
    Well(String),
    Badly(String),
    /// A question and what a yes means.
    Ask(String, BrowseAction),
}

/// Everything that is shown.
#[derive(Default)]
pub(super) struct Browse {
    pub(super) project: String,
    pub(super) view: ListView,
    pub(super) query: String,
    /// Which types and scopes are shown.
    pub(super) filter: Filter,
    /// The memory that was selected when another list was turned to, or that is about to come.
    pub(super) left_at: Option<String>,
    /// Whether letters go into the query.
    pub(super) typing: bool,
    /// Whether the reader has the keys.
    pub(super) reading: bool,
    pub(super) help: bool,
    pub(super) said: Option<StatusLine>,
    pub(super) page: Option<(String, TextPage)>,
    pub(super) scroll: usize,
    pub(super) at: usize,
    /// The first line of the list in sight.
    pub(super) top: usize,
    pub(super) rows: Vec<MemoryRow>,
    pub(super) shown: Vec<usize>,
    pub(super) hits: Vec<(usize, String)>,
    waiting: Vec<WaitingProposal>,
    /// Our own changes, the last at the end.
    pub(super) changes: Vec<String>,
    /// How many lines the list and the reader have; the screen says it.
    pub(super) list_height: usize,
    pub(super) page_height: usize,
    pub(super) page_lines: usize,
}

impl Browse {
    pub(super) fn new(project: String) -> Browse {
        Browse { project, ..Browse::default() }
    }

    /// How many lines the list has.
    pub(super) fn len(&self) -> usize {
        match self.view {
            ListView::Memories => self.shown.len() + self.hits.len(),
            ListView::Inbox => self.waiting.len(),
        }
    }

    /// A line of the list.
    pub(super) fn line(&self, at: usize) -> Option<ListLine<'_>> {
        match self.view {
            ListView::Inbox => self.waiting.get(at).map(ListLine::Proposal),
            ListView::Memories => match at.checked_sub(self.shown.len()) {
                None => Some(ListLine::Memory(&self.rows[self.shown[at]])),
                Some(beyond) => self.hits.get(beyond).map(|(row, line)| ListLine::Text(&self.rows[*row], line)),
            },
        }
    }

    /// How many memories there are, and how many proposals wait.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.rows.len(), self.waiting.len())
    }

    /// Something is known now that was not.
    pub(super) fn apply(&mut self, update: Update) -> Vec<BrowseAction> {
        match update {
            Update::All { rows, waiting } => return self.take(rows, waiting),
            Update::Read { handle, page, opened } => {
                // By now somebody may have gone on to another.
                if self.handle().as_ref() == Some(&handle) {
                    if self.page.as_ref().is_none_or(|(of, _)| *of != handle) {
                        self.scroll = 0;
                    }
                    self.page = Some((handle, page));
                    self.reading |= opened;
                }
            }
            Update::Found { query, hits } if query == self.query => {
                let row_of = |hit: TextHit| {
                    let at = self.rows.iter().position(|row| row.handle == hit.handle)?;
                    (!self.shown.contains(&at) && self.filter.lets(&self.rows[at])).then_some((at, hit.line))
                };
                let mut found: Vec<(usize, String)> = Vec::new();
                for hit in hits.into_iter().filter_map(row_of) {
                    if found.iter().all(|(at, _)| *at != hit.0) {
                        found.push(hit);
                    }
                }
                let nothing_yet = self.len() == 0;
                self.hits = found;
                if nothing_yet {
                    return self.moved(0);
                }
            }
            Update::Found { .. } => {}
            Update::Done { words, change } => {
                self.changes.extend(change);
                self.said = Some(StatusLine::Well(words));
                return vec![BrowseAction::Reload];
            }
            Update::Added { words, change, handle } => {
                self.changes.extend(change);
                self.said = Some(StatusLine::Well(words));
                // Whatever was filtered, a person sees what they wrote.
                (self.query, self.filter) = (String::new(), Filter::default());
                (self.view, self.reading, self.left_at) = (ListView::Memories, false, Some(handle));
                self.hits.clear();
                return vec![BrowseAction::Reload];
            }
            Update::Undone { words } => {
                self.said = Some(StatusLine::Well(words));
                return vec![BrowseAction::Reload];
            }
            Update::LastChange(words) => {
                self.said = Some(StatusLine::Ask(format!("Take back: {words}?"), BrowseAction::Undo(None)));
            }
            Update::Failed(words) => self.said = Some(StatusLine::Badly(words)),
        }
        Vec::new()
    }

    fn take(&mut self, rows: Vec<MemoryRow>, waiting: Vec<WaitingProposal>) -> Vec<BrowseAction> {
        let coming = if self.view == ListView::Memories { self.left_at.take() } else { None };
        let held = coming.or_else(|| self.handle());
        let hits: Vec<(String, String)> =
            self.hits.iter().map(|(at, line)| (self.rows[*at].handle.clone(), line.clone())).collect();
        (self.rows, self.waiting) = (rows, waiting);
        self.fit();
        let row_of = |handle: &str| self.rows.iter().position(|row| row.handle == handle);
        let hits = hits.into_iter().filter_map(|(handle, line)| Some((row_of(&handle)?, line)));
        self.hits = hits.filter(|(at, _)| self.filter.lets(&self.rows[*at])).collect();
        let same = held.and_then(|held| (0..self.len()).find(|at| self.handle_at(*at).as_ref() == Some(&held)));
        self.reading &= same.is_some();
        self.moved(same.unwrap_or(self.at))
    }

    /// Which memories fit what is typed and what is filtered.
    pub(super) fn fit(&mut self) {
        self.shown = fitting(&self.rows, &self.query, self.filter);
        let (rows, filter) = (&self.rows, self.filter);
        self.hits.retain(|(at, _)| filter.lets(&rows[*at]));
    }

    /// Goes to a memory, or to the first line where it is not shown.
    pub(super) fn go_to(&mut self, handle: Option<&str>) -> Vec<BrowseAction> {
        let at = handle.and_then(|wanted| (0..self.len()).find(|at| self.handle_at(*at).as_deref() == Some(wanted)));
        self.moved(at.unwrap_or(0))
    }

    /// What the selected line is called.
    pub(super) fn handle(&self) -> Option<String> {
        self.handle_at(self.at)
    }

    fn handle_at(&self, at: usize) -> Option<String> {
        self.line(at).map(|line| match line {
            ListLine::Memory(row) | ListLine::Text(row, _) => row.handle.clone(),
            ListLine::Proposal(waiting) => waiting.id.clone(),
        })
    }

    /// Goes to a line and shows what it is.
    pub(super) fn moved(&mut self, at: usize) -> Vec<BrowseAction> {
        self.at = at.min(self.len().saturating_sub(1));
        match (self.line(self.at), self.handle()) {
            (Some(ListLine::Proposal(waiting)), Some(id)) => {
                let page = waiting.page.clone();
                if self.page.as_ref().is_none_or(|(of, _)| *of != id) {
                    self.scroll = 0;
                }
                self.page = Some((id, page));
                Vec::new()
            }
            (Some(_), Some(handle)) => vec![BrowseAction::Read { handle, opened: false }],
            _ => {
                self.page = None;
                self.reading = false;
                Vec::new()
            }
        }
    }
}
