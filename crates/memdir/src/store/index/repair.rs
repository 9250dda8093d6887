//! Bringing the index back in line with the files (I6).
//!
//! Enters: the index, and of every topic file its target, title and hook. Leaves: an index
//! without drift, the lines that went and the text that no longer fits a line. Never loses text
//! unsaid, never touches a line the user wrote, and changes nothing the second time.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::meant::meant;
use super::{BOM, Index, compose, end_of_list, line, lossy, rows};
use crate::limits;

/// The text and the ending of a line to come.
type Line<'a> = (Cow<'a, [u8]>, &'a [u8]);

/// A topic file that should have a pointer.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The file, relative to the memory directory.
    pub target: &'a str,
    /// The title for a new pointer.
    pub title: &'a str,
    /// The hook for a new pointer.
    pub hook: &'a str,
}

/// What [`repair`] made.
#[derive(Clone, Debug, Default)]
pub struct Repaired {
    /// The index without drift.
    pub index: Index,
    /// Text that was cut from lines; it belongs into the topic files.
    pub cut: Vec<CutText>,
    /// Pointers that were removed: dangling or doubled.
    pub removed: Vec<Removed>,
}

/// Text that a shortened line no longer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutText {
    /// The topic file it is about.
    pub target: String,
    /// The text in full, as it stood behind the link.
    pub text: String,
}

/// A pointer line that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Its former line, counted from 1.
    pub line: usize,
    /// The file it named.
    pub target: String,
    /// The whole line.
    pub text: String,
}

/// Repairs all drift at once: dangling pointers go, of doubled ones the first stays, over-long and
/// malformed ones are rewritten in place, and files without a pointer get one at the end.
pub fn repair(index: &Index, files: &[Known<'_>]) -> Repaired {
    let bytes = index.as_bytes();
    let files = files.iter().filter(|file| compose::is_target(file.target));
    let known: HashMap<&str, &Known<'_>> = files.clone().map(|file| (file.target, file)).collect();
    let present: HashSet<&str> = known.keys().copied().collect();
    // A malformed line counts only for a file that no pointer names, further down or above.
    let mut pointed: HashSet<String> = index.pointers().into_iter().map(|at| at.target).collect();
    let mut made = Repaired::default();
    let mut seen: HashSet<String> = HashSet::new();
    let mut out: Vec<Line<'_>> = Vec::new();
    for (number, row) in rows(bytes).enumerate() {
        let text = lossy(row.text(bytes));
        let mut kept = Cow::Borrowed(&bytes[row.start..row.end]);
        if let Some(link) = line::read(&text) {
            let target = link.target.into_owned();
            if !present.contains(target.as_str()) || !seen.insert(target.clone()) {
                let (line, text) = (number + 1, text.into_owned());
                made.removed.push(Removed { line, target, text });
                continue;
            }
            let chars = text.chars().count();
            if chars > limits::LONG_LINE_CHARS && chars > compose::shortest(link.lead, &target) {
                let new = compose::pointer(link.lead, &target, &link.title, link.hook);
                made.keep_aside(&new, &target, &link.title, link.hook);
                kept = Cow::Owned(new.into_bytes());
            }
        } else if let Some(meant) = meant(&text, &present)
            && let Some(file) = known.get(meant.target.as_str())
            && pointed.insert(meant.target.clone())
        {
            let hook = if meant.hook.is_empty() { file.hook } else { meant.hook };
            let title = meant.title.unwrap_or(file.title);
            let new = compose::pointer(compose::LEAD, file.target, title, hook);
            made.keep_aside(&new, file.target, meant.title.unwrap_or_default(), meant.hook);
            kept = Cow::Owned(new.into_bytes());
        }
        out.push((kept, &bytes[row.end..row.next]));
    }
    let ending = index.ending();
    let at = end_of_list(out.iter().map(|(text, _)| text.as_ref()));
    let orphans = files.filter(|file| pointed.insert(file.target.to_owned()));
    let added = orphans.map(|file| {
        let line = compose::pointer(compose::LEAD, file.target, file.title, file.hook);
        (Cow::Owned(line.into_bytes()), ending.as_bytes())
    });
    let added: Vec<Line<'_>> = added.collect();
    out.splice(at..at, added);
    made.index = joined(bytes, &out, ending);
    made
}

impl Repaired {
    /// Keeps what a line said of itself and its new form does not hold.
    fn keep_aside(&mut self, new: &str, target: &str, title: &str, hook: &str) {
        let (kept_title, kept_hook) = match line::read(new) {
            Some(link) => (link.title.into_owned(), link.hook.to_owned()),
            None => Default::default(),
        };
        let title_lost = !title.is_empty() && kept_title != compose::title_text(title);
        let hook_lost = !hook.is_empty() && kept_hook != compose::one_line(hook);
        let text = match (title_lost, hook_lost) {
            (false, false) => return,
            (false, true) => hook.to_owned(),
            (true, _) if hook.is_empty() => title.to_owned(),
            (true, _) => format!("{title} — {hook}"),
        };
        self.cut.push(CutText { target: target.to_owned(), text });
    }
}

/// The lines with their endings; one in the middle has one, and the last has it if it did before.
fn joined(bytes: &[u8], lines: &[Line<'_>], ending: &str) -> Index {
    let (start, text) = bytes.split_at(if bytes.starts_with(BOM) { BOM.len() } else { 0 });
    let open_end = !text.is_empty() && !text.ends_with(b"\n");
    let mut out = Vec::with_capacity(bytes.len() + 256);
    out.extend_from_slice(start);
    for (at, (text, own)) in lines.iter().enumerate() {
        out.extend_from_slice(text);
        if at + 1 < lines.len() || !open_end {
            out.extend_from_slice(if own.is_empty() { ending.as_bytes() } else { own });
        }
    }
    Index::parse(out)
}
