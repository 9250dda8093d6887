//! The arrows of the house: which crate may know which, and which room of the verbs may know which.
//!
//! Both are read from what is really there, manifests and sources, and compared with a table that a person wrote.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod crates;
mod language;
mod process;
mod rooms;
mod uses;

use std::path::{Path, PathBuf};

/// The folder of all crates.
fn crates_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}
