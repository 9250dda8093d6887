//! Several changes that are one group: one run of an extraction is taken back by one undo.
//!
//! Enters: the changes that land while a group is open. Leaves: each signed with the name of the group, which is the id of its
//! first change. Never gives a change that belongs to a group of its own to another one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::history::{Change, ChangeId};

/// The group that is open in the stores that share this handle, if any.
#[derive(Clone, Debug, Default)]
pub struct CurrentGroup(Arc<Mutex<Option<Open>>>);

/// A group, and its name as soon as something has landed.
#[derive(Debug, Default)]
struct Open {
    first: Option<ChangeId>,
}

/// Keeps a group open.
#[derive(Debug)]
#[must_use = "the act ends when this is dropped"]
pub struct ChangeGroup {
    current: CurrentGroup,
    /// A group within another one is part of it.
    is_outer: bool,
}

impl CurrentGroup {
    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a group, or takes part in the one that is open.
    pub fn begin(&self) -> ChangeGroup {
        let mut open = self.open();
        let is_outer = open.is_none();
        open.get_or_insert_default();
        ChangeGroup { current: self.clone(), is_outer }
    }

    /// Signs a change that is about to land.
    pub(crate) fn sign(&self, change: &mut Change) {
        if let (None, Some(open)) = (&change.group, &*self.open()) {
            change.group = Some(open.first.clone().unwrap_or_else(|| change.id.clone()));
        }
    }

    /// Notes that a change has landed.
    pub(crate) fn note(&self, change: &Change) {
        if let Some(open) = &mut *self.open()
            && change.group.as_ref() == Some(&change.id)
        {
            open.first.get_or_insert_with(|| change.id.clone());
        }
    }
}

impl ChangeGroup {
    /// What the group is called: the id of its first change; nothing while none has landed.
    pub fn name(&self) -> Option<ChangeId> {
        self.current.open().as_ref().and_then(|open| open.first.clone())
    }
}

impl Drop for ChangeGroup {
    fn drop(&mut self) {
        if self.is_outer {
            *self.current.open() = None;
        }
    }
}
