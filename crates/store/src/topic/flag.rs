//! What is odd about a topic file, for `list`, `doctor` and people who wonder.
//!
//! Enters: a parsed file. Leaves: remarks, each with a stable id for JSON and a sentence. Never a
//! reason to refuse the file.

use std::collections::HashSet;
use std::fmt;

use super::front::BOM;
use super::{Topic, value};
use memdir_core::kind::Type;

/// One remark about a topic file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// There is no frontmatter.
    NoFrontmatter,
    /// The frontmatter has no closing fence.
    UnclosedFence,
    /// A key is there more than once; the last one is read.
    DuplicateKey(String),
    /// A line of the frontmatter, counted from 1, that is not a key and belongs to none.
    StrayLine(usize),
    /// There is no name, or an empty one.
    NoName,
    /// There is no description, or an empty one, so recall has little to go by.
    NoDescription,
    /// The type is none of the four; the memory reads as untyped.
    UnknownType(String),
    /// Some bytes are not UTF-8; they are kept and shown as U+FFFD.
    InvalidUtf8,
    /// There is a NUL byte.
    NulByte,
    /// The file starts with a byte order mark.
    Bom,
    /// Lines end with CR LF.
    Crlf,
}

impl Flag {
    /// A stable name for JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            Flag::NoFrontmatter => "no-frontmatter",
            Flag::UnclosedFence => "unclosed-fence",
            Flag::DuplicateKey(_) => "duplicate-key",
            Flag::StrayLine(_) => "stray-line",
            Flag::NoName => "no-name",
            Flag::NoDescription => "no-description",
            Flag::UnknownType(_) => "unknown-type",
            Flag::InvalidUtf8 => "invalid-utf8",
            Flag::NulByte => "nul-byte",
            Flag::Bom => "bom",
            Flag::Crlf => "crlf",
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flag::NoFrontmatter => f.write_str("no frontmatter"),
            Flag::UnclosedFence => f.write_str("the frontmatter is not closed with ---"),
            Flag::DuplicateKey(key) => {
                write!(f, "key {key:?} appears twice, the last is read")
            }
            Flag::StrayLine(line) => write!(f, "line {line} of the frontmatter cannot be read"),
            Flag::NoName => f.write_str("no name"),
            Flag::NoDescription => f.write_str("no description"),
            Flag::UnknownType(word) => write!(f, "unknown type {word:?}, read as untyped"),
            Flag::InvalidUtf8 => f.write_str("some bytes are not UTF-8"),
            Flag::NulByte => f.write_str("a NUL byte in the text"),
            Flag::Bom => f.write_str("starts with a byte order mark"),
            Flag::Crlf => f.write_str("lines end with CR LF"),
        }
    }
}

impl Topic {
    /// Everything odd about the file, in a fixed order.
    pub fn flags(&self) -> Vec<Flag> {
        let bytes = &self.bytes;
        let mut flags = Vec::new();
        if let Some(front) = &self.front {
            if !front.closed {
                flags.push(Flag::UnclosedFence);
            }
            for (prefix, entries) in [("", &front.top.entries), ("metadata.", &front.inner)] {
                let mut seen = HashSet::new();
                let mut told = HashSet::new();
                for entry in entries {
                    let key = value::key(bytes, entry);
                    if !seen.insert(key.clone()) && told.insert(key.clone()) {
                        flags.push(Flag::DuplicateKey(format!("{prefix}{key}")));
                    }
                }
            }
            // Both grow together, so a file of nothing but strays is still counted in one pass.
            let (mut line, mut at) = (1, 0);
            for stray in &front.top.strays {
                line += memchr::memchr_iter(b'\n', &bytes[at..*stray]).count();
                at = *stray;
                flags.push(Flag::StrayLine(line));
            }
        } else {
            flags.push(Flag::NoFrontmatter);
        }
        if self.front.is_some() && self.name().is_none() {
            flags.push(Flag::NoName);
        }
        if self.description().is_none() {
            flags.push(Flag::NoDescription);
        }
        if self.kind().is_none()
            && let Some(front) = &self.front
            && let Some(word) = front.kinds(bytes).find(|word| Type::parse(word).is_none())
        {
            flags.push(Flag::UnknownType(word));
        }
        if std::str::from_utf8(bytes).is_err() {
            flags.push(Flag::InvalidUtf8);
        }
        if memchr::memchr(0, bytes).is_some() {
            flags.push(Flag::NulByte);
        }
        if bytes.starts_with(BOM) {
            flags.push(Flag::Bom);
        }
        if super::patch::line_ending(bytes) == "\r\n" {
            flags.push(Flag::Crlf);
        }
        flags
    }
}
