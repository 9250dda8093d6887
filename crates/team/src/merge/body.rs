//! The body, paragraph by paragraph.
//!
//! Each side is read as a change of the common version: every paragraph of it was kept, rewritten or taken out, and between them new ones
//! stand. What only one side rewrote is as it has it; what both rewrote differently is there twice, marked;
//! what both put in the same place is all there. The items of a list count as paragraphs.

use std::collections::HashMap;

use super::sequence::{common, settle, unite};
use super::{EITHER, END, OR};

/// A paragraph: its text, or its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Paragraph {
    /// One text, or several that nobody decided between, in the order of their digests.
    versions: Vec<String>,
    /// It follows the one before without a blank line: an item of a list.
    tight: bool,
}

pub(super) fn merge(base: Option<&str>, one: &str, other: &str) -> String {
    let base = base.map(read).unwrap_or_default();
    let (one, other) = (read(one), read(other));
    let (a, b) = (Side::of(&base, &one), Side::of(&base, &other));
    let mut merged: Vec<Vec<String>> = Vec::new();
    for at in 0..=base.len() {
        let inserted = unite(&keys(&a.inserted[at]), &keys(&b.inserted[at]));
        merged.extend(inserted.iter().map(|key| from_key(key)));
        if let Some(before) = base.get(at) {
            let versions = settle(Some(&before.versions), a.kept[at].as_ref(), b.kept[at].as_ref());
            merged.extend(versions);
        }
    }
    once_each(&mut merged, &base, &one, &other);
    let tight: HashMap<&[String], bool> =
        one.iter().chain(&other).map(|paragraph| (&*paragraph.versions, paragraph.tight)).collect();
    let tight = |versions: &[String]| tight.get(versions).copied().unwrap_or(false);
    write(merged.iter().map(|versions| (versions.as_slice(), tight(versions))))
}

/// What one side made of the common version.
struct Side {
    /// For each paragraph of it, what it is now; nothing when it was taken out.
    kept: Vec<Option<Vec<String>>>,
    /// What is new before each paragraph, and at the end.
    inserted: Vec<Vec<Vec<String>>>,
}

impl Side {
    fn of(base: &[Paragraph], side: &[Paragraph]) -> Side {
        let texts = |list: &[Paragraph]| -> Vec<Vec<String>> { list.iter().map(|p| p.versions.clone()).collect() };
        let (before, now) = (texts(base), texts(side));
        let mut made = Side { kept: vec![None; base.len()], inserted: vec![Vec::new(); base.len() + 1] };
        let (mut i, mut j) = (0, 0);
        for (to_i, to_j) in common(&before, &now).into_iter().chain(std::iter::once((base.len(), side.len()))) {
            made.take(&before, i..to_i, &now[j..to_j]);
            if to_i < base.len() {
                made.kept[to_i] = Some(now[to_j].clone());
            }
            (i, j) = (to_i + 1, to_j + 1);
        }
        made
    }

    /// Paragraphs that went, and those that came in their place: as many as can be are the same one, rewritten.
    fn take(&mut self, before: &[Vec<String>], gone: std::ops::Range<usize>, came: &[Vec<String>]) {
        let mut next = 0;
        for (at, with) in pairs(&before[gone.clone()], came) {
            self.inserted[gone.start + at].extend_from_slice(&came[next..with]);
            self.kept[gone.start + at] = Some(came[with].clone());
            next = with + 1;
        }
        self.inserted[gone.end].extend_from_slice(&came[next..]);
    }
}

/// Pairs as many as possible, in order, the most alike.
fn pairs(gone: &[Vec<String>], came: &[Vec<String>]) -> Vec<(usize, usize)> {
    let (rows, columns) = (gone.len(), came.len());
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > 1024 * 1024 {
        return Vec::new();
    }
    let width = columns + 1;
    let mut best = vec![0_u64; (rows + 1) * width];
    let worth = |i: usize, j: usize| 1_000_000 + likeness(&gone[i], &came[j]);
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let paired = best[(i + 1) * width + j + 1] + worth(i, j);
            best[i * width + j] = paired.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < rows && j < columns {
        let now = best[i * width + j];
        if now == best[(i + 1) * width + j + 1] + worth(i, j) {
            out.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if now == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

/// The share of words two paragraphs have in common, in thousandths.
fn likeness(one: &[String], other: &[String]) -> u64 {
    let words = |versions: &[String]| -> HashMap<String, u64> {
        let mut counts = HashMap::new();
        for word in versions.iter().flat_map(|text| text.split_whitespace()) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
        counts
    };
    let (a, b) = (words(one), words(other));
    let shared: u64 = a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum();
    let all: u64 = a.values().sum::<u64>() + b.values().sum::<u64>();
    (2_000 * shared).checked_div(all).unwrap_or(0)
}

/// A new paragraph that both sides have, in two places, is there once.
fn once_each(merged: &mut Vec<Vec<String>>, base: &[Paragraph], one: &[Paragraph], other: &[Paragraph]) {
    let count = |list: &[Paragraph], versions: &[String]| list.iter().filter(|p| p.versions == versions).count();
    let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
    merged.retain(|versions| {
        if count(base, versions) > 0 {
            return true;
        }
        let allowed = count(one, versions).max(count(other, versions)).max(1);
        let seen = seen.entry(versions.clone()).or_default();
        *seen += 1;
        *seen <= allowed
    });
}

/// Versions as one text that can be compared and ordered.
fn keys(list: &[Vec<String>]) -> Vec<String> {
    list.iter().map(|versions| versions.join("\0")).collect()
}

fn from_key(key: &str) -> Vec<String> {
    key.split('\0').map(str::to_owned).collect()
}

/// Reads paragraphs: separated by blank lines, except inside a fence; items of a list each on their own.
fn read(text: &str) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::new();
    let mut open: Option<Vec<Vec<String>>> = None;
    for (block, tight) in blocks(&text.replace("\r\n", "\n").replace('\0', "")) {
        match (block.as_str(), &mut open) {
            (EITHER, None) => open = Some(vec![Vec::new()]),
            (OR, Some(versions)) => versions.push(Vec::new()),
            (END, Some(versions)) => {
                let mut texts: Vec<String> = versions.iter().map(|parts| parts.join("\n\n")).collect();
                texts.retain(|text| !text.is_empty());
                texts.sort_by_key(|text| super::digest(text));
                texts.dedup();
                if !texts.is_empty() {
                    out.push(Paragraph { versions: texts, tight: false });
                }
                open = None;
            }
            (_, Some(versions)) => {
                if let Some(last) = versions.last_mut() {
                    last.push(block);
                }
            }
            (_, None) => out.push(Paragraph { versions: vec![block], tight }),
        }
    }
    // Somebody took the end mark away: what was there is text again.
    for text in open.into_iter().flatten().flatten() {
        out.push(Paragraph { versions: vec![text], tight: false });
    }
    out
}

fn blocks(text: &str) -> Vec<(String, bool)> {
    let mut out: Vec<(String, bool)> = Vec::new();
    let mut fence: Option<String> = None;
    let mut after_blank = true;
    for line in text.lines() {
        let line = line.trim_end();
        if fence.is_none() && line.is_empty() {
            after_blank = true;
            continue;
        }
        let starts_item = is_item(line);
        let previous_is_item = out.last().is_some_and(|(text, _)| text.lines().next().is_some_and(is_item));
        let mark = [EITHER, OR, END].contains(&line);
        let after_mark = out.last().is_some_and(|(text, _)| [EITHER, OR, END].contains(&text.as_str()));
        let begins = fence.is_none() && (after_blank || starts_item && previous_is_item || mark || after_mark);
        match out.last_mut() {
            Some((text, _)) if !begins => {
                text.push('\n');
                text.push_str(line);
            }
            _ => out.push((line.to_owned(), !after_blank)),
        }
        after_blank = false;
        let body = line.trim_start();
        match &fence {
            Some(open) if body.starts_with(open.as_str()) && body.trim_start_matches(&open[..1]).is_empty() => {
                fence = None;
            }
            Some(_) => {}
            None => {
                fence = ["```", "~~~"].into_iter().find(|mark| body.starts_with(mark)).map(str::to_owned);
            }
        }
    }
    out
}

/// A line that begins an item of a list, at the left edge.
fn is_item(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = digits > 0 && digits < 4 && line[digits..].starts_with(". ");
    numbered || ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
}

fn write<'p>(paragraphs: impl Iterator<Item = (&'p [String], bool)>) -> String {
    let mut out = String::new();
    for (versions, tight) in paragraphs {
        if !out.is_empty() {
            out.push_str(if tight { "\n" } else { "\n\n" });
        }
        match versions {
            [only] => out.push_str(only),
            several => out.push_str(&format!("{EITHER}\n\n{}\n\n{END}", several.join(&format!("\n\n{OR}\n\n")))),
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
