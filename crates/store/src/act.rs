//! Several changes that are one act: one run of an extraction is taken back by one undo.
//!
//! Enters: the changes that land while an act is open. Leaves: each signed with the name of the act, which is the id of its
//! first change. Never gives a change that belongs to an act of its own to another one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::history::{Change, ChangeId};

/// The act that is open in the stores that share this handle, if any.
#[derive(Clone, Debug, Default)]
pub struct CurrentAct(Arc<Mutex<Option<Open>>>);

/// An act, and its name as soon as something has landed.
#[derive(Debug, Default)]
struct Open {
    first: Option<ChangeId>,
}

/// Keeps an act open.
#[derive(Debug)]
#[must_use = "the act ends when this is dropped"]
pub struct Act {
    current: CurrentAct,
    /// An act within another one is part of it.
    is_outer: bool,
}

impl CurrentAct {
    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an act, or takes part in the one that is open.
    pub fn begin(&self) -> Act {
        let mut open = self.open();
        let is_outer = open.is_none();
        open.get_or_insert_default();
        Act { current: self.clone(), is_outer }
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

impl Act {
    /// What the act is called: the id of its first change; nothing while none has landed.
    pub fn name(&self) -> Option<ChangeId> {
        self.current.open().as_ref().and_then(|open| open.first.clone())
    }
}

impl Drop for Act {
    fn drop(&mut self) {
        if self.is_outer {
            *self.current.open() = None;
        }
    }
}
