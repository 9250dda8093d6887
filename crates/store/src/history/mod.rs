//! What changed, why and by whom, and how to put it back.
//!
//! Enters: changes of the store. Leaves: the same, newest first; the former text of any file; an undo as a change of its own. Never forgets a
//! change unless it is purged.

mod journal;
mod purge;
mod record;
mod rewind;
mod undo;

pub use journal::{Journal, Position, Visit};
pub use purge::{Purged, purged_name};
pub use record::{Actor, Author, Change, ChangeId, FileChange, Hash, PointerChange, Version};
pub(crate) use rewind::Rewind;
pub use undo::FindError;
