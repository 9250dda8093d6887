//! A model of an object store in memory: for simulations, which need thousands of them.
//!
//! It does what the real ones promise (a write is seen by every later read, a condition is checked and acted on
//! in one step), counts what would be paid for, and can be unreachable or fail after it has done what was asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use memdir_team::bucket::{Fetched, ListedKey, Object, Objects, PAGE};
use memdir_team::transport::TransportError;

/// What a store was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
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
    /// Removals, which no store asks money for.
    pub removals: u64,
    /// Bytes that went out of the store.
    pub bytes_out: u64,
    /// Bytes that came in.
    pub bytes_in: u64,
}

impl RequestCounts {
    /// All requests.
    pub fn requests(&self) -> u64 {
        self.gets + self.same + self.puts + self.lost + self.lists + self.removals
    }
}

/// What every handle sees.
#[derive(Default)]
struct Inside {
    objects: BTreeMap<String, Kept>,
    /// Seconds since it was made.
    now: u64,
}

struct Kept {
    bytes: Arc<[u8]>,
    tag: String,
    written: u64,
}

impl Inside {
    fn keep(&mut self, key: &str, bytes: &[u8]) -> String {
        // As S3 does it: two versions with the same bytes have the same tag.
        let tag = blake3::hash(bytes).to_hex()[..16].to_owned();
        let kept = Kept { bytes: bytes.into(), tag: tag.clone(), written: self.now };
        self.objects.insert(key.to_owned(), kept);
        tag
    }
}

/// Something that happens elsewhere.
type Elsewhere = Box<dyn FnOnce() + Send>;

/// One machine's way to the store.
#[derive(Clone, Default)]
pub struct InMemoryBucket {
    inside: Arc<Mutex<Inside>>,
    line: Arc<Mutex<Line>>,
}

#[derive(Default)]
struct Line {
    counts: RequestCounts,
    /// No way there.
    cut: bool,
    /// The connection breaks after this many more requests; the last one is carried out, and nobody hears of it.
    breaks_after: Option<u32>,
    /// What happens elsewhere before the request after this many more.
    meanwhile: Option<(u32, Elsewhere)>,
}

impl InMemoryBucket {
    /// Another machine's way to the same store.
    #[must_use]
    pub fn another(&self) -> InMemoryBucket {
        InMemoryBucket { inside: Arc::clone(&self.inside), line: Arc::default() }
    }

    /// Cuts or mends the connection.
    pub fn set_cut(&self, cut: bool) {
        self.line().cut = cut;
    }

    /// Lets the connection break after this many more requests.
    pub fn break_after(&self, requests: Option<u32>) {
        self.line().breaks_after = requests;
    }

    /// Lets something happen elsewhere after this many more requests: this machine slept over it.
    pub fn meanwhile(&self, requests: u32, elsewhere: impl FnOnce() + Send + 'static) {
        self.line().meanwhile = Some((requests, Box::new(elsewhere)));
    }

    /// Forgets what was to happen meanwhile.
    pub fn awake(&self) {
        self.line().meanwhile = None;
    }

    /// Lets time pass by the store's clock.
    pub fn pass(&self, seconds: u64) {
        self.inside().now += seconds;
    }

    /// What this machine asked.
    pub fn counts(&self) -> RequestCounts {
        self.line().counts
    }

    /// How many objects there are, and how many bytes.
    pub fn size(&self) -> (usize, u64) {
        let inside = self.inside();
        (inside.objects.len(), inside.objects.values().map(|kept| kept.bytes.len() as u64).sum())
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
    fn request<T>(&self, carry_out: impl FnOnce(&mut Inside, &mut RequestCounts) -> T) -> Result<T, TransportError> {
        let due = {
            let mut line = self.line();
            match line.meanwhile.take() {
                Some((0, elsewhere)) => Some(elsewhere),
                Some((left, elsewhere)) => {
                    line.meanwhile = Some((left - 1, elsewhere));
                    None
                }
                None => None,
            }
        };
        if let Some(elsewhere) = due {
            elsewhere();
        }
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

impl Objects for InMemoryBucket {
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError> {
        self.request(|inside, counts| match inside.objects.get(key) {
            None => {
                counts.same += 1;
                Fetched::Nothing
            }
            Some(kept) if tag == Some(kept.tag.as_str()) => {
                counts.same += 1;
                Fetched::Same
            }
            Some(kept) if kept.bytes.len() > limit => {
                counts.gets += 1;
                Fetched::TooLarge
            }
            Some(kept) => {
                counts.gets += 1;
                counts.bytes_out += kept.bytes.len() as u64;
                Fetched::Object(Object { bytes: kept.bytes.to_vec(), tag: kept.tag.clone() })
            }
        })
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError> {
        self.request(|inside, counts| {
            counts.puts += 1;
            counts.bytes_in += bytes.len() as u64;
            inside.keep(key, bytes);
        })
    }

    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError> {
        self.request(|inside, counts| {
            let now = inside.objects.get(key).map(|kept| kept.tag.clone());
            if now.as_deref() != tag {
                counts.lost += 1;
                return None;
            }
            counts.puts += 1;
            counts.bytes_in += bytes.len() as u64;
            Some(inside.keep(key, bytes))
        })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<ListedKey>, TransportError> {
        self.request(|inside, counts| {
            counts.lists += 1;
            let first = after.filter(|after| *after > prefix).unwrap_or(prefix).to_owned();
            let from = inside.objects.range(first..).take_while(|(key, _)| key.starts_with(prefix));
            let listed: Vec<ListedKey> = from
                .filter(|(key, _)| after != Some(key.as_str()))
                .take(PAGE)
                .map(|(key, kept)| ListedKey {
                    key: key.clone(),
                    tag: kept.tag.clone(),
                    bytes: kept.bytes.len() as u64,
                })
                .collect();
            // About what a listing of S3 says of each key.
            counts.bytes_out += 300 * listed.len() as u64;
            listed
        })
    }

    fn remove(&self, key: &str) -> Result<(), TransportError> {
        self.request(|inside, counts| {
            counts.removals += 1;
            inside.objects.remove(key);
        })
    }

    fn age(&self, key: &str) -> Result<Option<u64>, TransportError> {
        self.request(|inside, counts| {
            counts.gets += 1;
            inside.objects.get(key).map(|kept| inside.now - kept.written)
        })
    }

    fn place(&self) -> String {
        "the model of a store".to_owned()
    }
}
