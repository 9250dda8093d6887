//! Every number of the system, each with its reason: one table, cut by what is bounded.
//!
//! Nothing here is read from anywhere: what a user may change is in [`crate::settings`], whose
//! defaults point here. Everybody names a limit as `limits::NAME`; which file it stands in is for whoever reads.

mod keeping;
mod learning;
mod sharing;
mod telling;
mod thinking;

pub use keeping::*;
pub use learning::*;
pub use sharing::*;
pub use telling::*;
pub use thinking::*;

/// These files in the order of the reference that is made from them.
#[doc(hidden)]
pub const SOURCES: &[&str] = &[
    include_str!("keeping.rs"),
    include_str!("telling.rs"),
    include_str!("learning.rs"),
    include_str!("thinking.rs"),
    include_str!("sharing.rs"),
];
