//! Lines that were meant as pointers and missed.
//!
//! Enters: a line that is no pointer, and the files that exist. Leaves: which file it means, and
//! the title and hook in it. Never takes a line that merely mentions a file: that one is the
//! user's.

use std::collections::HashSet;

use super::line;

/// A line that was meant as a pointer.
pub(super) struct Meant<'a> {
    pub(super) target: String,
    /// The title, if the line has one.
    pub(super) title: Option<&'a str>,
    pub(super) hook: &'a str,
}

/// Reads a line that looks like a pointer but is none: a link without its bullet or with a number
/// instead, with a space before its parenthesis or without its end, or a bare file name first in
/// a list item.
pub(super) fn meant<'a>(text: &'a str, present: &HashSet<&str>) -> Option<Meant<'a>> {
    let bare = text.trim();
    let marked = line::after_bullet(text).or_else(|| after_number(bare));
    let rest = marked.unwrap_or(bare);
    let rest = ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| rest.strip_prefix(tick)).unwrap_or(rest);
    if let Some((title, behind)) = line::bracketed(rest)
        && let Some(link) = behind.trim_start().strip_prefix('(')
    {
        let end = link.find([')', ' ', '\t']).unwrap_or(link.len());
        let target = line::topic_file(&link[..end])?;
        let hook = line::hook(link[end..].trim_start_matches([')', ' ', '\t']));
        return present.contains(&*target).then(|| Meant { target: target.into_owned(), title: Some(title), hook });
    }
    marked?;
    let end = rest.find([' ', '\t']).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches([':', ',', ';']);
    let word = word.trim_matches(['`', '*', '[', ']', '(', ')', '<', '>', '"', '\'']);
    // `[[name]]` links leave the ending out.
    let target =
        [word.to_owned(), format!("{word}.md")].into_iter().find(|target| present.contains(target.as_str()))?;
    Some(Meant { target, title: None, hook: line::hook(&rest[end..]) })
}

/// What follows `12.` or `3)` and its space.
fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < text.len())?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}
