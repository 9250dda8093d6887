//! Words of human languages, from `lexicon/`: one list for each kind, all languages in one.
//!
//! A word of letters with spaces between words must stand alone; others may have anything glued to them, as Chinese has
//! always, Korean often, and Russian where a word is bent. In the lists for orders `*` ends a stem.

include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));
