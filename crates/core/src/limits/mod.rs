//! Every number of the system, each with its reason: one table, cut by what is bounded.
//!
//! Nothing here is read from anywhere: what a user may change is in [`crate::settings`], whose
//! defaults point here. Everybody names a limit as `limits::NAME`; which file it is in is for whoever reads.

mod agents;
mod files;
mod learning;
mod models;
mod sharing;

pub use agents::*;
pub use files::*;
pub use learning::*;
pub use models::*;
pub use sharing::*;

/// These files in the order of the reference that is made from them.
#[doc(hidden)]
pub const SOURCES: &[&str] = &[
    include_str!("files.rs"),
    include_str!("agents.rs"),
    include_str!("learning.rs"),
    include_str!("models.rs"),
    include_str!("sharing.rs"),
];
