//! The stores of a memory: opened once, made where something is written.
//!
//! Enters: the places that a memory was opened with. Leaves: the store of a scope for reading or for writing, or why there is none. A
//! directory that is not there is no error where something is read.

use std::cell::OnceCell;

use super::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_store::Store;
use memdir_store::fs::FsError;

impl Memory {
    /// The private (and team) store; `None` while its directory does not exist.
    pub(crate) fn private_store(&self) -> Result<Option<&Store>, Error> {
        opened(&self.private, || Ok(Store::open(&self.private_dir()?, &self.dirs)?.sharing(&self.group)))
    }

    /// The user store; `None` while its directory does not exist.
    pub(crate) fn user_store(&self) -> Result<Option<&Store>, Error> {
        opened(&self.user, || {
            let dir = self.place.user_dir()?;
            Ok(Store::open(&dir, &self.dirs)?.sharing(&self.group))
        })
    }

    /// Every store that can be read, private first.
    pub fn stores(&self) -> Result<Vec<(Scope, &Store)>, Error> {
        let private = self.private_store()?.map(|store| (Scope::Private, store));
        // Without a home there is no user memory; the project's still works.
        let user = self.user_store().ok().flatten().map(|store| (Scope::User, store));
        Ok(private.into_iter().chain(user).collect())
    }

    /// What recall looks through: the stores, and the daily logs beside the private one, which are read and never written.
    pub(crate) fn recalled_stores(&self) -> Result<Vec<(Scope, &Store)>, Error> {
        let mut stores = self.stores()?;
        let logs = self.private_dir().ok().and_then(|dir| Some(dir.parent()?.join("logs")));
        if let Some(dir) = logs.filter(|dir| dir.is_dir()) {
            let beside = opened(&self.beside, || Store::open(&dir, &self.dirs).map_err(Error::from))?;
            stores.extend(beside.map(|store| (Scope::Private, store)));
        }
        Ok(stores)
    }

    /// Whether a store is the daily logs beside the private directory.
    pub(crate) fn is_beside(&self, store: &Store) -> bool {
        self.beside.get().is_some_and(|beside| beside.root().path() == store.root().path())
    }

    /// The store of a scope for writing, its directory made if need be.
    pub(crate) fn writable(&self, scope: Scope) -> Result<&Store, Error> {
        self.require_on()?;
        match scope {
            Scope::User => {
                let dir = self.place.user_dir()?;
                made(&self.user, || Ok(Store::create(&dir, &self.dirs)?.sharing(&self.group)))
            }
            Scope::Private | Scope::Team => {
                let dir = self.private_dir()?;
                let store = made(&self.private, || Ok(Store::create(&dir, &self.dirs)?.sharing(&self.group)))?;
                self.require_owner(store)?;
                Ok(store)
            }
            Scope::Agent => Err(Error::Refused(
                "agent memory is saved under the name of its agent; name private, team or user".into(),
            )),
        }
    }
}

/// Opens a store once; a directory that is not there is no store.
fn opened(cell: &OnceCell<Store>, open: impl FnOnce() -> Result<Store, Error>) -> Result<Option<&Store>, Error> {
    if cell.get().is_none() {
        match open() {
            Ok(store) => drop(cell.set(store)),
            Err(Error::Fs(FsError::NoRoot(_))) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(cell.get())
}

fn made(cell: &OnceCell<Store>, make: impl FnOnce() -> Result<Store, Error>) -> Result<&Store, Error> {
    if cell.get().is_none() {
        drop(cell.set(make()?));
    }
    cell.get().ok_or_else(|| Error::Refused("the directory could not be opened".into()))
}
