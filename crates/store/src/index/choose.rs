//! Which lines of an over-long index a session loads (I2).
//!
//! Enters: the lines, the unit of the limit, and which memories to prefer. Leaves: line numbers
//! in file order. Never looks at a line more than a few times, however many there are.

use std::borrow::Cow;

use super::load::SizeUnit;
use memdir_core::limits;

impl SizeUnit {
    pub(super) fn size(self, text: &str) -> usize {
        match self {
            SizeUnit::Bytes => text.len(),
            SizeUnit::Utf16 => text.encode_utf16().count(),
        }
    }

    /// The longest start of a text that is no larger than `room`, in bytes.
    fn fit(self, text: &str, room: usize) -> usize {
        match self {
            SizeUnit::Bytes => text.floor_char_boundary(room),
            SizeUnit::Utf16 => {
                let mut used = 0;
                let over = text.char_indices().find(|(_, letter)| {
                    used += letter.len_utf16();
                    used > room
                });
                over.map_or(text.len(), |(at, _)| at)
            }
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            SizeUnit::Bytes => "bytes",
            SizeUnit::Utf16 => "characters",
        }
    }
}

/// Which lines are loaded.
pub(super) struct LoadedLines {
    /// Whole lines, in file order.
    pub(super) whole: Vec<usize>,
    /// Where the first line is cut, if it is longer than the limit alone.
    pub(super) start_of_first: Option<usize>,
    /// How many lines the limit alone would let in.
    pub(super) within: usize,
}

/// The room that is left, in lines and in units; a line costs its break too.
struct Room {
    lines: usize,
    units: usize,
}

impl Room {
    fn take(&mut self, units: usize) -> bool {
        let fits = self.lines > 0 && units < self.units;
        if fits {
            self.lines -= 1;
            self.units -= units + 1;
        }
        fits
    }
}

/// Applies the rule of [`super::load`].
pub(super) fn choose(
    lines: &[&str],
    targets: &[Option<Cow<'_, str>>],
    unit: SizeUnit,
    keep: &dyn Fn(&str) -> bool,
) -> LoadedLines {
    let all = || Room { lines: limits::INDEX_LINES, units: limits::INDEX_BYTES + 1 };
    let mut room = all();
    let within = lines.iter().take_while(|line| room.take(unit.size(line))).count();
    let first_too_long = within == 0;
    let within = within.max(1);
    let wanted = |at: &usize| targets[*at].as_deref().is_some_and(keep);
    let kept: Vec<usize> = (0..lines.len()).filter(wanted).collect();
    if kept.last().is_none_or(|last| *last < within) {
        if first_too_long {
            let end = unit.fit(lines[0], limits::INDEX_BYTES);
            return LoadedLines { whole: Vec::new(), start_of_first: Some(end), within };
        }
        return LoadedLines { whole: (0..within).collect(), start_of_first: None, within };
    }
    let mut room = all();
    let mut whole: Vec<usize> = kept.iter().rev().copied().filter(|at| room.take(unit.size(lines[*at]))).collect();
    let mut start_of_first = None;
    if first_too_long {
        let end = unit.fit(lines[0], room.units.saturating_sub(1));
        start_of_first = (room.lines > 0 && end > 0).then_some(end);
    } else {
        let ordinary = (0..within).filter(|at| kept.binary_search(at).is_err());
        whole.extend(ordinary.take_while(|at| room.take(unit.size(lines[*at]))));
    }
    whole.sort_unstable();
    LoadedLines { whole, start_of_first, within }
}
