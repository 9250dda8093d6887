//! The local side of a sync.
//!
//! Enters and leaves: files by their paths within the folder of the team. What is behind it, a store or a test, is its own affair.

use std::collections::BTreeMap;

use super::SyncError;

/// The local files of one team.
pub trait Local {
    /// Every file with the hash of its content.
    fn list(&mut self) -> Result<BTreeMap<String, String>, SyncError>;
    /// The content of a file.
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, SyncError>;
    /// Changes files, all or none, if they still are what they were; `false` when they are not.
    fn land(&mut self, changes: &[Arrival]) -> Result<bool, SyncError>;
}

/// A local file that changes because of what came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Which.
    pub path: String,
    /// What it must still be.
    pub before: Option<Vec<u8>>,
    /// What it becomes.
    pub after: Option<Vec<u8>>,
}
