//! Index and files that have drifted apart, and bringing them together again (I6).

use std::collections::HashSet;

use super::{Checkup, Level, Repaired};
use crate::engine::listing::{Role, role};
use crate::engine::{Error, Memory, index_of};
use crate::guard::confine::RelPath;
use crate::kind::Scope;
use crate::limits;
use crate::store::index::{self, CutText, Drift, Index, Known};
use crate::store::topic::{Header, Topic};
use crate::store::{Intent, OnSecret, Store};

/// One index and the files it should point to.
struct Shelf {
    index: RelPath,
    prefix: &'static str,
    raw: Vec<u8>,
    /// As the index names them.
    files: Vec<String>,
}

impl Memory {
    pub(super) fn check_drift(&self, scope: Scope, store: &Store, checkup: &mut Checkup) -> Result<(), Error> {
        for shelf in self.shelves(scope, store)? {
            let name = shelf.index.to_string();
            let index = Index::parse(shelf.raw.clone());
            let files: Vec<&str> = shelf.files.iter().map(String::as_str).collect();
            for drift in index::drift(&index, &files) {
                match drift {
                    Drift::Orphan { .. } if !self.settings.index_required => {}
                    // The user's own line: memdir does not rewrite it.
                    Drift::LongLine { target: None, .. } => {
                        checkup.push(
                            drift.id(),
                            Level::Info,
                            Some(name.clone()),
                            drift.to_string(),
                            "shorten it by hand",
                        );
                    }
                    _ => checkup.fixable(
                        drift.id(),
                        Level::Warning,
                        Some(name.clone()),
                        drift.to_string(),
                        "`memdir doctor --fix` repairs the index",
                    ),
                }
            }
            let loaded = index::load(&shelf.raw, self.index_unit(), &|_| false);
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
            let repaired = self.mended(store, &shelf)?;
            if repaired.0 != shelf.raw {
                let before = String::from_utf8_lossy(&shelf.raw);
                let after = String::from_utf8_lossy(&repaired.0);
                let mut options = diffy::DiffOptions::new();
                options.set_original_filename(format!("a/{name}")).set_modified_filename(format!("b/{name}"));
                checkup.diff.push_str(&options.create_patch(&before, &after).to_string());
            }
            for CutText { target, text } in repaired.1 {
                let note = format!("+++ b/{}{target}\n+{text}\n", shelf.prefix);
                checkup.diff.push_str(&note);
            }
        }
        Ok(())
    }

    pub(super) fn repair_drift(&self, scope: Scope, store: &Store, repaired: &mut Repaired) -> Result<(), Error> {
        store.notice(self.now.timestamp())?;
        for shelf in self.shelves(scope, store)? {
            let intent = Intent { on_secret: OnSecret::Restore, ..Intent::new("doctor: repair the index") };
            let ((), change) = store.change(&self.doctor(), &intent, |edit| {
                let raw = edit.read(&shelf.index)?.unwrap_or_default();
                let current =
                    Shelf { raw, files: shelf.files.clone(), index: shelf.index.clone(), prefix: shelf.prefix };
                let (mended, demoted) = self
                    .mended(store, &current)
                    .map_err(|error| crate::store::ChangeError::Refused(error.to_string()))?;
                if mended == current.raw {
                    return Ok(());
                }
                edit.write(&shelf.index, mended)?;
                // What was cut from an over-long line goes into the memory it was about.
                for CutText { target, text } in &demoted {
                    let file = RelPath::parse(&format!("{}{target}", shelf.prefix))?;
                    let Some(bytes) = edit.read(&file)? else { continue };
                    let mut topic = Topic::parse(bytes);
                    let body = topic.body().into_owned();
                    if !body.contains(text.as_str()) {
                        topic.set_body(&format!("{}\n\n{text}\n", body.trim_end()));
                        edit.write(&file, topic.as_bytes().to_vec())?;
                    }
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

    /// What an index should be, and what has to move out of it into memories.
    fn mended(&self, store: &Store, shelf: &Shelf) -> Result<(Vec<u8>, Vec<CutText>), Error> {
        let index = Index::parse(shelf.raw.clone());
        let pointed: HashSet<String> = index.pointers().into_iter().map(|pointer| pointer.target).collect();
        let mut heads = Vec::new();
        for target in &shelf.files {
            if !self.settings.index_required && !pointed.contains(target) {
                continue;
            }
            let file = RelPath::parse(&format!("{}{target}", shelf.prefix))?;
            let Some((head, _)) = store.root().read_head(&file, limits::HEADER_BYTES)? else { continue };
            let header = Header::read(&head);
            heads.push((target, header.name.unwrap_or_else(|| stem(target)), header.description.unwrap_or_default()));
        }
        let known: Vec<Known<'_>> = heads.iter().map(|(target, title, hook)| Known { target, title, hook }).collect();
        let mended = index::repair(&index, &known);
        Ok((mended.index.as_bytes().to_vec(), mended.cut))
    }

    fn shelves(&self, scope: Scope, store: &Store) -> Result<Vec<Shelf>, Error> {
        let known = store.known()?;
        let mut shelves = Vec::new();
        let scopes: &[(Scope, &'static str)] =
            if scope == Scope::Private { &[(Scope::Private, ""), (Scope::Team, "team/")] } else { &[(scope, "")] };
        for &(scope, prefix) in scopes {
            let index = index_of(scope)?;
            let raw = store.root().read(&index)?.unwrap_or_default();
            let files: Vec<String> = known
                .paths()
                .into_iter()
                .filter(|path| {
                    // What came from a team above has an index of its own, and that team looks after it.
                    role(path) == Role::Topic
                        && crate::team::parent_folder(path).is_none()
                        && path.starts_with(prefix)
                        && (scope == Scope::Team || !path.starts_with("team/") || scope == Scope::User)
                })
                .filter(|path| RelPath::parse(path).is_ok())
                .map(|path| path[prefix.len()..].to_owned())
                .collect();
            if !raw.is_empty() || !files.is_empty() {
                shelves.push(Shelf { index, prefix, raw, files });
            }
        }
        Ok(shelves)
    }
}

fn stem(target: &str) -> String {
    target.rsplit('/').next().unwrap_or(target).trim_end_matches(".md").replace('_', " ")
}
