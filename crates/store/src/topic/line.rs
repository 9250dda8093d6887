//! One line of frontmatter: is it blank, a comment, a list item, a `key:` or something else?
//!
//! Enters: the file's bytes and a position. Leaves: spans into those bytes. Never copies and
//! never fails: a line that is nothing known is simply not a key.

use std::ops::Range;

use memchr::memchr_iter;

pub(super) use crate::line::LineSpan;

/// YAML readers give up on a plain key longer than this; so a long sentence is never a key.
const KEY_BYTES: usize = 1024;

/// The keys that mean something to memdir. They are read in any case and forgiven more.
const WORDS: [&str; 5] = ["name", "description", "type", "pinned", "metadata"];

impl LineSpan {
    pub(super) fn indent(&self, bytes: &[u8]) -> usize {
        self.text(bytes).iter().take_while(|byte| is_space(**byte)).count()
    }

    /// Where the text after the indentation starts.
    pub(super) fn content(&self, bytes: &[u8]) -> usize {
        self.start + self.indent(bytes)
    }

    pub(super) fn is_blank(&self, bytes: &[u8]) -> bool {
        self.text(bytes).iter().all(|byte| is_space(*byte) || *byte == b'\r')
    }

    pub(super) fn is_comment(&self, bytes: &[u8]) -> bool {
        bytes[self.content(bytes)..self.end].first() == Some(&b'#')
    }

    /// A list item: a dash, then a space or nothing.
    pub(super) fn is_item(&self, bytes: &[u8]) -> bool {
        let text = &bytes[self.content(bytes)..self.end];
        text.first() == Some(&b'-') && text.get(1).is_none_or(|byte| is_space(*byte))
    }

    /// `---` or `...`, alone on its line: what opens (the first) or closes frontmatter.
    pub(super) fn is_fence(&self, bytes: &[u8], marks: &[&[u8; 3]]) -> bool {
        let text = self.text(bytes);
        marks.iter().any(|mark| text.starts_with(*mark))
            && text[3..].iter().all(|byte| is_space(*byte) || *byte == b'\r')
    }

    /// The key of a `key: value` line.
    pub(super) fn key(&self, bytes: &[u8]) -> Option<EntryKey> {
        let start = self.content(bytes);
        let text = &bytes[start..self.end];
        let quote = *text.first()?;
        if quote == b'"' || quote == b'\'' {
            let after = start + close_quote(text)?;
            let colon = skip_spaces(bytes, after, self.end);
            return (bytes[..self.end].get(colon) == Some(&b':')).then_some(EntryKey { token: start..after, colon });
        }
        // A line that starts so is a list, a flow value, bold text or an anchor: prose, not a key.
        if self.is_item(bytes) || b"#[{}],|>%@`&*!:".contains(&quote) {
            return None;
        }
        for found in memchr_iter(b':', &text[..text.len().min(KEY_BYTES)]) {
            let name = text[..found].trim_ascii_end();
            if text.get(found + 1).is_none_or(|byte| is_space(*byte)) || is_word(name) {
                let token = start..start + name.len();
                return (!name.is_empty() && comment(name).is_none())
                    .then_some(EntryKey { token, colon: start + found });
            }
        }
        None
    }
}

/// The key of an entry: its text, quotes included, and the colon behind it.
#[derive(Clone, Debug)]
pub(super) struct EntryKey {
    pub(super) token: Range<usize>,
    pub(super) colon: usize,
}

impl EntryKey {
    pub(super) fn is_word(&self, bytes: &[u8]) -> bool {
        is_word(&bytes[self.token.clone()])
    }
}

/// Whether the key is one of memdir's own, in any case.
pub(super) fn is_word(key: &[u8]) -> bool {
    WORDS.iter().any(|word| key.eq_ignore_ascii_case(word.as_bytes()))
}

pub(super) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The first position in `at..end` that is not a space or tab.
pub(super) fn skip_spaces(bytes: &[u8], at: usize, end: usize) -> usize {
    at + bytes[at..end].iter().take_while(|byte| is_space(**byte)).count()
}

/// Where a trailing comment starts, its leading space included.
///
/// YAML would also take `see #12` for a comment. People and models write that as text, and text
/// that vanishes is worse than a comment that stays, so the sharp must stand alone.
pub(super) fn comment(text: &[u8]) -> Option<usize> {
    memchr_iter(b'#', text)
        .find(|at| {
            *at > 0 && is_space(text[at - 1]) && text.get(at + 1).is_none_or(|byte| is_space(*byte) || *byte == b'\r')
        })
        .map(|at| text[..at].trim_ascii_end().len())
}

/// The length of a quoted token at the start of `text`, both quotes included.
pub(super) fn close_quote(text: &[u8]) -> Option<usize> {
    let quote = *text.first()?;
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        if *byte == b'\\' && quote == b'"' {
            at += 1;
        } else if *byte == quote {
            if quote == b'\'' && text.get(at + 1) == Some(&quote) {
                at += 1;
            } else {
                return Some(at + 1);
            }
        }
        at += 1;
    }
    None
}
