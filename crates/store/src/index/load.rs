//! The part of MEMORY.md that a session loads (I2, I3).
//!
//! Enters: the file, the unit of its limit, and which memories to prefer. Leaves: the text with a
//! warning if it was cut, and an account of every line that is not in it. Never splits a line
//! that fits nor a character, and never changes the order.
//!
//! # The rule
//!
//! Blank space at both ends does not count. The first [`limits::INDEX_LINES`] lines stay, of these
//! as many as fit into [`limits::INDEX_BYTES`]; if not even the first does, as much of it as fits.
//! Lines outside whose memory the caller wants kept then displace the last ordinary lines inside.
//! If even those do not all fit, the later ones win: new memories are added at the end, and what
//! was learned last corrects what was learned first.

use std::borrow::Cow;

use super::choose::choose;
use super::{compose, line, lossy};
use memdir_core::limits;

/// What the size limit counts: bytes, or UTF-16 units as hosts written in JavaScript do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeUnit {
    /// Bytes of UTF-8.
    #[default]
    Bytes,
    /// UTF-16 code units.
    Utf16,
}

/// What a session sees of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The text, with the warning at its end if it was cut.
    pub text: String,
    /// Lines of the whole file, blank ones at both ends not counted.
    pub lines: usize,
    /// Bytes of the whole file, blank space at both ends not counted.
    pub bytes: usize,
    /// What the cut was, if there was one.
    pub cut: Option<Cut>,
    /// The memories whose lines are in the text.
    pub loaded: Vec<String>,
    /// Lines within the limit that gave way to lines worth more.
    pub displaced: Vec<DroppedLine>,
    /// Lines beyond the limit; blank ones are not named.
    pub dropped: Vec<DroppedLine>,
}

/// Why and where the index was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// There are more lines than the limit.
    pub over_lines: bool,
    /// It is larger than the limit.
    pub over_size: bool,
    /// Its size in the unit of the limit.
    pub size: usize,
    /// How many lines are missing, or only partly there.
    pub missing: usize,
    /// The first of them, counted from 1 in the file.
    pub first: usize,
    /// Whether a line had to be cut inside, being longer than the limit alone.
    pub inside_line: bool,
}

/// A line that a session does not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedLine {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The memory it points to, if it is a pointer.
    pub target: Option<String>,
    /// Its text, shortened if it is long.
    pub text: String,
}

/// Loads the index; `keep` says of a target whether its line matters more than its place: pinned,
/// or changed in the last [`limits::FRESH_DAYS`] days. It is asked only if something must go.
pub fn load(raw: &[u8], unit: SizeUnit, keep: &dyn Fn(&str) -> bool) -> Loaded {
    let whole = lossy(raw);
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    let text = whole.trim_start_matches(is_blank);
    let above = whole[..whole.len() - text.len()].matches('\n').count();
    let text = text.trim_end_matches(is_blank);
    let lines: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('\n').collect() };
    let targets: Vec<Option<Cow<'_, str>>> =
        lines.iter().map(|line| line::read(line).map(|link| link.target)).collect();
    let size = unit.size(text);
    let over_lines = lines.len() > limits::INDEX_LINES;
    let over_size = size > limits::INDEX_BYTES;
    let mut loaded = Loaded { lines: lines.len(), bytes: text.len(), ..Loaded::default() };
    if !over_lines && !over_size {
        text.clone_into(&mut loaded.text);
        loaded.loaded = targets.into_iter().flatten().map(Cow::into_owned).collect();
        return loaded;
    }
    let chosen = choose(&lines, &targets, unit, keep);
    let first_is_in = chosen.start_of_first.is_some();
    let mut part = Vec::with_capacity(chosen.whole.len() + 1);
    part.extend(chosen.start_of_first.map(|end| &lines[0][..end]));
    part.extend(chosen.whole.iter().map(|at| lines[*at]));
    loaded.text = part.join("\n");
    let mut whole = chosen.whole.into_iter().peekable();
    let mut missing = 0;
    let mut first = None;
    for (at, (line, target)) in lines.iter().zip(targets).enumerate() {
        let target = target.map(Cow::into_owned);
        if whole.next_if_eq(&at).is_some() {
            loaded.loaded.extend(target);
            continue;
        }
        missing += 1;
        first.get_or_insert(at);
        if at == 0 && first_is_in {
            loaded.loaded.extend(target);
        } else if !line.trim().is_empty() {
            let text = compose::cut(line.trim_end(), limits::LONG_LINE_CHARS).into_owned();
            let inside = at < chosen.within;
            let list = if inside { &mut loaded.displaced } else { &mut loaded.dropped };
            list.push(DroppedLine { line: above + at + 1, target, text });
        }
    }
    let first = first.unwrap_or_default();
    let cut = Cut { over_lines, over_size, size, missing, first: above + first + 1, inside_line: first_is_in };
    loaded.text.push_str(&warning(&loaded, &cut, unit, lines[first]));
    loaded.cut = Some(cut);
    loaded
}

fn warning(loaded: &Loaded, cut: &Cut, unit: SizeUnit, first: &str) -> String {
    let word = unit.word();
    let lines = format!("{} lines (limit: {})", loaded.lines, limits::INDEX_LINES);
    let size = format!("{} {word} (limit: {})", cut.size, limits::INDEX_BYTES);
    let large = match (cut.over_lines, cut.over_size) {
        (true, true) => format!("{lines} and {size} long"),
        (true, false) => format!("{lines} long"),
        _ => format!("{size} long"),
    };
    let shown: String = first.chars().take(300).collect();
    let shown = compose::one_line(&shown);
    let shown = match compose::cut(shown.trim(), 80) {
        shown if shown.is_empty() => String::new(),
        shown => format!(" (\"{shown}\")"),
    };
    let part = if cut.inside_line {
        let more = cut.missing - 1;
        format!("line {} alone is over the limit and stops in the middle, {more} more are missing", cut.first)
    } else {
        let (missing, all) = (cut.missing, loaded.lines);
        format!("{missing} of {all} lines are missing, from line {} on{shown}", cut.first)
    };
    let instead = if loaded.displaced.is_empty() {
        ""
    } else {
        " Pinned and recently changed entries from below are shown in place of the last others."
    };
    format!(
        "\n\n> WARNING: MEMORY.md is {large}. Only part of it is shown: {part}.{instead} To fix \
         this, keep every entry to one line of at most {} characters and put details into its \
         topic file.",
        limits::POINTER_CHARS
    )
}
