//! The text of a memory or of a diff, as lines that fit a width.
//!
//! Enters: text from files, of anybody. Leaves: lines with a look each; what a terminal would obey
//! is shown instead.

use crate::ui::{columns, safe};

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Heading,
    Soft,
    Added,
    Removed,
}

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    /// Type, scope, age, file.
    pub(super) about: String,
    pub(super) text: String,
    pub(super) is_diff: bool,
}

impl Page {
    /// Its lines at a width.
    pub(super) fn lines(&self, width: usize) -> Vec<(Look, String)> {
        let mut lines = Vec::new();
        let mut fenced = false;
        for line in self.text.trim_matches('\n').lines() {
            let fence = !self.is_diff && line.trim_start().starts_with("```");
            let look = if self.is_diff { diff_look(line) } else { prose_look(line, fenced || fence) };
            fenced ^= fence;
            lines.extend(wrapped(&safe(line).replace('\t', "    "), width).into_iter().map(|part| (look, part)));
        }
        lines
    }
}

fn diff_look(line: &str) -> Look {
    match line.as_bytes() {
        [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => Look::Heading,
        [b'+', ..] => Look::Added,
        [b'-', ..] => Look::Removed,
        [b'@', ..] => Look::Soft,
        _ => Look::Plain,
    }
}

fn prose_look(line: &str, fenced: bool) -> Look {
    if fenced || line.starts_with('>') {
        Look::Soft
    } else if line.starts_with('#') {
        Look::Heading
    } else {
        Look::Plain
    }
}

/// Breaks a line at spaces, a long word where it must be; what goes on keeps the line's indent.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let mut indent = line.len() - line.trim_start().len();
    if line[indent..].starts_with("- ") || line[indent..].starts_with("* ") {
        indent += 2;
    }
    let indent = " ".repeat(indent.min(width / 2));
    let (mut out, mut now) = (Vec::new(), String::new());
    for word in line.split_inclusive(' ') {
        if columns(&now) + columns(word.trim_end()) > width && !now.trim().is_empty() {
            out.push(std::mem::replace(&mut now, indent.clone()).trim_end().to_owned());
        }
        for letter in word.chars() {
            if columns(&now) + columns(letter.encode_utf8(&mut [0; 4])) > width && letter != ' ' {
                out.push(std::mem::replace(&mut now, indent.clone()));
            }
            now.push(letter);
        }
    }
    out.push(now.trim_end().to_owned());
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_keep_their_indent() {
        assert_eq!(wrapped("- one two three four", 12), ["- one two", "  three four"]);
        assert_eq!(wrapped("abcdefghijklmnopqrstuvwxyz", 10), ["abcdefghij", "klmnopqrst", "uvwxyz"]);
        assert_eq!(wrapped("short", 10), ["short"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_too_wide(line in "[ a-z中é-]{0,200}", width in 8usize..60) {
            let parts = wrapped(&line, width);
            prop_assert!(parts.iter().all(|part| columns(part) <= width), "{:?}", parts);
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            prop_assert_eq!(letters(&parts.concat()), letters(&line));
        }
    }
}
