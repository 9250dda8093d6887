//! Adding, replacing and removing one pointer (I4).
//!
//! Enters: a target, a title, a hook. Leaves: a [`PointerEdit`] that a journal can keep, and the
//! index after it. Never doubles a pointer, and applying an edit twice is applying it once: so a
//! crashed save can be finished and an old one undone, whatever happened to the file between.

use serde::{Deserialize, Serialize};

use super::super::line::Line;
use super::{BOM, Index, compose, end_of_list, line, lossy, rows};

/// What happens to the pointer of one memory. Lines are without their endings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointerEdit {
    /// The file pointed to, relative to the memory directory.
    pub target: String,
    /// The line as it was; nothing if there was none.
    pub before: Option<String>,
    /// The line as it will be; nothing if it goes.
    pub after: Option<String>,
    /// Where it stands or goes, counted in lines from 0; a guess if the file has changed since.
    pub at: usize,
}

impl PointerEdit {
    /// The edit that takes this one back.
    #[must_use]
    pub fn reversed(&self) -> PointerEdit {
        PointerEdit { before: self.after.clone(), after: self.before.clone(), ..self.clone() }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }
}

impl Index {
    /// How to make the index point to `target`: its first pointer is rewritten in place, with the
    /// indentation and bullet it has; without one a line is added at the end.
    pub fn point(&self, target: &str, title: &str, hook: &str) -> PointerEdit {
        let target = line::without_dot(target).to_owned();
        if let Some((at, before)) = self.find(&target) {
            let lead = line::read(&before).map_or(compose::LEAD, |link| link.lead);
            let after = compose::pointer(lead, &target, title, hook);
            return PointerEdit { target, before: Some(before), after: Some(after), at };
        }
        let lines: Vec<&[u8]> = rows(&self.bytes).map(|row| row.text(&self.bytes)).collect();
        let at = end_of_list(lines.into_iter());
        let after = compose::pointer(compose::LEAD, &target, title, hook);
        PointerEdit { target, before: None, after: Some(after), at }
    }

    /// How to make the index forget `target`.
    pub fn unpoint(&self, target: &str) -> PointerEdit {
        let target = line::without_dot(target).to_owned();
        let (at, before) = self.find(&target).map_or((0, None), |(at, line)| (at, Some(line)));
        PointerEdit { target, before, after: None, at }
    }

    /// Brings an edit about, however much of it is there already.
    ///
    /// A line is looked for by its text, then by its target. Where the memory goes, every pointer
    /// to it goes, a doubled one too: none may dangle.
    pub fn apply(&mut self, edit: &PointerEdit) {
        let after = edit.after.as_deref().map(|line| line.lines().next().unwrap_or_default());
        match after {
            Some(line) => self.ensure(edit, line),
            None if edit.before.is_some() => self.drop_pointers(edit),
            None => {}
        }
    }

    /// The first pointer to a target: its line counted from 0, and its text.
    fn find(&self, target: &str) -> Option<(usize, String)> {
        rows(&self.bytes).enumerate().find_map(|(at, row)| {
            let text = lossy(row.text(&self.bytes));
            let found = line::read(&text).is_some_and(|link| link.target == target);
            found.then(|| (at, text.into_owned()))
        })
    }

    fn ensure(&mut self, edit: &PointerEdit, line: &str) {
        let mut starts = Vec::new();
        let (mut in_place, mut exact, mut first) = (None, None, None);
        let mut done = false;
        for (number, row) in rows(&self.bytes).enumerate() {
            starts.push(row.start);
            let text = lossy(row.text(&self.bytes));
            done |= text == line;
            if edit.before.as_deref() == Some(&*text) {
                exact = exact.or(Some(row));
                in_place = in_place.or((number == edit.at).then_some(row));
            } else if first.is_none() && line::read(&text).is_some_and(|link| link.target == edit.target) {
                first = Some(row);
            }
        }
        // The old line in its old place has not been edited yet, even if a double of the new one
        // stands elsewhere.
        match in_place.or(if done { None } else { exact.or(first) }) {
            Some(row) => {
                self.bytes.splice(row.start..row.end, line.bytes());
            }
            None if done => {}
            None => self.insert(&starts, edit.at, line),
        }
    }

    /// Puts a line before the one numbered `at`. A file that does not end its last line keeps to
    /// that, so that taking the line away again gives the same bytes.
    fn insert(&mut self, starts: &[usize], at: usize, line: &str) {
        let ending = self.ending();
        if let Some(start) = starts.get(at) {
            self.bytes.splice(*start..*start, format!("{line}{ending}").into_bytes());
        } else if starts.is_empty() || self.bytes.ends_with(b"\n") {
            self.bytes.extend_from_slice(format!("{line}{ending}").as_bytes());
        } else {
            // A lone `\r` at the end is text; it must not become half of a line ending.
            let ending = if self.bytes.ends_with(b"\r") { "\r\n" } else { ending };
            self.bytes.extend_from_slice(format!("{ending}{line}").as_bytes());
        }
    }

    fn drop_pointers(&mut self, edit: &PointerEdit) {
        let goes = |row: &Line| {
            let text = lossy(row.text(&self.bytes));
            edit.before.as_deref() == Some(&*text) || line::read(&text).is_some_and(|link| link.target == edit.target)
        };
        let start = if self.bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut out = self.bytes[..start].to_vec();
        let mut open_end = false;
        let mut gone = false;
        for row in rows(&self.bytes) {
            open_end = row.end == row.next;
            if goes(&row) {
                gone = true;
            } else {
                out.extend_from_slice(&self.bytes[row.start..row.next]);
            }
        }
        if !gone {
            return;
        }
        // A file that did not end its last line still does not.
        if open_end && let Some(text) = out.strip_suffix(b"\n") {
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            out.truncate(text.len());
        }
        self.bytes = out;
    }
}
