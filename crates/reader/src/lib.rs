//! Judgement about pieces of text: what day it means, whether it is worth keeping, what it is like.
//!
//! Enters: text, most of it English or Chinese, and the day it was said. Leaves: text, verdicts, numbers.
//! Never reads a file, a clock or a model; the same input always gives the same answer.
//!
//! - [`dates`]: relative dates get the day they mean, in twenty languages (F4).
//! - `cues`: what the words of a clause tell of it.
//! - `facts`: sentences, numbers, names and the like, in any language, to see whether one was lost (H3).
//! - [`worth`]: what should not become a memory (F7).
//! - [`guess`]: which of the four types a statement is.
//! - [`title`]: a short name and a one-line description for a statement.
//! - [`likeness`]: whether two notes say the same thing, and the union of both.
//! - `outdated_line`: whether a line about a memory still says what the memory says.
//! - `long_note`: adding to a long note without touching the rest of it.
//! - `sentences`: where sentences end, and which of them a text says.
//! - [`subjects`]: what a memory forbids, advises or explains, and about what.

pub mod code_words;
pub mod cues;
pub mod dates;
pub mod facts;
pub mod guess;
pub mod han;
pub mod likeness;
pub mod long_note;
mod non_prose;
pub mod outdated_line;
pub mod phrase_match;
pub mod plain;
pub mod sentences;
pub mod subjects;
pub mod title;
pub mod worth;
