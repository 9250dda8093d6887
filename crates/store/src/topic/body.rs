//! The Markdown below the frontmatter.
//!
//! Enters: new text. Leaves: the same frontmatter, byte for byte, with that text below it in the
//! file's own line endings. Never lets body text be read as frontmatter.

use std::borrow::Cow;

use super::Topic;

use super::front::BOM;
use super::line::LineSpan;
use super::patch::line_ending;

impl Topic {
    /// The text below the frontmatter, without the one blank line that sets it off.
    pub fn body(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.body_bytes())
    }

    pub(super) fn body_bytes(&self) -> &[u8] {
        &self.bytes[self.body_start()..]
    }

    /// Replaces the body. It takes over the line endings of the old one, unless it has some of its
    /// own, and ends with one. A byte order mark in front of it is no part of it.
    pub fn set_body(&mut self, body: &str) {
        let body = body.trim_start_matches('\u{feff}');
        if self.body() == body {
            return;
        }
        let start = self.body_start();
        let old = &self.bytes[start..];
        let ending = line_ending(if old.contains(&b'\n') { old } else { &self.bytes });
        let own = body.contains('\r');
        let mut text = if own || ending == "\n" { body.to_owned() } else { body.replace('\n', ending) };
        if text.ends_with('\r') {
            text.push('\n');
        } else if !text.is_empty() && !text.ends_with('\n') {
            let own = own && text.contains('\n');
            text.push_str(if own { line_ending(body.as_bytes()) } else { ending });
        }
        let starts_blank = LineSpan::at(text.as_bytes(), 0).is_some_and(|line| line.is_blank(text.as_bytes()));
        let rule = format!("---{ending}");
        let (from, head) = match &self.front {
            None => (start, String::new()),
            // Without a fence the first line of the new body could be taken for a key.
            Some(front) if !front.closed => (front.end, format!("{}{rule}{ending}", self.open_line(front.end, ending))),
            Some(front) => {
                let gap = front.end == start && (old.is_empty() || starts_blank) && !text.is_empty();
                let gap = if gap { ending } else { "" };
                (start, format!("{}{gap}", self.open_line(start, ending)))
            }
        };
        let had_front = self.front.is_some();
        *self = self.spliced(vec![(from..self.bytes.len(), head + &text)]);
        if !had_front && self.front.is_some() {
            // The body of a file without frontmatter starts like frontmatter: empty fences tell.
            let at = if self.bytes.starts_with(BOM) { BOM.len() } else { 0 };
            *self = self.spliced(vec![(at..at, format!("{rule}{rule}{ending}"))]);
        }
    }

    /// What ends the line before a position, if nothing does yet.
    pub(super) fn open_line<'a>(&self, at: usize, ending: &'a str) -> &'a str {
        if at == 0 || self.bytes[at - 1] == b'\n' { "" } else { ending }
    }

    fn body_start(&self) -> usize {
        let Some(front) = &self.front else {
            return if self.bytes.starts_with(BOM) { BOM.len() } else { 0 };
        };
        match LineSpan::at(&self.bytes, front.end) {
            Some(line) if line.is_blank(&self.bytes) => line.next,
            _ => front.end,
        }
    }
}
