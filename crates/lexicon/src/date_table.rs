//! How dates are said in one language.
//!
//! Enters: a table that the build script wrote. Leaves: its lists as they are in the file. Never knows what they mean: that is
//! for whoever reads dates.

/// The lists of one language, in the order of its file.
#[derive(Clone, Copy, Debug)]
pub struct DateTable {
    /// Whether words are parted by blanks.
    pub spaced: bool,
    /// Words by the name of their list; in some, `=` gives a word its value.
    pub lists: &'static [(&'static str, &'static [&'static str])],
    /// Words that mean the same, one group a weekday or a month, by the name of their list.
    pub groups: &'static [(&'static str, &'static [&'static [&'static str]])],
}
