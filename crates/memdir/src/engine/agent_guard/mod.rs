//! Guards memory while the user's own agent works on it: the agent writes the real directory.
//!
//! Before it starts a copy is made. When it has ended, everything it changed is put back, and what
//! it had changed is checked and landed like any other proposal: what passes comes back at once,
//! signed and with one undo; what does not stays out. What memdir itself wrote meanwhile (another
//! session, a person's `remember`) is known from the history and is not taken for the program's.
//!
//! The copy outlives a process that is killed: the next one puts back what was never checked.
//!
//! One thing cannot be told apart: what somebody changed with an editor while the program ran. It
//! is checked like the program's own work; nothing of it is lost, the history has it.

use std::collections::HashMap;
use std::path::Path;

use super::proposal::{Bounds, ProposalVerdict};
use super::{Error, Memory, Signature};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_store::fs::FsError;
use memdir_store::history::{Actor, Author, Change, Hash, Position, Version};
use memdir_store::index::{Index, PointerEdit};
use memdir_store::staging::{self, Changes, Staging, UnusableReason};
use memdir_store::{ChangeError, Intent, OnSecret, Store};

/// A directory that is being watched.
pub(crate) struct AgentGuard<'m> {
    memory: &'m Memory,
    store: &'m Store,
    staging: Staging,
    since: Position,
}

impl Memory {
    /// Remembers how the directory is, before a host's program starts. What a program did whose watch was killed is
    /// put back first.
    pub(crate) fn guard_agent(&self) -> Result<AgentGuard<'_>, Error> {
        let store = self.writable(Scope::Private)?;
        self.recover_agent_runs()?;
        store.notice(self.now.timestamp())?;
        let staging = Staging::of(store.root(), store.state_dir())?;
        let since = store.journal().end()?;
        staging.outlive(&serde_json::to_string(&since).unwrap_or_default())?;
        Ok(AgentGuard { memory: self, store, staging, since })
    }

    /// Puts back what a host's program did while it was watched by a process that died: nobody checked it. Says
    /// which files.
    pub(crate) fn recover_agent_runs(&self) -> Result<Vec<String>, Error> {
        if self.private_store()?.is_none() {
            return Ok(Vec::new());
        }
        let store = self.writable(Scope::Private)?;
        let mut put_back = Vec::new();
        for (staging, since) in Staging::inherit(store.state_dir())? {
            let Ok(since) = serde_json::from_str(&since) else { continue };
            let guard = AgentGuard { memory: self, store, staging, since };
            put_back.extend(guard.put_all_back(&self.signature, "memdir was killed while an agent worked here")?);
        }
        Ok(put_back)
    }
}

impl AgentGuard<'_> {
    /// A file that is locked as long as this lives.
    pub(crate) fn mark(&self) -> &Path {
        self.staging.mark()
    }

    /// Takes back what was changed since, and judges it; also says what was put back.
    pub(super) fn take_back(
        self,
        bounds: &Bounds,
        signature: &Signature,
        reason: &str,
    ) -> Result<(ProposalVerdict, Vec<String>), Error> {
        let changes = self.changes()?;
        let put_back = self.put_back(&changes, signature, reason)?;
        Ok((self.memory.check_proposal(self.store, &changes, bounds)?, put_back))
    }

    /// Takes back what was changed since, for good: the program did not come to its end.
    pub(super) fn put_all_back(self, signature: &Signature, reason: &str) -> Result<Vec<String>, Error> {
        self.put_back(&self.changes()?, signature, reason)
    }

    /// What the program did: what differs from the copy, less what memdir itself wrote meanwhile.
    fn changes(&self) -> Result<Changes, Error> {
        let mut changes = self.staging.drift(self.store.root())?;
        let (since, _) = self.store.journal().since(self.since)?;
        let ours = Ours::of(&since);
        changes.made.retain_mut(|change| ours.rebase(change));
        for change in &mut changes.made {
            // Agents have no tool that removes; a file without content is one that should go.
            change.after = change.after.take().filter(|after| !after.trim_ascii().is_empty());
        }
        Ok(changes)
    }

    /// Belongs to no group: taking the group back must not bring back what nobody checked.
    fn put_back(&self, changes: &Changes, signature: &Signature, reason: &str) -> Result<Vec<String>, Error> {
        let mut back: Vec<(RelPath, Option<Vec<u8>>)> =
            changes.made.iter().map(|change| (change.file.clone(), change.before.clone())).collect();
        for unusable in &changes.unusable {
            let Ok(file) = RelPath::parse(&unusable.path) else { continue };
            match unusable.why {
                // One that cannot be removed is still turned down, and never followed.
                UnusableReason::Link => drop(self.store.remove_link(&file)),
                UnusableReason::TooLarge => back.push((file.clone(), self.staging.original(&file)?)),
                UnusableReason::NotAFile | UnusableReason::Name | UnusableReason::ChangedMeanwhile => {}
            }
        }
        if back.is_empty() {
            return Ok(Vec::new());
        }
        let Signature { actor, session, message } = signature.clone();
        let author = Author { actor, session, message, time: self.memory.now.timestamp() };
        let reason = format!("put back before it is checked: {reason}");
        let intent = Intent { on_secret: OnSecret::Restore, ..Intent::new(reason) };
        let (files, _) = self.store.change(&author, &intent, |edit| {
            let mut files = Vec::new();
            for (file, before) in &back {
                let there = match edit.read(file) {
                    Ok(there) => there,
                    // Too large even to be read: it stays, and the verdict says so.
                    Err(ChangeError::Fs(FsError::TooLarge { .. } | FsError::NotAFile(_) | FsError::Link(_))) => {
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                if there == *before {
                    continue;
                }
                if has_new_secret(before.as_deref(), there.as_deref()) {
                    edit.keep_out(file)?;
                }
                match before {
                    Some(before) => edit.write(file, before.clone())?,
                    None => edit.remove(file)?,
                }
                files.push(file.to_string());
            }
            Ok(files)
        })?;
        Ok(files)
    }
}

fn has_new_secret(before: Option<&[u8]>, after: Option<&[u8]>) -> bool {
    let (before, after) = (
        String::from_utf8_lossy(before.unwrap_or_default()).into_owned(),
        String::from_utf8_lossy(after.unwrap_or_default()).into_owned(),
    );
    secrets::scan(&after).iter().any(|found| !before.contains(&after[found.start..found.end]))
}

/// What memdir itself wrote while the program ran.
struct Ours<'c> {
    files: HashMap<&'c str, Option<&'c Version>>,
    pointers: HashMap<&'c str, (Vec<&'c PointerEdit>, Hash)>,
}

impl<'c> Ours<'c> {
    fn of(changes: &'c [Change]) -> Ours<'c> {
        let mut ours = Ours { files: HashMap::new(), pointers: HashMap::new() };
        // What was only seen is the program's work, noticed by another session.
        for change in changes.iter().filter(|change| change.actor != Actor::Outside) {
            for file in &change.files {
                ours.files.insert(&file.path, file.after.as_ref());
            }
            for pointer in &change.pointers {
                let known = ours.pointers.entry(&pointer.index).or_insert_with(|| (Vec::new(), pointer.after));
                known.0.extend(&pointer.edits);
                known.1 = pointer.after;
            }
        }
        ours
    }

    /// Counts a change from what memdir wrote; says whether there is anything left of it.
    fn rebase(&self, change: &mut staging::StagedChange) -> bool {
        let path = change.file.as_str();
        let now = change.after.as_deref().map(Hash::of);
        if let Some((edits, after)) = self.pointers.get(path) {
            if now == Some(*after) {
                return false;
            }
            let mut index = Index::parse(change.before.clone().unwrap_or_default());
            for edit in edits {
                index.apply(edit);
            }
            change.before = Some(index.into_bytes());
        }
        if let Some(written) = self.files.get(path) {
            if now == written.map(|version| version.hash) {
                return false;
            }
            // Purged text cannot be gone back to; then the copy is the best there is.
            if let Some(content) = written.map_or(Some(None), |version| version.content().map(Some)) {
                change.before = content;
            }
        }
        change.before != change.after
    }
}

#[cfg(test)]
mod tests;
