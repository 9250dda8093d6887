//! Memories whose evidence is gone: they name files or symbols that the project no longer has.
//!
//! Enters: the listing and the project. Leaves: which memories, and what each names that no longer exists. Bounded:
//! the newest memories, and this many bytes of the project. A memory about the user in every project
//! is not held against this one.

use serde::Serialize;

use super::recall::{EvidenceState, ProjectReader};
use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::topic::Topic;

/// What a look at the evidence found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stale {
    /// How many memories name something that is gone.
    pub count: usize,
    /// How many were looked at: the newest.
    pub checked: usize,
    /// Which ones, the newest first.
    pub memories: Vec<StaleMemory>,
}

/// One memory that names something that is gone.
#[derive(Clone, Debug, Serialize)]
pub struct StaleMemory {
    /// The file, relative to the memory directory.
    pub file: String,
    /// What it names that no longer exists.
    pub gone: Vec<String>,
}

impl Memory {
    /// Looks at what the newest memories of this project name.
    pub(super) fn stale(&self, listing: &super::Listing) -> Result<Stale, Error> {
        let mut stale = Stale::default();
        let Some(store) = self.private_store()? else { return Ok(stale) };
        let mut reader = ProjectReader::of(&self.place.project.checkout);
        let own = listing.memories().filter(|listed| listed.scope != Scope::User && !listed.flags.contains(&"log"));
        for listed in own.take(limits::EVIDENCE_MEMORIES) {
            let Ok(file) = RelPath::parse(&listed.file) else { continue };
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            stale.checked += 1;
            let gone = missing_names(&mut reader, &Topic::parse(bytes), listed.written.compared_with_files());
            if !gone.is_empty() {
                stale.memories.push(StaleMemory { file: file.to_string(), gone });
            }
        }
        stale.count = stale.memories.len();
        Ok(stale)
    }
}

/// What a memory names and the project does not have any more.
pub(super) fn missing_names(reader: &mut ProjectReader<'_>, topic: &Topic, written_ns: i64) -> Vec<String> {
    let text = format!("{}\n{}", topic.description().unwrap_or_default(), topic.body());
    let evidence = reader.check(&text, written_ns);
    evidence.into_iter().filter(|one| one.standing == EvidenceState::Gone).map(|one| one.name).collect()
}
