//! Bringing the index back in line with the files (I6).
//!
//! Enters: the index, and of every topic file its target, title and hook. Leaves: an index whose links lead
//! somewhere and which names every file. Never loses a word, never touches a line that leads somewhere, however
//! long it is, and changes nothing the second time.

use std::borrow::Cow;
use std::collections::HashSet;

use super::drift::unnamed;
use super::{BOM, Index, compose, end_of_list, line, lossy, rows};

/// The text and the ending of a line to come.
type Line<'a> = (Cow<'a, [u8]>, &'a [u8]);

/// A topic file that should have a pointer.
#[derive(Clone, Copy, Debug)]
pub struct PointerTarget<'a> {
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
    /// Lines that were there once more.
    pub removed: Vec<Removed>,
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

/// Repairs all drift at once. A pointer to nothing leads to the one file of that name, else it becomes a plain note;
/// a line that is there twice is there once; a file that is not named gets a pointer at the end.
pub fn repair(index: &Index, files: &[PointerTarget<'_>]) -> Repaired {
    let bytes = index.as_bytes();
    let files: Vec<&PointerTarget<'_>> = files.iter().filter(|file| compose::is_target(file.target)).collect();
    let present: HashSet<&str> = files.iter().map(|file| file.target).collect();
    let mut made = Repaired::default();
    let mut seen: HashSet<String> = HashSet::new();
    let mut out: Vec<Line<'_>> = Vec::new();
    for (number, row) in rows(bytes).enumerate() {
        let text = lossy(row.text(bytes));
        let mut kept = Cow::Borrowed(&bytes[row.start..row.end]);
        if let Some(led) = led_somewhere(&text, &present) {
            kept = Cow::Owned(led.into_bytes());
        } else if let Some(link) = line::read(&text)
            && !seen.insert(text.clone().into_owned())
        {
            let target = link.target.into_owned();
            made.removed.push(Removed { line: number + 1, target, text: text.into_owned() });
            continue;
        }
        out.push((kept, &bytes[row.end..row.next]));
    }
    let ending = index.ending();
    let at = end_of_list(out.iter().map(|(text, _)| text.as_ref()));
    let standing = joined(bytes, &out, ending);
    let pointed: HashSet<String> = standing.targets().map(Cow::into_owned).collect();
    let targets: Vec<&str> = files.iter().map(|file| file.target).collect();
    let missing = unnamed(&standing, &targets, &pointed);
    let added = files.iter().filter(|file| missing.contains(&file.target)).map(|file| {
        let line = compose::pointer(compose::LEAD, file.target, file.title, file.hook);
        (Cow::Owned(line.into_bytes()), ending.as_bytes())
    });
    let added: Vec<Line<'_>> = added.collect();
    out.splice(at..at, added);
    made.index = joined(bytes, &out, ending);
    made
}

/// A pointer to nothing, put right: it leads to the only file of that name, else it is a note.
fn led_somewhere(text: &str, present: &HashSet<&str>) -> Option<String> {
    let mut led: Option<String> = None;
    // A title may hold a link of its own, which is the line's when the first is taken off.
    loop {
        let now = led.as_deref().unwrap_or(text);
        let Some(target) = line::read(now).map(|link| link.target).filter(|target| !present.contains(&**target)) else {
            return led;
        };
        let mut of_that_name = present.iter().filter(|file| base(file) == base(&target));
        let next = match (of_that_name.next(), of_that_name.next()) {
            (Some(only), None) => line::retargeted(now, &compose::encode(only)),
            _ => line::unlinked(now),
        };
        match next {
            Some(next) if next != now => led = Some(next),
            _ => return led,
        }
    }
}

fn base(target: &str) -> &str {
    target.rsplit('/').next().unwrap_or(target)
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
