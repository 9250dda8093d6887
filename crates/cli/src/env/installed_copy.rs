//! A place for a program that was started from a cache.
//!
//! `npx`, `uvx` and their like keep what they run in a cache, which anybody may empty. An agent's configuration must
//! not name a program there. Enters: where this program is. Leaves: where its copy belongs, and that copy. Nothing is
//! copied before somebody agreed.

use std::path::{Path, PathBuf};

use memdir::store::fs;
use memdir::surroundings::Surroundings;

use crate::failure::Failure;

/// npm's folder for what `npx` runs, wherever its cache is.
const NPX: &str = "_npx";

/// Where a copy of this program belongs, if it runs from a cache.
pub(crate) fn lasting_place(around: &Surroundings, program: &Path) -> Option<PathBuf> {
    let home = around.home.as_deref()?;
    let caches = [home.join(".cache"), home.join("Library/Caches"), home.join("AppData/Local/uv/cache")];
    let in_cache = caches.iter().chain(&around.cache_dir).any(|cache| program.starts_with(cache));
    let in_npx = program.components().any(|part| part.as_os_str() == NPX);
    let name = format!("memdir{}", std::env::consts::EXE_SUFFIX);
    (in_cache || in_npx).then(|| home.join(".local").join("bin").join(name))
}

/// Puts a copy of this program there, unless it is there already.
pub(crate) fn copy_program(program: &Path, place: &Path) -> Result<(), Failure> {
    let bytes = fs::read_beside(program)?;
    if fs::read_beside(place).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    if let Some(dir) = place.parent().filter(|dir| !dir.is_dir()) {
        fs::create_private_dir(dir)?;
    }
    Ok(fs::replace_program(place, &bytes)?)
}
