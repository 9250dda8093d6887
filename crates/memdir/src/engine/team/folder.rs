//! A team's folder in the private store: listed by the catalog, changed in transactions.
//!
//! Enters: what a sync wants to read or land. Leaves: contents, and one change for all that came in. Never overwrites what was edited here
//! since the sync began.

use std::collections::BTreeMap;

use memdir_guard::confine::RelPath;
use memdir_store::history::{Actor, Author};
use memdir_store::{ChangeError, Intent, Store};
use memdir_team::base::hash;
use memdir_team::config::Team;
use memdir_team::sync::{Arrival, Local, SyncError};

pub(super) struct TeamFolder<'s> {
    store: &'s Store,
    prefix: String,
    /// Another team's, below this one.
    not: Option<String>,
    reason: String,
    author: Author,
}

impl<'s> TeamFolder<'s> {
    pub(super) fn new(store: &'s Store, team: &Team, author: Author) -> TeamFolder<'s> {
        TeamFolder {
            store,
            prefix: team.folder(),
            not: (!team.parent).then(|| format!("{}{}/", team.folder(), memdir_team::PARENTS)),
            reason: format!("shared by the team {}", team.name),
            author: Author { actor: Actor::Team, ..author },
        }
    }

    fn file(&self, path: &str) -> Result<RelPath, ChangeError> {
        Ok(RelPath::parse(&format!("{}{path}", self.prefix))?)
    }
}

impl Local for TeamFolder<'_> {
    fn list(&mut self) -> Result<BTreeMap<String, String>, SyncError> {
        self.store.notice(self.author.time)?;
        let catalog = self.store.known()?;
        let mut files = BTreeMap::new();
        for number in catalog.numbers() {
            let known = catalog.at(number);
            let Some(path) = known.path.strip_prefix(&self.prefix) else { continue };
            if self.not.as_ref().is_some_and(|not| known.path.starts_with(not.as_str())) {
                continue;
            }
            let hash = match known.facts {
                Some(_) => String::from(known.hash),
                // Too fresh to be trusted: look.
                None => match self.read(path)? {
                    Some(content) => hash(&content),
                    None => continue,
                },
            };
            files.insert(path.to_owned(), hash);
        }
        Ok(files)
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, SyncError> {
        Ok(self.store.root().read(&self.file(path)?)?)
    }

    fn land(&mut self, changes: &[Arrival]) -> Result<bool, SyncError> {
        let files = changes
            .iter()
            .map(|change| Ok((self.file(&change.path)?, change)))
            .collect::<Result<Vec<_>, ChangeError>>()?;
        let (landed, _) = self.store.change(&self.author, &Intent::new(&self.reason), |edit| {
            for (file, change) in &files {
                if edit.read(file)? != change.before {
                    return Ok(false);
                }
            }
            for (file, change) in &files {
                match &change.after {
                    Some(content) => edit.write(file, content.clone())?,
                    None => edit.remove(file)?,
                }
            }
            Ok(true)
        })?;
        Ok(landed)
    }
}
