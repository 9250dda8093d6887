//! Forgetting: a memory and its pointer go to the history, from where `undo` brings them back;
//! purging removes them there too.
//!
//! Enters: files. Leaves: the same as one group of changes, or, for a purge, a report of what of the text was still found. Never removes an
//! index, and never removes for good what nobody asked to.

use std::path::Path;

use serde::Serialize;

use super::listing::{FileRole, role};
use super::{Error, Files, Listed, MemoryRef};
use memdir_core::kind::Scope;
use memdir_store::fs::{self, Durability};
use memdir_store::history::{ChangeId, Purged};
use memdir_store::{ChangeError, Intent};

/// What was forgotten.
#[derive(Debug, Serialize)]
pub struct Forgotten {
    /// The files, relative to their memory directories.
    pub files: Vec<String>,
    /// The change or group of changes, for `undo`.
    pub change: Option<String>,
}

impl Files<'_> {
    /// Archives memories and their pointers as one group.
    pub fn forget(&self, memories: &[Listed<'_>]) -> Result<Forgotten, Error> {
        let found = memories.iter().map(|listed| self.find(&listed.path())).collect::<Result<Vec<_>, _>>()?;
        self.forget_found(&found)
    }

    /// The same for the memory of exactly this file; `None` where there is none, and the name may mean something else.
    pub fn forget_file(&self, typed: &str) -> Result<Option<Forgotten>, Error> {
        match self.find_file(typed) {
            Ok(found) if role(found.file.as_str()) != FileRole::Index => self.forget_found(&[found]).map(Some),
            Ok(_) | Err(_) => Ok(None),
        }
    }

    fn forget_found(self, memories: &[MemoryRef<'_>]) -> Result<Forgotten, Error> {
        self.memory.require_on()?;
        let names: Vec<&str> = memories.iter().map(|memory_ref| memory_ref.file.as_str()).collect();
        let group = (memories.len() > 1).then(|| {
            ChangeId::derive(&[
                names.join("\n").as_bytes(),
                self.memory.now.timestamp().to_string().as_bytes(),
                &std::process::id().to_le_bytes(),
            ])
        });
        let mut forgotten = Forgotten { files: Vec::new(), change: None };
        for memory_ref in memories {
            if memory_ref.scope != Scope::User {
                self.memory.require_owner(memory_ref.store)?;
            }
            self.memory.history().notice_of(memory_ref)?;
            let intent = Intent { group: group.clone(), ..Intent::new("forget") };
            let ((), change) = memory_ref.store.change(&self.memory.author(), &intent, |edit| {
                if edit.read(&memory_ref.file)?.is_none() {
                    return Err(ChangeError::Refused(format!("{} is gone already", memory_ref.file)));
                }
                edit.remove(&memory_ref.file)?;
                edit.unpoint(&memory_ref.index()?, memory_ref.target())
            })?;
            forgotten.files.push(memory_ref.file.to_string());
            forgotten.change = group.as_ref().map(ToString::to_string).or(change.map(|change| change.id.to_string()));
        }
        Ok(forgotten)
    }

    /// Removes a memory for good and looks for what is left of it.
    pub fn purge(&self, typed: &str) -> Result<(String, Purged), Error> {
        let (scope, store, file) = self.memory.find_or_recorded(typed)?;
        if scope != Scope::User {
            self.memory.require_owner(store)?;
        }
        store.notice(self.memory.now.timestamp())?;
        let all = self.memory.stores()?;
        let others: Vec<_> =
            all.iter().map(|(_, other)| *other).filter(|other| other.root().path() != store.root().path()).collect();
        self.memory.drop_proposals_about(store, file.as_str())?;
        let purged = store.purge(&file, &super::index_for(scope, &file)?, &self.memory.author(), &others)?;
        self.memory.drop_sessions()?;
        self.memory.drop_contexts()?;
        self.memory.drop_last_extraction()?;
        self.memory.drop_uses(store, file.as_str())?;
        self.memory.drop_ratings(file.as_str(), scope)?;
        unname(&self.memory.dirs().state.join("hooks.jsonl"), file.as_str())?;
        Ok((file.to_string(), purged))
    }
}

/// Takes the name of a purged memory out of the log of hooks: it was made from what the memory said. The log belongs to a
/// room above, so a line is only known to be JSON here.
fn unname(log: &Path, purged: &str) -> Result<(), Error> {
    let name = purged.rsplit('/').next().unwrap_or(purged);
    let bytes = fs::read_beside(log)?;
    let mut kept = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice::<serde_json::Value>(line) {
            Ok(mut call) if call.to_string().contains(name) => {
                let names = |value: &serde_json::Value| value.as_str().is_some_and(|text| text.contains(name));
                for list in ["shown", "memories", "held_back"] {
                    if let Some(named) = call.get_mut(list).and_then(serde_json::Value::as_array_mut) {
                        named.retain(|one| !names(one) && !names(&one["file"]));
                        // What kept another one out may have been this one.
                        named.iter_mut().filter(|one| names(&one["why"])).for_each(|one| one["why"] = "".into());
                    }
                }
                // It says what the memory was about.
                if let Some(fields) = call.as_object_mut() {
                    fields.remove("why");
                }
                if names(&call["reason"]) {
                    call["reason"] = serde_json::Value::Null;
                }
                kept.extend(call.to_string().into_bytes());
                kept.push(b'\n');
            }
            _ => kept.extend_from_slice(line),
        }
    }
    if kept != bytes {
        fs::replace(log, &kept, Durability::Cache)?;
    }
    Ok(())
}
