//! Confinement: which relative paths may name a file below a memory root (P8).
//!
//! Enters: a path as text, from a model, a flag, an archive, a shared file. Leaves: a [`RelPath`]
//! that stays below any root it is joined to and reads the same on every platform and to every
//! eye, or a [`Refusal`] that names the rule. Never touches the disk: symlinks are the business of
//! whoever opens the file.
//!
//! Nothing is repaired. A path that needs mending was either a mistake or an attack, and a mended
//! path would name a file the caller did not ask for.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::shown::{is_bidi, is_invisible, one_line};

#[cfg(test)]
mod tests;

/// The longest path: the smallest `PATH_MAX` in use is 1024 (macOS), root included, so a longer
/// one could not be opened everywhere anyway.
const PATH_BYTES: usize = 1024;
/// The longest component: `NAME_MAX` of every common file system.
const COMPONENT_BYTES: usize = 255;
/// Characters of a refused path that its message repeats.
const QUOTED_CHARS: usize = 60;

/// A path below a memory root, checked: '/'-separated, relative, no tricks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

impl RelPath {
    /// Checks a path and keeps it byte for byte, or says which rule it breaks.
    pub fn parse(text: &str) -> Result<RelPath, Refusal> {
        check_whole(text)?;
        check_characters(text)?;
        for component in text.split('/') {
            check_component(component, text)?;
        }
        check_team_spelling(text)?;
        check_shareable(text)?;
        Ok(RelPath(text.to_owned()))
    }

    /// The path as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names between the slashes, outermost first.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.as_str(), |(_, name)| name)
    }

    /// Everything before the last component; nothing for a file directly below the root.
    pub fn parent(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(parent, _)| parent)
    }

    /// Whether this is an index: some file systems do not tell `memory.md` from `MEMORY.md`.
    pub fn is_index(&self) -> bool {
        self.file_name().eq_ignore_ascii_case("MEMORY.md")
    }

    /// Whether the name ends in `.md`, in any case.
    pub fn is_markdown(&self) -> bool {
        let name = self.file_name().as_bytes();
        name.len() > 3 && name[name.len() - 3..].eq_ignore_ascii_case(b".md")
    }

    /// Whether some component starts with a dot.
    pub fn is_hidden(&self) -> bool {
        self.components().any(|component| component.starts_with('.'))
    }

    /// Whether it lies in the team directory (T1).
    pub fn in_team(&self) -> bool {
        self.components().next() == Some(TEAM)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The directory of team memory inside the private one (T1).
const TEAM: &str = "team";

/// Why a path was refused. `path` is escaped and shortened, safe to print.
#[derive(thiserror::Error, Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the messages are the documentation
#[non_exhaustive]
pub enum Refusal {
    #[error("the path is empty: name a file below the memory directory, such as notes.md")]
    Empty,
    #[error("path \"{path}\" is {bytes} bytes long, the limit is {PATH_BYTES}: use a shorter one")]
    PathTooLong { path: String, bytes: usize },
    #[error(
        "path \"{path}\" has a component of {bytes} bytes, the limit is {COMPONENT_BYTES}: \
         shorten the name"
    )]
    ComponentTooLong { path: String, bytes: usize },
    #[error("path \"{path}\" is a network path: give it relative to the memory directory")]
    Unc { path: String },
    #[error("path \"{path}\" is absolute: give it relative to the memory directory")]
    Absolute { path: String },
    #[error("path \"{path}\" starts with a drive: give it relative to the memory directory")]
    Drive { path: String },
    #[error("path \"{path}\" holds a NUL byte: remove it")]
    Nul { path: String },
    #[error("path \"{path}\" holds the control character U+{code:04X}: remove it")]
    Control { path: String, code: u32 },
    #[error("path \"{path}\" holds a backslash: separate directories with '/'")]
    Backslash { path: String },
    #[error("path \"{path}\" holds a colon, which names a drive or a stream: leave it out")]
    Colon { path: String },
    #[error(
        "path \"{path}\" holds U+{code:04X}, which passes for a separator, a dot or a colon: \
         use the plain character or another name"
    )]
    LookAlike { path: String, code: u32 },
    #[error("path \"{path}\" holds U+{code:04X}, which turns the direction of the text: remove it")]
    Bidi { path: String, code: u32 },
    #[error("path \"{path}\" holds the invisible character U+{code:04X}: remove it")]
    Invisible { path: String, code: u32 },
    #[error("path \"{path}\" has an empty component: write one '/' between names, none at the end")]
    EmptyComponent { path: String },
    #[error("path \"{path}\" has a '.' component: leave it out")]
    CurrentDir { path: String },
    #[error("path \"{path}\" has a '..' component: name the file from the memory directory down")]
    ParentDir { path: String },
    #[error("path \"{path}\" has a component that ends in a dot, which Windows drops: remove it")]
    TrailingDot { path: String },
    #[error("path \"{path}\" has a component with blank space at an end: remove it")]
    OuterSpace { path: String },
    #[error("path \"{path}\" uses the Windows device name {name}: use another name")]
    Device { path: String, name: String },
    #[error("path \"{path}\" spells the team directory in another case: write team/")]
    TeamCase { path: String },
    #[error("path \"{path}\" holds {found:?}, which a colleague's Windows has in no name: leave it out")]
    Unshareable { path: String, found: char },
}

fn check_whole(text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(Refusal::Empty);
    }
    if text.len() > PATH_BYTES {
        return Err(Refusal::PathTooLong { path: quoted(text), bytes: text.len() });
    }
    let path = || quoted(text);
    if text.starts_with("//") || text.starts_with("\\\\") {
        return Err(Refusal::Unc { path: path() });
    }
    if text.starts_with(['/', '\\']) {
        return Err(Refusal::Absolute { path: path() });
    }
    if let [letter, b':', ..] = text.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        return Err(Refusal::Drive { path: path() });
    }
    Ok(())
}

fn check_characters(text: &str) -> Result<(), Refusal> {
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let path = || quoted(text);
        let code = u32::from(c);
        match c {
            '\0' => return Err(Refusal::Nul { path: path() }),
            '\\' => return Err(Refusal::Backslash { path: path() }),
            ':' => return Err(Refusal::Colon { path: path() }),
            _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                return Err(Refusal::Control { path: path(), code });
            }
            _ if c.is_ascii() => {}
            // Families and professions are one emoji joined from several.
            '\u{200D}' if before.is_some_and(is_emoji) && rest.peek().copied().is_some_and(is_emoji) => {}
            _ if is_bidi(c) => return Err(Refusal::Bidi { path: path(), code }),
            _ if is_invisible(c) => return Err(Refusal::Invisible { path: path(), code }),
            _ if is_look_alike(c) => return Err(Refusal::LookAlike { path: path(), code }),
            _ => {}
        }
        before = Some(c);
    }
    Ok(())
}

fn check_component(component: &str, text: &str) -> Result<(), Refusal> {
    let path = || quoted(text);
    match component {
        "" => return Err(Refusal::EmptyComponent { path: path() }),
        "." => return Err(Refusal::CurrentDir { path: path() }),
        ".." => return Err(Refusal::ParentDir { path: path() }),
        _ => {}
    }
    if component.trim() != component {
        return Err(Refusal::OuterSpace { path: path() });
    }
    if component.ends_with('.') {
        return Err(Refusal::TrailingDot { path: path() });
    }
    if component.len() > COMPONENT_BYTES {
        return Err(Refusal::ComponentTooLong { path: path(), bytes: component.len() });
    }
    match device_name(component) {
        Some(name) => Err(Refusal::Device { path: path(), name }),
        None => Ok(()),
    }
}

/// `Team/` is `team/` where the file system ignores case, and would slip past the rules for shared
/// memory there.
fn check_team_spelling(text: &str) -> Result<(), Refusal> {
    match text.split('/').next() {
        Some(first) if first != TEAM && first.eq_ignore_ascii_case(TEAM) => {
            Err(Refusal::TeamCase { path: quoted(text) })
        }
        _ => Ok(()),
    }
}

/// What is shared must have a name on every machine; what is private need only have one on its own.
fn check_shareable(text: &str) -> Result<(), Refusal> {
    let shared = text.split('/').next() == Some(TEAM);
    match text.chars().find(|c| matches!(c, '<' | '>' | '"' | '|' | '?' | '*')) {
        Some(found) if shared => Err(Refusal::Unshareable { path: quoted(text), found }),
        _ => Ok(()),
    }
}

/// The device that Windows would open: the name counts up to the first dot, blanks before it are
/// dropped, and superscript digits are digits.
fn device_name(component: &str) -> Option<String> {
    let stem = component.split('.').next().unwrap_or(component).trim_end();
    let stem = stem.nfkc().collect::<String>().to_ascii_uppercase();
    let numbered = |base: &str| {
        stem.strip_prefix(base).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let plain = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    (plain.contains(&stem.as_str()) || numbered("COM") || numbered("LPT")).then_some(stem)
}

/// Characters that become a separator, a dot or a colon when some layer normalises the name, and
/// those that stay what they are but are drawn the same.
fn is_look_alike(c: char) -> bool {
    let drawn_alike = matches!(
        c,
        '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{27CB}' | '\u{2571}' | '\u{1735}' | '\u{1D23A}' // slash
        | '\u{2216}' | '\u{29F5}' | '\u{29F9}' | '\u{27CD}' | '\u{2572}' | '\u{1D20F}' // backslash
        | '\u{A4F8}' | '\u{A4FA}' | '\u{1D16D}' | '\u{10A50}' // dot
        | '\u{02D0}' | '\u{0589}' | '\u{05C3}' | '\u{2236}' | '\u{A4FD}' | '\u{A789}'
    ); // colon
    drawn_alike || std::iter::once(c).nfkc().any(|n| matches!(n, '/' | '\\' | '.' | ':' | '\0'))
}

/// Good enough to tell a joined emoji from a joiner hidden in a word.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

fn quoted(text: &str) -> String {
    let mut out: String = one_line(text).chars().take(QUOTED_CHARS).collect();
    if text.chars().nth(QUOTED_CHARS).is_some() {
        out.push('…');
    }
    out
}
