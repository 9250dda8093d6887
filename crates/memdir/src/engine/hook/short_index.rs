//! The part of an index that matters, for a host that takes less than all of it (B3).
//!
//! Enters: an index as a block of the context, and the bytes there are for it. Leaves: the same with fewer lines, in their order, and how
//! many are missing. Pinned memories keep their lines first, then those changed in the last days, then those that are opened most; the
//! rest in the order of the file. Lines that point nowhere give way before any other. Never cuts a line.

use crate::engine::uses::Uses;
use crate::engine::{Error, Memory};
use memdir_core::limits::FRESH_DAYS;
use memdir_store::index::target_of;
use memdir_store::{Store, Written};

/// A part of an index.
pub(super) struct ShortIndex {
    /// Its label and the lines that fit.
    pub(super) text: String,
    /// How many pointers are not among them.
    pub(super) left_out: usize,
}

impl Memory {
    /// As much of an index block as fits; nothing but its count where not even a line does.
    pub(super) fn short_index(&self, block: &str, text: &str, room: usize) -> Result<ShortIndex, Error> {
        let (label, body) = text.split_once("\n\n").unwrap_or(("", text));
        let lines: Vec<&str> = body.lines().collect();
        let worth = self.worth_of(block, &lines)?;
        let pointers = worth.iter().filter(|worth| worth.points).count();
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(worth[*at]), *at));
        let mut left = room.saturating_sub(label.len() + 2);
        let mut kept = vec![false; lines.len()];
        for at in order {
            let length = lines[at].len() + 1;
            if length <= left {
                (kept[at], left) = (true, left - length);
            }
        }
        let shown = |at: &usize| kept[*at] && worth[*at].points;
        let left_out = pointers - (0..lines.len()).filter(shown).count();
        if left_out == pointers {
            return Ok(ShortIndex { text: String::new(), left_out });
        }
        let part: Vec<&str> = lines.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(line, _)| *line).collect();
        Ok(ShortIndex { text: format!("{label}\n\n{}", part.join("\n").trim_end()), left_out })
    }

    fn worth_of(&self, block: &str, lines: &[&str]) -> Result<Vec<Worth>, Error> {
        let (store, prefix) = match block {
            "index" => (self.private_store()?, ""),
            "team-index" => (self.private_store()?, "team/"),
            "user-index" => (self.user_store().ok().flatten(), ""),
            // Nothing is known of what others point to.
            _ => (None, ""),
        };
        let known = store.map(Store::known).transpose()?;
        let uses = store.map(Uses::of).unwrap_or_default();
        let worth = |line: &&str| {
            let Some(target) = target_of(line) else { return Worth::default() };
            let path = format!("{prefix}{target}");
            let found = known.as_ref().and_then(|known| known.get(&path));
            Worth {
                points: true,
                pinned: found.is_some_and(|memory| memory.pinned),
                fresh: found.is_some_and(|memory| self.is_recent(&memory.written)),
                uses: uses.opened(&path),
            }
        };
        Ok(lines.iter().map(worth).collect())
    }

    fn is_recent(&self, written: &Written) -> bool {
        self.files().age(written).is_some_and(|days| days <= FRESH_DAYS)
    }
}

/// What a line is worth, the most important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    points: bool,
    pinned: bool,
    fresh: bool,
    uses: u32,
}
