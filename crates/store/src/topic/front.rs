//! Where frontmatter starts and ends, and what is in it.
//!
//! Enters: a whole file, or its first lines. Leaves: spans. Never guesses twice: the same bytes
//! always give the same answer, closed or not.

use std::borrow::Cow;
use std::ops::Range;

use super::entry::{KeyEntry, Mapping, ValueStyle, mapping};
use super::line::{LineSpan, is_word};
use super::{flow, value};
use memdir_core::kind::Type;

pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The frontmatter of a file.
#[derive(Clone, Debug)]
pub(super) struct Front {
    /// Between the fences.
    pub(super) inside: Range<usize>,
    pub(super) closed: bool,
    /// After the closing fence, or where frontmatter without one ends.
    pub(super) end: usize,
    pub(super) top: Mapping,
    /// The place in `top` of the `metadata` that is read, whatever its value.
    pub(super) metadata: Option<usize>,
    /// The entries of that `metadata`; none if it is not a mapping.
    pub(super) inner: Vec<KeyEntry>,
}

impl Front {
    /// Finds frontmatter at the start of a file; blank lines and a BOM may come before it.
    pub(super) fn read(bytes: &[u8]) -> Option<Front> {
        let (inside, closed, end) = fences(bytes)?;
        let region = &bytes[..inside.end];
        let top = mapping(region, inside.start);
        // Two rules with text between them are a rule and a rule, not frontmatter.
        if top.entries.is_empty() && !(closed && top.strays.is_empty()) {
            return None;
        }
        let mut front = Front { inside, closed, end, top, metadata: None, inner: Vec::new() };
        front.metadata = position(bytes, &front.top.entries, "metadata");
        if let Some(at) = front.metadata {
            let entry = &front.top.entries[at];
            front.inner = match entry.style {
                ValueStyle::Nested => mapping(&bytes[..entry.tail.end], entry.tail.start).entries,
                ValueStyle::Flow => flow::entries(bytes, entry.value.clone()),
                _ => Vec::new(),
            };
        }
        Some(front)
    }

    /// The entry that is read for a key: `x`, or `metadata.x`. What has the dot in its own name is
    /// read where `metadata` has no such key.
    pub(super) fn find(&self, bytes: &[u8], key: &str) -> Option<&KeyEntry> {
        self.rooms(key).find_map(|(entries, key)| position(bytes, entries, key).map(|at| &entries[at]))
    }

    /// Every entry of that key, in any spelling under which it could be read.
    pub(super) fn all(&self, bytes: &[u8], key: &str) -> impl Iterator<Item = &KeyEntry> {
        self.rooms(key).flat_map(move |(entries, key)| {
            let any_case = is_word(key.as_bytes());
            entries.iter().filter(move |entry| value::has_key(bytes, entry, key, any_case))
        })
    }

    /// Where a key may stand, and under which name.
    fn rooms<'k>(&self, key: &'k str) -> impl Iterator<Item = (&[KeyEntry], &'k str)> {
        let inner = key.strip_prefix("metadata.").map(|inner| (&self.inner[..], inner));
        inner.into_iter().chain(std::iter::once((&self.top.entries[..], key)))
    }

    pub(super) fn text<'a>(&self, bytes: &'a [u8], key: &str) -> Option<Cow<'a, str>> {
        self.find(bytes, key).map(|entry| value::text(bytes, entry))
    }

    /// A non-empty value on one line.
    pub(super) fn line<'a>(&self, bytes: &'a [u8], key: &str) -> Option<Cow<'a, str>> {
        let text = match self.text(bytes, key)? {
            Cow::Borrowed(text) => trimmed(text),
            Cow::Owned(text) => Cow::Owned(trimmed(&text).into_owned()),
        };
        (!text.is_empty()).then_some(text)
    }

    /// The type: the nested one, else the flat one, whichever is known.
    pub(super) fn kind(&self, bytes: &[u8]) -> Option<Type> {
        self.kinds(bytes).find_map(|word| Type::parse(&word))
    }

    /// The words that stand where a type is read.
    pub(super) fn kinds<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = String> {
        ["metadata.type", "type"].into_iter().filter_map(move |key| {
            let entry = self.find(bytes, key)?;
            // A list of one is that one; of several, no single type is meant.
            let mut items = value::items(bytes, entry);
            let word = if items.len() == 1 { items.pop()? } else { value::text(bytes, entry) };
            let word = before_comment(&word).to_owned();
            (!word.is_empty()).then_some(word)
        })
    }

    /// Whether automation must keep its hands off: `pinned: true` at the top, or where a host that
    /// tidies frontmatter moved it, under `metadata`.
    pub(super) fn pinned(&self, bytes: &[u8]) -> bool {
        ["pinned", "metadata.pinned"]
            .into_iter()
            .find_map(|key| self.text(bytes, key))
            .is_some_and(|word| is_true(&word))
    }
}

pub(super) fn is_true(word: &str) -> bool {
    let word = before_comment(word);
    ["true", "yes", "on", "1"].iter().any(|yes| word.eq_ignore_ascii_case(yes))
}

/// A single word, without the `#remark` that only a text value may keep.
fn before_comment(word: &str) -> &str {
    word.split(" #").next().unwrap_or_default().trim()
}

fn trimmed(text: &str) -> Cow<'_, str> {
    super::scalar::one_line(text.trim())
}

/// The last entry with that key, as tolerant YAML readers do; one of our own words also matches
/// in another case, if nothing matches exactly.
fn position(bytes: &[u8], entries: &[KeyEntry], key: &str) -> Option<usize> {
    let find = |any_case| entries.iter().rposition(|entry| value::has_key(bytes, entry, key, any_case));
    find(false).or_else(|| if is_word(key.as_bytes()) { find(true) } else { None })
}

/// A list below an empty key may be at the indentation of the key itself.
#[derive(Clone, Copy, Default)]
struct YamlList {
    indent: Option<usize>,
    begun: bool,
}

/// The span between the fences, whether it is closed, and where the body may start.
fn fences(bytes: &[u8]) -> Option<(Range<usize>, bool, usize)> {
    let mut at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let open = loop {
        let line = LineSpan::at(bytes, at)?;
        if !line.is_blank(bytes) {
            break line;
        }
        at = line.next;
    };
    if !open.is_fence(bytes, &[b"---"]) {
        return None;
    }
    // Without a closing fence, frontmatter ends at the first blank line or the first line that is
    // no part of it. A fence further down closes it, unless prose came after a blank line and no
    // key of ours since: then it is a rule in the body of a file that was never closed.
    let start = open.next;
    let mut soft_end = None;
    let mut in_prose = false;
    let mut after_blank = false;
    let mut list = YamlList::default();
    let mut base = usize::MAX;
    at = start;
    while let Some(line) = LineSpan::at(bytes, at) {
        at = line.next;
        if line.is_fence(bytes, &[b"---", b"..."]) {
            if in_prose {
                break;
            }
            return Some((start..line.start, true, line.next));
        }
        if line.is_blank(bytes) {
            soft_end.get_or_insert(line.start);
            after_blank = true;
            continue;
        }
        if !line.is_comment(bytes) {
            let indent = line.indent(bytes);
            match line.key(bytes) {
                Some(key) => {
                    base = base.min(indent);
                    in_prose &= !key.is_word(bytes);
                    let empty = bytes[key.colon + 1..line.end].trim_ascii().is_empty();
                    list = YamlList { indent: empty.then_some(indent), begun: false };
                }
                None if list.indent == Some(indent) && !after_blank && line.is_item(bytes) => {
                    list.begun = true;
                }
                None if indent > base => {
                    // Text below a key is its value, so no list is.
                    list.indent = list.indent.filter(|_| list.begun);
                }
                None => {
                    soft_end.get_or_insert(line.start);
                    in_prose |= after_blank;
                    list = YamlList::default();
                }
            }
        }
        after_blank = false;
    }
    let end = soft_end.unwrap_or(bytes.len());
    Some((start..end, false, end))
}
