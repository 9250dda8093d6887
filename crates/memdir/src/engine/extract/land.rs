//! Drafts become files: written, revised or archived in transactions, each change signed with the
//! session and the message it came from.

use super::draft::Draft;
use super::{Effect, SavedMemory};
use crate::engine::daily;
use crate::engine::judge::{KnownMemory, Verdict};
use crate::engine::{Error, Memory, MemoryRef, ProposedFile, Remember};
use memdir_core::kind::{Scope, Type};
use memdir_core::settings::Mode;
use memdir_guard::secrets;
use memdir_store::history::{Actor, Author};
use memdir_store::{ChangeError, Intent, OnSecret};

impl Memory {
    /// The author of a change that a message led to.
    pub(super) fn learner(&self, session: Option<&str>, message: Option<&str>) -> Author {
        Author {
            actor: Actor::Extract,
            session: session.map(str::to_owned).or_else(|| self.signature.session.clone()),
            message: message.map(str::to_owned),
            time: self.now.timestamp(),
        }
    }

    /// Appends what was said to the log of that day (L1).
    pub(super) fn land_in_log(&self, draft: &Draft, author: &Author) -> Result<Option<SavedMemory>, Error> {
        let entry = daily::entry(draft.kind, &draft.told(), draft.why.as_deref(), draft.apply.as_deref());
        let (entry, _) = secrets::redact(&entry);
        let said = draft.time.to_zoned(self.now.time_zone().clone());
        let logged = self.append_to_log(Scope::Private, author, "learned", &said, &entry)?;
        Ok(logged.change.map(|change| SavedMemory {
            file: logged.file,
            renamed_from: None,
            action: Effect::Created,
            kind: Some(draft.kind),
            scope: Scope::Private,
            change: Some(change),
        }))
    }

    /// Writes a new memory.
    pub(super) fn land_new(&self, draft: &Draft, author: &Author) -> Result<SavedMemory, Error> {
        let intent = Intent::new("learned");
        let saved = self.remember_new(&self.wanted(draft), author, &intent, draft.time)?;
        Ok(SavedMemory {
            file: saved.file,
            renamed_from: None,
            action: Effect::Created,
            kind: Some(saved.kind),
            scope: saved.scope,
            change: saved.change,
        })
    }

    fn wanted(&self, draft: &Draft) -> Remember {
        Remember {
            text: draft.told(),
            kind: Some(draft.kind),
            name: Some(draft.name()),
            description: Some(draft.description()),
            why: draft.why.clone(),
            apply: draft.apply.clone(),
            scope: Some(self.scope_for(draft)),
        }
    }

    /// The file that a draft would become.
    pub(super) fn draft_new(&self, draft: &Draft) -> Result<(Scope, ProposedFile), Error> {
        let waiting: Vec<String> =
            self.inbox().list()?.into_iter().flat_map(|one| one.files).map(|file| file.file).collect();
        let (scope, file, text) =
            self.compose_new(&self.wanted(draft), &|name| waiting.iter().any(|one| one == name))?;
        Ok((scope, ProposedFile { file: file.to_string(), before: None, after: Some(text), ..ProposedFile::default() }))
    }

    /// What a known memory would become; `None` where its frontmatter is too broken to be edited.
    pub(super) fn draft_change(&self, draft: &Draft, known: &KnownMemory, verdict: &Verdict) -> Option<ProposedFile> {
        let after = known.after(&draft.new_statement(), verdict)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(ProposedFile {
            file: known.file.to_string(),
            before: Some(text(known.topic.as_bytes())),
            after: Some(text(after.as_bytes())),
            ..ProposedFile::default()
        })
    }

    /// A known memory that would go.
    pub(super) fn draft_forget(&self, known: &KnownMemory) -> ProposedFile {
        let before = Some(String::from_utf8_lossy(known.topic.as_bytes()).into_owned());
        ProposedFile { file: known.file.to_string(), before, after: None, ..ProposedFile::default() }
    }

    /// Where a draft goes: team memory only where there is one (T1).
    pub(super) fn scope_for(&self, draft: &Draft) -> Scope {
        if self.settings.mode == Mode::Team && draft.kind != Type::User { draft.scope } else { Scope::Private }
    }

    /// Lets a known memory say what the verdict makes of it. `None`: it said so already.
    pub(super) fn land_change(
        &self,
        draft: &Draft,
        known: &KnownMemory,
        verdict: &Verdict,
        author: &Author,
    ) -> Result<Option<SavedMemory>, Error> {
        let store = self.writable(known.scope)?;
        let intent = Intent { on_secret: OnSecret::Redact, ..Intent::new("learned") };
        let (file, change) = store
            .change(author, &intent, |edit| self.land_verdict(edit, store, known, &draft.new_statement(), verdict))?;
        Ok(change.map(|change| SavedMemory {
            renamed_from: (file != known.file).then(|| known.file.to_string()),
            file: file.to_string(),
            action: Effect::Updated,
            kind: known.kind().or(Some(draft.kind)),
            scope: known.scope,
            change: Some(change.id.to_string()),
        }))
    }

    /// Archives a memory and its pointer.
    pub(super) fn land_forget(&self, known: &KnownMemory, author: &Author) -> Result<SavedMemory, Error> {
        let memory_ref = self.memory_ref_of(known)?;
        let intent = Intent::new("forget");
        let ((), change) = memory_ref.store.change(author, &intent, |edit| {
            if edit.read(&memory_ref.file)?.is_none() {
                return Err(ChangeError::Refused(format!("{} is gone already", memory_ref.file)));
            }
            edit.remove(&memory_ref.file)?;
            edit.unpoint(&memory_ref.index()?, memory_ref.target())
        })?;
        Ok(SavedMemory {
            file: memory_ref.file.to_string(),
            renamed_from: None,
            action: Effect::Deleted,
            kind: known.kind(),
            scope: memory_ref.scope,
            change: change.map(|change| change.id.to_string()),
        })
    }

    fn memory_ref_of(&self, known: &KnownMemory) -> Result<MemoryRef<'_>, Error> {
        let store = self.writable(known.scope)?;
        Ok(MemoryRef { scope: known.scope, store, file: known.file.clone() })
    }
}
