//! The tree of hashes below a head: read, compared with another, and made again with some items changed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::node::{self, Item, Node};
use super::objects::Objects;
use super::{BadObject, Bucket};
use crate::transport::TransportError;
use memdir_core::limits;

impl<O: Objects> Bucket<O> {
    pub(super) fn node(&self, id: &str) -> Result<Node, TransportError> {
        let known = self.cache.as_ref().and_then(|cache| cache.get(id));
        let bytes = if let Some(bytes) = known {
            bytes
        } else {
            let bytes = match self.fetch(id, limits::TEAM_NODE_BYTES)? {
                Ok(bytes) => bytes,
                Err(why @ BadObject::Missing) => {
                    return Err(TransportError::Unreachable {
                        place: self.objects.place(),
                        why: format!("{id} {why}"),
                    });
                }
                Err(why) => return Err(self.objects.malformed(&format!("{id} {why}"))),
            };
            if let Some(cache) = &self.cache {
                cache.put(id, &bytes);
            }
            bytes
        };
        serde_json::from_slice(&bytes)
            .map_err(|error| self.objects.malformed(&format!("a node is not readable ({error})")))
    }

    pub(super) fn put_node(&self, generation: u32, node: &Node) -> Result<String, TransportError> {
        let bytes = serde_json::to_vec(node).unwrap_or_default();
        let id = self.put(generation, &bytes)?;
        if let Some(cache) = &self.cache {
            cache.put(&id, &bytes);
        }
        Ok(id)
    }

    /// A node at a depth. Others wrote it: a chain of nodes could be as long as they like, and whoever follows it would not return.
    fn node_at(&self, id: &str, depth: usize) -> Result<Node, TransportError> {
        if depth > node::DEPTH {
            return Err(self.objects.malformed("the tree is too deep"));
        }
        self.node(id)
    }

    /// All items below a node that was not `seen` yet. No tree of ours has the same items in two places; in somebody else's, sixteen
    /// ways to one node, and sixteen from there to the next, would be more than anybody can walk.
    pub(super) fn items(
        &self,
        id: &str,
        depth: usize,
        seen: &mut HashSet<String>,
        out: &mut Vec<Item>,
    ) -> Result<(), TransportError> {
        if !seen.insert(id.to_owned()) {
            return Ok(());
        }
        match self.node_at(id, depth)? {
            Node::Leaf(items) => out.extend(items),
            Node::Inner(children) => {
                for child in children.values() {
                    self.items(child, depth + 1, seen, out)?;
                }
            }
        }
        Ok(())
    }

    /// Items that are in the new tree and not in the old one.
    pub(super) fn differing(
        &self,
        old: Option<&str>,
        new: &str,
        depth: usize,
        seen: &mut HashSet<String>,
        out: &mut Vec<Item>,
    ) -> Result<(), TransportError> {
        if old == Some(new) || seen.contains(new) {
            return Ok(());
        }
        let (before, now) = (old.map(|old| self.node(old)).transpose(), self.node_at(new, depth)?);
        // What is gone from the store cannot be compared with: then everything counts.
        if let (Ok(Some(Node::Inner(before))), Node::Inner(children)) = (&before, &now) {
            seen.insert(new.to_owned());
            for (nibble, child) in children {
                self.differing(before.get(nibble).map(String::as_str), child, depth + 1, seen, out)?;
            }
            return Ok(());
        }
        let mut known = Vec::new();
        match before {
            Ok(Some(Node::Leaf(items))) => known = items,
            Ok(Some(Node::Inner(_))) => {
                self.items(old.unwrap_or_default(), depth, &mut HashSet::new(), &mut known)?;
            }
            Ok(None) | Err(_) => {}
        }
        let known: HashMap<&str, &Item> = known.iter().map(|item| (item.path.as_str(), item)).collect();
        let mut items = Vec::new();
        self.items(new, depth, seen, &mut items)?;
        out.extend(items.into_iter().filter(|item| known.get(item.path.as_str()) != Some(&item)));
        Ok(())
    }

    /// Makes a tree with these items in place of those of the same path. Gives its root.
    pub(super) fn update(
        &self,
        generation: u32,
        old: Option<&str>,
        depth: usize,
        changed: Vec<Item>,
    ) -> Result<String, TransportError> {
        let node = old.map(|old| self.node_at(old, depth)).transpose()?;
        if let Some(Node::Inner(mut children)) = node {
            for (nibble, items) in node::by_nibble(changed, depth) {
                let child = self.update(generation, children.get(&nibble).map(String::as_str), depth + 1, items)?;
                children.insert(nibble, child);
            }
            return self.put_node(generation, &Node::Inner(children));
        }
        let mut items = match node {
            Some(Node::Leaf(items)) => items,
            _ => Vec::new(),
        };
        items.retain(|item| changed.iter().all(|new| new.path != item.path));
        items.extend(changed);
        items.sort_by(|one, other| one.path.cmp(&other.path));
        if items.len() <= limits::TEAM_LEAF_ITEMS || depth >= node::DEPTH {
            return self.put_node(generation, &Node::Leaf(items));
        }
        let mut children = BTreeMap::new();
        for (nibble, items) in node::by_nibble(items, depth) {
            children.insert(nibble, self.update(generation, None, depth + 1, items)?);
        }
        self.put_node(generation, &Node::Inner(children))
    }

    /// One item of the tree as it is, for a path.
    pub(super) fn find(&self, root: Option<&str>, path: &str) -> Result<Option<Item>, TransportError> {
        let mut at = root.map(str::to_owned);
        let mut depth = node::first_depth(self.shards);
        while let Some(id) = at {
            match self.node_at(&id, depth)? {
                Node::Leaf(items) => return Ok(items.into_iter().find(|item| item.path == path)),
                Node::Inner(children) => {
                    at = children.get(&node::nibble(path, depth)).cloned();
                    depth += 1;
                }
            }
        }
        Ok(None)
    }
}
