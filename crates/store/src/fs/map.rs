//! Reading large caches in place.
//!
//! A search index of a hundred thousand memories is too large to read for one prompt. It is mapped:
//! only the pages that a query touches are brought in. Files that are mapped are written once under
//! a new name and never changed, so what is mapped stays what it was, even after it is removed.
//!
//! Windows does not let go of a file that somebody has mapped: there it is read whole, which costs a prompt in a
//! very large store some milliseconds, and a cache can always be replaced.

pub use super::system::Mapped;

#[cfg(test)]
mod tests {
    use super::super::{Durability, remove, replace};
    use super::*;

    #[test]
    fn a_mapped_file_outlives_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        replace(&path, b"one", Durability::Cache).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        replace(&path, b"another", Durability::Cache).unwrap();
        remove(&path).unwrap();
        assert_eq!(mapped.bytes(), b"one");
    }

    #[test]
    fn an_empty_file_and_a_missing_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        assert!(Mapped::open(&path).is_err());
        replace(&path, b"", Durability::Cache).unwrap();
        assert!(Mapped::open(&path).unwrap().bytes().is_empty());
    }
}
