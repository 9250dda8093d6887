//! What an object store must be able to do: get, put, put on condition, list, remove.
//!
//! Enters: names and bytes. Leaves: bytes, or that somebody was faster. Knows nothing of what is stored.

use crate::transport::TransportError;

/// An object and the tag of its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Changes with every version.
    pub tag: String,
}

/// The answer to a conditional read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// It is the version that was known.
    Same,
    /// There is none.
    Nothing,
    /// It is this.
    Object(Object),
    /// It is larger than it may be, and was not read.
    TooLarge,
}

/// One key of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    /// The key.
    pub key: String,
    /// The tag of its version.
    pub tag: String,
    /// Its size.
    pub bytes: u64,
}

/// How many keys a listing gives at most; all S3-compatible stores agree on it.
pub const PAGE: usize = 1000;

/// A store of objects with conditional writes; each method is one request.
pub trait Objects {
    /// Reads an object of at most `limit` bytes; a larger one is an error.
    fn get(&self, key: &str, limit: usize) -> Result<Option<Object>, TransportError> {
        Ok(match self.get_unless(key, None, limit)? {
            Fetched::Object(object) => Some(object),
            Fetched::Nothing | Fetched::Same => None,
            Fetched::TooLarge => return Err(self.malformed(&format!("{key} is larger than it may be"))),
        })
    }

    /// Reads an object unless it still is the version with this tag.
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError>;

    /// Writes an object that never changes.
    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError>;

    /// Writes an object if it still has this tag, or, without one, if there is none. Gives the new tag, or nothing when it was not so.
    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError>;

    /// The next [`PAGE`] keys with a prefix, in their order, that come after this one.
    fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<ListedKey>, TransportError>;

    /// Removes an object; one that is not there is removed already.
    fn remove(&self, key: &str) -> Result<(), TransportError>;

    /// How many seconds ago an object was written, by the store's own clock.
    fn age(&self, key: &str) -> Result<Option<u64>, TransportError>;

    /// Where it is, for messages.
    fn place(&self) -> String;

    /// What is there cannot be understood.
    fn malformed(&self, why: &str) -> TransportError {
        TransportError::Malformed { place: self.place(), why: why.to_owned() }
    }
}
