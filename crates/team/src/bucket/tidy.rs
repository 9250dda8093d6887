//! Removing what no head needs any more, safely while others read and write.
//!
//! Enters: a bucket in use. Leaves: the same bucket without old versions. Never removes what any head pointed to since the last time, and
//! nothing that a writer, however slow or long asleep, may still come to point to.
//!
//! # Why it is safe
//!
//! The name of an object begins with the generation of the head it was written for. Tidying first moves every head to a new generation, by
//! compare-and-swap with its root unchanged. From then on
//!
//! - a writer that looked before is overtaken, whenever it wakes up, and starts over;
//! - a writer that looks afterwards points to what is below the head it replaces, and to names of the new generation.
//!
//! So what was written in an earlier generation and is not below a head *now* will never be below one again: no clock is needed for that.
//! For readers, who may be in the middle of what was below a head a moment ago, the roots are noted (`tidy.json`), and what goes is what was
//! below none of them the *last* time either. Between two times lies [`limits::TEAM_TIDY_SECONDS`] by the store's own clock, so whatever a head
//! pointed to within that time is there. A member who was away for longer compares with what it kept itself, or takes in everything.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::layout::{self, Head, HeadObject};
use super::node::{self, Node};
use super::objects::{Objects, PAGE};
use super::{Bucket, generation_and_hash};
use crate::transport::TransportError;
use memdir_core::limits;

/// The key of the object that remembers the last time.
const LAST: &str = "tidy.json";

/// What was noted the last time.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Last {
    /// Everything of this generation or a later one was written since.
    generation: u32,
    /// The roots as they were.
    roots: Vec<String>,
}

/// What tidying did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tidied {
    /// Objects that were removed.
    pub removed: usize,
    /// Their bytes.
    pub removed_bytes: u64,
    /// Objects that stay.
    pub kept: usize,
    /// Their bytes.
    pub kept_bytes: u64,
    /// It is too early: this many seconds must pass first.
    pub wait_seconds: Option<u64>,
}

impl<O: Objects> Bucket<O> {
    /// Removes what no head needs. `dry`: only counts.
    pub fn tidy(&mut self, dry: bool) -> Result<Tidied, TransportError> {
        let (tag, last) = match self.objects.get(LAST, limits::TEAM_NODE_BYTES)? {
            None => (None, Last::default()),
            Some(object) => {
                let age = self.objects.age(LAST)?.unwrap_or_default();
                if age < limits::TEAM_TIDY_SECONDS {
                    let wait = limits::TEAM_TIDY_SECONDS - age;
                    return Ok(Tidied { wait_seconds: Some(wait), ..Tidied::default() });
                }
                let last = serde_json::from_slice(&object.bytes)
                    .map_err(|error| self.objects.malformed(&format!("{LAST} is not readable ({error})")))?;
                (Some(object.tag), last)
            }
        };
        let heads: Vec<HeadObject> =
            if dry { self.all_heads()?.into_values().collect() } else { self.begin_generation()? };
        let roots: Vec<String> = heads.iter().map(|held| held.head.root.clone()).collect();
        if !dry {
            let generation = heads.iter().map(|held| held.head.generation).min().unwrap_or_default();
            let bytes = serde_json::to_vec(&Last { generation, roots: roots.clone() }).unwrap_or_default();
            if self.objects.put_if(LAST, &bytes, tag.as_deref())?.is_none() {
                // Somebody else tidies at this moment.
                return Ok(Tidied { wait_seconds: Some(limits::TEAM_TIDY_SECONDS), ..Tidied::default() });
            }
        }
        let mut needed = HashSet::new();
        for root in last.roots.iter().chain(&roots) {
            self.need(root, 0, &mut needed)?;
        }
        self.sweep(last.generation, &needed, dry)
    }

    /// Moves every head to a new generation; one that is not there yet is made, or a writer of the old one could make it later.
    fn begin_generation(&mut self) -> Result<Vec<HeadObject>, TransportError> {
        let known = self.all_heads()?;
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let generation = known.values().map(|held| held.head.generation).max().unwrap_or_default().saturating_add(1);
        let mut heads = Vec::new();
        for shard in node::shards(self.shards) {
            heads.push(self.begin_in(&shard, known.get(&shard).cloned(), generation)?);
        }
        Ok(heads)
    }

    fn begin_in(
        &self,
        shard: &str,
        mut held: Option<HeadObject>,
        generation: u32,
    ) -> Result<HeadObject, TransportError> {
        for _ in 0..limits::TEAM_ROUNDS {
            let (tag, root, before) = match held {
                Some(HeadObject { tag, head }) => (Some(tag), head.root, head.generation),
                None => (None, self.put_node(generation, &Node::Leaf(Vec::new()))?, 0),
            };
            let head = Head { root, generation: generation.max(before.saturating_add(1)) };
            if let Some(held) = head.put(&self.objects, shard, tag.as_deref())? {
                return Ok(held);
            }
            let now = self.objects.get(&layout::key(shard), limits::TEAM_NODE_BYTES)?;
            held = now.map(|object| Head::read(&self.objects, shard, object)).transpose()?;
        }
        Err(TransportError::Unreachable { place: self.objects.place(), why: "others kept publishing meanwhile".into() })
    }

    /// Notes a node, everything below it and the contents its items name.
    fn need(&self, id: &str, depth: usize, needed: &mut HashSet<String>) -> Result<(), TransportError> {
        if !needed.insert(id.to_owned()) {
            return Ok(());
        }
        match self.node(id)? {
            Node::Leaf(items) => needed.extend(items.into_iter().map(|item| item.lies)),
            Node::Inner(children) if depth < node::DEPTH => {
                for child in children.values() {
                    self.need(child, depth + 1, needed)?;
                }
            }
            Node::Inner(_) => return Err(self.objects.malformed("the tree is too deep")),
        }
        Ok(())
    }

    /// Removes what is of an earlier generation than this one and not needed.
    fn sweep(&self, generation: u32, needed: &HashSet<String>, dry: bool) -> Result<Tidied, TransportError> {
        let mut done = Tidied::default();
        let mut after: Option<String> = None;
        loop {
            let page = self.objects.list("objects/", after.as_deref())?;
            let more = page.len() >= PAGE;
            after = page.last().map(|listed| listed.key.clone());
            for listed in page {
                let id = listed.key.strip_prefix("objects/").unwrap_or_default();
                // What memdir did not write is not memdir's to remove.
                let old = generation_and_hash(id).is_some_and(|(written, _)| written < generation);
                if old && !needed.contains(id) {
                    if !dry {
                        self.objects.remove(&listed.key)?;
                    }
                    done.removed += 1;
                    done.removed_bytes += listed.bytes;
                } else {
                    done.kept += 1;
                    done.kept_bytes += listed.bytes;
                }
            }
            if !more {
                return Ok(done);
            }
        }
    }
}
