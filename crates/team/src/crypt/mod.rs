//! Encryption at rest: contents and tree nodes in the age format, to one team key.
//!
//! Enters: keys as `age-keygen` writes them (`AGE-SECRET-KEY-1…`), the one that encrypts first. Leaves: a [`Seal`]. What is written is a plain age file, so
//! any age program with the key can read a bucket. What was encrypted with an older key stays readable as long as that key is in the list. The
//! primitives are ring's and curve25519-dalek's; only the format is here.

mod bech32;
mod format;
mod header;

use x25519_dalek::{PublicKey, StaticSecret};

use super::bucket::{Seal, SealError};

/// Begins a private key.
const SECRET: &str = "age-secret-key-";
/// Begins a public one.
const PUBLIC: &str = "age";

/// Why a key file is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Something else is in it.
    #[error("a line of the key file is not an age key")]
    NotAKey,
    /// Nothing is in it.
    #[error("the key file holds no key")]
    NoKey,
}

/// The team's keys.
pub struct TeamKeys {
    keys: Vec<StaticSecret>,
}

impl TeamKeys {
    /// Reads keys from the texts of key files: one `AGE-SECRET-KEY-1…` a line, comments and blank lines aside.
    pub fn read(texts: &[String]) -> Result<TeamKeys, KeyError> {
        let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
        let mut keys = Vec::new();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let bytes = bech32::decode(SECRET, line).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
            keys.push(StaticSecret::from(bytes.ok_or(KeyError::NotAKey)?));
        }
        if keys.is_empty() { Err(KeyError::NoKey) } else { Ok(TeamKeys { keys }) }
    }

    /// Makes a new key: the text of its file.
    pub fn new_file() -> Option<String> {
        let secret = StaticSecret::from(format::random::<32>()?);
        let public = bech32::encode(PUBLIC, PublicKey::from(&secret).as_bytes());
        let private = bech32::encode(SECRET, secret.as_bytes()).to_ascii_uppercase();
        Some(format!("# public key: {public}\n{private}\n"))
    }

    /// The public part of the key that encrypts.
    #[cfg(test)]
    fn public(&self) -> String {
        self.keys.first().map(|key| bech32::encode(PUBLIC, PublicKey::from(key).as_bytes())).unwrap_or_default()
    }
}

impl Seal for TeamKeys {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let key = self.keys.first().ok_or(SealError::NoKey)?;
        format::encrypt(&PublicKey::from(key), plain).ok_or(SealError::Failed)
    }

    fn open(&self, sealed: &[u8], limit: usize) -> Result<Vec<u8>, SealError> {
        if sealed.len() > limit + limit / 64 + 4096 {
            return Err(SealError::TooLarge);
        }
        format::decrypt(&self.keys, sealed).ok_or(SealError::OtherKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(texts: &[&str]) -> TeamKeys {
        TeamKeys::read(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn what_is_sealed_opens_with_the_key_and_with_no_other() {
        let (one, two) = (TeamKeys::new_file().unwrap(), TeamKeys::new_file().unwrap());
        for size in [0, 1, 100, 65_535, 65_536, 65_537, 200_000] {
            let plain = vec![7; size];
            let sealed = keys(&[&one]).seal(&plain).unwrap();
            assert!(size < 16 || !sealed.windows(16).any(|part| part == &plain[..16]));
            assert_eq!(keys(&[&one]).open(&sealed, size).unwrap(), plain);
            assert!(keys(&[&two]).open(&sealed, size).is_err());
            // After a rotation the old key still opens what it sealed.
            assert_eq!(keys(&[&two, &one]).open(&sealed, size).unwrap(), plain);
        }
    }

    #[test]
    fn what_was_changed_does_not_open() {
        let file = TeamKeys::new_file().unwrap();
        let sealed = keys(&[&file]).seal(b"the memory of a team").unwrap();
        for at in 0..sealed.len() {
            let mut bad = sealed.clone();
            bad[at] ^= 1;
            assert!(keys(&[&file]).open(&bad, 1000).is_err(), "byte {at}");
            assert!(keys(&[&file]).open(&sealed[..at], 1000).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_file_of_another_age_program_opens() {
        // Made by the reference implementation for this key.
        let key = include_str!("testdata/key.txt");
        let sealed = include_bytes!("testdata/hello.age");
        let keys = keys(&[key]);
        assert_eq!(keys.open(sealed, 1000).unwrap(), b"hello from another program\n");
        assert!(key.contains(&keys.public()), "{}", keys.public());
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "# only a comment", "AGE-SECRET-KEY-1QQ", "age1qqqq", "not a key"] {
            assert!(TeamKeys::read(&[text.to_owned()]).is_err(), "{text}");
        }
    }
}
