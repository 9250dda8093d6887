//! Changing one value in place (F1, F5).
//!
//! Enters: a key and what it should say. Leaves: the same file with those bytes replaced, and
//! nothing else: comments, order, indentation and line endings stay. Never changes a value that
//! already says the same.
//!
//! Every edit is tried on a copy and read back. It counts only if the key says what it should and
//! every other key and the body say what they said before: in broken frontmatter a line more or
//! less can turn text into keys and keys into text. If no way of writing it passes, the file stays
//! as it is and the caller is told ([`BrokenFrontmatter`]).

use std::borrow::Cow;
use std::ops::Range;

use super::entry::ValueStyle;
use super::front::is_true;
use super::patch::{SpanEdit, add, in_braces, is_flow, line_ending, only_commas, replace, with_comma};
use super::scalar::{self, ScalarPlace};
use super::{Topic, TopicShape, value};
use memdir_core::kind::Type;

/// Why a key was not changed: whatever is written, something else in the file would read differently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its frontmatter is too broken to change `{0}` and nothing else; mend it by hand first")]
pub struct BrokenFrontmatter(pub String);

impl Topic {
    /// Gives a key a value: `name`, or `metadata.name` for one below `metadata`.
    ///
    /// A missing key goes behind the last of `name`, `description` and `type`; a file without
    /// frontmatter gets some. Line breaks in a name or description become spaces.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), BrokenFrontmatter> {
        let text = if is_one_line(key) { scalar::one_line(value) } else { value.into() };
        if self.get(key).is_some_and(|now| now == text) && !self.is_collection(key) {
            return Ok(());
        }
        let place = if self.is_below_braces(key) { ScalarPlace::Flow } else { ScalarPlace::Block };
        // A broken line below can run into a bare value and become part of it; into a quoted one
        // it cannot.
        let shown = [scalar::write(&text, place), Cow::Owned(scalar::quote(&text))];
        self.write(key, &shown, |topic| topic.get(key).is_some_and(|now| now == text))
    }

    /// Sets the type where this file keeps it: `metadata.type` or `type`. A file with both gets
    /// both, so that no two readers disagree.
    pub fn set_kind(&mut self, kind: Type) -> Result<(), BrokenFrontmatter> {
        let keys = ["metadata.type", "type"];
        let mut made = self.clone();
        let mut set = |key: &str| made.set(key, kind.as_str());
        match keys.map(|key| self.get(key).is_some()) {
            [false, false] if self.shape() == TopicShape::Nested => set(keys[0]).or_else(|_| set(keys[1]))?,
            [false, false] => set(keys[1])?,
            standing => {
                for (_, key) in standing.iter().zip(keys).filter(|(stands, _)| **stands) {
                    set(key)?;
                }
            }
        }
        if made.kind() != Some(kind) {
            return Err(BrokenFrontmatter("type".to_owned()));
        }
        *self = made;
        Ok(())
    }

    /// Protects the memory from automation, or lets go: `pinned: true`, or no such key. A file that
    /// says so already, in whatever words, stays as it is.
    pub fn set_pinned(&mut self, pinned: bool) -> Result<(), BrokenFrontmatter> {
        // Bare: this one value is meant as a boolean, so it has quotes only where it needs them.
        if pinned && !self.pinned() {
            let nested = self.get("pinned").is_none() && self.get("metadata.pinned").is_some();
            let key = if nested { "metadata.pinned" } else { "pinned" };
            return self.write(key, &["true", "\"true\""], Topic::pinned);
        }
        if !pinned && self.pinned() {
            let mut made = self.clone();
            for key in ["pinned", "metadata.pinned"] {
                made.remove(key)
                    .or_else(|_| made.write(key, &["false", "\"false\""], |topic| !says_yes(topic, key)))?;
            }
            if made.pinned() {
                return Err(BrokenFrontmatter("pinned".to_owned()));
            }
            *self = made;
        }
        Ok(())
    }

    /// Removes every occurrence of a key with its value.
    pub fn remove(&mut self, key: &str) -> Result<(), BrokenFrontmatter> {
        let spans = self.spans(key);
        if spans.is_empty() {
            return Ok(());
        }
        // A broken line below would join the value above; an empty comment keeps them apart.
        let comment = format!("#{}", line_ending(&self.bytes));
        let edits = ["", &*comment].map(|left| spans.iter().map(|span| (span.clone(), left.to_owned())).collect());
        self.settle(key, edits, |topic| topic.get(key).is_none())
    }

    /// Writes a value in the first of these forms that passes.
    fn write<S: AsRef<str>>(
        &mut self,
        key: &str,
        shown: &[S],
        wanted: impl Fn(&Topic) -> bool,
    ) -> Result<(), BrokenFrontmatter> {
        let front = self.front.as_ref();
        let entry = front.and_then(|front| front.find(&self.bytes, key));
        let edits: Vec<Vec<SpanEdit>> = shown
            .iter()
            .map(|shown| match entry {
                Some(entry) => replace(&self.bytes, entry, shown.as_ref()),
                None => add(&self.bytes, front, key, shown.as_ref()),
            })
            .collect();
        self.settle(key, edits, wanted)
    }

    /// Takes the first edit after which the key is as wanted and all else is as it was. Frontmatter
    /// that nobody closed is closed if nothing else helps.
    fn settle(
        &mut self,
        key: &str,
        edits: impl IntoIterator<Item = Vec<SpanEdit>> + Clone,
        wanted: impl Fn(&Topic) -> bool,
    ) -> Result<(), BrokenFrontmatter> {
        let fence = self.closing_fence().into_iter().flat_map(|fence| {
            edits.clone().into_iter().map(move |mut edit| {
                edit.push(fence.clone());
                edit
            })
        });
        let others = self.others(key);
        let fits = |made: &Topic| wanted(made) && made.others(key) == others && made.body_bytes() == self.body_bytes();
        let made = edits.clone().into_iter().chain(fence).map(|edit| self.spliced(edit)).find(fits);
        *self = made.ok_or_else(|| BrokenFrontmatter(key.to_owned()))?;
        Ok(())
    }

    /// The fence that is missing.
    fn closing_fence(&self) -> Option<SpanEdit> {
        let front = self.front.as_ref().filter(|front| !front.closed)?;
        let ending = line_ending(&self.bytes);
        Some((front.end..front.end, format!("{}---{ending}", self.open_line(front.end, ending))))
    }

    /// What to take out for a key to be gone.
    fn spans(&self, key: &str) -> Vec<Range<usize>> {
        let Some(front) = &self.front else {
            return Vec::new();
        };
        // Items side by side in braces go as one, so that they share their outer commas.
        let mut items: Vec<(Range<usize>, bool)> = Vec::new();
        for entry in front.all(&self.bytes, key) {
            let braced = in_braces(front, entry);
            match items.last_mut() {
                Some((last, true)) if braced && only_commas(&self.bytes[last.end..entry.span.start]) => {
                    last.end = entry.span.end;
                }
                _ => items.push((entry.span.clone(), braced)),
            }
        }
        let spans = items.into_iter().map(|(item, braced)| if braced { with_comma(&self.bytes, item) } else { item });
        let mut spans: Vec<_> = spans.collect();
        spans.sort_by_key(|span| span.start);
        spans
    }

    /// What stands under all other keys; of `metadata`, what is in it.
    fn others(&self, key: &str) -> Vec<(bool, Cow<'_, str>, Cow<'_, str>)> {
        let Some(front) = &self.front else {
            return Vec::new();
        };
        let own: Vec<usize> = front.all(&self.bytes, key).map(|entry| entry.span.start).collect();
        let top = front.top.entries.iter().filter(|entry| !value::has_key(&self.bytes, entry, "metadata", true));
        top.map(|entry| (false, entry))
            .chain(front.inner.iter().map(|entry| (true, entry)))
            .filter(|(_, entry)| !own.contains(&entry.span.start))
            .map(|(inner, entry)| (inner, value::key(&self.bytes, entry), value::text(&self.bytes, entry)))
            .collect()
    }

    fn is_collection(&self, key: &str) -> bool {
        let entry = self.front.as_ref().and_then(|front| front.find(&self.bytes, key));
        entry.is_some_and(|entry| matches!(entry.style, ValueStyle::Flow | ValueStyle::Nested))
    }

    /// Whether the value stands, or would stand, in the braces of `metadata`.
    fn is_below_braces(&self, key: &str) -> bool {
        let Some(front) = &self.front else { return false };
        match front.find(&self.bytes, key) {
            Some(entry) => in_braces(front, entry),
            None => key.starts_with("metadata.") && is_flow(front),
        }
    }

    /// The file with each span replaced by its text; the spans are in order.
    pub(super) fn spliced(&self, edits: Vec<SpanEdit>) -> Topic {
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

/// Whether the value under that very key is a yes.
fn says_yes(topic: &Topic, key: &str) -> bool {
    topic.get(key).is_some_and(|word| is_true(&word))
}
