//! Words and phrases of human language, as data.
//!
//! Enters, when the crate is built: `lexicon/<language>.toml`, one file a language. Leaves: a constant for each list, with
//! its entries in all languages ([`DURABLE`]) and in one ([`en::DURABLE`], [`zh::DURABLE`]), sorted. The comment above a
//! list in the file is its documentation here. Never parses anything at run time, and never knows what a list decides:
//! that is for whoever asks.
//!
//! `world/*.toml` holds what is the same in every language ([`programs`]): which program does what, and what files are called.
//!
//! `guard/*.toml` holds the words for secrets and for orders to a model ([`guard`]), which are looked for in all languages at once.
//!
//! `dates/*.toml` holds how dates are said in the languages that are read by tables alone ([`dates`]).
//!
//! In a phrase, a star at the end stands for any ending of the word; `memdir_reader::phrase_match` is what matches them.
//!
//! To add an entry, edit the file of its language. To add a language, add its file: lists that mean the same have the same
//! name in each, so whoever reads a list in all languages reads the new one too.

mod date_table;
mod table;

pub use date_table::DateTable;
pub use table::Table;

/// Words or phrases.
pub type List = Table<&'static str>;
/// Words with what each is worth.
pub type Weights = Table<(&'static str, i32)>;
/// Words with what each becomes.
pub type Pairs = Table<(&'static str, &'static str)>;
/// Names with the words that each stands for.
pub type Groups = Table<(&'static str, &'static [&'static str])>;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
