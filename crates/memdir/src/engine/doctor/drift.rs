//! Index and files that have drifted apart, and bringing them together again (I6).
//!
//! Enters: a store. Leaves: findings and, as a plan, the index as it should be; a repair lands it as one change. Never
//! changes what a memory says.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Checkup, Level, RepairReport};
use crate::engine::listing::{FileRole, role};
use crate::engine::{Advice, Error, Hint, Memory, index_of};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::index::{self, Drift, Index, PointerTarget};
use memdir_store::topic::Header;
use memdir_store::{Intent, OnSecret, Store};

/// What to do about most of it.
fn repair() -> Advice {
    Advice::new("a repair puts the index right", Hint::RepairIndex)
}

/// One index and the files it should point to.
struct IndexedFolder {
    index: RelPath,
    prefix: &'static str,
    raw: Vec<u8>,
    /// As the index names them; what it points to besides, and is there, is among them.
    files: Vec<String>,
}

impl Memory {
    pub(super) fn check_drift(&self, scope: Scope, store: &Store, checkup: &mut Checkup) -> Result<(), Error> {
        for folder in self.indexed_folders(scope, store)? {
            let name = folder.index.to_string();
            let index = Index::parse(folder.raw.clone());
            let files: Vec<&str> = folder.files.iter().map(String::as_str).collect();
            for drift in index::drift(&index, &files) {
                let about = drift.target().map(|target| format!("{}{target}", folder.prefix));
                let (file, message) = (Some(name.clone()), drift.to_string());
                let example = match &drift {
                    Drift::Orphan { .. } if !self.settings.index_required => continue,
                    Drift::LongLine { line, .. } => {
                        // The line belongs to whoever wrote it: memdir does not cut it.
                        checkup.push(drift.id(), Level::Info, file, message, "shorten it by hand if you like");
                        format!("line {line}")
                    }
                    Drift::Dangling { line, target } | Drift::Doubled { line, target, .. } => {
                        checkup.fixable(drift.id(), Level::Warning, file, message, repair());
                        format!("{target} in line {line}")
                    }
                    Drift::Orphan { target } => {
                        checkup.fixable(drift.id(), Level::Warning, file, message, repair());
                        target.clone()
                    }
                };
                checkup.such_as(example, about);
            }
            let loaded = index::load(&folder.raw, self.index_unit(), &|_| false);
            if loaded.cut.is_some() {
                let message = format!("is longer than a session loads: {} lines, {} bytes", loaded.lines, loaded.bytes);
                checkup.push(
                    "index-overflow",
                    Level::Warning,
                    Some(name.clone()),
                    message,
                    "forget or merge memories; the newest and pinned ones stay in view",
                );
            }
            let repaired = self.mended(store, &folder)?;
            if repaired != folder.raw {
                let before = String::from_utf8_lossy(&folder.raw);
                let after = String::from_utf8_lossy(&repaired);
                let mut options = diffy::DiffOptions::new();
                options.set_original_filename(format!("a/{name}")).set_modified_filename(format!("b/{name}"));
                checkup.diff.push_str(&options.create_patch(&before, &after).to_string());
            }
        }
        Ok(())
    }

    pub(super) fn repair_drift(&self, scope: Scope, store: &Store, repaired: &mut RepairReport) -> Result<(), Error> {
        store.notice(self.now.timestamp())?;
        for folder in self.indexed_folders(scope, store)? {
            let intent = Intent { on_secret: OnSecret::Restore, ..Intent::new("doctor: repair the index") };
            let ((), change) = store.change(&self.doctor(), &intent, |edit| {
                let raw = edit.read(&folder.index)?.unwrap_or_default();
                let current = IndexedFolder {
                    raw,
                    files: folder.files.clone(),
                    index: folder.index.clone(),
                    prefix: folder.prefix,
                };
                let mended = self
                    .mended(store, &current)
                    .map_err(|error| memdir_store::ChangeError::Refused(error.to_string()))?;
                if mended != current.raw {
                    edit.write(&folder.index, mended)?;
                }
                Ok(())
            })?;
            if let Some(change) = change {
                repaired.files.extend(change.paths().into_iter().map(str::to_owned));
                repaired.changes.push(change.id.to_string());
            }
        }
        Ok(())
    }

    /// What an index should be.
    fn mended(&self, store: &Store, folder: &IndexedFolder) -> Result<Vec<u8>, Error> {
        let index = Index::parse(folder.raw.clone());
        let pointed: HashSet<String> = index.targets().map(Cow::into_owned).collect();
        let mut heads = Vec::new();
        for target in &folder.files {
            if pointed.contains(target) {
                heads.push((target, String::new(), String::new()));
                continue;
            }
            if !self.settings.index_required {
                continue;
            }
            let file = RelPath::parse(&format!("{}{target}", folder.prefix))?;
            let Some((head, _)) = store.root().read_head(&file, limits::HEADER_BYTES)? else { continue };
            let header = Header::read(&head);
            let title = header.name.or_else(|| heading(&head)).unwrap_or_else(|| stem(target));
            heads.push((target, title, header.description.unwrap_or_default()));
        }
        let known: Vec<PointerTarget<'_>> =
            heads.iter().map(|(target, title, hook)| PointerTarget { target, title, hook }).collect();
        Ok(index::repair(&index, &known).index.into_bytes())
    }

    /// Whether a pointer leads to something that is not a memory of its index: a log, another index's memory, a file
    /// of the project.
    fn leads_somewhere(&self, store: &Store, prefix: &str, target: &str) -> bool {
        let is_file = |path: &str| {
            RelPath::parse(path).is_ok_and(|file| store.root().facts(&file).is_ok_and(|facts| facts.is_some()))
        };
        is_file(&format!("{prefix}{target}")) || is_file(target) || self.place.project.root.join(target).is_file()
    }

    fn indexed_folders(&self, scope: Scope, store: &Store) -> Result<Vec<IndexedFolder>, Error> {
        let known = store.known()?;
        let mut indexed_folders = Vec::new();
        let scopes: &[(Scope, &'static str)] =
            if scope == Scope::Private { &[(Scope::Private, ""), (Scope::Team, "team/")] } else { &[(scope, "")] };
        for &(scope, prefix) in scopes {
            let index = index_of(scope)?;
            let raw = store.root().read(&index)?.unwrap_or_default();
            let mut files: Vec<String> = known
                .paths()
                .into_iter()
                .filter(|path| {
                    // What came from a team above has an index of its own, and that team looks after it.
                    role(path) == FileRole::Topic
                        && memdir_team::parent_folder(path).is_none()
                        && path.starts_with(prefix)
                        && (scope == Scope::Team || !path.starts_with("team/") || scope == Scope::User)
                })
                .filter(|path| RelPath::parse(path).is_ok())
                .map(|path| path[prefix.len()..].to_owned())
                .collect();
            let known: HashSet<&str> = files.iter().map(String::as_str).collect();
            let mut others: Vec<String> = Index::parse(raw.clone()).targets().map(Cow::into_owned).collect();
            others.retain(|target| !known.contains(&**target) && self.leads_somewhere(store, prefix, target));
            files.extend(others);
            if !raw.is_empty() || !files.is_empty() {
                indexed_folders.push(IndexedFolder { index, prefix, raw, files });
            }
        }
        Ok(indexed_folders)
    }
}

/// The first heading of a file that has no name.
fn heading(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let title = text.lines().find_map(|line| line.strip_prefix("# "))?.trim();
    (!title.is_empty()).then(|| title.to_owned())
}

fn stem(target: &str) -> String {
    target.rsplit('/').next().unwrap_or(target).trim_end_matches(".md").replace('_', " ")
}
