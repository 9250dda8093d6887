//! The few facts a scan needs of a topic file, from its first lines alone (R1).
//!
//! Enters: the start of a file. Leaves: name, description, type, pin, time of change and session. Never
//! looks further than the limits say, however long the file or its lines are.

use memchr::memchr_iter;

use super::front::Front;
use memdir_core::kind::Type;
use memdir_core::limits;

/// What a scan knows of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The title.
    pub name: Option<String>,
    /// What recall goes by.
    pub description: Option<String>,
    /// The type, if it is one of the four.
    pub kind: Option<Type>,
    /// Whether automation must leave it alone.
    pub pinned: bool,
    /// `metadata.modified`, as it is written.
    pub modified: Option<String>,
    /// `metadata.originSessionId`: the conversation it came from.
    pub session: Option<String>,
}

impl Header {
    /// Reads the header from the start of a file; more than the limits allow is not looked at.
    pub fn read(head: &[u8]) -> Header {
        let head = cut(head);
        let Some(front) = Front::read(head) else {
            return Header::default();
        };
        let text = |key| front.line(head, key).map(std::borrow::Cow::into_owned);
        Header {
            name: text("name"),
            description: text("description"),
            kind: front.kind(head),
            pinned: front.pinned(head),
            modified: text("metadata.modified").or_else(|| text("modified")),
            session: text("metadata.originSessionId").or_else(|| text("originSessionId")),
        }
    }
}

fn cut(head: &[u8]) -> &[u8] {
    let mut end = head.len().min(limits::HEADER_BYTES);
    // Not inside a character: at most three bytes of one can come before the cut.
    while end < head.len() && end > 0 && head[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    let head = &head[..end];
    match memchr_iter(b'\n', head).nth(limits::FRONTMATTER_LINES - 1) {
        Some(last) => &head[..=last],
        None => head,
    }
}
