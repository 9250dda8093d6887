//! A machine of a team: its files, what it remembers of the last sync, its line to the store, and a fuse.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use memdir_core::limits::TEAM_TIDY_SECONDS;
use memdir_store::fs::FsError;
use memdir_team::base::{Base, BaseInMemory, Bases, hash};
use memdir_team::bucket::{Bucket, BucketLayout, Tidied};
use memdir_team::sync::{Arrival, Local, NoRules, SharingRules, Sync, SyncError, Synced};
use memdir_team::transport::TransportError;
use memdir_testkit::bucket::InMemoryBucket;

/// Burns down with every step of a machine on its own disk; when it is out, the machine is dead.
#[derive(Clone, Default)]
pub(crate) struct Fuse(Rc<Cell<Option<u32>>>);

impl Fuse {
    pub(crate) fn set(&self, steps: Option<u32>) {
        self.0.set(steps);
    }

    fn burn(&self) -> Result<(), FsError> {
        match self.0.get() {
            Some(0) => {
                let dead = std::io::Error::other("the machine is dead");
                Err(FsError::Io { doing: "write", path: "disk".into(), source: dead })
            }
            Some(left) => {
                self.0.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

pub(crate) struct Files {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    fuse: Fuse,
}

impl Local for Files {
    fn list(&mut self) -> Result<BTreeMap<String, String>, SyncError> {
        Ok(self.files.iter().map(|(path, content)| (path.clone(), hash(content))).collect())
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, SyncError> {
        Ok(self.files.get(path).cloned())
    }

    fn land(&mut self, changes: &[Arrival]) -> Result<bool, SyncError> {
        self.fuse.burn()?;
        if changes.iter().any(|change| self.files.get(&change.path) != change.before.as_ref()) {
            return Ok(false);
        }
        for change in changes {
            match &change.after {
                Some(content) => self.files.insert(change.path.clone(), content.clone()),
                None => self.files.remove(&change.path),
            };
        }
        self.fuse.burn()?;
        Ok(true)
    }
}

pub(crate) struct Disk {
    pub(crate) kept: BaseInMemory,
    fuse: Fuse,
}

impl Bases for Disk {
    fn load(&mut self) -> Result<Base, FsError> {
        self.kept.load()
    }

    fn save(&mut self, base: &Base, contents: &[&[u8]]) -> Result<(), FsError> {
        self.fuse.burn()?;
        self.kept.save(base, contents)?;
        self.fuse.burn()
    }

    fn content(&mut self, hash: &str) -> Result<Option<Vec<u8>>, FsError> {
        self.kept.content(hash)
    }
}

pub(crate) struct Machine {
    pub(crate) local: Files,
    pub(crate) disk: Disk,
    pub(crate) store: InMemoryBucket,
    pub(crate) fuse: Fuse,
    pub(crate) layout: BucketLayout,
    /// Hours by which its clock is wrong.
    pub(crate) clock: i64,
}

impl Machine {
    pub(crate) fn new(store: &InMemoryBucket, shards: u32, clock: i64) -> Machine {
        let fuse = Fuse::default();
        Machine {
            local: Files { files: BTreeMap::new(), fuse: fuse.clone() },
            disk: Disk { kept: BaseInMemory::default(), fuse: fuse.clone() },
            store: store.another(),
            fuse,
            layout: BucketLayout { format: 1, shards, sealed: false },
            clock,
        }
    }

    pub(crate) fn sync_with(&mut self, rules: &dyn SharingRules) -> Result<Synced, SyncError> {
        let mut bucket = Bucket::new(self.store.clone(), &self.layout);
        let mut pause = |_| {};
        Sync {
            local: &mut self.local,
            bases: &mut self.disk,
            transport: &mut bucket,
            rules,
            pause: &mut pause,
            dry: false,
        }
        .run()
    }

    pub(crate) fn sync(&mut self) -> Result<Synced, SyncError> {
        self.sync_with(&NoRules)
    }

    /// Tidies the bucket up, as long after the last time as it takes.
    pub(crate) fn tidy(&self) -> Result<Tidied, TransportError> {
        tidy(&self.store, &self.layout)
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.local.files.get(path).map(|content| String::from_utf8(content.clone()).unwrap())
    }

    pub(crate) fn put(&mut self, path: &str, text: &str) {
        self.local.files.insert(path.to_owned(), text.as_bytes().to_vec());
    }
}

/// Tidies a bucket up when it is time, by its own clock.
pub(crate) fn tidy(store: &InMemoryBucket, layout: &BucketLayout) -> Result<Tidied, TransportError> {
    store.pass(TEAM_TIDY_SECONDS);
    Bucket::new(store.clone(), layout).tidy(false)
}

/// Whether nothing moved.
pub(crate) fn is_quiet(synced: &Synced) -> bool {
    synced.pushed.is_empty() && synced.pulled.is_empty()
}
