//! What an object store must be able to do: get, put, put on condition, list.

use crate::team::transport::TransportError;

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
}

/// A store of objects with conditional writes; each method is one request.
pub trait Objects {
    /// Reads an object of at most `limit` bytes; a larger one is an error.
    fn get(&self, key: &str, limit: usize) -> Result<Option<Object>, TransportError> {
        Ok(match self.get_unless(key, None, limit)? {
            Fetched::Object(object) => Some(object),
            Fetched::Nothing | Fetched::Same => None,
        })
    }

    /// Reads an object unless it still is the version with this tag.
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError>;

    /// Writes an object that never changes.
    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError>;

    /// Writes an object if it still has this tag, or, without one, if there is none. Gives the new tag, or nothing when it was not so.
    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError>;

    /// Keys with a prefix, and their tags; at most a thousand.
    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, TransportError>;

    /// Where it is, for messages.
    fn place(&self) -> String;

    /// What is there cannot be understood.
    fn malformed(&self, why: &str) -> TransportError {
        TransportError::Malformed { place: self.place(), why: why.to_owned() }
    }
}

impl<O: Objects + ?Sized> Objects for Box<O> {
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError> {
        (**self).get_unless(key, tag, limit)
    }
    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError> {
        (**self).put(key, bytes)
    }
    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError> {
        (**self).put_if(key, bytes, tag)
    }
    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, TransportError> {
        (**self).list(prefix)
    }
    fn place(&self) -> String {
        (**self).place()
    }
}
