//! An index, pointer by pointer.
//!
//! Every line keeps its bytes, line ending included; an index that only one side has is taken as it is.
//! A memory has one line, whoever changed it. One that both sides rewrote keeps one of the two: a pointer is never doubled. One
//! that a side took away goes with its memory, and stays where the memory stays: an index leaves out nothing that is there.
//! Lines that are not pointers are kept if either side added them.

use std::collections::{BTreeSet, HashMap};

use super::sequence::{digest, unite_unique};
use memdir_store::index::Index;

/// What became of the memories that an index points to.
#[derive(Clone, Debug, Default)]
pub struct PresentTargets {
    /// Those that are there once all is merged.
    pub there: BTreeSet<String>,
}

/// Merges two versions of an index.
pub fn merge_index(base: Option<&str>, ours: &str, theirs: &str, fates: &PresentTargets) -> String {
    if ours == theirs || theirs.is_empty() && base.is_none() {
        return ours.to_owned();
    }
    if ours.is_empty() && base.is_none() {
        return theirs.to_owned();
    }
    let (one, other) = if digest(ours) <= digest(theirs) { (ours, theirs) } else { (theirs, ours) };
    let (unknown, before) = (base.is_none(), base);
    let (one, other, base) = (Lines::of(one), Lines::of(other), base.map(Lines::of).unwrap_or_default());
    // A side that nobody touched takes the other as it is, byte by byte, unless a line is missing there.
    let missing = |id: &String| {
        one.text.contains_key(id) != other.text.contains_key(id)
            && target_of(id).is_some_and(|target| fates.there.contains(target))
    };
    if !base.order.iter().any(missing) {
        match before {
            Some(before) if before == theirs => return ours.to_owned(),
            Some(before) if before == ours => return theirs.to_owned(),
            _ => {}
        }
    }
    let kept = |id: &String| {
        let (a, b) = (one.text.contains_key(id), other.text.contains_key(id));
        let pointer = target_of(id);
        // Where nobody knows what was common, a line may be old: its memory tells.
        let added = !(base.text.contains_key(id) || unknown && pointer.is_some());
        a && b || added || pointer.is_some_and(|target| fates.there.contains(target))
    };
    let there = |order: &[String]| -> Vec<String> { order.iter().filter(|id| kept(id)).cloned().collect() };
    let marked = three_way(base.marked, one.marked, other.marked);
    let mut out = if marked { BOM.to_string() } else { String::new() };
    let ending = if one.ending == other.ending || other.ending == base.ending { one.ending } else { other.ending };
    for id in unite_unique(&there(&one.order), &there(&other.order)) {
        let (before, a, b) = (base.text.get(&id), one.text.get(&id), other.text.get(&id));
        let text = match (a, b) {
            (Some(a), Some(b)) if before == Some(a) => b,
            (Some(a), Some(b)) if before == Some(b) => a,
            (Some(a), Some(b)) => std::cmp::min_by_key(a, b, |text| digest(text)),
            (Some(text), None) | (None, Some(text)) => text,
            (None, None) => continue,
        };
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str(ending);
        }
    }
    if three_way(base.open, one.open, other.open) {
        let text = out.strip_suffix('\n').map_or(out.len(), str::len);
        out.truncate(text);
        out.truncate(out.strip_suffix('\r').map_or(out.len(), str::len));
    }
    out
}

/// What holds if two changed what held before.
fn three_way(base: bool, one: bool, other: bool) -> bool {
    if one == other { one } else { !base }
}

const BOM: char = '\u{feff}';
/// Begins the name of a line that is a pointer; its target and how many came before follow.
const POINTER: char = '\0';

/// The file that a line points to.
fn target_of(id: &str) -> Option<&str> {
    id.strip_prefix(POINTER)?.rsplit_once(POINTER).map(|(target, _)| target)
}

/// The lines of an index by name: a pointer by its target, another by its text, and how often that came before.
#[derive(Default)]
struct Lines {
    order: Vec<String>,
    /// With their endings.
    text: HashMap<String, String>,
    /// Whether a byte order mark is in front.
    marked: bool,
    /// Whether the last line does not end.
    open: bool,
    /// How the first line ends.
    ending: &'static str,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let index = Index::parse(text.as_bytes().to_vec());
        let targets: HashMap<usize, String> =
            index.pointers().into_iter().map(|pointer| (pointer.line, pointer.target)).collect();
        let mut lines = Lines { ending: "\n", ..Lines::default() };
        let rows = text.strip_prefix(BOM).unwrap_or(text);
        lines.marked = rows.len() < text.len();
        lines.open = !rows.is_empty() && !rows.ends_with('\n');
        if rows.split_inclusive('\n').next().is_some_and(|row| row.ends_with("\r\n")) {
            lines.ending = "\r\n";
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (at, row) in rows.split_inclusive('\n').enumerate() {
            let said = row.trim_end_matches(['\r', '\n']);
            let name = targets.get(&(at + 1)).map_or_else(|| said.to_owned(), |target| format!("{POINTER}{target}"));
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            let id =
                if name.starts_with(POINTER) { format!("{name}{POINTER}{times}") } else { format!("{times} {name}") };
            lines.order.push(id.clone());
            lines.text.insert(id, row.to_owned());
        }
        lines
    }
}
