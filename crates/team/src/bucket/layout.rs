//! What is beside the objects of a bucket: how it is laid out, and its heads.
//!
//! A head names the root of its tree and the *generation* in which new objects are written. A generation ends when somebody tidies up, see
//! [`super::tidy`]; it is part of the name of an object, so that nothing of an ended one is ever written again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::objects::{Object, Objects};
use crate::transport::{SharedRevision, TransportError};
use memdir_core::limits;

/// The key of the object that says how the rest is laid out.
const LAYOUT: &str = "memdir.json";

/// How a bucket is laid out; written once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BucketLayout {
    /// 1.
    pub format: u32,
    /// Into how many heads it is divided: 1, 16 or 256.
    pub shards: u32,
    /// Whether contents are encrypted with a team key.
    #[serde(default)]
    pub sealed: bool,
}

impl BucketLayout {
    /// Reads the layout that is there, or puts this one there.
    pub fn settle(self, objects: &dyn Objects) -> Result<BucketLayout, TransportError> {
        for _ in 0..2 {
            if let Some(found) = objects.get(LAYOUT, limits::TEAM_NODE_BYTES)? {
                let layout: BucketLayout = serde_json::from_slice(&found.bytes)
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

/// One head as it lies in the bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) root: String,
    #[serde(default)]
    pub(super) generation: u32,
}

impl Head {
    /// Reads the head of a shard.
    pub(super) fn read(objects: &dyn Objects, shard: &str, object: Object) -> Result<HeadObject, TransportError> {
        let head = serde_json::from_slice(&object.bytes)
            .map_err(|error| objects.malformed(&format!("the head {shard} is not readable ({error})")))?;
        Ok(HeadObject { tag: object.tag, head })
    }

    /// Puts it in the place of the version with this tag; nothing when somebody was faster.
    pub(super) fn put(
        self,
        objects: &dyn Objects,
        shard: &str,
        tag: Option<&str>,
    ) -> Result<Option<HeadObject>, TransportError> {
        let bytes = serde_json::to_vec(&self).unwrap_or_default();
        let tag = objects.put_if(&key(shard), &bytes, tag)?;
        Ok(tag.map(|tag| HeadObject { tag, head: self }))
    }
}

/// A head and the tag of its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HeadObject {
    pub(super) tag: String,
    pub(super) head: Head,
}

/// The heads of a bucket, by shard.
pub(super) type Heads = BTreeMap<String, HeadObject>;

/// The key of a head.
pub(super) fn key(shard: &str) -> String {
    format!("heads/{shard}")
}

/// The heads that a mark stands for; nothing when it was not made here.
pub(super) fn heads(mark: &SharedRevision) -> Option<Heads> {
    if mark.0.is_empty() { Some(Heads::new()) } else { serde_json::from_str(&mark.0).ok() }
}

/// The mark that stands for heads.
pub(super) fn mark(heads: &Heads) -> SharedRevision {
    if heads.is_empty() {
        SharedRevision::default()
    } else {
        SharedRevision(serde_json::to_string(heads).unwrap_or_default())
    }
}
