//! Three versions of a file in, one out.
//!
//! Enters: the last common version, if it is known, and the two that came of it. Leaves: one text that holds what
//! both sides meant. Frontmatter is merged key by key (`front`), the body paragraph by paragraph (`body`),
//! an index pointer by pointer (`pointers`). What both sides changed differently stays twice, marked, until
//! a dream or a person decides. Pure: the same three give the same one, and it does not matter who is "ours".
//!
//! Without a common version everything either side has is kept once.

mod body;
mod front;
mod pointers;
mod sequence;

#[cfg(test)]
mod tests;

pub use pointers::{PresentTargets, merge_index};

use sequence::digest;

/// Opens two versions of one paragraph.
pub const EITHER: &str = "<!-- memdir: two versions; keep one -->";
/// Stands between them.
pub const OR: &str = "<!-- memdir: or -->";
/// Ends them.
pub const END: &str = "<!-- memdir: end of versions -->";
/// Begins the key of a second version of a frontmatter value.
pub const OTHER: &str = "other-";

/// Merges two versions of a topic file.
pub fn merge(base: Option<&str>, ours: &str, theirs: &str) -> String {
    if ours == theirs || base == Some(theirs) {
        return ours.to_owned();
    }
    if base == Some(ours) {
        return theirs.to_owned();
    }
    // Whoever merges first, the result is the same.
    let (one, other) = if digest(ours) <= digest(theirs) { (ours, theirs) } else { (theirs, ours) };
    let (one, other) = (Parts::of(one), Parts::of(other));
    let base = base.map(Parts::of);
    let front = front::merge(
        base.as_ref().and_then(|base| base.front.as_deref()),
        one.front.as_deref(),
        other.front.as_deref(),
    );
    let body = body::merge(base.as_ref().map(|base| base.body.as_str()), &one.body, &other.body);
    match front {
        Some(front) if body.is_empty() => format!("---\n{front}---\n"),
        Some(front) => format!("---\n{front}---\n\n{body}"),
        None => body,
    }
}

/// Whether a text holds two versions of something.
pub fn has_conflict(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == EITHER)
        || Parts::of(text).front.is_some_and(|front| front.lines().any(|line| line.trim_start().starts_with(OTHER)))
}

/// A file in its two parts, with plain line ends.
struct Parts {
    /// What is between the fences.
    front: Option<String>,
    body: String,
}

impl Parts {
    fn of(text: &str) -> Parts {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let fenced = text.strip_prefix("---\n").and_then(|rest| {
            let mut at = 0;
            for line in rest.split_inclusive('\n') {
                if matches!(line.trim_end(), "---" | "...") {
                    return Some((rest[..at].to_owned(), rest[at + line.len()..].to_owned()));
                }
                at += line.len();
            }
            None
        });
        match fenced {
            Some((front, body)) => Parts { front: Some(front), body },
            None => Parts { front: None, body: text },
        }
    }
}
