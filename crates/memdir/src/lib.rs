//! memdir: long-term memory for coding agents, as plain Markdown files.
//!
//! Enters: a working directory, surroundings and a clock, all handed in by the caller; what a person, an agent or another
//! program wants done. Leaves: typed results, and changed files through the store. The library has no terminal,
//! environment, home directory or clock of its own, and starts no process; only [`here`] looks at the process, for those who call it. It speaks to a network only through a
//! [`model`] or a [`team`]'s bucket that the user agreed to.
//!
//! # Layout
//!
//! The verbs are in [`engine`], the only room that knows all others: start at [`engine::Memory`]. [`import`] reads what other
//! programs remembered, [`open_here`] opens the memory of the working directory. Every other room is a crate of its own, and stands here under its name:
//!
//! - [`kind`], [`limits`], [`settings`], [`surroundings`], [`warning`], [`random`]: the words everybody shares (`memdir-core`).
//! - [`guard`]: what must never get in: paths that escape, secrets, orders planted for a model, commands that do more than read.
//! - [`store`]: the files. The only room that writes, in transactions.
//! - [`reader`]: judgement about pieces of text: dates, worth, type, names, likeness.
//! - [`search`]: local ranking; knows nothing of files.
//! - [`context`]: what a model sees: the manual, instruction files, ages, receipts.
//! - [`hosts`]: what an agent says to a hook and in its transcripts, what it may be told, what is put into its configuration.
//! - [`model`]: how memdir thinks: a trait, drivers for what the user has, the tool loop.
//! - [`team`]: sharing: merge, gates, transports.

pub mod engine;
pub mod here;
pub mod import;
#[cfg(test)]
mod threads;

pub use here::open as open_here;

pub use memdir_context as context;
pub use memdir_core::{kind, limits, random, settings, surroundings, warning};
pub use memdir_guard as guard;
pub use memdir_hosts as hosts;
pub use memdir_model as model;
pub use memdir_reader as reader;
pub use memdir_search as search;
pub use memdir_store as store;
pub use memdir_team as team;
