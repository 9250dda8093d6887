//! What was common the last time: the third version that a merge needs.
//!
//! Enters: what a sync brought about. Leaves: the same at the next one. A cache in the state directory: without it two versions are
//! united instead of merged, deletions are told from the graves on the shared side, and nothing is lost. Never the
//! only copy of a memory.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::transport::{Authorship, SharedRevision};
use memdir_store::fs::{self, Durability, FsError};
use memdir_store::history::Hash;

/// What is known of the shared side and of what was common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// The state of the shared side up to which everything here was taken in.
    #[serde(default)]
    pub mark: Option<SharedRevision>,
    /// Each path that the shared side has or had.
    #[serde(default)]
    pub files: BTreeMap<String, KnownPath>,
    /// What was about to land: a crash may have come before or after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub landing: BTreeMap<String, PendingPath>,
}

/// What is known of one path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownPath {
    /// The hash of what both sides had; nothing when they had nothing in common.
    pub common: Option<String>,
    /// The hash of what the shared side has where that is more than what may be seen here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<String>,
    /// How the shared side names its state.
    pub remote: String,
    /// Who wrote it last.
    #[serde(default)]
    pub author: Authorship,
    /// Why it is not here, if it was not let in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
    /// What is worth knowing about it: `instructions`, `unverified`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

/// A path that was about to become this, and what is known of it then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingPath {
    /// The hash of what lands; nothing when the file goes.
    pub after: Option<String>,
    /// What is known once it has landed.
    pub known: KnownPath,
}

/// Where a base is kept.
pub trait Bases {
    /// What was kept; empty when there is nothing, or nothing readable.
    fn load(&mut self) -> Result<Base, FsError>;
    /// Keeps it, with contents it names that were not kept yet.
    fn save(&mut self, base: &Base, contents: &[&[u8]]) -> Result<(), FsError>;
    /// A content by its hash.
    fn content(&mut self, hash: &str) -> Result<Option<Vec<u8>>, FsError>;
}

/// The hash by which a base names contents: the one of the catalog and the history.
pub fn hash(content: &[u8]) -> String {
    Hash::of(content).into()
}

/// A base below the state directory.
#[derive(Clone, Debug)]
pub struct BaseDir {
    dir: PathBuf,
}

impl BaseDir {
    /// The base of one team.
    pub fn at(dir: &Path) -> BaseDir {
        BaseDir { dir: dir.to_path_buf() }
    }

    fn contents(&self) -> PathBuf {
        self.dir.join("contents")
    }
}

impl Bases for BaseDir {
    fn load(&mut self) -> Result<Base, FsError> {
        Ok(serde_json::from_slice(&fs::read_beside(&self.dir.join("base.json"))?).unwrap_or_default())
    }

    fn save(&mut self, base: &Base, contents: &[&[u8]]) -> Result<(), FsError> {
        let dir = self.contents();
        fs::create_private_dir(&dir)?;
        let there: HashSet<String> = fs::names(&dir)?.into_iter().collect();
        for content in contents {
            let name = hash(content);
            if !there.contains(&name) {
                fs::replace(&dir.join(name), content, Durability::Synced)?;
            }
        }
        fs::replace(&self.dir.join("base.json"), &serde_json::to_vec(base).unwrap_or_default(), Durability::Synced)?;
        let landing = base.landing.values().map(|landing| &landing.known);
        let named: HashSet<&String> =
            base.files.values().chain(landing).flat_map(|known| known.common.iter().chain(&known.full)).collect();
        for name in there.iter().filter(|name| !named.contains(name)) {
            fs::remove(&dir.join(name))?;
        }
        Ok(())
    }

    fn content(&mut self, hash: &str) -> Result<Option<Vec<u8>>, FsError> {
        let path = self.contents().join(hash);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read_beside(&path)?;
        // A torn or changed file is as good as none.
        Ok((self::hash(&bytes) == hash).then_some(bytes))
    }
}

/// A base in memory, for simulations.
#[derive(Clone, Debug, Default)]
pub struct BaseInMemory {
    kept: Vec<u8>,
    contents: BTreeMap<String, Vec<u8>>,
}

impl Bases for BaseInMemory {
    fn load(&mut self) -> Result<Base, FsError> {
        Ok(serde_json::from_slice(&self.kept).unwrap_or_default())
    }

    fn save(&mut self, base: &Base, contents: &[&[u8]]) -> Result<(), FsError> {
        self.kept = serde_json::to_vec(base).unwrap_or_default();
        self.contents.extend(contents.iter().map(|content| (hash(content), content.to_vec())));
        Ok(())
    }

    fn content(&mut self, hash: &str) -> Result<Option<Vec<u8>>, FsError> {
        Ok(self.contents.get(hash).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_and_what_nobody_names_goes() {
        let dir = tempfile::tempdir().unwrap();
        let mut bases = BaseDir::at(dir.path());
        assert_eq!(bases.load().unwrap(), Base::default());
        let known = |content: &[u8]| KnownPath { common: Some(hash(content)), ..KnownPath::default() };
        let mut base = Base { files: BTreeMap::from([("a.md".into(), known(b"one"))]), ..Base::default() };
        bases.save(&base, &[b"one"]).unwrap();
        assert_eq!(
            (bases.load().unwrap(), bases.content(&hash(b"one")).unwrap().unwrap()),
            (base.clone(), b"one".to_vec())
        );
        base.files.insert("a.md".into(), known(b"two"));
        bases.save(&base, &[b"two"]).unwrap();
        assert!(bases.content(&hash(b"one")).unwrap().is_none() && bases.content(&hash(b"two")).unwrap().is_some());
    }
}
