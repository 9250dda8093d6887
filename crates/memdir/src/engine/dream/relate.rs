//! What two near memories are to each other.
//!
//! Enters: two memories, how near they are, and which is newer. Leaves: they say the same, one tells
//! what became of the other, they may contradict each other, or nothing. Judged by wording first
//! ("moved to", 改为, "cancelled", "draft") and by age second: age alone makes nothing untrue.

use std::collections::HashSet;

use super::desk::Sheet;
use super::unite::sentences;
use super::wording::{REPLACES, is_tentative, says, tells_of_change};
use crate::kind::Type;
use crate::text::likeness::{Note, statement_of, words};

/// What two memories are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Both say the same; the union of them is one memory.
    Same,
    /// The newer one tells what became of the older.
    Supersedes {
        /// Whether the first of the two is the newer one.
        first_wins: bool,
    },
    /// They may contradict each other; a person should look.
    Unsure,
    /// Two memories.
    Apart,
}

/// Near enough to say the same. Rules and people are told in many words; facts of a project and
/// pointers resemble each other more, and differ in one word that matters.
fn same_from(kind: Option<Type>) -> f32 {
    match kind {
        Some(Type::Feedback | Type::User) => 0.86,
        Some(Type::Reference) => 1.0,
        Some(Type::Project) | None => 1.05,
    }
}

/// Near enough for a word of change to be about the other one.
const CHANGED_FROM: f32 = 0.55;
/// Near enough for a draft to be a draft of the other one.
const FIRM_FROM: f32 = 0.8;
/// Near enough for two different numbers to be worth a look.
const LOOK_FROM: f32 = 0.95;
/// Texts of so many different words that say the same share more of them than chance brings.
const LONG: usize = 40;
/// How alike such texts are at least. Vectors alone find long texts of one trade near each other.
const LONG_ALIKE: f32 = 0.35;
/// Files copied together have nearly one time, which says nothing about age.
const SAME_TIME_SECONDS: i64 = 120;

/// Whether two memories so near can be anything to each other; most pairs need no second look.
pub(super) fn may_relate(score: f32, mutual: bool) -> bool {
    score >= FIRM_FROM || (mutual && score >= CHANGED_FROM)
}

/// Tells what two memories are to each other.
pub(super) fn relate(one: &Sheet, other: &Sheet, notes: (&Note, &Note), score: f32, mutual: bool) -> Relation {
    if notes.0.len().min(notes.1.len()) >= LONG && notes.0.likeness(notes.1) < LONG_ALIKE {
        return Relation::Apart;
    }
    let seconds = one.written.as_second() - other.written.as_second();
    let (same_time, first_newer) = (seconds.abs() <= SAME_TIME_SECONDS, seconds > 0);
    let texts = (one.text(), other.text());
    let first_wins = match (tells_of_news(one), tells_of_news(other)) {
        (true, true) if same_time => None,
        (true, true) => Some(first_newer),
        (true, false) if first_newer || same_time => Some(true),
        (false, true) if !first_newer || same_time => Some(false),
        _ => None,
    };
    if let Some(first) = first_wins
        && score >= CHANGED_FROM
        && mutual
        && (if first { tells_of(one, other) } else { tells_of(other, one) })
        && differ(&notes, &texts)
    {
        return Relation::Supersedes { first_wins: first };
    }
    let drafts = (is_tentative(&texts.0), is_tentative(&texts.1));
    if drafts.0 != drafts.1 && score >= FIRM_FROM && (same_time || first_newer != drafts.0) {
        // The firm one must be about the same dates or amounts, or undo the plan.
        return Relation::Supersedes { first_wins: drafts.1 };
    }
    let kind = one.kind().or(other.kind());
    let contradictory = notes.0.differs_in_numbers(notes.1) || notes.0.opposes(notes.1);
    if contradictory {
        return if score >= LOOK_FROM && mutual { Relation::Unsure } else { Relation::Apart };
    }
    if score >= same_from(kind) { Relation::Same } else { Relation::Apart }
}

/// Whether there is anything that one of two says otherwise.
fn differ(notes: &(&Note, &Note), texts: &(String, String)) -> bool {
    let (a, b): (HashSet<String>, HashSet<String>) =
        (words(&texts.0).into_iter().collect(), words(&texts.1).into_iter().collect());
    notes.0.differs_in_numbers(notes.1) || notes.0.opposes(notes.1) || (!a.is_subset(&b) && !b.is_subset(&a))
}

/// Whether the newer memory tells of a change in the same breath as of what the older is about: a word of change
/// in one sentence and a common name in another are two things, the more so the longer the text.
fn tells_of(newer: &Sheet, older: &Sheet) -> bool {
    let named: HashSet<String> = words(&older.name()).into_iter().collect();
    // What it is about stands in its description and in its first sentence.
    let prose: String =
        older.body().lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    let first = sentences(&statement_of(&prose)).into_iter().next().unwrap_or_default();
    let about = [older.description(), first];
    let values: HashSet<String> = about.iter().flat_map(|text| telling(text)).collect();
    let openings: HashSet<String> = about.iter().flat_map(|text| opening(text)).collect();
    let speaks_of = |text: &str| {
        let own: HashSet<String> = words(text).into_iter().collect();
        let marked = telling(text);
        // Any word is written large where a sentence begins: it names something if it is so elsewhere too.
        let names =
            |word: &&String| if openings.contains(*word) { marked.contains(*word) } else { own.contains(*word) };
        // A short name must be there in full, of a longer one half is enough.
        let enough = if named.len() <= 2 { named.len() } else { named.len().div_ceil(2) };
        (enough > 0 && named.intersection(&own).count() >= enough) || values.iter().any(|word| names(&word))
    };
    let stated = sentences(&statement_of(&newer.body()));
    let head = format!("{}\n{}\n{}", newer.name(), newer.description(), stated.first().cloned().unwrap_or_default());
    let body = newer.body();
    let mut breaths = std::iter::once(head).chain(stated.into_iter().skip(1));
    breaths.any(|text| tells_of_change(&text) && speaks_of(&text))
        || body.lines().flat_map(sentences).any(|text| says(&text, REPLACES) && speaks_of(&text))
}

/// Words that name something: capitalised inside a sentence, with digits, or with marks inside.
pub(super) fn telling(text: &str) -> HashSet<String> {
    let raw = text.split_whitespace().filter(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.chars().any(|c| c.is_ascii_digit())
            || bare.chars().next().is_some_and(char::is_uppercase)
            || bare.contains(['.', '/', '-', '_'])
    });
    raw.flat_map(words).collect()
}

/// The first word of a text, where it is a plain one.
fn opening(text: &str) -> Vec<String> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
    let is_plain = bare.chars().skip(1).all(char::is_lowercase);
    if is_plain { words(bare) } else { Vec::new() }
}

/// Whether a memory itself tells of a change: in what it states, or by naming what it replaces. "Every new
/// or renamed model" in its use tells where it applies.
fn tells_of_news(sheet: &Sheet) -> bool {
    let stated = format!("{}\n{}\n{}", sheet.name(), sheet.description(), statement_of(&sheet.body()));
    tells_of_change(&stated) || says(&sheet.body(), REPLACES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(name: &str, body: &str) -> Sheet {
        let text = crate::engine::workbench::topic("project", name, body);
        Sheet::loose(
            crate::guard::confine::RelPath::parse("a.md").unwrap(),
            crate::store::topic::Topic::parse(text.into_bytes()),
        )
    }

    #[test]
    fn d3_a_change_must_be_told_of_what_the_older_memory_is_about() {
        let older = sheet("Build server", "Jenkins builds every branch.");
        let newer = sheet("Builds", "We moved from Jenkins to GitHub Actions.");
        assert!(tells_of(&newer, &older));
        // The change is about something else, and the common name stands elsewhere.
        let long = "The wiki moved to Notion. Nightly reports come by mail. Jenkins has a dashboard for them.";
        assert!(!tells_of(&sheet("Reports", long), &older));
        // A long text has a word of everything.
        let words = "Some of the build was changed last week. The server room is cold.";
        assert!(!tells_of(&sheet("Notes", words), &older));
        assert!(tells_of(&sheet("Builds", "The old build server is retired."), &older));
        assert!(tells_of(&sheet("构建", "构建改用 GitHub Actions,不再用 Jenkins。"), &older));
    }

    #[test]
    fn d3_long_texts_of_one_trade_are_not_the_same_for_their_meaning_alone() {
        let alpha = "The importer reads invoices from the harbour office every morning, checks each line against the tariff, writes \
            rejected rows into a spreadsheet for the clerk, and mails a summary to accounting before nine. Retries happen twice; \
            afterwards somebody on duty restarts the queue by hand and notes the reason in the logbook of the week. Duplicates carry the same voucher number, \
            so the ledger drops them silently; credit notes wait until the supplier confirms by phone or fax.";
        let again = alpha.replace("every morning", "each morning").replace("mails a summary", "sends a summary");
        let beta = "Customs declarations leave through a signed channel that the agency opened last spring, where certificates \
            expire yearly and renewal needs two passports, a stamp, plus patience. Nobody may upload archives larger than forty \
            megabytes; split them, number the parts, keep originals for seven years inside the vault downstairs. Inspectors arrive unannounced during autumn, borrow a \
            desk, photograph labels, interview drivers, then publish findings online within thirty working days.";
        let told = |one: &str, other: &str| {
            let (a, b) = (sheet("One", one), sheet("Other", other));
            let notes = (Note::read(&a.text()), Note::read(&b.text()));
            relate(&a, &b, (&notes.0, &notes.1), 1.2, true)
        };
        assert_eq!(told(alpha, &again), Relation::Same);
        assert_eq!(told(alpha, beta), Relation::Apart);
    }
}
