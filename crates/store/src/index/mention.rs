//! Whether an index names a file at all: in a pointer, a table, a sentence.
//!
//! Enters: the index and a file. Leaves: yes or no. A line that names a file leads a reader there, however it is
//! written. Never takes a part of a longer name or path for the file.

use memchr::memmem;

use super::{Index, compose};

impl Index {
    /// Whether the file is named anywhere, by its path or as a `[[name]]`.
    pub fn mentions(&self, target: &str) -> bool {
        let stem = target.strip_suffix(".md").unwrap_or(target);
        let names = [target.to_owned(), compose::encode(target), format!("[[{stem}]]"), format!("[[{stem}|")];
        names.iter().any(|name| self.has_apart(name.as_bytes()))
    }

    fn has_apart(&self, name: &[u8]) -> bool {
        memmem::find_iter(&self.bytes, name).any(|at| {
            let before = self.bytes[..at].strip_suffix(b"./").unwrap_or(&self.bytes[..at]);
            let after = self.bytes.get(at + name.len());
            before.last().is_none_or(|byte| !is_part_of_a_name(*byte) && *byte != b'/')
                && after.is_none_or(|byte| !is_part_of_a_name(*byte))
        })
    }
}

/// A full stop ends a sentence as often as it goes on with a name.
fn is_part_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii()
}
