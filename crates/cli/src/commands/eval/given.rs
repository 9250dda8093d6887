//! The memories that a case begins with, as its set writes them.
//!
//! Enters: the memories of one case. Leaves: a directory with a file for each, and an index with a line for each where there are any.

use std::path::Path;

use memdir::kind::Type;
use memdir::store::topic::{NewTopic, Topic};
use serde::Deserialize;

use crate::failure::Failure;

pub(super) const INDEX: &str = "MEMORY.md";

/// A memory that is there before anything is said or done.
#[derive(Deserialize)]
pub(super) struct GivenMemory {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) description: String,
    #[serde(rename = "type")]
    kind: String,
    pub(super) body: String,
}

/// Writes the memories of a case into a new directory.
pub(super) fn write_given(memories: &[GivenMemory], dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(dir)?;
    let mut index = String::new();
    for memory in memories {
        let topic = Topic::compose(&NewTopic {
            name: &memory.name,
            description: &memory.description,
            kind: Type::parse(&memory.kind),
            body: &memory.body,
            pinned: false,
        });
        std::fs::write(dir.join(&memory.file), topic.as_bytes())?;
        index.push_str(&format!("- [{}]({}) — {}\n", memory.name, memory.file, memory.description));
    }
    if !index.is_empty() {
        std::fs::write(dir.join(INDEX), index)?;
    }
    Ok(())
}
