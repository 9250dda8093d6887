//! Finding memories by their words.
//!
//! A *segment* is one flat, immutable byte string: a sorted dictionary of terms, and for each the
//! memories that hold it with how often in which field. It is opened in place, without parsing: only
//! what a query touches is read, and checked when it is read. A store is a large segment and a few small
//! ones for what changed since, with a set of dead documents; [`merge`] makes one of many.
//!
//! Enters: the four fields of each memory; later the bytes, and a prompt. Leaves: the best documents,
//! and for any document which of the prompt's terms are in which of its fields. Never touches a file
//! and never trusts the bytes: a damaged segment gives [`BadSegment`], and the caller builds it again.

mod build;
mod lookup;
mod searcher;
mod segment;
mod typo;
mod wire;

pub use build::{DocFields, SegmentBuilder, merge};
pub use lookup::{FoundDoc, Lookup, TermCounts};
pub(crate) use searcher::ends;
pub use searcher::{DeletedDocs, Searcher, Term};
pub use segment::Segment;

/// Why bytes cannot be used as a segment. The remedy is always the same: build it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSegment {
    /// It does not begin as a segment does.
    #[error("not a search index; delete it and it is built again")]
    Foreign,
    /// Another version of memdir wrote it.
    #[error("search index of version {found}, this is {}; delete it and it is built again", segment::VERSION)]
    Version {
        /// The version in its header.
        found: u32,
    },
    /// It ends before it should.
    #[error("search index cut short; delete it and it is built again")]
    Truncated,
    /// A checksum does not fit, or a number points nowhere.
    #[error("search index damaged ({0}); delete it and it is built again")]
    Damaged(&'static str),
}

/// How often a term is in each field, in one byte: two bits a field, so that a posting stays small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(u8);

/// The fields of a memory, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The file name without its type prefix and extension.
    File,
    /// `name` in the frontmatter.
    Name,
    /// `description` in the frontmatter.
    Description,
    /// Everything below the frontmatter.
    Body,
}

impl Field {
    /// All four, in the order of their bits.
    pub const ALL: [Field; 4] = [Field::File, Field::Name, Field::Description, Field::Body];
}

impl Counts {
    /// Whether the term is in this field at all.
    pub fn has(self, field: Field) -> bool {
        self.level(field) > 0
    }

    /// Whether the term stands anywhere.
    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// The larger of both in each field.
    #[must_use]
    pub fn max(self, other: Counts) -> Counts {
        let mut out = 0;
        for shift in [0, 2, 4, 6] {
            out |= ((self.0 >> shift) & 3).max((other.0 >> shift) & 3) << shift;
        }
        Counts(out)
    }

    fn level(self, field: Field) -> u8 {
        (self.0 >> (2 * field as u8)) & 3
    }

    /// 0, 1, 2–3, 4 and more: beyond that BM25 hardly moves.
    fn from_counts(counts: [u8; 4]) -> Counts {
        let mut out = 0;
        for (index, count) in counts.into_iter().enumerate() {
            let level = match count {
                0 => 0,
                1 => 1,
                2 | 3 => 2,
                _ => 3,
            };
            out |= level << (2 * index);
        }
        Counts(out)
    }
}

#[cfg(test)]
mod tests;
