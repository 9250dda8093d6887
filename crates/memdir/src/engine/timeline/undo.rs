//! Taking back what was done: a change, a whole group, a rating, a move of the directory.
//!
//! Enters: an id, or nothing for the last group that can be taken back. Leaves: one new change of the history, which can be taken back as
//! well. A change whose text was purged, or that left nothing behind, is passed over and named.

use std::collections::HashSet;

use memdir_core::kind::Scope;
use memdir_store::Store;
use memdir_store::history::{Change, ChangeId};
use serde::Serialize;

use crate::engine::{Error, History, Memory};

/// What undo did.
#[derive(Debug, Default, Serialize)]
pub struct Undone {
    /// What was taken back, as the history lists it: a change, or a group of several.
    pub name: String,
    /// The changes that were taken back.
    pub undone: Vec<String>,
    /// The files that are as before.
    pub files: Vec<String>,
    /// The new change, itself undoable.
    pub change: Option<String>,
    /// Newer changes that were passed over: their text was purged, or nothing of them is left.
    pub passed: Vec<String>,
    /// Those of them whose text was purged.
    pub purged: Vec<String>,
}

impl History<'_> {
    /// Takes back a change, a whole group, or without an id the last change that can be taken back.
    pub fn undo(&self, id: Option<&str>) -> Result<Undone, Error> {
        self.notice()?;
        if let Some(undone) = self.memory.take_rating_back(id)? {
            return Ok(undone);
        }
        if let Some(undone) = self.memory.move_back(id)? {
            return Ok(undone);
        }
        let Some(id) = id else { return self.memory.undo_last() };
        self.memory.take_back(self.memory.find_groups(id)?)?.ok_or_else(|| {
            Error::Refused("everything is already as it was before that change; there is nothing to undo".into())
        })
    }
}

impl Memory {
    /// Takes back what was said about being told a memory, when that is what is named, or what was done last.
    fn take_rating_back(&self, id: Option<&str>) -> Result<Option<Undone>, Error> {
        let said = match id {
            Some(id) => self.find_rating(id)?,
            None => {
                let newest = self.last_act()?;
                self.last_rated()?.filter(|rated| newest.is_none_or(|newest| rated.time >= newest))
            }
        };
        let Some(said) = said else { return Ok(None) };
        let landed = self.undo_rating(&said)?;
        Ok(Some(Undone {
            name: said.id.clone(),
            undone: vec![said.id],
            files: vec![said.file],
            change: Some(landed.id),
            ..Undone::default()
        }))
    }

    /// When the newest change was made that an undo would take back.
    fn last_act(&self) -> Result<Option<jiff::Timestamp>, Error> {
        let mut newest = self.adoption()?.map(|moved| moved.time);
        for (_, store) in self.stores()? {
            let change = store.last_undoable(&HashSet::new())?;
            newest = newest.max(change.map(|change| change.time));
        }
        Ok(newest)
    }

    /// Takes back that the directory was moved here, when that is what is named, or what was done last.
    fn move_back(&self, id: Option<&str>) -> Result<Option<Undone>, Error> {
        let Some(moved) = self.adoption()? else { return Ok(None) };
        let meant = match id {
            Some(id) => moved.id == id,
            None => self.is_last_act(&moved)?,
        };
        if !meant {
            return Ok(None);
        }
        self.undo_adoption(&moved)?;
        Ok(Some(Undone { name: moved.id.clone(), undone: vec![moved.id], files: moved.files, ..Undone::default() }))
    }

    /// Goes back until there is something to take back. A purged change cannot be, nor one that
    /// left nothing behind: neither may be in the way of the ones before it.
    fn undo_last(&self) -> Result<Undone, Error> {
        let mut passed = HashSet::new();
        let (mut named, mut purged) = (Vec::new(), Vec::new());
        loop {
            let Some(last) = self.last_group(&passed)? else {
                let why = if purged.is_empty() { "" } else { " (what was purged cannot be brought back)" };
                return Err(Error::Refused(format!("there is nothing to undo{why}")));
            };
            let changes = || last.iter().flat_map(|(_, _, changes)| changes);
            let ids: Vec<ChangeId> = changes().map(|change| change.id.clone()).collect();
            let gone = changes().any(Change::is_emptied);
            let undone = if gone { None } else { self.take_back(last)? };
            if let Some(undone) = undone {
                return Ok(Undone { passed: named, purged, ..undone });
            }
            let names = ids.iter().map(ToString::to_string);
            if gone {
                purged.extend(names.clone());
            }
            named.extend(names);
            passed.extend(ids);
        }
    }

    /// Takes back each store's part; `None` when nothing differed.
    fn take_back(&self, parts: Vec<(Scope, &Store, Vec<Change>)>) -> Result<Option<Undone>, Error> {
        // A group may span stores; its undo is one group as well.
        let group = self.group.begin();
        let mut undone = Undone::default();
        self.put_back_moved(&parts)?;
        for (scope, store, changes) in parts {
            if scope != Scope::User {
                self.require_owner(store)?;
            }
            if let (true, Some(newest)) = (undone.name.is_empty(), changes.first()) {
                undone.name = newest.group.as_ref().unwrap_or(&newest.id).to_string();
            }
            let landed = store.undo(&changes, &self.author())?;
            undone.undone.extend(changes.iter().map(|change| change.id.to_string()));
            for file in changes.iter().flat_map(|change| change.files.iter()) {
                if !undone.files.contains(&file.path) {
                    undone.files.push(file.path.clone());
                }
            }
            undone.change = landed.map(|change| change.id.to_string()).or(undone.change);
        }
        undone.change = group.name().map(|name| name.to_string()).or(undone.change);
        Ok(undone.change.is_some().then_some(undone))
    }

    /// What was moved here from a former place is there again before it goes here.
    fn put_back_moved(&self, parts: &[(Scope, &Store, Vec<Change>)]) -> Result<(), Error> {
        let changes = || parts.iter().flat_map(|(_, _, changes)| changes);
        let Some(source) = changes().find_map(|change| self.moved_from(&change.reason)) else { return Ok(()) };
        let Some(group) = changes().find_map(|change| change.group.clone()) else { return Ok(()) };
        source.undo(&source.group(&group)?, &self.author())?;
        Ok(())
    }

    /// Every store's part of what an id names: a group spans stores, a change of a group means all of it.
    fn find_groups(&self, id: &str) -> Result<Vec<(Scope, &Store, Vec<Change>)>, Error> {
        let (scope, store, changes) = self.find_changes(id)?;
        let Some(group) = changes.first().and_then(|change| change.group.clone()) else {
            return Ok(vec![(scope, store, changes)]);
        };
        let mut parts = Vec::new();
        for (scope, store) in self.stores()? {
            let changes = store.group(&group)?;
            if !changes.is_empty() {
                parts.push((scope, store, changes));
            }
        }
        // What was removed comes back before the copy goes: a crash in between leaves two, never none.
        parts.sort_by_key(|(_, _, changes)| {
            changes.iter().flat_map(|change| &change.files).all(|file| file.before.is_none())
        });
        Ok(parts)
    }

    /// The newest group in any store, but for what was passed over.
    fn last_group(&self, passed: &HashSet<ChangeId>) -> Result<Option<Vec<(Scope, &Store, Vec<Change>)>>, Error> {
        let mut newest: Option<Change> = None;
        for (_, store) in self.stores()? {
            if let Some(change) = store.last_undoable(passed)?
                && newest.as_ref().is_none_or(|newest| change.time > newest.time)
            {
                newest = Some(change);
            }
        }
        newest.map(|change| self.find_groups(&change.id.0)).transpose()
    }
}
