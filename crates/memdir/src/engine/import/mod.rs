//! Taking over what other programs remembered, and giving away what memdir remembers.
//!
//! Enters: memories that were found elsewhere. Leaves: what became of each. The files of a memory directory come in as
//! they are (`folder`). Of what was in lists, what the judge finds known already, in these words or in others, is not saved
//! again; what contradicts a memory is saved beside it, said, and asked about in the inbox. Nothing is ever overwritten.
//! A secret is refused. All that was saved is one group of the history, so one undo takes it back. A dry run says
//! the same and saves nothing.

mod folder;

use std::path::Path;

use serde::Serialize;

use super::inbox::ProposalOrigin;
use super::judge::{Judge, KnownMemory, Verdict};
use super::remember::{MemoryDraft, Remember};
use super::{Error, Files, Memory};
use crate::import::{ImportPaths, ImportedMemory};
use memdir_core::kind::{Scope, Type};
use memdir_reader::facts::Facts;
use memdir_store::Intent;
use memdir_store::history::ChangeId;
use memdir_store::topic::Topic;

/// What became of one memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Where it was found.
    pub origin: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// Whose memory.
    pub scope: Option<Scope>,
    /// `created`, `known` or `refused`.
    pub action: &'static str,
    /// The file it is in, or the one that says it already.
    pub file: Option<String>,
    /// Why it was refused.
    pub reason: Option<String>,
    /// A memory that says otherwise; both stay until somebody decides (K7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_contradict: Option<String>,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// In the order they were found.
    pub imported: Vec<Imported>,
    /// The group of changes, for `undo`.
    pub change: Option<String>,
}

/// A memory on its way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Relative to the memory directory of its scope.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// What it is about.
    #[serde(rename = "type")]
    pub kind: Option<Type>,
    /// Its name.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its text.
    pub body: String,
    /// When it was last written.
    pub modified: Option<String>,
    /// Whether automation keeps its hands off.
    pub pinned: bool,
}

impl Files<'_> {
    /// What another program remembers: by its name, or a folder or file of its own.
    pub fn find_to_import(&self, source: &str, path: Option<&Path>) -> Result<Vec<ImportedMemory>, Error> {
        let none = || Error::Refused("no home directory is known; set HOME".into());
        let home = self.memory.around.home.clone().ok_or_else(none)?;
        let config = self.memory.around.config_dir.clone().unwrap_or_else(|| home.join(".config"));
        let claude = self.memory.place.config_home.clone().unwrap_or_else(|_| home.join(".claude"));
        let (root, cwd) = (&self.memory.place.project.root, &self.memory.around.cwd);
        let at = ImportPaths { home: &home, config: &config, claude: &claude, root, cwd };
        crate::import::read(source, path, &at).map_err(|error| Error::Refused(error.to_string()))
    }

    /// Saves what was found elsewhere and is not known yet. `step` is told how many of how many are done.
    pub fn import(
        &self,
        source: &str,
        found: &[ImportedMemory],
        dry_run: bool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<ImportReport, Error> {
        self.memory.require_on()?;
        let group =
            ChangeId::derive(&[b"import", source.as_bytes(), self.memory.now.timestamp().to_string().as_bytes()]);
        let mut report = ImportReport::default();
        let (files, listed): (Vec<&ImportedMemory>, Vec<&ImportedMemory>) =
            found.iter().partition(|one| one.kept.is_some());
        report.imported = self.memory.import_folder(source, &files, &group, dry_run)?;
        let copied = files.len();
        for (at, one) in listed.into_iter().enumerate() {
            step(copied + at, found.len());
            report.imported.push(self.memory.import_one(source, one, &group, dry_run)?);
        }
        if !dry_run && report.imported.iter().any(|one| one.action == "created") {
            report.change = Some(group.to_string());
        }
        Ok(report)
    }

    /// Every memory with its text, newest first.
    pub fn export(&self) -> Result<Vec<Exported>, Error> {
        let listing = self.list()?;
        let mut all = Vec::new();
        for one in listing.memories() {
            let Ok(memory_ref) = self.find(&one.path()) else { continue };
            let Some(bytes) = memory_ref.store.root().read(&memory_ref.file)? else { continue };
            all.push(Exported {
                file: one.file.to_string(),
                scope: one.scope,
                kind: one.kind,
                name: one.name.as_deref().map(str::to_owned),
                description: one.description.as_deref().map(str::to_owned),
                body: Topic::parse(bytes).body().trim().to_owned(),
                modified: one.written.time(self.memory.now.timestamp()).map(|at| at.to_string()),
                pinned: one.pinned,
            });
        }
        Ok(all)
    }
}

impl Memory {
    fn import_one(
        &self,
        source: &str,
        found: &ImportedMemory,
        group: &ChangeId,
        dry_run: bool,
    ) -> Result<Imported, Error> {
        let wanted = Remember {
            text: found.body.clone(),
            kind: found.kind,
            name: found.name.clone(),
            description: found.description.clone(),
            scope: found.scope,
            ..Remember::default()
        };
        let mut done = Imported {
            origin: found.origin.clone(),
            name: found.name.clone().unwrap_or_default(),
            kind: found.kind,
            scope: found.scope,
            action: "refused",
            file: None,
            reason: None,
            may_contradict: None,
        };
        let draft = match MemoryDraft::on_day(&wanted, self, found.day) {
            Ok(draft) => draft,
            Err(error) if error.is_refusal() => {
                return Ok(Imported { reason: Some(error.to_string()), ..done });
            }
            Err(error) => return Err(error),
        };
        done.name.clone_from(&draft.name);
        (done.kind, done.scope) = (Some(draft.kind), Some(draft.scope));
        let statement = draft.statement();
        let other = match self.known_in_any_scope(&draft)? {
            Some(AlreadyKnown::Says(known)) => return Ok(Imported { action: "known", file: Some(known), ..done }),
            Some(AlreadyKnown::SaysOtherwise(known)) => Some(known),
            None => None,
        };
        done.may_contradict = other.as_ref().map(|known| known.file.to_string());
        if !dry_run {
            let store = self.writable(draft.scope)?;
            let intent =
                Intent { group: Some(group.clone()), ..Intent::new(format!("import from {source}: {}", found.origin)) };
            match store.change(&self.author(), &intent, |edit| self.save_new(edit, store, &draft)) {
                Ok((file, _)) => {
                    if let Some(other) = &other {
                        let origin = ProposalOrigin { scope: draft.scope, session: None, message: None };
                        self.ask_whether(&statement, other, file.as_str(), origin)?;
                    }
                    done.file = Some(file.to_string());
                }
                Err(error) => {
                    let error = Error::from(error);
                    if error.is_refusal() {
                        return Ok(Imported { reason: Some(error.to_string()), ..done });
                    }
                    return Err(error);
                }
            }
        }
        Ok(Imported { action: "created", ..done })
    }

    /// The memory that says it already or says otherwise, whoever's it is: what holds everywhere need not be said here again.
    fn known_in_any_scope(&self, draft: &MemoryDraft) -> Result<Option<AlreadyKnown>, Error> {
        let others = [Scope::Private, Scope::Team, Scope::User].into_iter().filter(|scope| *scope != draft.scope);
        let scopes: Vec<Scope> = std::iter::once(draft.scope).chain(others).collect();
        let judge = Judge::default();
        let text = draft.statement().text;
        let mut known = self.nearby(&scopes, judge.encoder(), &text)?;
        let verdict = judge.verdict(&text, &known);
        Ok(match verdict {
            // What is dropped here is gone: every fact of it must be there.
            Verdict::Same(at) => {
                let (told, new) = (known[at].topic.as_bytes(), draft.body());
                let lacks = Facts::read(&String::from_utf8_lossy(told)).lacks(&Facts::read(&new));
                lacks.is_empty().then(|| AlreadyKnown::Says(known[at].file.to_string()))
            }
            Verdict::Update(at, _) | Verdict::Drop(at) => Some(AlreadyKnown::SaysOtherwise(known.swap_remove(at))),
            Verdict::New | Verdict::Refine(_) | Verdict::Undecided(_) => None,
        })
    }
}

/// What is known of something that was found elsewhere.
enum AlreadyKnown {
    /// This memory says it.
    Says(String),
    /// This memory says otherwise.
    SaysOtherwise(KnownMemory),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::{TestMemory, topic};

    fn found(text: &str) -> ImportedMemory {
        ImportedMemory { origin: "list".into(), body: text.into(), ..ImportedMemory::default() }
    }

    #[test]
    fn k7_what_contradicts_a_memory_comes_in_beside_it_and_is_asked() {
        let known = topic("reference", "Bugs", "Bugs are filed in Trello.");
        let bench = TestMemory::with(&[("reference_bugs.md", &known)]);
        let memory = bench.memory();
        let wanted = [found("Bugs are filed in Linear."), found("Bugs are filed in Trello."), found("Mara likes tea.")];
        let report = memory.files().import("list", &wanted, false, &mut |_, _| {}).unwrap();
        let became: Vec<(&str, Option<&str>)> =
            report.imported.iter().map(|one| (one.action, one.may_contradict.as_deref())).collect();
        assert_eq!(became, [("created", Some("reference_bugs.md")), ("known", None), ("created", None)]);
        // Never overwritten: both stand, and the inbox holds the question.
        assert_eq!(bench.read("reference_bugs.md"), known);
        assert_eq!(memory.inbox().list().unwrap().len(), 1);
    }
}
