//! Topic files: one memory, one Markdown file with YAML frontmatter (F1–F5).
//!
//! Enters: the bytes of a file, whatever they are. Leaves: its name, description, type and body,
//! and, after an edit, bytes in which only the edited value differs. Never touches a file, never
//! fails, and never rewrites what it was not asked to change.
//!
//! Frontmatter is read line by line and by hand, not by a YAML library. Files come from people,
//! models and other tools: an unquoted colon, a tab, a missing fence or two keys of one name make
//! a strict parser give up, and a memory that cannot be read is a memory lost. A library would
//! also print the document again, while here comments, order, quotes and line endings must
//! survive. What memdir itself writes is plain YAML, and the tests hold it against a strict parser.
//!
//! # Reading rules
//!
//! - Of two keys with one name the last is read, and an edit changes that one.
//! - `name`, `description`, `type`, `pinned` and `metadata` are read in any case.
//! - Without a closing fence, frontmatter ends at the first blank or foreign line.
//! - A comment behind a bare value needs a space on both sides of its `#`: `see #12` is text.

mod body;
mod edit;
mod entry;
mod file_name;
mod flag;
mod flow;
mod front;
mod header;
mod line;
mod patch;
mod scalar;
mod value;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memdir_core::kind::Type;

pub use edit::BrokenFrontmatter;
pub use file_name::file_name;
pub use flag::Flag;
use front::Front;
pub use header::Header;
use scalar::ScalarPlace;

/// A topic file: its exact bytes, and where in them everything stands.
#[derive(Clone, Debug)]
pub struct Topic {
    bytes: Vec<u8>,
    front: Option<Front>,
}

/// What a new memory says; see [`Topic::compose`].
#[derive(Clone, Copy, Debug)]
pub struct NewTopic<'a> {
    /// The title; line breaks become spaces.
    pub name: &'a str,
    /// What recall goes by; line breaks become spaces.
    pub description: &'a str,
    /// The type, or none for an untyped memory.
    pub kind: Option<Type>,
    /// The Markdown below the frontmatter.
    pub body: &'a str,
    /// Whether automation must leave it alone.
    pub pinned: bool,
}

/// Where a file keeps its type, and so where an update puts it (F1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicShape {
    /// `type:` at the top level.
    Flat,
    /// `type:` below `metadata:`.
    Nested,
    /// No frontmatter.
    None,
}

impl Topic {
    /// Reads any bytes; what cannot be understood is body text, and [`Topic::flags`] says so.
    pub fn parse(bytes: Vec<u8>) -> Topic {
        let front = Front::read(&bytes);
        Topic { bytes, front }
    }

    /// Writes a new file in the flat shape. A body that lacks its last line ending gets one.
    pub fn compose(new: &NewTopic<'_>) -> Topic {
        let line = |text| scalar::write(&scalar::one_line(text), ScalarPlace::Block).into_owned();
        let mut front = format!("---\nname: {}\ndescription: {}\n", line(new.name), line(new.description));
        if let Some(kind) = new.kind {
            front.push_str(&format!("type: {}\n", kind.as_str()));
        }
        if new.pinned {
            front.push_str("pinned: true\n");
        }
        front.push_str("---\n");
        let mut topic = Topic::parse(front.into_bytes());
        topic.set_body(new.body);
        topic
    }

    /// The file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The title, on one line; nothing if it is missing or empty.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        self.front.as_ref()?.line(&self.bytes, "name")
    }

    /// The description, on one line; nothing if it is missing or empty.
    pub fn description(&self) -> Option<Cow<'_, str>> {
        self.front.as_ref()?.line(&self.bytes, "description")
    }

    /// The type, in either shape; nothing if it is missing or none of the four (F2).
    pub fn kind(&self) -> Option<Type> {
        self.front.as_ref()?.kind(&self.bytes)
    }

    /// Whether the memory is protected from automation.
    pub fn pinned(&self) -> bool {
        self.front.as_ref().is_some_and(|front| front.pinned(&self.bytes))
    }

    /// The value of a top-level key, or of `metadata.key`. A key without a value is empty text; a
    /// list or mapping is its source.
    pub fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.front.as_ref()?.text(&self.bytes, key)
    }

    /// All keys in file order; those in a `metadata` mapping as `metadata.key`.
    pub fn keys(&self) -> Vec<String> {
        let Some(front) = &self.front else {
            return Vec::new();
        };
        let mut keys = Vec::new();
        for (at, entry) in front.top.entries.iter().enumerate() {
            if front.metadata == Some(at) && !front.inner.is_empty() {
                let inner = front.inner.iter();
                keys.extend(inner.map(|entry| format!("metadata.{}", value::key(&self.bytes, entry))));
            } else {
                keys.push(value::key(&self.bytes, entry).into_owned());
            }
        }
        keys
    }

    /// Which shape the file has.
    pub fn shape(&self) -> TopicShape {
        let Some(front) = &self.front else {
            return TopicShape::None;
        };
        let flat = front.find(&self.bytes, "type").is_some();
        let nested = front.find(&self.bytes, "metadata.type").is_some();
        if nested || !front.inner.is_empty() && !flat { TopicShape::Nested } else { TopicShape::Flat }
    }
}
