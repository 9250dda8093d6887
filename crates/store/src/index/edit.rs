//! Adding, replacing and removing one pointer (I4).
//!
//! Enters: a target, a title, a hook. Leaves: a [`PointerEdit`] that a journal can keep, and the
//! index after it. Never doubles a pointer, and applying an edit twice is applying it once: so a
//! crashed save can be finished and an old one undone, whatever happened to the file between.
//! Never changes a line that somebody else has written since.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::super::line::LineSpan;
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
    /// Further lines to the same file that go with it and come back with it, each with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<(usize, String)>,
}

impl PointerEdit {
    /// The edit that takes this one back.
    #[must_use]
    pub(crate) fn reversed(&self) -> PointerEdit {
        PointerEdit { before: self.after.clone(), after: self.before.clone(), ..self.clone() }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }
}

/// How a memory's name and description changed, for its pointers.
pub struct Rewording<'a> {
    /// Its name and description before; a line made of these is memdir's own.
    pub was: (&'a str, &'a str),
    /// Its name and description now.
    pub now: (&'a str, &'a str),
    /// Values that gave way to others, wherever they stand.
    pub swaps: &'a [(String, String)],
    /// Whether a line says what the memory said before and does not say any more.
    pub is_outdated: &'a dyn Fn(&str) -> bool,
}

impl Index {
    /// How to make the index point to `target`: its first pointer is rewritten in place, with the
    /// indentation and bullet it has; without one a line is added at the end.
    pub fn point(&self, target: &str, title: &str, hook: &str) -> PointerEdit {
        let target = line::without_dot(target).to_owned();
        if let Some((at, before)) = self.find(&target) {
            let lead = line::read(&before).map_or(compose::LEAD, |link| link.lead);
            let after = compose::pointer(lead, &target, title, hook);
            return PointerEdit { target, before: Some(before), after: Some(after), at, more: Vec::new() };
        }
        let lines: Vec<&[u8]> = rows(&self.bytes).map(|row| row.text(&self.bytes)).collect();
        let at = end_of_list(lines.into_iter());
        let after = compose::pointer(compose::LEAD, &target, title, hook);
        PointerEdit { target, before: None, after: Some(after), at, more: Vec::new() }
    }

    /// Points to many files at once, each by target, title and hook; one that a line leads to already is left out. What was done is
    /// what [`keep`](Index::keep) would have asked for, one after the other.
    pub(crate) fn point_new(&mut self, new: &[[String; 3]]) -> Vec<PointerEdit> {
        let mut known: HashSet<String> = self.targets().map(Cow::into_owned).collect();
        let lines: Vec<LineSpan> = rows(&self.bytes).collect();
        let end = end_of_list(lines.iter().map(|row| row.text(&self.bytes)));
        let starts: Vec<usize> = lines.iter().map(|row| row.start).collect();
        let mut made: Vec<PointerEdit> = Vec::with_capacity(new.len());
        for [target, title, hook] in new {
            let target = line::without_dot(target).to_owned();
            if known.insert(target.clone()) {
                let after = Some(compose::pointer(compose::LEAD, &target, title, hook));
                made.push(PointerEdit { target, before: None, after, at: end + made.len(), more: Vec::new() });
            }
        }
        let added: Vec<&str> = made.iter().filter_map(|edit| edit.after.as_deref()).collect();
        if !added.is_empty() {
            let added = added.join(self.ending());
            self.insert(&starts, end, &added);
        }
        made
    }

    /// How to make sure that the index points to `target`: a line that does stays as it is.
    pub fn keep(&self, target: &str, title: &str, hook: &str) -> PointerEdit {
        let edit = self.point(target, title, hook);
        let after = edit.before.clone().or(edit.after);
        PointerEdit { after, ..edit }
    }

    /// How to add a line that was written elsewhere, made to lead to `target`. Where a line leads there already,
    /// that one stays.
    pub(crate) fn carry(&self, line: &str, target: &str) -> PointerEdit {
        let edit = self.keep(target, "", "");
        let carried = line::retargeted(line, &compose::encode(line::without_dot(target)));
        match carried {
            Some(carried) if edit.before.is_none() => PointerEdit { after: Some(carried), ..edit },
            _ => edit,
        }
    }

    /// How the pointers to a file follow it to another name, each in its place.
    pub fn rename(&self, from: &str, to: &str) -> Vec<PointerEdit> {
        let (from, to) = (line::without_dot(from), line::without_dot(to));
        let renamed = |(at, before): (usize, String)| {
            let after = line::retargeted(&before, &compose::encode(to));
            PointerEdit { target: to.to_owned(), before: Some(before), after, at, more: Vec::new() }
        };
        self.lines_to(from).map(renamed).collect()
    }

    /// How the pointers to `target` follow a memory that has changed: memdir's own line says what the memory
    /// says now, a line of another hand stays unless the change replaced what it says. Without any, one is added.
    pub fn follow(&self, target: &str, change: &Rewording<'_>) -> Vec<PointerEdit> {
        let target = line::without_dot(target);
        let (title, hook) = change.now;
        let mut standing = self.lines_to(target).peekable();
        if standing.peek().is_none() {
            return if self.mentions(target) { Vec::new() } else { vec![self.keep(target, title, hook)] };
        }
        let edits = standing.map(|(at, before)| {
            let lead = line::read(&before).map_or(compose::LEAD, |link| link.lead).to_owned();
            let own = compose::pointer(&lead, target, change.was.0, change.was.1);
            let told = line::told(&before, change.swaps).unwrap_or_else(|| before.clone());
            let former = compose::former_pointer(&lead, target, change.was.0, change.was.1);
            let after = if before == own || before == former || (change.is_outdated)(&told) {
                compose::pointer(&lead, target, title, hook)
            } else {
                told
            };
            let target = target.to_owned();
            PointerEdit { target, before: Some(before), after: Some(after), at, more: Vec::new() }
        });
        edits.filter(|edit| !edit.is_empty()).collect()
    }

    /// The first pointer line to a file, as it is there.
    pub fn line_to(&self, target: &str) -> Option<String> {
        self.find(line::without_dot(target)).map(|(_, line)| line)
    }

    /// How to make the index forget `target`.
    pub fn unpoint(&self, target: &str) -> PointerEdit {
        let target = line::without_dot(target).to_owned();
        let mut lines = self.lines_to(&target);
        let (at, before) = lines.next().map_or((0, None), |(at, line)| (at, Some(line)));
        let more = lines.collect();
        PointerEdit { target, before, after: None, at, more }
    }

    /// Brings an edit about, however much of it is there already.
    ///
    /// A line is looked for by its text. Where it has changed since, whoever changed it has the last word. Where the
    /// memory goes, every pointer to it goes, a doubled one too: none may dangle.
    pub fn apply(&mut self, edit: &PointerEdit) {
        let after = edit.after.as_deref().map(|line| line.lines().next().unwrap_or_default());
        match after {
            Some(line) => {
                self.ensure(edit, line);
                self.bring_back(edit, line);
            }
            None if edit.before.is_some() => self.drop_pointers(edit),
            None => {}
        }
    }

    /// The first pointer to a target: its line counted from 0, and its text.
    fn find(&self, target: &str) -> Option<(usize, String)> {
        self.lines_to(target).next()
    }

    /// Every pointer to a target, the same way.
    fn lines_to<'i>(&'i self, target: &'i str) -> impl Iterator<Item = (usize, String)> + 'i {
        rows(&self.bytes).enumerate().filter_map(move |(at, row)| {
            let text = lossy(row.text(&self.bytes));
            let found = line::read(&text).is_some_and(|link| link.target == target);
            found.then(|| (at, text.into_owned()))
        })
    }

    fn ensure(&mut self, edit: &PointerEdit, line: &str) {
        let mut starts = Vec::new();
        let (mut in_place, mut exact) = (None, None);
        let (mut done, mut another) = (false, false);
        for (number, row) in rows(&self.bytes).enumerate() {
            starts.push(row.start);
            let text = lossy(row.text(&self.bytes));
            done |= text == line;
            if edit.before.as_deref() == Some(&*text) {
                exact = exact.or(Some(row));
                in_place = in_place.or((number == edit.at).then_some(row));
            } else {
                another |= line::read(&text).is_some_and(|link| link.target == edit.target);
            }
        }
        // The old line in its old place has not been edited yet, even if a double of the new one
        // stands elsewhere.
        match in_place.or(if done { None } else { exact }) {
            Some(row) => {
                self.bytes.splice(row.start..row.end, line.bytes());
            }
            // Another line to the same file is somebody else's, and the file needs no second one.
            None if done || another => {}
            None => self.insert(&starts, edit.at, line),
        }
    }

    /// The further lines of a memory that is back, unless somebody has written another one since.
    fn bring_back(&mut self, edit: &PointerEdit, first: &str) {
        let stands =
            |index: &Index, line: &str| rows(&index.bytes).filter(|row| lossy(row.text(&index.bytes)) == line).count();
        for (at, line) in &edit.more {
            let wanted = usize::from(line == first) + edit.more.iter().filter(|(_, other)| other == line).count();
            if stands(self, first) > 0 && stands(self, line) < wanted {
                let starts: Vec<usize> = rows(&self.bytes).map(|row| row.start).collect();
                self.insert(&starts, *at, line);
            }
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
        let goes = |row: &LineSpan| {
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
