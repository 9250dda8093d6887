//! The indexes as blocks of a session's context: which ones, cut to their limits, with what was left out (I1–I3).
//!
//! Enters: the stores of a project. Leaves: one block an index, and a line of the receipt for what was cut. Of an index that
//! somebody else wrote only pointers are shown. Never changes an index: what does not fit is only not shown.

use std::path::Path;

use super::{ContextRequest, SessionContext};
use crate::engine::{Error, Memory};
use memdir_context::contents::{ContentSource, contents};
use memdir_context::prompts::Prompts;
use memdir_context::receipt::{ContextBlock, Receipt};
use memdir_core::limits;
use memdir_core::settings::{IndexUnit, Mode};
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_store::index::{self, Loaded};
use memdir_store::topic::Header;
use memdir_store::{Store, Written};

impl Memory {
    pub(super) fn index_blocks(
        &self,
        request: &ContextRequest<'_>,
        prompts: &mut Prompts,
        context: &mut SessionContext,
    ) -> Result<(), Error> {
        let mode = self.mode(request);
        if let Some(project) = self.project_memory() {
            // It points nowhere that memdir keeps, so no line of it is worth more than another.
            let raw = pointers_of(&project.bytes, ContentSource::ProjectIndex, &mut context.receipt);
            let loaded = index::load(raw.as_bytes(), self.index_unit(), &|_| false);
            show_index(&loaded, ContentSource::ProjectIndex, &project.path, prompts, context)?;
        }
        if let Some(store) = self.private_store()? {
            self.index_block(store, "MEMORY.md", ContentSource::Index, prompts, context)?;
            if mode == Mode::Team || store.root().path().join("team").is_dir() {
                self.index_block(store, "team/MEMORY.md", ContentSource::TeamIndex, prompts, context)?;
                // Nearer teams come first; what they have, a farther one does not say again.
                for team in self.teams().list().unwrap_or_default().teams {
                    if team.parent {
                        let file = format!("{}MEMORY.md", team.folder());
                        self.index_block(store, &file, ContentSource::ParentIndex, prompts, context)?;
                    }
                    context.receipt.loaded(&format!(
                        "{} from the team {}, {}",
                        team.folder(),
                        team.name,
                        team.source.shown()
                    ));
                }
            }
        }
        if let Ok(Some(store)) = self.user_store() {
            self.index_block(store, "MEMORY.md", ContentSource::UserIndex, prompts, context)?;
        }
        Ok(())
    }

    fn index_block(
        &self,
        store: &Store,
        file: &str,
        source: ContentSource,
        prompts: &mut Prompts,
        context: &mut SessionContext,
    ) -> Result<(), Error> {
        let path = RelPath::parse(file)?;
        let Some(raw) = store.root().read(&path)? else { return Ok(()) };
        let prefix = path.parent().map(|parent| format!("{parent}/")).unwrap_or_default();
        let loaded = if matches!(source, ContentSource::TeamIndex | ContentSource::ParentIndex) {
            let pointers = pointers_of(&raw, source, &mut context.receipt);
            self.load_index(store, &prefix, pointers.as_bytes())
        } else {
            self.load_index(store, &prefix, &raw)
        };
        show_index(&loaded, source, &store.root().path().join(file), prompts, context)
    }

    /// Cuts an index to its limits; pinned and fresh memories keep their lines (I2).
    pub(super) fn load_index(&self, store: &Store, prefix: &str, raw: &[u8]) -> Loaded {
        // A look at the directory has just told what is pinned and when it was changed.
        let known = if store.has_looked() { store.known().ok() } else { None };
        let keep = |target: &str| {
            let path = format!("{prefix}{target}");
            if let Some(known) = known.as_ref().and_then(|catalog| catalog.get(&path))
                && known.facts.is_some()
            {
                return known.pinned || self.is_fresh(&known.written);
            }
            let Ok(file) = RelPath::parse(&path) else { return false };
            let Ok(Some((head, facts))) = store.root().read_head(&file, limits::HEADER_BYTES) else { return false };
            let header = Header::read(&head);
            header.pinned || self.is_fresh(&store.written(&path, &header, &facts))
        };
        index::load(raw, self.index_unit(), &keep)
    }

    /// Whether a memory was written in the last days, as the local calendar counts them (I2).
    fn is_fresh(&self, written: &Written) -> bool {
        self.files().age(written).is_some_and(|days| days <= limits::FRESH_DAYS)
    }

    /// What the limit of an index counts, in the store's own words.
    pub(in crate::engine) fn index_unit(&self) -> index::SizeUnit {
        match self.settings.index_unit {
            IndexUnit::Bytes => index::SizeUnit::Bytes,
            IndexUnit::Utf16 => index::SizeUnit::Utf16,
        }
    }
}

/// What a session may see of an index that somebody else wrote: pointers, without those that read like orders.
fn pointers_of(raw: &[u8], source: ContentSource, receipt: &mut Receipt) -> String {
    let found = index::read_foreign(raw);
    if found.other_lines > 0 {
        let words = format!("{} that are not pointers, in somebody else's index", found.other_lines);
        receipt.dropped(source.block(), &words);
    }
    let mut kept = String::new();
    for line in found.pointers {
        let read = PromptInjection::read(&line);
        if read.is_suspicious() {
            receipt.dropped(source.block(), &format!("a line that reads like an order ({})", read.reasons()));
        } else {
            kept.push_str(&line);
            kept.push('\n');
        }
    }
    kept
}

/// An index as a block, with its label and its line in the receipt; an empty one is none.
fn show_index(
    loaded: &Loaded,
    source: ContentSource,
    path: &Path,
    prompts: &mut Prompts,
    context: &mut SessionContext,
) -> Result<(), Error> {
    if loaded.text.is_empty() {
        return Ok(());
    }
    let text =
        contents(source, path, None, &loaded.text, prompts).map_err(|error| Error::Refused(error.to_string()))?;
    note(&mut context.receipt, source.block(), loaded);
    context.blocks.push(ContextBlock::new(source.block(), text, loaded.cut.is_some()));
    Ok(())
}

/// Says in the receipt what of an index was loaded and what was not.
pub(super) fn note(receipt: &mut Receipt, name: &str, loaded: &Loaded) {
    match &loaded.cut {
        None => receipt.loaded(name),
        Some(cut) => {
            let limit = match (cut.over_lines, cut.over_size) {
                (true, true) => "too many lines and too large",
                (true, false) => "too many lines",
                _ => "too large",
            };
            receipt.cut(
                name,
                &format!("{limit} ({} lines, {} bytes), cut at line {}", loaded.lines, loaded.bytes, cut.first),
            );
        }
    }
    for line in loaded.displaced.iter().chain(&loaded.dropped) {
        let what = line.target.as_deref().unwrap_or(&line.text);
        receipt.dropped(&format!("{name} line {}", line.line), what);
    }
}
