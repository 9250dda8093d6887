//! Which parts of a Markdown text are prose: not code, not a comment.
//!
//! Enters: any text. Leaves: byte ranges of it, in order, on character boundaries. Never fails
//! and never takes more than linear time; where Markdown is ambiguous it hides too much rather
//! than too little.
//!
//! Hidden are fenced blocks (also inside lists and quotes), indented blocks, code spans and HTML
//! comments.

use std::collections::HashMap;
use std::ops::Range;

/// The prose in `text`.
pub fn prose(text: &str) -> Vec<Range<usize>> {
    let mut scan = Scan { text, ..Scan::default() };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        scan.line(start, line);
        start += line.len();
    }
    scan.end_paragraph();
    scan.visible
}

#[derive(Default)]
struct Scan<'t> {
    text: &'t str,
    visible: Vec<Range<usize>>,
    /// Lines that flow together: a code span may cross a line end but not a paragraph.
    paragraph: Range<usize>,
    fence: Option<Fence>,
    in_comment: bool,
    /// The columns at which the text of the open list items starts.
    items: Vec<usize>,
    after_blank: bool,
    in_indented: bool,
}

struct Fence {
    mark: u8,
    length: usize,
    quoted: bool,
}

impl Scan<'_> {
    fn line(&mut self, start: usize, line: &str) {
        let (quoted, unquoted) = without_quote_marks(line);
        if let Some(fence) = &self.fence {
            let left_quote = fence.quoted && !quoted;
            if !left_quote {
                if closes(fence, unquoted) {
                    self.fence = None;
                }
                return;
            }
            self.fence = None;
        }
        if self.in_comment {
            return self.comment_line(start, line);
        }
        let (indent, content) = indentation(unquoted);
        if content.is_empty() {
            self.end_paragraph();
            self.after_blank = true;
            return;
        }
        if self.is_indented_code(indent, content) {
            self.end_paragraph();
            self.in_indented = true;
            return;
        }
        self.in_indented = false;
        let content = self.open_items(indent, content);
        self.after_blank = false;
        if let Some((mark, length)) = opens_fence(content) {
            self.end_paragraph();
            self.fence = Some(Fence { mark, length, quoted });
        } else if content.starts_with("<!--") {
            self.end_paragraph();
            self.comment_line(start, line);
        } else if content.starts_with(['#', '|']) {
            // A heading or a row of a table is a paragraph by itself.
            self.end_paragraph();
            self.extend_paragraph(start..start + line.len());
            self.end_paragraph();
        } else {
            self.extend_paragraph(start..start + line.len());
        }
    }

    /// Whether the line is an indented block, after closing the lists it is not part of.
    fn is_indented_code(&mut self, indent: usize, content: &str) -> bool {
        let breaks = self.after_blank || self.in_indented || self.paragraph.is_empty();
        if breaks || list_marker(content).is_some() {
            while self.items.last().is_some_and(|&column| indent < column) {
                self.items.pop();
            }
        }
        breaks && indent >= self.items.last().copied().unwrap_or(0) + 4
    }

    /// Notes the list items that start on this line and returns what follows their markers.
    fn open_items<'l>(&mut self, mut indent: usize, mut content: &'l str) -> &'l str {
        // Nobody nests deeper on one line; the bound keeps "- - - - …" linear.
        for _ in 0..8 {
            let Some(width) = list_marker(content) else {
                break;
            };
            self.end_paragraph();
            let (gap, rest) = indentation(&content[width..]);
            // Text far behind its marker is code inside the item; the item starts right after it.
            let gap = if (1..=4).contains(&gap) { gap } else { 1 };
            indent += width + gap;
            self.items.push(indent);
            content = rest;
        }
        content
    }

    /// A line inside a comment, or the one that opens it; prose may follow the end.
    fn comment_line(&mut self, start: usize, line: &str) {
        let opening = if self.in_comment { 0 } else { line.find("<!--").map_or(0, |at| at + 4) };
        match line[opening..].find("-->") {
            Some(at) => {
                self.in_comment = false;
                let behind = start + opening + at + 3;
                self.extend_paragraph(behind..start + line.len());
            }
            None => self.in_comment = true,
        }
    }

    fn extend_paragraph(&mut self, line: Range<usize>) {
        if self.paragraph.is_empty() {
            self.paragraph = line;
        } else {
            self.paragraph.end = line.end;
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if !paragraph.is_empty() {
            let base = paragraph.start;
            let inline = outside_spans(&self.text[paragraph]);
            self.visible.extend(inline.map(|range| base + range.start..base + range.end));
        }
    }
}

/// What of a paragraph is outside code spans and comments.
fn outside_spans(paragraph: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = paragraph.as_bytes();
    let closing = closing_runs(bytes);
    let mut comments_end = true;
    let mut visible = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        let (step, hidden) = match bytes[at] {
            // An escaped character opens nothing.
            b'\\' => (2, false),
            b'`' => {
                let length = run_length(bytes, at);
                closing.get(&at).map_or((length, false), |close| (close + length - at, true))
            }
            b'<' if comments_end && bytes[at..].starts_with(b"<!--") => {
                let end = paragraph[at..].find("-->");
                // Asked in vain once only: a paragraph full of openings stays linear.
                comments_end = end.is_some();
                end.map_or((1, false), |end| (end + 3, true))
            }
            _ => (1, false),
        };
        if hidden {
            visible.push(from..at);
            from = at + step;
        }
        at += step;
    }
    visible.push(from..bytes.len());
    visible.into_iter().filter(|range| !range.is_empty())
}

/// For each run of backticks the next run of the same length, if there is one.
fn closing_runs(bytes: &[u8]) -> HashMap<usize, usize> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let length = run_length(bytes, at + found);
        runs.push((at + found, length));
        at += found + length;
    }
    let mut next_of_length = HashMap::new();
    let mut closing = HashMap::new();
    for (start, length) in runs.into_iter().rev() {
        if let Some(next) = next_of_length.insert(length, start) {
            closing.insert(start, next);
        }
    }
    closing
}

fn run_length(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|&&b| b == bytes[at]).count()
}

/// A line without the `>` marks of a quote, and whether it had any.
fn without_quote_marks(line: &str) -> (bool, &str) {
    let (mut quoted, mut rest) = (false, line);
    while let (0..=3, content) = indentation(rest)
        && let Some(inner) = content.strip_prefix('>')
    {
        quoted = true;
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (quoted, rest)
}

/// The width of the white space a line starts with, and what follows it.
fn indentation(line: &str) -> (usize, &str) {
    let mut width = 0;
    for (at, c) in line.char_indices() {
        match c {
            ' ' => width += 1,
            '\t' => width += 4 - width % 4,
            _ => return (width, line[at..].trim_end()),
        }
    }
    (width, "")
}

/// The length of the list marker that a line starts with.
fn list_marker(content: &str) -> Option<usize> {
    let bytes = content.as_bytes();
    let width = match bytes.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            let delimited = digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')'));
            delimited.then_some(digits + 1)?
        }
        _ => return None,
    };
    matches!(bytes.get(width), None | Some(b' ' | b'\t')).then_some(width)
}

fn opens_fence(content: &str) -> Option<(u8, usize)> {
    let bytes = content.as_bytes();
    let mark = *bytes.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = run_length(bytes, 0);
    let span = mark == b'`' && bytes[length..].contains(&b'`');
    (length >= 3 && !span).then_some((mark, length))
}

fn closes(fence: &Fence, unquoted: &str) -> bool {
    let (_, content) = indentation(unquoted);
    let bytes = content.as_bytes();
    bytes.len() >= fence.length && bytes.iter().all(|&b| b == fence.mark)
}

#[cfg(test)]
mod tests;
