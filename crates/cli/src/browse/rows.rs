//! The memories as rows of a list, and which of them fit what is typed.
//!
//! Enters: a listing. Leaves: rows that stand on their own, each with its words in small letters, so
//! that twenty thousand of them are looked through between two keys.

use memdir::engine::{Listed, Listing};
use memdir::kind::{Scope, Type};

/// One memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// How it is named to the library.
    pub(super) handle: String,
    pub(super) scope: Scope,
    pub(super) kind: Option<Type>,
    pub(super) name: String,
    pub(super) about: String,
    pub(super) age_days: i64,
    pub(super) pinned: bool,
    /// What is searched.
    words: String,
}

/// A line of a memory that contains what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextHit {
    pub(super) handle: String,
    pub(super) line: String,
}

/// All rows of a listing, newest first.
pub(super) fn rows(listing: &Listing) -> Vec<Row> {
    listing.memories().map(|listed| row(&listed)).collect()
}

fn row(listed: &Listed<'_>) -> Row {
    let name = listed.name.as_deref().unwrap_or(&listed.file).to_owned();
    let about = listed.description.as_deref().unwrap_or_default().to_owned();
    let (handle, file) = (handle(listed.scope, &listed.file), listed.file.to_string());
    Row::new(handle, file, listed.scope, listed.kind, name, about, listed.age_days, listed.pinned)
}

impl Row {
    #[expect(clippy::too_many_arguments, reason = "a row is these fields")]
    pub(super) fn new(
        handle: String,
        file: String,
        scope: Scope,
        kind: Option<Type>,
        name: String,
        about: String,
        age_days: i64,
        pinned: bool,
    ) -> Row {
        let about_kind = kind.map_or("untyped", Type::as_str);
        let words = [&*file, &*name, &*about, about_kind, scope.as_str()].join("\n").to_lowercase();
        // What says the name and more takes its place: nobody reads the same words twice.
        let repeats = about.starts_with(name.trim_end_matches('…'));
        let (name, about) = if repeats { (about, String::new()) } else { (name, about) };
        Row { handle, scope, kind, name, about, age_days, pinned, words }
    }
}

/// How a memory is named so that the library finds this one and no other.
pub(super) fn handle(scope: Scope, file: &str) -> String {
    if scope == Scope::User { format!("user:{file}") } else { format!("private:{file}") }
}

/// The rows that contain every word of a query, by their number.
pub(super) fn fitting(rows: &[Row], query: &str) -> Vec<usize> {
    let wanted: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let fits = |row: &Row| wanted.iter().all(|word| row.words.contains(word.as_str()));
    rows.iter().enumerate().filter(|(_, row)| fits(row)).map(|(at, _)| at).collect()
}

/// `today`, `3d`, `5mo`, `2y`.
pub(super) fn age(days: i64) -> String {
    match days {
        ..=0 => "today".to_owned(),
        1..=60 => format!("{days}d"),
        61..=729 => format!("{}mo", days / 30),
        _ => format!("{}y", days / 365),
    }
}
