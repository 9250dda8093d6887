//! The nodes of the tree: sixteen ways a level, by the hash of the path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The deepest a tree may be; a path's hash has no more digits worth looking at.
pub(super) const DEPTH: usize = 24;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Node {
    /// Items, in the order of their paths.
    Leaf(Vec<Item>),
    /// The nodes below, by the next digit of the hash.
    Inner(BTreeMap<String, String>),
}

/// One path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item {
    pub(super) path: String,
    pub(super) kind: NodeKind,
    /// The hash of the content, or of the last one.
    pub(super) id: String,
    /// How large it is.
    #[serde(default)]
    pub(super) bytes: u64,
    /// The object that holds it: another hash when it is encrypted.
    #[serde(default)]
    pub(super) lies: String,
    #[serde(default)]
    pub(super) author: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sig: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NodeKind {
    File,
    Gone,
}

impl Item {
    /// What its author signs: that they put this content at this path.
    pub(super) fn message(&self) -> Vec<u8> {
        let kind = if self.kind == NodeKind::File { "file" } else { "gone" };
        let mut message = Vec::new();
        for part in ["memdir team entry 1", kind, &self.path, &self.id, &self.author] {
            message.extend_from_slice(&(part.len() as u64).to_le_bytes());
            message.extend_from_slice(part.as_bytes());
        }
        message
    }
}

/// The digit of a path's hash that chooses among the nodes below.
pub(super) fn nibble(path: &str, depth: usize) -> String {
    let hash = blake3::hash(path.as_bytes()).to_hex();
    hash.as_str().get(depth..=depth).unwrap_or("0").to_owned()
}

/// How many digits the shards have used already.
pub(super) fn first_depth(shards: u32) -> usize {
    match shards {
        256 => 2,
        16 => 1,
        _ => 0,
    }
}

/// The shard a path belongs to.
pub(super) fn shard_of(path: &str, shards: u32) -> String {
    let digits = first_depth(shards);
    if digits == 0 {
        return "0".to_owned();
    }
    blake3::hash(path.as_bytes()).to_hex().as_str()[..digits].to_owned()
}

/// The names of all shards.
pub(super) fn shards(count: u32) -> Vec<String> {
    let digits = first_depth(count);
    if digits == 0 { vec!["0".to_owned()] } else { (0..count).map(|at| format!("{at:0digits$x}")).collect() }
}

/// Items by the digit at a depth.
pub(super) fn by_nibble(items: Vec<Item>, depth: usize) -> BTreeMap<String, Vec<Item>> {
    let mut groups: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for item in items {
        groups.entry(nibble(&item.path, depth)).or_default().push(item);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_belongs_to_one_of_the_shards() {
        for count in [1, 16, 256] {
            let all = shards(count);
            assert_eq!(all.len(), count as usize);
            assert!((0..100).all(|at| all.contains(&shard_of(&format!("memory_{at}.md"), count))));
        }
    }
}
