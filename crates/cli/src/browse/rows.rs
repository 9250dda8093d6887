//! The memories as rows of a list, and which of them fit what is typed and what is filtered.
//!
//! Enters: a listing. Leaves: rows that stand on their own, each with its words in small letters, so
//! that twenty thousand of them are looked through between two keys.

use memdir::engine::{Listed, Listing};
use memdir::kind::{Scope, Type};
use memdir::reader::title;

/// Bytes that stay before what was found in a line.
const LEAD: usize = 12;
/// What a memory without a type is called.
const UNTYPED: &str = "untyped";

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryRow {
    /// How it is named to the library.
    pub(super) handle: String,
    pub(super) scope: Scope,
    pub(super) kind: Option<Type>,
    pub(super) name: String,
    pub(super) about: String,
    /// `None` where nobody knows.
    pub(super) age_days: Option<i64>,
    pub(super) pinned: bool,
    /// What is searched.
    words: String,
}

/// Which types and scopes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// A type by its name, or what has none; `None`: all.
    kind: Option<&'static str>,
    scope: Option<Scope>,
}

impl Filter {
    const KINDS: [&'static str; 5] =
        [Type::User.as_str(), Type::Feedback.as_str(), Type::Project.as_str(), Type::Reference.as_str(), UNTYPED];
    const SCOPES: [Scope; 3] = [Scope::Private, Scope::Team, Scope::User];

    /// The next type that one of the memories has; a type that none has would show an empty list.
    pub(super) fn next_kind(&mut self, rows: &[MemoryRow]) {
        let among = |filter: Filter| rows.iter().any(|row| Filter { scope: None, ..filter }.lets(row));
        self.kind = after(&Filter::KINDS, self.kind);
        while self.kind.is_some() && !among(*self) {
            self.kind = after(&Filter::KINDS, self.kind);
        }
    }

    /// The next scope that one of the memories is in.
    pub(super) fn next_scope(&mut self, rows: &[MemoryRow]) {
        let among = |filter: Filter| rows.iter().any(|row| Filter { kind: None, ..filter }.lets(row));
        self.scope = after(&Filter::SCOPES, self.scope);
        while self.scope.is_some() && !among(*self) {
            self.scope = after(&Filter::SCOPES, self.scope);
        }
    }

    /// Whether it lets everything through.
    pub(super) fn is_open(self) -> bool {
        self == Filter::default()
    }

    pub(super) fn lets(self, row: &MemoryRow) -> bool {
        self.kind.is_none_or(|kind| row.kind.map_or(UNTYPED, Type::as_str) == kind)
            && self.scope.is_none_or(|scope| row.scope == scope)
    }

    /// What it lets through, in words; nothing where that is everything.
    pub(super) fn words(self) -> String {
        let words: Vec<&str> = self.kind.into_iter().chain(self.scope.map(Scope::as_str)).collect();
        words.join(", ")
    }
}

/// The next of all, and after the last one none.
fn after<T: Copy + PartialEq>(all: &[T], now: Option<T>) -> Option<T> {
    let next = now.map_or(0, |now| all.iter().position(|one| *one == now).map_or(0, |at| at + 1));
    all.get(next).copied()
}

/// A line of a memory that contains what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextHit {
    pub(super) handle: String,
    pub(super) line: String,
}

/// All rows of a listing, newest first.
pub(super) fn rows(listing: &Listing) -> Vec<MemoryRow> {
    listing.memories().map(|listed| row(&listed)).collect()
}

fn row(listed: &Listed<'_>) -> MemoryRow {
    let name = listed.title.to_string();
    let about = listed.description.as_deref().unwrap_or_default();
    let about = match &listed.from {
        Some(from) if about.is_empty() => format!("from {from}"),
        Some(from) => format!("{about} · from {from}"),
        None => about.to_owned(),
    };
    let (handle, file) = (handle(listed.scope, &listed.file), listed.file.to_string());
    MemoryRow::new(handle, file, listed.scope, listed.kind, name, about, listed.age_days, listed.pinned)
}

impl MemoryRow {
    #[expect(clippy::too_many_arguments, reason = "a row is these fields")]
    pub(super) fn new(
        handle: String,
        file: String,
        scope: Scope,
        kind: Option<Type>,
        name: String,
        about: String,
        age_days: Option<i64>,
        pinned: bool,
    ) -> MemoryRow {
        let about_kind = kind.map_or(UNTYPED, Type::as_str);
        let words = [&*file, &*name, &*about, about_kind, scope.as_str()].join("\n").to_lowercase();
        // What says the name and more takes its place: nobody reads the same words twice.
        let repeats = title::is_said_by(name.trim_end_matches('…'), &about);
        let (name, about) = if repeats { (about, String::new()) } else { (name, about) };
        MemoryRow { handle, scope, kind, name, about, age_days, pinned, words }
    }
}

/// How a memory is named so that the library finds this one and no other.
pub(super) fn handle(scope: Scope, file: &str) -> String {
    if scope == Scope::User { format!("user:{file}") } else { format!("private:{file}") }
}

/// The rows that contain every word of a query and pass a filter, by their number.
pub(super) fn fitting(rows: &[MemoryRow], query: &str, filter: Filter) -> Vec<usize> {
    let wanted: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let fits = |row: &MemoryRow| filter.lets(row) && wanted.iter().all(|word| row.words.contains(word.as_str()));
    rows.iter().enumerate().filter(|(_, row)| fits(row)).map(|(at, _)| at).collect()
}

/// `today`, `3d`, `5mo`, `2y`, or `?` where nobody knows.
pub(super) fn age(days: Option<i64>) -> String {
    let Some(days) = days else { return "?".to_owned() };
    match days {
        ..=0 => "today".to_owned(),
        1..=60 => format!("{days}d"),
        61..=729 => format!("{}mo", days / 30),
        _ => format!("{}y", days / 365),
    }
}

/// A line from a little before what was looked for: the rest may not fit beside a name.
pub(super) fn around(line: &str, query: &str) -> String {
    let line = line.trim();
    let (low, wanted) = (line.to_lowercase(), query.trim().to_lowercase());
    // Letters that change their length with their case are rare; the whole line does then.
    let at = (low.len() == line.len()).then(|| low.find(&wanted)).flatten().unwrap_or(0);
    let from = line.floor_char_boundary(at.saturating_sub(LEAD));
    // At the beginning of a word.
    let word = line[from..at].find(' ').map_or(from, |space| from + space + 1);
    if from == 0 { line.to_owned() } else { format!("…{}", &line[word..]) }
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn a_line_begins_shortly_before_what_was_found() {
        assert_eq!(around("  the answer is 42", "Answer"), "the answer is 42");
        assert_eq!(around("The answer to question 10033 is in drawer 42.", "drawer 42"), "…is in drawer 42.");
        assert_eq!(around("ßßßßßßßßßßßßßßßßß İ here", "here"), "ßßßßßßßßßßßßßßßßß İ here");
        assert_eq!(around("nothing of it", "else"), "nothing of it");
    }
}
