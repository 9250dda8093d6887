//! Changing one value in place (F1, F5).
//!
//! Enters: a key and what it should say. Leaves: the same file with those bytes replaced, and
//! nothing else: comments, order, indentation and line endings stay. Never changes a value that
//! already says the same.

use std::borrow::Cow;
use std::ops::Range;

use super::entry::Style;
use super::patch::{Edit, add, is_flow, line_ending, only_commas, replace, with_comma};
use super::scalar::{self, Place};
use super::{Shape, Topic, value};
use crate::kind::Type;

impl Topic {
    /// Gives a key a value: `name`, or `metadata.name` for one below `metadata`.
    ///
    /// A missing key goes behind the last of `name`, `description` and `type`; a file without
    /// frontmatter gets some. Line breaks in a name or description become spaces.
    pub fn set(&mut self, key: &str, value: &str) {
        let text = if is_one_line(key) { scalar::one_line(value) } else { value.into() };
        if self.get(key).is_some_and(|now| now == text) && !self.is_collection(key) {
            return;
        }
        let place = match &self.front {
            Some(front) if key.starts_with("metadata.") && is_flow(front) => Place::Flow,
            _ => Place::Block,
        };
        let bare = self.written(key, &scalar::write(&text, place));
        // A broken line below can run into a bare value and become part of it; into a quoted one
        // it cannot.
        *self =
            if bare.get(key).is_some_and(|now| now == text) { bare } else { self.written(key, &scalar::quote(&text)) };
    }

    /// Sets the type where this file keeps it: `metadata.type` or `type`. A file with both gets
    /// both, so that no two readers disagree.
    pub fn set_kind(&mut self, kind: Type) {
        let keys = ["metadata.type", "type"];
        let standing = keys.map(|key| self.get(key).is_some());
        let missing = usize::from(self.shape() != Shape::Nested);
        for (at, key) in keys.into_iter().enumerate() {
            if standing[at] || standing == [false; 2] && at == missing {
                self.set(key, kind.as_str());
            }
        }
    }

    /// Protects the memory from automation, or lets go: `pinned: true`, or no such key.
    pub fn set_pinned(&mut self, pinned: bool) {
        if !pinned {
            self.remove("pinned");
            self.remove("metadata.pinned");
        } else if !self.pinned() {
            let nested = self.get("pinned").is_none() && self.get("metadata.pinned").is_some();
            let key = if nested { "metadata.pinned" } else { "pinned" };
            // Not `set`: this one value is meant as a boolean, so it is bare where it can be.
            let bare = self.written(key, "true");
            *self = if bare.pinned() { bare } else { self.written(key, "\"true\"") };
        }
    }

    /// Removes every occurrence of a key with its value.
    pub fn remove(&mut self, key: &str) {
        // A removed line can uncover a broken one below it that now reads as the same key; a few
        // rounds are enough for accidents, and malice gets no more of them.
        for _ in 0..4 {
            let spans = self.spans(key);
            if spans.is_empty() {
                return;
            }
            let cut = |left: &str| self.spliced(spans.iter().map(|span| (span.clone(), left.to_owned())).collect());
            let clean = cut("");
            // A broken line below would join the value above; an empty comment keeps them apart.
            *self = if clean.others(key) == self.others(key) {
                clean
            } else {
                cut(&format!("#{}", line_ending(&self.bytes)))
            };
        }
    }

    /// What to take out for a key to be gone.
    fn spans(&self, key: &str) -> Vec<Range<usize>> {
        let Some(front) = &self.front else {
            return Vec::new();
        };
        let entries = front.all(&self.bytes, key).map(|entry| entry.span.clone());
        if !(key.starts_with("metadata.") && is_flow(front)) {
            return entries.collect();
        }
        // Items side by side go as one, so that they share their outer commas.
        let mut items: Vec<Range<usize>> = Vec::new();
        for item in entries {
            match items.last_mut() {
                Some(last) if only_commas(&self.bytes[last.end..item.start]) => last.end = item.end,
                _ => items.push(item),
            }
        }
        items.into_iter().map(|item| with_comma(&self.bytes, item)).collect()
    }

    /// The plain and quoted values under all other keys.
    fn others(&self, key: &str) -> Vec<Cow<'_, str>> {
        let Some(front) = &self.front else {
            return Vec::new();
        };
        let (inner, own) = match key.strip_prefix("metadata.") {
            Some(own) => (true, own),
            None => (false, key),
        };
        let rooms = [(false, &front.top.entries), (true, &front.inner)];
        rooms
            .iter()
            .flat_map(|(room, entries)| entries.iter().map(move |entry| (*room, entry)))
            .filter(|(_, entry)| entry.style != Style::Nested && entry.style != Style::Flow)
            .filter(|(room, entry)| *room != inner || !value::has_key(&self.bytes, entry, own, true))
            .map(|(_, entry)| value::text(&self.bytes, entry))
            .collect()
    }

    fn is_collection(&self, key: &str) -> bool {
        let entry = self.front.as_ref().and_then(|front| front.find(&self.bytes, key));
        entry.is_some_and(|entry| matches!(entry.style, Style::Flow | Style::Nested))
    }

    /// The file with `shown`, which is YAML already, behind the key.
    fn written(&self, key: &str, shown: &str) -> Topic {
        let bytes = &self.bytes;
        let front = self.front.as_ref();
        let edits = match front.and_then(|front| front.find(bytes, key)) {
            Some(entry) => replace(bytes, entry, shown),
            None => add(bytes, front, key, shown),
        };
        self.spliced(edits)
    }

    /// The file with each span replaced by its text; the spans are in order.
    pub(super) fn spliced(&self, edits: Vec<Edit>) -> Topic {
        let mut out = Vec::with_capacity(self.bytes.len() + 64);
        let mut at = 0;
        for (span, text) in edits {
            out.extend_from_slice(&self.bytes[at..span.start]);
            out.extend_from_slice(text.as_bytes());
            at = span.end;
        }
        out.extend_from_slice(&self.bytes[at..]);
        Topic::parse(out)
    }
}

fn is_one_line(key: &str) -> bool {
    ["name", "description"].iter().any(|word| key.eq_ignore_ascii_case(word))
}
