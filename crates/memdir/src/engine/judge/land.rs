//! A verdict on a known memory becomes part of a change: its file, its pointer, and its file name where that claims the old value.
//!
//! Enters: the memory as it was judged, the new statement and the verdict. Leaves: the edit, or that the memory is another one by now,
//! which lets the caller judge again. The memory's age becomes the time of the statement, not of the run (K6).

use std::cell::RefCell;

use super::known::KnownMemory;
use super::revise::{NewStatement, Revised, reads};
use super::verdict::Verdict;
use crate::engine::pointer::ChangedBy;
use crate::engine::{Memory, MemoryRef};
use memdir_guard::confine::RelPath;
use memdir_reader::title;
use memdir_store::topic::{self, BrokenFrontmatter, Topic};
use memdir_store::{ChangeError, Edit, Store};

impl Memory {
    /// Lets a known memory say what the verdict makes of it; gives the name of its file afterwards.
    pub(in crate::engine) fn land_verdict(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        known: &KnownMemory,
        new: &NewStatement,
        verdict: &Verdict,
    ) -> Result<RelPath, ChangeError> {
        let file = &known.file;
        let before = match edit.read(file)? {
            Some(bytes) if bytes == known.topic.as_bytes() => Topic::parse(bytes),
            _ => return Err(ChangeError::Contended(file.to_string())),
        };
        let odd = |odd: BrokenFrontmatter| ChangeError::Refused(format!("{file}: {odd}"));
        let stem = file.as_str().rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
        let Some(Revised { topic, swaps, misnamed }) = reads(&before, stem, new, verdict).map_err(odd)? else {
            return Ok(file.clone());
        };
        edit.write(file, topic.as_bytes().to_vec())?;
        let mut memory_ref = MemoryRef { scope: known.scope, store, file: file.clone() };
        if misnamed && let Some(to) = self.fitting_name(edit, file, &topic)? {
            edit.rename_file(file, &to)?;
            let renamed = MemoryRef { scope: known.scope, store, file: to };
            if self.settings.index_required {
                edit.rename(&memory_ref.index()?, memory_ref.target(), renamed.target())?;
            }
            memory_ref = renamed;
        }
        if let Some(at) = new.said_at {
            edit.written_at(&memory_ref.file, at)?;
        }
        self.follow(edit, &memory_ref, &before, &topic, &ChangedBy::Program(&swaps))?;
        Ok(memory_ref.file)
    }

    /// A free file name, in the same folder, made of what a memory is called now; `None` where it has that name.
    fn fitting_name(&self, edit: &mut Edit<'_>, file: &RelPath, topic: &Topic) -> Result<Option<RelPath>, ChangeError> {
        let folder = file.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let name = topic.name().unwrap_or_default().into_owned();
        let edit = RefCell::new(edit);
        let taken = |name: &str| {
            let path = RelPath::parse(&format!("{prefix}{name}")).ok();
            path.is_none_or(|path| path != *file && !matches!(edit.borrow_mut().read(&path), Ok(None)))
        };
        let to =
            RelPath::parse(&format!("{prefix}{}", topic::file_name(topic.kind(), &title::file_words(&name), &taken)))?;
        Ok((to != *file).then_some(to))
    }
}
