//! What all crates share.
//!
//! Enters: what the caller says about the machine and the user's settings. Leaves: values that every other room
//! understands. Never looks anything up (no environment, home, clock or network), never writes, and knows no other room.
//!
//! - [`kind`]: the four types of memory and the scopes it lives in.
//! - [`limits`]: every number of the system in one table, each with its reason.
//! - [`surroundings`]: what the process was started with, handed in by the caller.
//! - [`settings`]: what can be set; parsing and merging, no lookup.
//! - [`warning`]: what was ignored and why, for a person to read.
//! - [`read`]: small files that somebody else wrote.
//! - [`nearest`]: the known name that was probably meant.
//! - [`random`]: bytes that nobody guesses, for ids and tokens.

pub mod kind;
pub mod limits;
pub mod nearest;
pub mod random;
pub mod read;
pub mod settings;
pub mod surroundings;
pub mod warning;
