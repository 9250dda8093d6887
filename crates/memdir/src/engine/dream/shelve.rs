//! The index after a dream: its lines are pointers to what is there.
//!
//! Enters: the bytes of an index, what stays on the desk, and which lines may go because a memory says them now.
//! Leaves: the index, within its limits as far as its memories allow (I1, I6, D3).
//! Headings and prose that a person wrote stay, unless everything below a heading went.

use std::cell::Cell;
use std::collections::HashSet;

use super::desk::Desk;
use super::{DreamChange, DreamCheck, DreamPlan};
use crate::engine::{Error, Memory, index_of};
use crate::guard::confine::RelPath;
use crate::kind::Scope;
use crate::limits;
use crate::store::Store;
use crate::store::index::{self, Index, Known};

/// One index: which of its lines may go, and what it points to.
#[derive(Debug)]
pub(super) struct Shelving {
    pub(super) scope: Scope,
    pub(super) gone: HashSet<String>,
    pub(super) titles: Vec<(RelPath, Title)>,
}

/// A memory as its index names it.
#[derive(Clone, Debug)]
pub(super) struct Title {
    pub(super) target: String,
    pub(super) name: String,
    pub(super) description: String,
    /// Whether its pointer should say what it says now.
    pub(super) renew: bool,
    /// The dream does not write on it, so what its pointer says may stand nowhere else.
    pub(super) held: bool,
}

impl Memory {
    pub(super) fn shelving(&self, desk: &Desk, plan: &DreamPlan, scope: Scope, gone: HashSet<String>) -> Shelving {
        let prefix = if scope == Scope::Team { "team/" } else { "" };
        let held: HashSet<&str> = plan.holds.iter().map(|planned| planned.file.as_str()).collect();
        let titles = desk
            .sheets
            .iter()
            .filter(|sheet| sheet.scope() == scope && (sheet.stays() || held.contains(sheet.file.as_str())))
            .filter(|sheet| sheet.before.is_some() || !held.contains(sheet.file.as_str()))
            .map(|sheet| {
                let target = sheet.file.as_str().strip_prefix(prefix).unwrap_or(sheet.file.as_str()).to_owned();
                let stem = target.trim_end_matches(".md").replace('_', " ");
                let name = Some(sheet.name()).filter(|name| !name.is_empty()).unwrap_or(stem);
                let renew = sheet.changed() && !held.contains(sheet.file.as_str());
                let held = held.contains(sheet.file.as_str()) || sheet.topic.pinned();
                (sheet.file.clone(), Title { target, name, description: sheet.description(), renew, held })
            })
            .collect();
        Shelving { scope, gone, titles }
    }

    pub(super) fn check_index(&self, store: &Store, plan: &mut DreamPlan) -> Result<(), Error> {
        let mut broken = Vec::new();
        let mut fine = Vec::new();
        for shelving in &plan.shelves {
            let file = index_of(shelving.scope)?;
            let raw = store.root().read(&file)?.unwrap_or_default();
            if raw.is_empty() && shelving.titles.is_empty() {
                continue;
            }
            let after = self.index_after(&raw, shelving, &|_| true);
            let (lines, bytes) = (String::from_utf8_lossy(&after).lines().count(), after.len());
            let told = format!("{file}: {lines} lines, {bytes} bytes");
            if lines > limits::INDEX_LINES || bytes > limits::INDEX_BYTES {
                broken.push(told);
            } else {
                fine.push(told);
            }
            if after != raw && !plan.changes.iter().any(|change| change.file == file.as_str()) {
                let action = if raw.is_empty() { "create" } else { "update" };
                let why = "pointers put in order".to_owned();
                plan.changes.push(DreamChange { file: file.to_string(), action, into: None, why });
            }
        }
        plan.checks.push(DreamCheck::new("index-within-limits", &broken, fine.join("; ")));
        Ok(())
    }

    /// What an index becomes, for the memories that are really there.
    pub(super) fn index_after(&self, raw: &[u8], shelving: &Shelving, is_there: &dyn Fn(&RelPath) -> bool) -> Vec<u8> {
        let pointed: HashSet<String> =
            Index::parse(raw.to_vec()).pointers().into_iter().map(|pointer| pointer.target).collect();
        let is_there = |file: &RelPath| is_there(file);
        let standing: Vec<&(RelPath, Title)> = shelving
            .titles
            .iter()
            .filter(|(file, title)| is_there(file) && (self.settings.index_required || pointed.contains(&title.target)))
            .collect();
        let of = |some: &dyn Fn(&Title) -> bool| -> Vec<Title> {
            standing.iter().map(|(_, title)| title).filter(|title| some(title)).cloned().collect()
        };
        // A session loads so many lines, of what is left when stale pointers are gone; what does not fit is
        // found by recall.
        let kept = shelved(raw, &shelving.gone, &of(&|title| pointed.contains(&title.target)));
        let lines = String::from_utf8_lossy(&kept).lines().count();
        let room = Cell::new(limits::INDEX_LINES.saturating_sub(lines));
        let titles = of(&|title| {
            let new = !pointed.contains(&title.target);
            let fits = !new || room.get() > 0;
            room.set(room.get() - usize::from(new && fits));
            fits
        });
        within_bytes(shelved(raw, &shelving.gone, &titles), &titles)
    }
}

/// The index with its longest pointers made shorter, as far as it takes to be loaded whole (I2). What they
/// said stands in their memories by then.
pub(super) fn within_bytes(raw: Vec<u8>, titles: &[Title]) -> Vec<u8> {
    if raw.len() <= limits::INDEX_BYTES {
        return raw;
    }
    let free: HashSet<&str> = titles.iter().filter(|title| !title.held).map(|title| title.target.as_str()).collect();
    let mut index = Index::parse(raw);
    let pointers: Vec<index::Pointer> =
        index.pointers().into_iter().filter(|pointer| free.contains(pointer.target.as_str())).collect();
    // From the longest down, in steps, until it fits; a hook of a few words is worth its place.
    for room in [110, 90, 70, 50, 30] {
        for pointer in pointers.iter().filter(|pointer| pointer.hook.chars().count() > room) {
            let edit = index.point(&pointer.target, &pointer.title, &cut_words(&pointer.hook, room));
            index.apply(&edit);
        }
        if index.as_bytes().len() <= limits::INDEX_BYTES {
            break;
        }
    }
    index.into_bytes()
}

/// The first words of a hook, at most so many characters.
fn cut_words(hook: &str, chars: usize) -> String {
    let Some((end, _)) = hook.char_indices().nth(chars.saturating_sub(1)) else { return hook.to_owned() };
    let part = &hook[..end];
    let part = part.rfind([' ', ',', '，', '；', '。', ';']).filter(|at| *at > end / 2).map_or(part, |at| &part[..at]);
    format!("{}…", part.trim_end_matches([' ', ',', ';', '，', '；']))
}

/// The index for what is there after the dream.
pub(super) fn shelved(raw: &[u8], gone: &HashSet<String>, titles: &[Title]) -> Vec<u8> {
    let text = String::from_utf8_lossy(raw).into_owned();
    let kept: Vec<String> = text.lines().filter(|line| !gone.contains(line.trim_end())).map(with_dash).collect();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let joined = |lines: &[String]| lines.iter().flat_map(|line| [line.as_str(), ending]).collect::<String>();
    let known: Vec<Known<'_>> = titles
        .iter()
        .map(|title| Known { target: &title.target, title: &title.name, hook: &title.description })
        .collect();
    // What is named in the index is mended first; files that nothing points to come when emptied headings are gone.
    let cleaned = joined(&kept);
    let first = Index::parse(cleaned.clone().into_bytes());
    let pointed: HashSet<String> = first.targets().map(std::borrow::Cow::into_owned).collect();
    let apart = |c: char| c.is_whitespace() || "()[]<>`'\",:;*".contains(c);
    let mentioned: HashSet<&str> = cleaned.split(apart).map(stem).collect();
    let is_named = |file: &&Known<'_>| pointed.contains(file.target) || mentioned.contains(stem(file.target));
    let named: Vec<Known<'_>> = known.iter().filter(is_named).copied().collect();
    let mended = index::repair(&first, &named).index;
    let standing = without_empty_headings(&text, &String::from_utf8_lossy(mended.as_bytes()));
    let mut index = index::repair(&Index::parse(joined(&standing).into_bytes()), &known).index;
    let pointed: HashSet<String> = index.pointers().into_iter().map(|pointer| pointer.target).collect();
    for title in titles.iter().filter(|title| title.renew && pointed.contains(&title.target)) {
        let edit = index.point(&title.target, &title.name, &title.description);
        index.apply(&edit);
    }
    let out = String::from_utf8_lossy(index.as_bytes()).into_owned();
    // Nothing moved: not a byte of it is touched.
    if out.trim_end() == text.trim_end() { raw.to_vec() } else { out.into_bytes() }
}

/// A file name as `[[name]]` links write it.
fn stem(target: &str) -> &str {
    target.strip_suffix(".md").unwrap_or(target)
}

/// A pointer with the usual bullet.
fn with_dash(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    match line[start..].strip_prefix("* [").or_else(|| line[start..].strip_prefix("+ [")) {
        Some(rest) if rest.contains("](") => format!("{}- [{rest}", &line[..start]),
        _ => line.to_owned(),
    }
}

/// The lines without headings that lost everything below them, and without the gaps that leaves.
fn without_empty_headings(before: &str, after: &str) -> Vec<String> {
    let filled: HashSet<&str> =
        headings(before).into_iter().filter(|(_, filled)| *filled).map(|(line, _)| line).collect();
    let emptied: HashSet<&str> = headings(after)
        .into_iter()
        .filter(|(line, full)| !full && filled.contains(line))
        .map(|(line, _)| line)
        .collect();
    let shrunk = after.lines().count() < before.lines().count();
    let mut out: Vec<String> = Vec::new();
    for line in after.lines().filter(|line| !emptied.contains(line)) {
        let gap = line.trim().is_empty() && out.last().is_none_or(|last| last.trim().is_empty());
        if !(shrunk && gap) {
            out.push(line.to_owned());
        }
    }
    while out.last().is_some_and(|line| line.trim().is_empty()) {
        out.pop();
    }
    out
}

/// Each heading, and whether anything stands below it before the next one of its rank.
fn headings(text: &str) -> Vec<(&str, bool)> {
    let rank = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('#')) {
        let own = rank(line);
        let below = lines[at + 1..].iter().take_while(|line| !(line.starts_with('#') && rank(line) <= own));
        found.push((*line, below.into_iter().any(|line| !line.trim().is_empty() && !line.starts_with('#'))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(target: &str) -> Title {
        Title {
            target: target.into(),
            name: target.into(),
            description: "what it says".into(),
            renew: false,
            held: false,
        }
    }

    #[test]
    fn i6_an_index_in_order_keeps_every_byte() {
        let raw = b"# Mine\n\nA word of mine.\n\n- [A](a.md) \xe2\x80\x94 hook\n";
        assert_eq!(shelved(raw, &HashSet::new(), &[title("a.md")]), raw);
    }

    #[test]
    fn i6_pointers_are_mended_and_emptied_headings_go() {
        let raw =
            "# Mine\n* [A](a.md) — hook\n\n## Old weeks\n- [W](week.md) — gone\n\n## Loose\n- a note about tabs\n";
        let gone = HashSet::from(["- a note about tabs".to_owned()]);
        let out = String::from_utf8(shelved(raw.as_bytes(), &gone, &[title("a.md"), title("b.md")])).unwrap();
        assert_eq!(out, "# Mine\n- [A](a.md) — hook\n- [b.md](b.md) — what it says\n");
    }

    #[test]
    fn i2_an_index_over_its_bytes_is_made_to_fit_and_lines_that_are_held_stay() {
        let hook = |n: usize| format!("记忆{n:03}说明了一件相当长的事情，{}", "每个字都占三个字节，".repeat(9));
        let raw: String = (0..150).map(|n| format!("- [记忆 {n}](m{n}.md) — {}\n", hook(n))).collect();
        assert!(raw.len() > limits::INDEX_BYTES);
        let titles: Vec<Title> = (0..150).map(|n| Title { held: n == 7, ..title(&format!("m{n}.md")) }).collect();
        let out = String::from_utf8(within_bytes(raw.into_bytes(), &titles)).unwrap();
        assert!(out.len() <= limits::INDEX_BYTES, "{}", out.len());
        assert_eq!(out.lines().count(), 150);
        assert!(out.contains(&hook(7)), "a pinned memory's line may be the only place that says it");
        let short = "- [A](a.md) — hook\n".to_owned();
        assert_eq!(within_bytes(short.clone().into_bytes(), &[title("a.md")]), short.as_bytes());
    }
}
