//! The shape of the house: which crate may know which, which room of the verbs may know which, and what is at its front.
//!
//! All is read from what is really there, manifests and sources, and compared with a table that a person wrote.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod crates;
mod escape;
mod facade;
mod files;
mod language;
mod names;
mod process;
mod public;
mod rooms;
mod texts;
mod uses;

use std::path::{Path, PathBuf};

/// The folder of all crates.
fn crates_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}
