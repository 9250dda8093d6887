//! What was chosen, read and put in front of a model (R7, R10).
//!
//! Enters: the choice. Leaves: one reminder within its room, with what is to be said about each memory: what the project
//! no longer has, who shared it, that it reads like an order. A memory that cannot be read any more gets no slot.

use std::collections::HashMap;
use std::path::Path;

use super::{KeptOut, Recalled, SkippedMemory, evidence, excerpt};
use crate::engine::{Error, Memory, MemoryRef};
use memdir_context::surface::{ShownMemory, reminder};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_store::Store;

impl Memory {
    /// Reads the chosen memories and puts them into one reminder (R7, R10).
    pub(super) fn surface(&self, room: usize, answer: &mut Recalled) -> Result<(), Error> {
        let (mut texts, mut parts) = (Vec::new(), Vec::new());
        let team = answer.selected.iter().any(|one| one.scope == Scope::Team);
        let origins = if team { self.origins().unwrap_or_default() } else { HashMap::default() };
        let mut sight = evidence::ProjectReader::of(&self.place.project.checkout);
        answer.selected.retain_mut(|one| {
            // Gone or unreadable since the cache was written: no slot for it.
            let Some(memory_ref) = self.chosen_ref(&one.path) else { return false };
            let Ok(Some(bytes)) = memory_ref.store.root().read(&memory_ref.file) else { return false };
            one.title = self.files().title(&memory_ref, Some(&one.title));
            let text = String::from_utf8_lossy(&bytes).into_owned();
            one.evidence = sight.check(&text, one.written.compared_with_files());
            one.from = origins.get(&one.file).filter(|_| one.scope == Scope::Team).cloned();
            let findings = evidence::sentence(&one.evidence);
            let excerpt = excerpt::of(&text, one.passage);
            parts.push(excerpt.is_some());
            texts.push((excerpt.unwrap_or(text), findings));
            true
        });
        let mut prompts = self.prompts();
        let failed = |error: memdir_context::prompts::RenderError| Error::Refused(error.to_string());
        for (_, findings) in &mut texts {
            if !findings.is_empty() {
                *findings = prompts.phrase("evidence", &[("findings", findings)]).map_err(failed)?;
            }
        }
        for (origin, (_, note)) in answer.selected.iter().map(|one| &one.from).zip(&mut texts) {
            let Some(words) = origin.as_ref().and_then(|origin| origin.warning(&mut prompts)) else { continue };
            *note = if note.is_empty() { words } else { format!("{words} {note}") };
        }
        for (one, (text, note)) in answer.selected.iter().zip(&mut texts) {
            // Of the team's memories that was said when they came in.
            if one.from.is_none() && PromptInjection::read(text).is_planted() {
                let words = prompts.phrase("planted-orders", &[]).map_err(failed)?;
                *note = if note.is_empty() { words } else { format!("{words} {note}") };
            }
        }
        let shown: Vec<ShownMemory<'_>> = answer
            .selected
            .iter()
            .zip(texts.iter().zip(parts))
            .map(|(one, ((text, evidence), part))| ShownMemory {
                path: &one.path,
                age_days: one.age_days,
                text,
                evidence,
                part,
            })
            .collect();
        let made = reminder(&shown, room, &mut prompts).map_err(failed)?;
        for over in answer.selected.split_off(made.memories) {
            answer.skipped.push(SkippedMemory {
                file: over.file,
                scope: over.scope,
                cause: KeptOut::NoRoom,
                reason: "no room was left for it".into(),
                near: true,
            });
        }
        answer.bytes = made.text.len();
        answer.reminder = made.text;
        Ok(())
    }

    /// A chosen memory by its path, or the daily log beside the private directory.
    fn chosen_ref(&self, path: &str) -> Option<MemoryRef<'_>> {
        let logged = |store: &Store| {
            let rest = Path::new(path).strip_prefix(store.root().path()).ok()?.to_str()?;
            RelPath::parse(rest).ok()
        };
        self.files().find(path).ok().or_else(|| {
            let stores = self.recalled_stores().ok()?;
            let (scope, store) = stores.into_iter().find(|(_, store)| self.is_beside(store))?;
            Some(MemoryRef { scope, store, file: logged(store)? })
        })
    }
}
