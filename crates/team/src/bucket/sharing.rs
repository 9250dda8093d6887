//! A bucket as a way to the shared side: what is new in it, and what is put there.

use std::collections::{BTreeMap, HashSet};

use super::layout::{self, Head, Heads};
use super::node::{self, Item, NodeKind, shard_of};
use super::objects::{Fetched, ListedKey, Objects};
use super::{BadObject, Bucket, name_of};
use crate::identity;
use crate::transport::{
    Authorship, EntryKind, HeldReason, Published, RemoteChange, RemoteEntry, SharedRevision, SharedState, Transport,
    TransportError,
};
use memdir_core::limits;

impl<O: Objects> Bucket<O> {
    fn known_heads(&self, mark: &SharedRevision) -> Result<Heads, TransportError> {
        layout::heads(mark).ok_or_else(|| self.objects.malformed("a mark is not readable"))
    }

    /// The heads as they are now.
    pub(super) fn all_heads(&mut self) -> Result<Heads, TransportError> {
        match self.look(None)? {
            SharedState::Now(mark) => self.known_heads(&mark),
            SharedState::Same => Ok(Heads::new()),
        }
    }

    fn item(
        &mut self,
        generation: u32,
        root: Option<&str>,
        change: &RemoteChange,
    ) -> Result<Option<Item>, TransportError> {
        let (kind, id, bytes, lies) = match &change.content {
            Some(content) => {
                let id = self.id_of(content);
                let lies = self.put(generation, content)?;
                self.lies.insert(id.clone(), lies.clone());
                (NodeKind::File, id, content.len() as u64, lies)
            }
            // A grave without a body tells nobody anything.
            None => match self.find(root, &change.path)? {
                Some(item) if item.kind == NodeKind::File => (NodeKind::Gone, item.id, 0, String::new()),
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
    fn look(&mut self, known: Option<&SharedRevision>) -> Result<SharedState, TransportError> {
        let before = known.and_then(layout::heads);
        let mut heads = Heads::new();
        if self.shards == 1 {
            let tag = before.as_ref().and_then(|heads| heads.get("0")).map(|held| held.tag.as_str());
            match self.objects.get_unless(&layout::key("0"), tag, limits::TEAM_NODE_BYTES)? {
                Fetched::Same => return Ok(SharedState::Same),
                Fetched::Nothing => {}
                Fetched::TooLarge => return Err(self.objects.malformed("its head is larger than it may be")),
                Fetched::Object(object) => {
                    heads.insert("0".to_owned(), Head::read(&self.objects, "0", object)?);
                }
            }
        } else {
            for ListedKey { key, tag, .. } in self.objects.list("heads/", None)? {
                let Some(shard) = key.strip_prefix("heads/") else { continue };
                if let Some(same) = before.as_ref().and_then(|heads| heads.get(shard)).filter(|known| known.tag == tag)
                {
                    heads.insert(shard.to_owned(), same.clone());
                } else if let Some(object) = self.objects.get(&key, limits::TEAM_NODE_BYTES)? {
                    heads.insert(shard.to_owned(), Head::read(&self.objects, shard, object)?);
                }
            }
        }
        Ok(if before.as_ref() == Some(&heads) { SharedState::Same } else { SharedState::Now(layout::mark(&heads)) })
    }

    fn entries(
        &mut self,
        since: Option<&SharedRevision>,
        now: &SharedRevision,
    ) -> Result<Vec<RemoteEntry>, TransportError> {
        let before = since.and_then(layout::heads).unwrap_or_default();
        let mut items = Vec::new();
        let mut seen = HashSet::new();
        for (shard, held) in self.known_heads(now)? {
            let old = before.get(&shard).map(|held| held.head.root.as_str());
            self.differing(old, &held.head.root, node::first_depth(self.shards), &mut seen, &mut items)?;
        }
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            self.lies.insert(item.id.clone(), item.lies.clone());
            let signed = item.key.as_deref().zip(item.sig.as_deref());
            let key =
                signed.filter(|(key, sig)| identity::verify(key, &item.message(), sig)).map(|(key, _)| key.to_owned());
            entries.push(RemoteEntry {
                author: Authorship { name: item.author, key, verified: false },
                kind: match item.kind {
                    NodeKind::File => EntryKind::File { id: item.id, bytes: item.bytes },
                    NodeKind::Gone => EntryKind::Gone { id: item.id },
                },
                path: item.path,
            });
        }
        Ok(entries)
    }

    fn read(
        &mut self,
        wanted: &[&RemoteEntry],
        limit: usize,
    ) -> Result<Vec<Result<Vec<u8>, HeldReason>>, TransportError> {
        let mut contents = Vec::with_capacity(wanted.len());
        for entry in wanted {
            let EntryKind::File { id, bytes } = &entry.kind else {
                contents.push(Err("not-a-file".into()));
                continue;
            };
            let lies = self.lies.get(id).cloned().unwrap_or_default();
            // One that is not what it claims to be does not block the others.
            contents.push(match self.fetch(&lies, limit)? {
                Err(why @ BadObject::TooLarge) => Err(format!("too-large: {why}").into()),
                Err(why) => Err(format!("damaged: its object {why}").into()),
                Ok(content) if self.id_of(&content) != *id || content.len() as u64 != *bytes => {
                    Err("damaged: the content is not what it is said to be".into())
                }
                Ok(content) => Ok(content),
            });
        }
        Ok(contents)
    }

    fn publish(&mut self, on: &SharedRevision, changes: &[RemoteChange]) -> Result<Published, TransportError> {
        let mut heads = self.known_heads(on)?;
        let mut by_shard: BTreeMap<String, Vec<&RemoteChange>> = BTreeMap::new();
        for change in changes {
            by_shard.entry(shard_of(&change.path, self.shards)).or_default().push(change);
        }
        let mut overtaken = false;
        for (shard, changes) in by_shard {
            let (tag, head) = heads.get(&shard).cloned().map(|held| (held.tag, held.head)).unzip();
            let generation = head.as_ref().map_or(0, |head| head.generation);
            let root = head.map(|head| head.root);
            let mut items = Vec::with_capacity(changes.len());
            for change in changes {
                items.extend(self.item(generation, root.as_deref(), change)?);
            }
            if items.is_empty() {
                continue;
            }
            let root = self.update(generation, root.as_deref(), node::first_depth(self.shards), items)?;
            match (Head { root, generation }).put(&self.objects, &shard, tag.as_deref())? {
                Some(held) => {
                    heads.insert(shard, held);
                }
                None => overtaken = true,
            }
        }
        Ok(if overtaken { Published::Overtaken } else { Published::As(layout::mark(&heads)) })
    }

    fn id_of(&self, content: &[u8]) -> String {
        name_of(content)
    }
}
