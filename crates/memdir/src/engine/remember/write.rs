//! The file and the pointer of a new memory, in one change (I4).
//!
//! Enters: a checked draft. Leaves: a file under a name that nobody has yet, and its line in the index; or, where memory is kept as a log,
//! an entry of the day (L1). An existing memory is never changed.

use std::cell::RefCell;

use jiff::Timestamp;
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_store::history::{Author, Change};
use memdir_store::topic::Topic;
use memdir_store::{ChangeError, Edit, Intent, Store};

use super::super::daily;
use super::super::{Error, Memory, MemoryRef};
use super::draft::MemoryDraft;
use super::{Remember, RememberOutcome, Remembered};

impl Memory {
    /// Saves one memory of which the caller knows that nothing like it is there, and when it was said.
    pub(in crate::engine) fn remember_new(
        &self,
        wanted: &Remember,
        author: &Author,
        intent: &Intent,
        said_at: Timestamp,
    ) -> Result<Remembered, Error> {
        let draft = MemoryDraft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        let (file, change) = store.change(author, intent, |edit| {
            let file = self.save_new(edit, store, &draft)?;
            edit.written_at(&file, said_at)?;
            Ok(file)
        })?;
        Ok(created(&draft, store, &file, change))
    }

    /// The file that [`Memory::remember_new`] would write, and what it would say; `waits` knows names that are spoken for.
    pub(in crate::engine) fn compose_new(
        &self,
        wanted: &Remember,
        waits: &dyn Fn(&str) -> bool,
    ) -> Result<(Scope, RelPath, String), Error> {
        let draft = MemoryDraft::of(wanted, self)?;
        let store = self.writable(draft.scope)?;
        let prefix = if draft.scope == Scope::Team { "team/" } else { "" };
        let name = draft.file_name(&|name: &str| {
            let path = format!("{prefix}{name}");
            let there = RelPath::parse(&path).ok().and_then(|file| store.root().read(&file).ok().flatten());
            there.is_some() || waits(&path)
        });
        let file = RelPath::parse(&format!("{prefix}{name}"))?;
        let text = String::from_utf8_lossy(draft.compose().as_bytes()).into_owned();
        Ok((draft.scope, file, text))
    }

    pub(super) fn write_new(
        &self,
        draft: &MemoryDraft,
        store: &Store,
        author: &Author,
        reason: &str,
    ) -> Result<Remembered, Error> {
        let (file, change) = store.change(author, &Intent::new(reason), |edit| self.save_new(edit, store, draft))?;
        Ok(created(draft, store, &file, change))
    }

    /// Writes a new memory's file and pointer. Runs again if somebody else changed either meanwhile.
    pub(in crate::engine) fn save_new(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        draft: &MemoryDraft,
    ) -> Result<RelPath, ChangeError> {
        let (file, topic) = draft.write_new(edit)?;
        let memory_ref = MemoryRef { scope: draft.scope, store, file };
        if self.settings.index_required {
            let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)?;
        }
        Ok(memory_ref.file)
    }

    /// Appends it to the day's log; a topic is made of it when memory is dreamt (L1).
    pub(super) fn log_draft(&self, draft: &MemoryDraft) -> Result<Remembered, Error> {
        let scope = if draft.scope == Scope::User { Scope::User } else { Scope::Private };
        let entry = daily::entry(draft.kind, &draft.text, draft.why.as_deref(), draft.apply.as_deref());
        let logged = self.append_to_log(scope, &self.author(), "remember", &self.now, &entry)?;
        let mut warnings = draft.warnings();
        if draft.scope == Scope::Team {
            warnings.push("the log of the day is private; the team does not see it".to_owned());
        }
        Ok(Remembered {
            file: logged.file,
            path: logged.path,
            scope,
            kind: draft.kind,
            action: if logged.change.is_some() { RememberOutcome::Created } else { RememberOutcome::Unchanged },
            replaced: None,
            renamed_from: None,
            may_contradict: None,
            change: logged.change,
            warnings,
        })
    }
}

impl MemoryDraft {
    /// Writes its file under a name that nobody has yet.
    pub(in crate::engine) fn write_new(&self, edit: &mut Edit<'_>) -> Result<(RelPath, Topic), ChangeError> {
        let file = free_name(edit, self)?;
        let topic = self.compose();
        edit.write(&file, topic.as_bytes().to_vec())?;
        Ok((file, topic))
    }
}

/// What is told of a memory that was just saved.
pub(in crate::engine) fn created(
    draft: &MemoryDraft,
    store: &Store,
    file: &RelPath,
    change: Option<Change>,
) -> Remembered {
    Remembered {
        file: file.to_string(),
        path: store.root().show(file),
        scope: draft.scope,
        kind: draft.kind,
        action: RememberOutcome::Created,
        replaced: None,
        renamed_from: None,
        may_contradict: None,
        change: change.map(|change| change.id.to_string()),
        warnings: draft.warnings(),
    }
}

/// A file name that nobody has yet.
fn free_name(edit: &mut Edit<'_>, draft: &MemoryDraft) -> Result<RelPath, ChangeError> {
    let prefix = if draft.scope == Scope::Team { "team/" } else { "" };
    let failure = RefCell::new(None);
    let edit = RefCell::new(edit);
    let name = draft.file_name(&|name: &str| {
        let there = RelPath::parse(&format!("{prefix}{name}"))
            .map_err(ChangeError::from)
            .and_then(|file| edit.borrow_mut().read(&file));
        match there {
            Ok(content) => content.is_some(),
            Err(error) => {
                failure.borrow_mut().get_or_insert(error);
                false
            }
        }
    });
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(RelPath::parse(&format!("{prefix}{name}"))?),
    }
}
