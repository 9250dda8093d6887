//! A model of an object store in memory: for simulations, which need thousands of them.
//!
//! It does what the real ones promise (a write is seen by every later read, a condition is checked and acted on
//! in one step), counts what would be paid for, and can be unreachable or fail after it has done what was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Fetched, Object, Objects};
use crate::team::transport::TransportError;

/// What a store was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads that brought something.
    pub gets: u64,
    /// Reads of what had not changed, or was not there.
    pub same: u64,
    /// Writes.
    pub puts: u64,
    /// Conditional writes that came too late.
    pub lost: u64,
    /// Lists.
    pub lists: u64,
    /// Bytes that went out of the store.
    pub bytes_out: u64,
    /// Bytes that came in.
    pub bytes_in: u64,
}

impl Counts {
    /// All requests.
    pub fn requests(&self) -> u64 {
        self.gets + self.same + self.puts + self.lost + self.lists
    }
}

/// What every handle sees.
#[derive(Default)]
struct Inside {
    objects: BTreeMap<String, (Arc<[u8]>, u64)>,
    versions: u64,
}

/// One machine's way to the store.
#[derive(Clone, Default)]
pub struct ModelStore {
    inside: Arc<Mutex<Inside>>,
    line: Arc<Mutex<Line>>,
}

#[derive(Default)]
struct Line {
    counts: Counts,
    /// No way there.
    cut: bool,
    /// The connection breaks after so many more requests; the last one is carried out, and nobody hears of it.
    breaks_after: Option<u32>,
}

impl ModelStore {
    /// Another machine's way to the same store.
    #[must_use]
    pub fn another(&self) -> ModelStore {
        ModelStore { inside: Arc::clone(&self.inside), line: Arc::default() }
    }

    /// Cuts or mends the connection.
    pub fn set_cut(&self, cut: bool) {
        self.line().cut = cut;
    }

    /// Lets the connection break after so many more requests.
    pub fn break_after(&self, requests: Option<u32>) {
        self.line().breaks_after = requests;
    }

    /// What this machine asked.
    pub fn counts(&self) -> Counts {
        self.line().counts
    }

    /// How many objects there are, and how many bytes.
    pub fn size(&self) -> (usize, u64) {
        let inside = self.inside();
        (inside.objects.len(), inside.objects.values().map(|(bytes, _)| bytes.len() as u64).sum())
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn unreachable(&self) -> TransportError {
        TransportError::Unreachable { place: self.place(), why: "the connection is cut".to_owned() }
    }

    /// One request: counted, carried out, and perhaps never answered.
    fn request<T>(&self, carry_out: impl FnOnce(&mut Inside, &mut Counts) -> T) -> Result<T, TransportError> {
        let mut line = self.line();
        if line.cut || line.breaks_after == Some(0) {
            return Err(self.unreachable());
        }
        let answer = carry_out(&mut self.inside(), &mut line.counts);
        if let Some(left) = &mut line.breaks_after {
            *left -= 1;
            if *left == 0 {
                return Err(self.unreachable());
            }
        }
        Ok(answer)
    }
}

impl Objects for ModelStore {
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError> {
        let fetched = self.request(|inside, counts| match inside.objects.get(key) {
            None => {
                counts.same += 1;
                Fetched::Nothing
            }
            Some((_, version)) if tag == Some(&version.to_string()) => {
                counts.same += 1;
                Fetched::Same
            }
            Some((bytes, version)) => {
                counts.gets += 1;
                counts.bytes_out += bytes.len() as u64;
                Fetched::Object(Object { bytes: bytes.to_vec(), tag: version.to_string() })
            }
        })?;
        match fetched {
            Fetched::Object(object) if object.bytes.len() > limit => Err(self.malformed("an object is too large")),
            other => Ok(other),
        }
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError> {
        self.request(|inside, counts| {
            counts.puts += 1;
            counts.bytes_in += bytes.len() as u64;
            inside.versions += 1;
            let version = inside.versions;
            inside.objects.insert(key.to_owned(), (bytes.into(), version));
        })
    }

    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError> {
        self.request(|inside, counts| {
            let now = inside.objects.get(key).map(|(_, version)| version.to_string());
            if now.as_deref() != tag {
                counts.lost += 1;
                return None;
            }
            counts.puts += 1;
            counts.bytes_in += bytes.len() as u64;
            inside.versions += 1;
            let version = inside.versions;
            inside.objects.insert(key.to_owned(), (bytes.into(), version));
            Some(version.to_string())
        })
    }

    fn list(&self, prefix: &str) -> Result<Vec<(String, String)>, TransportError> {
        self.request(|inside, counts| {
            counts.lists += 1;
            let found =
                inside.objects.range(prefix.to_owned()..).take_while(|(key, _)| key.starts_with(prefix)).take(1000);
            let listed: Vec<_> = found.map(|(key, (_, version))| (key.clone(), version.to_string())).collect();
            // About what a listing of S3 says of each key.
            counts.bytes_out += 300 * listed.len() as u64;
            listed
        })
    }

    fn place(&self) -> String {
        "the model of a store".to_owned()
    }
}
