//! What was in a host's file before memdir changed it, and what memdir made of it.
//!
//! Two small files for each in the state directory: a record, and the bytes that were there. Deleting
//! them loses exactness, not the way back: what is ours can still be told from the rest.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{InstallError, PlannedFile};
use memdir_store::fs::{self, Durability};

/// What is known about a file that was changed.
pub(super) struct Backup {
    /// What was there; `None`: nothing.
    pub(super) before: Option<Vec<u8>>,
    record: Record,
}

#[derive(Serialize, Deserialize)]
struct Record {
    path: PathBuf,
    existed: bool,
    written: String,
    made_dirs: Vec<PathBuf>,
}

impl Backup {
    pub(super) fn read(state: &Path, path: &Path) -> Result<Option<Backup>, InstallError> {
        let (file, backup) = files(state, path);
        let Ok(record) = serde_json::from_slice::<Record>(&fs::read_beside(&file)?) else { return Ok(None) };
        let before = if record.existed { Some(fs::read_beside(&backup)?) } else { None };
        Ok(Some(Backup { before, record }))
    }

    /// Keeps what is there before it is changed. A file that is as we wrote it keeps the older record: that is
    /// what it was without us. One that a person changed since is kept as they have it, without us.
    pub(super) fn write(state: &Path, change: &PlannedFile, made_dirs: &[PathBuf]) -> Result<(), InstallError> {
        let (file, backup) = files(state, &change.path);
        let known = Backup::read(state, &change.path)?;
        let written = hash(change.after.as_deref().unwrap_or_default());
        // Directories that were made for the file once go with it, whoever edited it since.
        let known_dirs = known.as_ref().map_or_else(Vec::new, |kept| kept.record.made_dirs.clone());
        let ours = known.filter(|kept| change.before.as_deref().is_some_and(|now| kept.is_what_we_wrote(now)));
        let record = match ours {
            Some(kept) => Record { written, ..kept.record },
            None => {
                fs::create_private_dir(&dir(state))?;
                if let Some(clean) = &change.clean {
                    fs::replace(&backup, clean, Durability::Synced)?;
                }
                Record {
                    path: change.path.clone(),
                    existed: change.clean.is_some(),
                    written,
                    made_dirs: if made_dirs.is_empty() { known_dirs } else { made_dirs.to_vec() },
                }
            }
        };
        Ok(fs::replace(&file, &serde_json::to_vec_pretty(&record).unwrap_or_default(), Durability::Synced)?)
    }

    /// Forgets a file, and removes the directories that were made for it if nothing else is in them.
    pub(super) fn drop_all(state: &Path, path: &Path) -> Result<(), InstallError> {
        let (file, backup) = files(state, path);
        if let Some(kept) = Backup::read(state, path)? {
            for dir in &kept.record.made_dirs {
                if fs::remove_empty_dir(dir).is_err() {
                    break;
                }
            }
        }
        fs::remove(&file)?;
        Ok(fs::remove(&backup)?)
    }

    pub(super) fn is_what_we_wrote(&self, bytes: &[u8]) -> bool {
        self.record.written == hash(bytes)
    }
}

fn dir(state: &Path) -> PathBuf {
    state.join("init")
}

fn files(state: &Path, path: &Path) -> (PathBuf, PathBuf) {
    let name = &hash(path.as_os_str().as_encoded_bytes())[..20];
    (dir(state).join(format!("{name}.json")), dir(state).join(format!("{name}.before")))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
