//! The shared side in an object store: a tree of hashes under a few heads.
//!
//! Enters: any store of objects with conditional writes ([`Objects`]). Leaves: a [`Transport`]. Looking is one request; a change writes
//! its content, one node a level and one head. Heads move only by compare-and-swap, everything else is immutable and named by its hash, so a
//! crash leaves at most objects that nobody points to. What is read is checked against its name; what somebody else wrote is believed
//! no further than that.

mod model;
mod node;
mod objects;
mod s3;

pub use model::{Counts, ModelStore};
pub use objects::{Fetched, Object, Objects};
pub use s3::S3;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::identity::{self, Identity};
use super::transport::{Authorship, Change, Entry, EntryKind, Look, Mark, Published, Transport, TransportError};
use crate::limits;
use node::{Item, Kind, Node, shard_of};

/// The key of the object that says how the rest is laid out.
const LAYOUT: &str = "memdir.json";

/// How a bucket is laid out; written once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// 1.
    pub format: u32,
    /// Into how many heads it is divided: 1, 16 or 256.
    pub shards: u32,
    /// Whether contents are encrypted with a team key.
    #[serde(default)]
    pub sealed: bool,
}

impl Layout {
    /// Reads the layout that is there, or puts this one there.
    pub fn settle(self, objects: &dyn Objects) -> Result<Layout, TransportError> {
        for _ in 0..2 {
            if let Some(found) = objects.get(LAYOUT, limits::TEAM_NODE_BYTES)? {
                let layout: Layout = serde_json::from_slice(&found.bytes)
                    .map_err(|error| objects.malformed(&format!("{LAYOUT} is not readable ({error})")))?;
                if layout.format != 1 || !matches!(layout.shards, 1 | 16 | 256) {
                    return Err(objects.malformed("it was made by another version of memdir"));
                }
                return Ok(layout);
            }
            let bytes = serde_json::to_vec(&self).unwrap_or_default();
            if objects.put_if(LAYOUT, &bytes, None)?.is_some() {
                return Ok(self);
            }
        }
        Err(objects.malformed(&format!("{LAYOUT} appears and disappears")))
    }
}

/// Encrypts what leaves and decrypts what comes.
pub trait Seal {
    /// Encrypts.
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, String>;
    /// Decrypts, at most `limit` bytes.
    fn open(&self, sealed: &[u8], limit: usize) -> Result<Vec<u8>, String>;
}

/// Nodes of the tree that were read before.
pub trait NodeCache {
    /// One that is known.
    fn get(&self, id: &str) -> Option<Vec<u8>>;
    /// Remembers one.
    fn put(&self, id: &str, bytes: &[u8]);
}

/// The heads of a bucket: for each shard the tag of its head and the root of its tree.
type Heads = BTreeMap<String, (String, String)>;

#[derive(Serialize, Deserialize)]
struct Head {
    root: String,
}

/// The shared side in an object store.
pub struct Bucket<O> {
    objects: O,
    shards: u32,
    seal: Option<Box<dyn Seal>>,
    cache: Option<Box<dyn NodeCache>>,
    identity: Option<Identity>,
    /// Under which key each content lies, as far as it was seen.
    lies: HashMap<String, String>,
}

impl<O: Objects> Bucket<O> {
    /// A bucket that is laid out already.
    pub fn new(objects: O, layout: &Layout) -> Bucket<O> {
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
    pub fn signed(mut self, identity: Option<Identity>) -> Bucket<O> {
        self.identity = identity;
        self
    }

    /// The store below.
    pub fn objects(&self) -> &O {
        &self.objects
    }

    fn heads(&self, mark: &Mark) -> Result<Heads, TransportError> {
        if mark.0.is_empty() {
            return Ok(Heads::new());
        }
        serde_json::from_str(&mark.0)
            .map_err(|error| self.objects.malformed(&format!("a mark is not readable ({error})")))
    }

    fn mark(heads: &Heads) -> Mark {
        if heads.is_empty() { Mark::default() } else { Mark(serde_json::to_string(heads).unwrap_or_default()) }
    }

    fn head(&self, shard: &str, object: Object) -> Result<(String, String), TransportError> {
        let head: Head = serde_json::from_slice(&object.bytes)
            .map_err(|error| self.objects.malformed(&format!("the head {shard} is not readable ({error})")))?;
        Ok((object.tag, head.root))
    }

    /// Puts an immutable object, encrypted if need be, and gives its name.
    fn put(&self, plain: &[u8]) -> Result<String, TransportError> {
        let sealed = match &self.seal {
            Some(seal) => Some(seal.seal(plain).map_err(|why| self.objects.malformed(&why))?),
            None => None,
        };
        let bytes = sealed.as_deref().unwrap_or(plain);
        let id = name_of(bytes);
        self.objects.put(&format!("objects/{id}"), bytes)?;
        Ok(id)
    }

    /// Reads an immutable object and checks that it is the one that was named.
    fn fetch(&self, id: &str, limit: usize) -> Result<Vec<u8>, TransportError> {
        // Ciphertext is a little longer than what it hides.
        let room = if self.seal.is_some() { limit + limit / 64 + 4096 } else { limit };
        if !is_name(id) {
            return Err(self.objects.malformed("an object has a name that memdir does not give"));
        }
        let Some(object) = self.objects.get(&format!("objects/{id}"), room)? else {
            return Err(self.objects.malformed(&format!("the object {id} is missing")));
        };
        if name_of(&object.bytes) != id {
            return Err(self.objects.malformed(&format!("the object {id} was tampered with")));
        }
        match &self.seal {
            Some(seal) => seal.open(&object.bytes, limit).map_err(|why| self.objects.malformed(&why)),
            None => Ok(object.bytes),
        }
    }

    fn node(&self, id: &str) -> Result<Node, TransportError> {
        let known = self.cache.as_ref().and_then(|cache| cache.get(id));
        let bytes = if let Some(bytes) = known {
            bytes
        } else {
            let bytes = self.fetch(id, limits::TEAM_NODE_BYTES)?;
            if let Some(cache) = &self.cache {
                cache.put(id, &bytes);
            }
            bytes
        };
        serde_json::from_slice(&bytes)
            .map_err(|error| self.objects.malformed(&format!("a node is not readable ({error})")))
    }

    fn put_node(&self, node: &Node) -> Result<String, TransportError> {
        let bytes = serde_json::to_vec(node).unwrap_or_default();
        let id = self.put(&bytes)?;
        if let Some(cache) = &self.cache {
            cache.put(&id, &bytes);
        }
        Ok(id)
    }

    /// All items below a node.
    fn items(&self, id: &str, depth: usize, out: &mut Vec<Item>) -> Result<(), TransportError> {
        match self.node(id)? {
            Node::Leaf(items) => out.extend(items),
            Node::Inner(children) if depth < node::DEPTH => {
                for child in children.values() {
                    self.items(child, depth + 1, out)?;
                }
            }
            Node::Inner(_) => return Err(self.objects.malformed("the tree is too deep")),
        }
        Ok(())
    }

    /// Items that are in the new tree and not in the old one.
    fn differing(&self, old: Option<&str>, new: &str, depth: usize, out: &mut Vec<Item>) -> Result<(), TransportError> {
        if old == Some(new) {
            return Ok(());
        }
        let (before, now) = (old.map(|old| self.node(old)).transpose(), self.node(new)?);
        // What is gone from the store cannot be compared with: then everything counts.
        if let (Ok(Some(Node::Inner(before))), Node::Inner(children)) = (&before, &now) {
            for (nibble, child) in children {
                self.differing(before.get(nibble).map(String::as_str), child, depth + 1, out)?;
            }
            return Ok(());
        }
        let mut known = Vec::new();
        match before {
            Ok(Some(Node::Leaf(items))) => known = items,
            Ok(Some(Node::Inner(_))) => self.items(old.unwrap_or_default(), depth, &mut known)?,
            Ok(None) | Err(_) => {}
        }
        let known: HashMap<&str, &Item> = known.iter().map(|item| (item.path.as_str(), item)).collect();
        let mut items = Vec::new();
        self.items(new, depth, &mut items)?;
        out.extend(items.into_iter().filter(|item| known.get(item.path.as_str()) != Some(&item)));
        Ok(())
    }

    /// Makes a tree with these items in place of those of the same path. Gives its root.
    fn update(&self, old: Option<&str>, depth: usize, changed: Vec<Item>) -> Result<String, TransportError> {
        let node = old.map(|old| self.node(old)).transpose()?;
        if let Some(Node::Inner(mut children)) = node {
            for (nibble, items) in node::by_nibble(changed, depth) {
                let child = self.update(children.get(&nibble).map(String::as_str), depth + 1, items)?;
                children.insert(nibble, child);
            }
            return self.put_node(&Node::Inner(children));
        }
        let mut items = match node {
            Some(Node::Leaf(items)) => items,
            _ => Vec::new(),
        };
        items.retain(|item| changed.iter().all(|new| new.path != item.path));
        items.extend(changed);
        items.sort_by(|one, other| one.path.cmp(&other.path));
        if items.len() <= limits::TEAM_LEAF_ITEMS || depth >= node::DEPTH {
            return self.put_node(&Node::Leaf(items));
        }
        let mut children = BTreeMap::new();
        for (nibble, items) in node::by_nibble(items, depth) {
            children.insert(nibble, self.update(None, depth + 1, items)?);
        }
        self.put_node(&Node::Inner(children))
    }

    /// Writes everything anew, encrypted with the key in use now. What was there before stays until somebody removes it.
    pub fn reseal(&mut self) -> Result<(), TransportError> {
        for _ in 0..limits::TEAM_ROUNDS {
            let Look::Now(mark) = self.look(None)? else { return Ok(()) };
            let mut overtaken = false;
            for (shard, (tag, root)) in self.heads(&mark)? {
                let mut items = Vec::new();
                self.items(&root, 0, &mut items)?;
                for item in items.iter_mut().filter(|item| item.kind == Kind::File) {
                    let content = self.fetch(&item.lies, limits::TEAM_FILE_BYTES)?;
                    item.lies = self.put(&content)?;
                }
                let root = self.update(None, node::first_depth(self.shards), items)?;
                let bytes = serde_json::to_vec(&Head { root }).unwrap_or_default();
                overtaken |= self.objects.put_if(&format!("heads/{shard}"), &bytes, Some(&tag))?.is_none();
            }
            if !overtaken {
                return Ok(());
            }
        }
        Err(TransportError::Unreachable { place: self.objects.place(), why: "others kept publishing meanwhile".into() })
    }

    /// One item of the tree as it is, for a path.
    fn find(&self, root: Option<&str>, path: &str) -> Result<Option<Item>, TransportError> {
        let mut at = root.map(str::to_owned);
        let mut depth = node::first_depth(self.shards);
        while let Some(id) = at {
            match self.node(&id)? {
                Node::Leaf(items) => return Ok(items.into_iter().find(|item| item.path == path)),
                Node::Inner(children) => {
                    at = children.get(&node::nibble(path, depth)).cloned();
                    depth += 1;
                }
            }
        }
        Ok(None)
    }

    fn item(&mut self, root: Option<&str>, change: &Change) -> Result<Option<Item>, TransportError> {
        let (kind, id, bytes, lies) = match &change.content {
            Some(content) => {
                let id = self.id_of(content);
                let lies = self.put(content)?;
                self.lies.insert(id.clone(), lies.clone());
                (Kind::File, id, content.len() as u64, lies)
            }
            // A grave without a body tells nobody anything.
            None => match self.find(root, &change.path)? {
                Some(item) if item.kind == Kind::File => (Kind::Gone, item.id, 0, String::new()),
                _ => return Ok(None),
            },
        };
        let mut item =
            Item { path: change.path.clone(), kind, id, bytes, lies, author: String::new(), key: None, sig: None };
        if let Some(identity) = &self.identity {
            item.author.clone_from(&identity.name);
            item.key = Some(identity.public());
            item.sig = Some(identity.sign(&item.message()));
        }
        Ok(Some(item))
    }
}

impl<O: Objects> Transport for Bucket<O> {
    fn look(&mut self, known: Option<&Mark>) -> Result<Look, TransportError> {
        let before = known.map(|mark| self.heads(mark)).transpose()?;
        let mut heads = Heads::new();
        if self.shards == 1 {
            let tag = before.as_ref().and_then(|heads| heads.get("0")).map(|(tag, _)| tag.as_str());
            match self.objects.get_unless("heads/0", tag, limits::TEAM_NODE_BYTES)? {
                Fetched::Same => return Ok(Look::Same),
                Fetched::Nothing => {}
                Fetched::Object(object) => {
                    heads.insert("0".to_owned(), self.head("0", object)?);
                }
            }
        } else {
            for (key, tag) in self.objects.list("heads/")? {
                let Some(shard) = key.strip_prefix("heads/") else { continue };
                if let Some(same) =
                    before.as_ref().and_then(|heads| heads.get(shard)).filter(|(known, _)| *known == tag)
                {
                    heads.insert(shard.to_owned(), same.clone());
                } else if let Some(object) = self.objects.get(&key, limits::TEAM_NODE_BYTES)? {
                    heads.insert(shard.to_owned(), self.head(shard, object)?);
                }
            }
        }
        Ok(if before.as_ref() == Some(&heads) { Look::Same } else { Look::Now(Self::mark(&heads)) })
    }

    fn entries(&mut self, since: Option<&Mark>, now: &Mark) -> Result<Vec<Entry>, TransportError> {
        let before = since.map(|mark| self.heads(mark)).transpose()?.unwrap_or_default();
        let mut items = Vec::new();
        for (shard, (_, root)) in self.heads(now)? {
            let old = before.get(&shard).map(|(_, root)| root.as_str());
            self.differing(old, &root, node::first_depth(self.shards), &mut items)?;
        }
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            self.lies.insert(item.id.clone(), item.lies.clone());
            let signed = item.key.as_deref().zip(item.sig.as_deref());
            let key =
                signed.filter(|(key, sig)| identity::verify(key, &item.message(), sig)).map(|(key, _)| key.to_owned());
            entries.push(Entry {
                author: Authorship { name: item.author, key, verified: false },
                kind: match item.kind {
                    Kind::File => EntryKind::File { id: item.id, bytes: item.bytes },
                    Kind::Gone => EntryKind::Gone { id: item.id },
                },
                path: item.path,
            });
        }
        Ok(entries)
    }

    fn read(&mut self, wanted: &[&Entry], limit: usize) -> Result<Vec<Option<Vec<u8>>>, TransportError> {
        let mut contents = Vec::with_capacity(wanted.len());
        for entry in wanted {
            let EntryKind::File { id, bytes } = &entry.kind else {
                contents.push(None);
                continue;
            };
            if *bytes > limit as u64 {
                contents.push(None);
                continue;
            }
            let lies = self.lies.get(id).cloned().unwrap_or_default();
            let content = self.fetch(&lies, limit)?;
            if self.id_of(&content) != *id || content.len() as u64 != *bytes {
                return Err(self
                    .objects
                    .malformed(&format!("the content of {} is not what it is said to be", entry.path.escape_debug())));
            }
            contents.push(Some(content));
        }
        Ok(contents)
    }

    fn publish(&mut self, on: &Mark, changes: &[Change]) -> Result<Published, TransportError> {
        let mut heads = self.heads(on)?;
        let mut by_shard: BTreeMap<String, Vec<&Change>> = BTreeMap::new();
        for change in changes {
            by_shard.entry(shard_of(&change.path, self.shards)).or_default().push(change);
        }
        let mut overtaken = false;
        for (shard, changes) in by_shard {
            let (tag, root) = heads.get(&shard).cloned().unzip();
            let mut items = Vec::with_capacity(changes.len());
            for change in changes {
                items.extend(self.item(root.as_deref(), change)?);
            }
            if items.is_empty() {
                continue;
            }
            let root = self.update(root.as_deref(), node::first_depth(self.shards), items)?;
            let bytes = serde_json::to_vec(&Head { root: root.clone() }).unwrap_or_default();
            match self.objects.put_if(&format!("heads/{shard}"), &bytes, tag.as_deref())? {
                Some(tag) => {
                    heads.insert(shard, (tag, root));
                }
                None => overtaken = true,
            }
        }
        Ok(if overtaken { Published::Overtaken } else { Published::As(Self::mark(&heads)) })
    }

    fn id_of(&self, content: &[u8]) -> String {
        name_of(content)
    }
}

fn name_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn is_name(id: &str) -> bool {
    id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}
