//! One memory, opened to be read in full.
//!
//! Enters: what a person, a page or a model typed. Leaves: the file as it is now, where it came from, and what is said of
//! it wherever it is shown. That it was opened is noted, for recall. Changes no memory.

use serde_json::{Map, Value, json};

use super::{Error, Files, MemoryOrigin, MemoryRef};
use memdir_core::kind::Scope;
use memdir_store::topic::Topic;

/// A memory that somebody reads.
pub struct Opened<'m> {
    /// Where it is.
    pub memory_ref: MemoryRef<'m>,
    /// What it says.
    pub topic: Topic,
    /// The team it came from, for a shared one.
    pub origin: Option<MemoryOrigin>,
    /// What people call it.
    pub title: String,
}

impl Opened<'_> {
    /// The whole file as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.topic.as_bytes()).into_owned()
    }

    /// What every surface says of it: `file`, `path`, `scope`, `type`, `name`, `title`, `description`, `pinned`.
    pub fn card(&self) -> Map<String, Value> {
        let Opened { memory_ref, topic, .. } = self;
        let said = [
            ("file", json!(memory_ref.file.as_str())),
            ("path", json!(memory_ref.store.root().show(&memory_ref.file))),
            ("scope", json!(memory_ref.scope)),
            ("type", json!(topic.kind())),
            ("name", json!(topic.name())),
            ("title", json!(self.title)),
            ("description", json!(topic.description())),
            ("pinned", json!(topic.pinned())),
        ];
        said.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

impl<'m> Files<'m> {
    /// Opens the memory that `typed` names, as it is now, and notes that it was opened.
    pub fn open(&self, typed: &str) -> Result<Opened<'m>, Error> {
        self.memory.history().notice()?;
        let memory_ref = self.find(typed)?;
        let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(|| Error::Unknown(typed.to_owned()))?;
        self.note_use(&memory_ref);
        let origin = self.memory.teams().origin(memory_ref.file.as_str()).filter(|_| memory_ref.scope == Scope::Team);
        let topic = Topic::parse(bytes);
        let title = self.title(&memory_ref, topic.name().as_deref());
        Ok(Opened { memory_ref, topic, origin, title })
    }
}
