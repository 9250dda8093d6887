//! What a model sees.
//!
//! Enters: plain values (directories, texts, ages) and, for instruction files, a way to read.
//! Leaves: finished text, byte for byte the same for the same input, and a record of what was
//! loaded, cut or dropped. Never writes, never looks at a clock, never calls a model.
//!
//! - [`prompts`]: the words themselves, from `prompts/`, with the user's own texts in their place.
//! - [`render`]: the strict `{{slot}}` renderer.
//! - [`manual`]: the instructions for keeping memory, in every mode.
//! - [`contents`]: one loaded file with its label.
//! - [`rules`], [`mod@include`], [`prose`], [`files`]: instruction files and what they include.
//! - [`age`]: how old a memory is, in words.
//! - [`surface`]: recalled memories as one reminder.
//! - [`receipt`]: blocks, and what was left out of them.

pub mod age;
pub mod contents;
pub mod files;
pub mod include;
pub mod manual;
pub mod prompts;
pub mod prose;
pub mod receipt;
pub mod render;
pub mod rules;
pub mod surface;
