//! `eval`: score a labelled set, with the engine as it ships.

#![allow(clippy::disallowed_methods)] // sets are laid out in a scratch directory

mod actions;
mod coding;
mod corrections;
mod dates;
mod dream;
mod extract;
mod given;
mod recall;
mod tally;
mod transcript;
mod verdict;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memdir::engine::{Memory, Signature};
use memdir::store::history::Actor;
use memdir::surroundings::{Flags, Surroundings};

pub(super) use actions::actions;
pub(super) use coding::coding;
pub(super) use corrections::corrections;
pub(super) use dates::dates;
pub(super) use dream::dream;
pub(super) use extract::extract;
pub(super) use recall::recall;

use crate::failure::Failure;

/// A directory that is gone when the scoring is over, however it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        Scratch(std::env::temp_dir().join(format!("memdir-eval-{}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Opens a laid-out store as memory at a given time, seeing nothing of this machine.
fn open(store: &Path, scratch: &Path, now: &str, vars: &[(&str, &str)]) -> Result<Memory, Failure> {
    let vars: BTreeMap<String, String> =
        vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let around = Surroundings {
        cwd: scratch.to_path_buf(),
        home: Some(scratch.join("home")),
        state_dir: Some(scratch.join("state")),
        cache_dir: Some(scratch.join("cache")),
        flags: Flags { memory_dir: Some(store.to_path_buf()), ..Flags::default() },
        vars,
        ..Surroundings::default()
    };
    let now: jiff::Timestamp = now.parse().map_err(|_| Failure::refused(format!("{now} is not a time")))?;
    let signature = Signature { actor: Actor::User, session: None, message: None };
    Ok(Memory::open(around, crate::env::git, now.to_zoned(jiff::tz::TimeZone::UTC), signature)?)
}

/// A part of a whole; of nothing, all of it.
fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}
