//! The shared side in an object store: a tree of hashes under a few heads.
//!
//! Enters: any store of objects with conditional writes ([`Objects`]). Leaves: a [`Transport`](crate::transport::Transport). Looking is one request; a change writes
//! its content, one node a level and one head. Heads move only by compare-and-swap, everything else is immutable and named by its hash, so a
//! crash leaves at most objects that nobody points to, until somebody tidies up. What is read is checked against its name; what somebody
//! else wrote is believed no further than that.
//!
//! - `layout`: how it is divided, and its heads.
//! - `objects`: what a store must be able to do; `s3` can.
//! - `node`, `tree`: the tree below a head.
//! - `sharing`: what is new, and what is put there.
//! - `tidy`: removing what no head needs any more.

mod credentials;
mod layout;
mod node;
mod objects;
mod s3;
mod sharing;
mod tidy;
mod tree;

pub use layout::BucketLayout;
pub use objects::{Fetched, ListedKey, Object, Objects, PAGE};
pub use s3::S3;
pub use tidy::Tidied;

use std::collections::{HashMap, HashSet};

use super::identity::SigningIdentity;
use super::transport::TransportError;
use layout::Head;
use memdir_core::limits;
use node::NodeKind;

/// Why something was not encrypted or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// Nothing to encrypt with.
    #[error("there is no team key")]
    NoKey,
    /// The system gave no randomness.
    #[error("encryption failed")]
    Failed,
    /// More than was asked for.
    #[error("an encrypted object is larger than it may be")]
    TooLarge,
    /// None of the keys opens it.
    #[error("it cannot be decrypted with the team's keys; ask for the key in use, and add its file")]
    OtherKey,
}

/// Encrypts what leaves and decrypts what comes.
pub trait Seal {
    /// Encrypts.
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, SealError>;
    /// Decrypts, at most `limit` bytes.
    fn open(&self, sealed: &[u8], limit: usize) -> Result<Vec<u8>, SealError>;
}

/// Nodes of the tree that were read before.
pub trait NodeCache {
    /// One that is known.
    fn get(&self, id: &str) -> Option<Vec<u8>>;
    /// Remembers one.
    fn put(&self, id: &str, bytes: &[u8]);
}

/// Why an object cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum BadObject {
    #[error("is not there")]
    Missing,
    #[error("is larger than it may be")]
    TooLarge,
    #[error("does not hold what its name says")]
    Other,
    #[error("has a name that memdir would not give")]
    Misnamed,
}

/// The shared side in an object store.
pub struct Bucket<O> {
    objects: O,
    shards: u32,
    seal: Option<Box<dyn Seal>>,
    cache: Option<Box<dyn NodeCache>>,
    identity: Option<SigningIdentity>,
    /// Under which key each content lies, as far as it was seen.
    lies: HashMap<String, String>,
}

impl<O: Objects> Bucket<O> {
    /// A bucket that is laid out already.
    pub fn new(objects: O, layout: &BucketLayout) -> Bucket<O> {
        Bucket { objects, shards: layout.shards, seal: None, cache: None, identity: None, lies: HashMap::new() }
    }

    /// Encrypts with a team key.
    #[must_use]
    pub fn sealed(mut self, seal: Option<Box<dyn Seal>>) -> Bucket<O> {
        self.seal = seal;
        self
    }

    /// Remembers nodes between runs.
    #[must_use]
    pub fn cached(mut self, cache: Option<Box<dyn NodeCache>>) -> Bucket<O> {
        self.cache = cache;
        self
    }

    /// Signs what it publishes.
    #[must_use]
    pub fn signed(mut self, identity: Option<SigningIdentity>) -> Bucket<O> {
        self.identity = identity;
        self
    }

    /// The store below.
    pub fn objects(&self) -> &O {
        &self.objects
    }

    /// Puts an immutable object of a generation, encrypted if need be, and gives its name.
    fn put(&self, generation: u32, plain: &[u8]) -> Result<String, TransportError> {
        let sealed = match &self.seal {
            Some(seal) => Some(seal.seal(plain).map_err(|why| self.objects.malformed(&why.to_string()))?),
            None => None,
        };
        let bytes = sealed.as_deref().unwrap_or(plain);
        let hash = name_of(bytes);
        let id = if generation == 0 { hash } else { format!("{generation}-{hash}") };
        self.objects.put(&format!("objects/{id}"), bytes)?;
        Ok(id)
    }

    /// Reads an immutable object and checks that it is the one that was named.
    fn fetch(&self, id: &str, limit: usize) -> Result<Result<Vec<u8>, BadObject>, TransportError> {
        // Ciphertext is a little longer than what it hides.
        let room = if self.seal.is_some() { limit + limit / 64 + 4096 } else { limit };
        let Some((_, hash)) = generation_and_hash(id) else { return Ok(Err(BadObject::Misnamed)) };
        let object = match self.objects.get_unless(&format!("objects/{id}"), None, room)? {
            Fetched::Object(object) => object,
            Fetched::TooLarge => return Ok(Err(BadObject::TooLarge)),
            Fetched::Nothing | Fetched::Same => return Ok(Err(BadObject::Missing)),
        };
        if name_of(&object.bytes) != hash {
            return Ok(Err(BadObject::Other));
        }
        match &self.seal {
            Some(seal) => {
                seal.open(&object.bytes, limit).map(Ok).map_err(|why| self.objects.malformed(&why.to_string()))
            }
            None => Ok(Ok(object.bytes)),
        }
    }

    /// Whether what is in it now can be read with the keys in use.
    pub fn opens(&mut self) -> Result<bool, TransportError> {
        let Some(held) = self.all_heads()?.into_values().next() else { return Ok(true) };
        match self.node(&held.head.root) {
            Ok(_) => Ok(true),
            Err(TransportError::Malformed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes everything again, encrypted with the key in use now. What was there before stays until somebody tidies up.
    pub fn reseal(&mut self) -> Result<(), TransportError> {
        for _ in 0..limits::TEAM_ROUNDS {
            let mut overtaken = false;
            for (shard, held) in self.all_heads()? {
                let Head { root, generation } = held.head;
                let mut items = Vec::new();
                self.items(&root, 0, &mut HashSet::new(), &mut items)?;
                for item in items.iter_mut().filter(|item| item.kind == NodeKind::File) {
                    // What cannot be read now cannot be read later either: it stays as it is.
                    if let Ok(content) = self.fetch(&item.lies, limits::TEAM_FILE_BYTES)? {
                        item.lies = self.put(generation, &content)?;
                    }
                }
                let root = self.update(generation, None, node::first_depth(self.shards), items)?;
                overtaken |= Head { root, generation }.put(&self.objects, &shard, Some(&held.tag))?.is_none();
            }
            if !overtaken {
                return Ok(());
            }
        }
        Err(TransportError::Unreachable { place: self.objects.place(), why: "others kept publishing meanwhile".into() })
    }
}

fn name_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The parts of an object's name: `<hash>` in the first generation, `<generation>-<hash>` in later ones.
fn generation_and_hash(id: &str) -> Option<(u32, &str)> {
    let (generation, hash) = match id.split_once('-') {
        Some((generation, hash)) => (generation.parse().ok().filter(|number| *number > 0)?, hash),
        None => (0, id),
    };
    (hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some((generation, hash))
}
