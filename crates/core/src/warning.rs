//! What was ignored and why, for a person to read.
//!
//! Enters: a stable id, the place it concerns, a sentence. Leaves: a line that is safe to print.
//! Never stops anything: what must stop is an error.

use std::{fmt, path::Path};

use serde::Serialize;

/// Something in a file, variable or flag that did not take effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Stable, kebab-case: `unknown-key`, `bad-value`, `broken-file`, …
    pub id: &'static str,
    /// The file, variable or flag it is about.
    pub place: String,
    /// What was wrong and what counts instead.
    pub message: String,
}

impl Warning {
    /// What was ignored, where, and why.
    pub fn new(id: &'static str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Warning { id, place: place.into(), message: message.into() }
    }

    pub(crate) fn at(id: &'static str, path: &Path, message: impl Into<String>) -> Self {
        Warning::new(id, shown(&path.to_string_lossy()), message)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.place, self.message, self.id)
    }
}

/// Foreign text in quotes, short and without anything a terminal would act on.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    out.push_str(&shown(text));
    out.push('`');
    out
}

/// Foreign text with control, bidi and other invisible characters spelled out, cut to 120.
fn shown(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut out = String::new();
    for (count, ch) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        // Debug formatting knows which characters do not print; quotes it would escape are fine.
        if matches!(ch, '"' | '\'' | '\\') {
            out.push(ch);
        } else {
            out.extend(ch.escape_debug());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_cut_and_cannot_steer_a_terminal() {
        assert_eq!(quoted("a\u{1b}[2J\u{202e}\0'é"), "`a\\u{1b}[2J\\u{202e}\\0'é`");
        assert!(quoted(&"x".repeat(5_000_000)).chars().count() < 130);
    }
}
