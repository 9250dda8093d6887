//! The rooms that a [`Memory`] opens into: one small borrowed handle each.
//!
//! Enters: a memory that is open. Leaves: a handle that costs nothing to make and holds nothing of its own. Its methods stand with
//! the code they belong to, in the modules above this one; dreaming has its handle in `dream`.

use super::Memory;

/// What matters now: the memories for a prompt, words in them, and the cache that finds them. [`Memory::recall`] hands it out.
#[derive(Clone, Copy)]
pub struct Recall<'m> {
    pub(super) memory: &'m Memory,
}

/// The memories themselves: saving, opening, changing, moving, removing, importing and repairing them. [`Memory::files`] hands it out.
#[derive(Clone, Copy)]
pub struct Files<'m> {
    pub(super) memory: &'m Memory,
}

/// What was changed, by whom and why; and taking it back. [`Memory::history`] hands it out.
#[derive(Clone, Copy)]
pub struct History<'m> {
    pub(super) memory: &'m Memory,
}

/// What a conversation teaches, by rules or with a model. [`Memory::learn`] hands it out.
#[derive(Clone, Copy)]
pub struct Learning<'m> {
    pub(super) memory: &'m Memory,
}

/// Changes that wait for a yes. [`Memory::inbox`] hands it out.
#[derive(Clone, Copy)]
pub struct Inbox<'m> {
    pub(super) memory: &'m Memory,
}

/// The teams that this project shares memory with, and their sync. [`Memory::teams`] hands it out.
#[derive(Clone, Copy)]
pub struct Sharing<'m> {
    pub(super) memory: &'m Memory,
}

/// Work that turns leave behind for the background. [`Memory::jobs`] hands it out.
#[derive(Clone, Copy)]
pub struct Jobs<'m> {
    pub(super) memory: &'m Memory,
}

/// What an agent's session is told and leaves behind: its context, its events, notes and daily logs. [`Memory::sessions`] hands it out.
#[derive(Clone, Copy)]
pub struct Sessions<'m> {
    pub(super) memory: &'m Memory,
}

/// Which language model may think here, and whether it may. [`Memory::models`] hands it out.
#[derive(Clone, Copy)]
pub struct Models<'m> {
    pub(super) memory: &'m Memory,
}

impl Memory {
    /// Recall: the memories that matter for a prompt, and search.
    pub fn recall(&self) -> Recall<'_> {
        Recall { memory: self }
    }

    /// The memories as files: save, open, change, remove, import, check.
    pub fn files(&self) -> Files<'_> {
        Files { memory: self }
    }

    /// The history of changes: what happened, and undo.
    pub fn history(&self) -> History<'_> {
        History { memory: self }
    }

    /// Learning from conversations.
    pub fn learn(&self) -> Learning<'_> {
        Learning { memory: self }
    }

    /// The inbox: changes that wait for a yes.
    pub fn inbox(&self) -> Inbox<'_> {
        Inbox { memory: self }
    }

    /// The teams of this project, and their sync.
    pub fn teams(&self) -> Sharing<'_> {
        Sharing { memory: self }
    }

    /// Work that waits for the background.
    pub fn jobs(&self) -> Jobs<'_> {
        Jobs { memory: self }
    }

    /// An agent's sessions: context, hooks, notes, daily logs.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { memory: self }
    }

    /// The language model that may think here.
    pub fn models(&self) -> Models<'_> {
        Models { memory: self }
    }
}
