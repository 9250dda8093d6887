//! Sealed files held against another age program, the `age` crate: what one writes the other opens, what is spoilt both
//! refuse. So a team can read its bucket without memdir.

#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod both_ways;
mod vectors;

use std::io::Read as _;

use age::x25519::Identity;
use memdir_team::bucket::Seal as _;
use memdir_team::crypt::TeamKeys;

/// Larger than every file here.
const LIMIT: usize = 1 << 20;

/// What we read out of a file with these keys.
fn ours(keys: &[&str], sealed: &[u8]) -> Option<Vec<u8>> {
    let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
    TeamKeys::read(&keys).unwrap().open(sealed, LIMIT).ok()
}

/// What the other program reads out of it. Nothing counts unless all of it could be read.
fn theirs(keys: &[&str], sealed: &[u8]) -> Option<Vec<u8>> {
    let identities: Vec<Identity> = keys.iter().map(|key| secret_line(key).parse().unwrap()).collect();
    let opened = age::Decryptor::new_buffered(sealed).ok()?;
    let mut plain = Vec::new();
    let mut reader = opened.decrypt(identities.iter().map(|identity| identity as &dyn age::Identity)).ok()?;
    reader.read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// The key in the text of a key file.
fn secret_line(file: &str) -> &str {
    file.lines().find(|line| line.starts_with("AGE-SECRET-KEY-1")).unwrap()
}
