//! Local ranking: which memories matter for a prompt.
//!
//! Enters: text, vectors, and what is known about each memory. Leaves: the few that matter, each with
//! its reason, and the reason for the others. Knows nothing of files, processes or clocks: whoever
//! calls it hands over bytes and numbers.

pub mod experience;
mod explain;
pub(crate) mod features;
pub(crate) mod fuse;
mod language;
pub mod lexical;
pub mod named;
pub mod passages;
pub mod rank;
pub mod semantic;
mod supersede;
pub mod tokens;
pub mod tools;
pub mod trigram_filter;
mod weights;
mod weights_other_languages;
mod wording;
