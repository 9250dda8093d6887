//! `list`: every memory, newest first.

use std::borrow::Cow;
use std::fmt::Write as _;

use memdir::engine::{Listed, Listing, Memory};
use memdir::reader::title;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::CommandResult;
use crate::args::{ScopeArg, TypeArg};
use crate::ui::{Style, Ui, clip, columns, safe};

/// Columns of a file name, and of what a memory is about, where no terminal sets a limit.
const FILE_COLUMNS: usize = 44;
const ABOUT_COLUMNS: usize = 72;
/// Columns of what is neither: the mark of a pin, type, scope and age.
const OTHER_COLUMNS: usize = 31;
/// Bytes of a list that are written at once.
const PIECE: usize = 64 * 1024;

pub(crate) fn run(memory: &Memory, kind: Option<TypeArg>, scope: Option<ScopeArg>, ui: &mut Ui) -> CommandResult {
    let listing = memory.files().list()?;
    let (kind, scope) = (kind.map(memdir::kind::Type::from), scope.map(memdir::kind::Scope::from));
    let wanted = |listed: &Listed<'_>| {
        kind.is_none_or(|kind| listed.kind == Some(kind)) && scope.is_none_or(|scope| listed.scope == scope)
    };
    let memories = listing.memories().filter(wanted);
    if ui.json {
        return Ok(ui.print_json(&Answer { memories, listing: &listing })?);
    }
    let widest = memories.clone().map(|listed| columns(&listed.file)).max();
    let width = widest.unwrap_or(0).clamp(8, FILE_COLUMNS);
    let line = ui.width();
    // On a terminal what a memory is about has the larger half of what is left.
    let width = line.map_or(width, |line| width.min(line.saturating_sub(OTHER_COLUMNS) / 2).max(8));
    let layout = Layout { file: width, line };
    // In pieces: a long list is not kept in memory a second time.
    let mut out = String::with_capacity(PIECE + 1024);
    for listed in memories {
        row(&mut out, &listed, layout, ui);
        if out.len() >= PIECE {
            ui.raw(&out)?;
            out.clear();
        }
    }
    ui.raw(&out)?;
    if widest.is_none() {
        ui.say(if listing.is_empty() {
            "No memories yet. Save one with: memdir remember \"…\""
        } else {
            "No memory is of that type and scope."
        });
    }
    for (file, why) in listing.unreadable.iter().take(20) {
        ui.warn(format!("{} {why}", safe(file)));
    }
    Ok(())
}

/// The JSON document, written as it is read: no second copy of a long listing.
struct Answer<'l, M> {
    memories: M,
    listing: &'l Listing,
}

impl<'l, M: Iterator<Item = Listed<'l>> + Clone> Serialize for Answer<'l, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unreadable = self.listing.unreadable.iter().map(|(file, why)| Unreadable { file, reason: why });
        let mut out = serializer.serialize_map(Some(2))?;
        out.serialize_entry("memories", &Sequence(self.memories.clone()))?;
        out.serialize_entry("unreadable", &Sequence(unreadable))?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct Unreadable<'l> {
    file: &'l str,
    reason: &'l str,
}

struct Sequence<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// How a list is laid out.
#[derive(Clone, Copy)]
struct Layout {
    /// The column of files.
    file: usize,
    /// A line of the terminal, if there is one: nothing is wrapped on it, and nothing else cuts a file's name.
    line: Option<usize>,
}

fn row(out: &mut String, listed: &Listed<'_>, layout: Layout, ui: &Ui) {
    let file = match layout.line {
        Some(_) => clip(&listed.file, layout.file),
        None => Cow::Owned(safe(&listed.file)),
    };
    let began = out.len();
    out.push(if listed.pinned { '*' } else { ' ' });
    ui.paint_onto(out, Style::Bold, &file);
    pad(out, columns(&file), layout.file + 2);
    for (word, width) in [(listed.kind.map_or("-", memdir::kind::Type::as_str), 10), (listed.scope.as_str(), 8)] {
        out.push_str(word);
        pad(out, word.len(), width);
    }
    let before = out.len();
    match listed.age_days {
        None => out.push_str("unknown"),
        Some(0) => out.push_str("today"),
        Some(1) => out.push_str("yesterday"),
        // Writing to a String cannot fail.
        Some(days) => drop(write!(out, "{days}d")),
    }
    pad(out, out.len() - before, 10);
    let flags = if listed.flags.is_empty() {
        String::new()
    } else {
        format!(" [{}]", listed.flags.join(", ").replace('-', " "))
    };
    let from = listed.from.as_ref().map_or_else(String::new, |from| format!("  from {}", clip(from, ABOUT_COLUMNS)));
    let used = 1 + columns(&file).max(layout.file + 1) + 1 + 10 + 8 + 10;
    let mut room = layout.line.map(|line| line.saturating_sub(used));
    let marks = room.is_none_or(|room| room >= columns(&flags) + columns(&from));
    if let (true, Some(room)) = (marks, &mut room) {
        *room -= columns(&flags) + columns(&from);
    }
    match room {
        Some(0) => {}
        room => out.push_str(&clip(&about(listed), room.unwrap_or(ABOUT_COLUMNS))),
    }
    if marks {
        ui.paint_onto(out, Style::Warn, &flags);
        ui.paint_onto(out, Style::Dim, &from);
    }
    out.truncate(began + out[began..].trim_end().len());
    out.push('\n');
}

/// What a memory is about; one whose name says nothing to people is introduced by its title.
fn about<'l>(listed: &'l Listed<'_>) -> Cow<'l, str> {
    match listed.description.as_deref() {
        None => Cow::Borrowed(&listed.title),
        Some(description) if listed.name.as_deref() == Some(&listed.title) => Cow::Borrowed(description),
        Some(description) => Cow::Owned(introduced(&listed.title, description)),
    }
}

/// Title and description, without saying the same twice.
pub(super) fn introduced(title: &str, description: &str) -> String {
    match description {
        "" => title.to_owned(),
        _ if title::is_said_by(title, description) => description.to_owned(),
        _ => format!("{title} — {description}"),
    }
}

/// Fills up what was just written to a width; at least one space stays between two columns.
fn pad(out: &mut String, written: usize, width: usize) {
    const SPACES: &str = "                                                ";
    let missing = width.saturating_sub(written).max(1);
    out.push_str(&SPACES[..missing.min(SPACES.len())]);
}
