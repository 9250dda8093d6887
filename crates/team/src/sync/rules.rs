//! What decides what may leave and what may come in.
//!
//! Enters: a path and its content, going out or coming in. Leaves: yes, or why not. Never changes what it judges.

use crate::transport::{Authorship, HeldReason, RemoteEntry};

/// What the rules say of something that comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It may land, with these marks.
    Welcome(Vec<String>),
    /// It may not, for this reason.
    Held(String),
}

/// What may leave and what may come in.
pub trait SharingRules {
    /// Whether this machine publishes at all.
    fn read_only(&self) -> bool {
        false
    }
    /// Whether a file may leave; else why not.
    fn may_leave(&self, path: &str, content: &[u8]) -> Result<(), HeldReason>;
    /// Whether an entry may come in, from what is known before its content was read.
    fn may_arrive(&self, entry: &RemoteEntry) -> Result<(), HeldReason>;
    /// Whether its content may come in too.
    fn may_land(&self, entry: &RemoteEntry, content: &[u8]) -> RuleVerdict;
    /// Whether some authors are let in and others are not.
    fn chooses_authors(&self) -> bool {
        false
    }
    /// Whether what an author wrote is let in.
    fn lets_in(&self, _: &Authorship) -> bool {
        true
    }
    /// Who an author is to us: under the name that we know them by, verified if we know their key.
    fn known_as(&self, author: Authorship) -> Authorship {
        author
    }
}

/// Lets everything through: for simulations, where nobody means harm.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRules;

impl SharingRules for NoRules {
    fn may_leave(&self, _: &str, _: &[u8]) -> Result<(), HeldReason> {
        Ok(())
    }

    fn may_arrive(&self, _: &RemoteEntry) -> Result<(), HeldReason> {
        Ok(())
    }

    fn may_land(&self, _: &RemoteEntry, _: &[u8]) -> RuleVerdict {
        RuleVerdict::Welcome(Vec::new())
    }
}
