//! memdir: long-term memory for coding agents, as plain Markdown files.
//!
//! The library has no terminal, environment, home directory or clock of its own: whoever calls it
//! says where things are and what time it is. It speaks to a network only through a [`model`] that
//! the user agreed to.
//!
//! # Layout
//!
//! The rooms follow the life of a memory, host → engine → store → context:
//!
//! - [`kind`]: the words everybody uses: the four types of memory and the scopes it lives in.
//! - [`limits`]: every number of the system in one table, each with its reason.
//! - [`surroundings`]: what the process was started with, handed in by the caller.
//! - [`warning`]: what was ignored and why, for a person to read.
//! - [`random`]: bytes that nobody guesses, for ids and tokens.
//! - [`settings`]: what can be set; parsing and merging, no lookup.
//! - [`guard`]: what must never get in: paths that escape, secrets, orders planted for a model, commands that do more than read.
//! - [`store`]: the files. The only room that writes, through one door.
//! - [`host`]: what an agent says to a hook and in its transcripts, what it may be told, what is put into its configuration.
//! - [`import`]: what other programs remembered.
//! - [`engine`]: the verbs, the only room that knows all others. Start at [`engine::Memory`].
//! - [`search`]: local ranking; knows nothing of files.
//! - [`text`]: judgement about pieces of text: dates, worth, type, names, likeness.
//! - [`model`]: how memdir thinks: a trait, drivers for what the user has, the tool loop.
//! - [`team`]: sharing: merge, gates, transports.
//! - [`context`]: what a model sees: the manual, instruction files, ages, receipts.

pub mod context;
pub mod engine;
pub mod guard;
pub mod host;
pub mod import;
pub mod kind;
pub mod limits;
pub mod model;
pub mod random;
mod read;
pub mod search;
pub mod settings;
pub mod store;
pub mod surroundings;
pub mod team;
pub mod text;
pub mod warning;
