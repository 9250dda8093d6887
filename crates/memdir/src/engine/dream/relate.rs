//! What two near memories are to each other.
//!
//! Enters: two memories, how near they are, and when each was said. Leaves: they say the same, one tells
//! what became of the other, both cannot hold, they may contradict each other, or nothing. One tells of the other by its wording
//! ("moved to", 改为, "cancelled", "draft"); that both cannot hold is what the judge reads, and then the time says which of them
//! stands: age alone makes nothing untrue, and a file's time is no age (K6). Nearness alone is nothing: a long note, or one in a language that is not understood, has no
//! relation but that another holds the very same sentences (H3).

use std::collections::HashSet;

use super::pairs::NearPair;
use super::wording::{is_tentative, is_understood, says, tells_of_change};
use super::workspace::WorkspaceMemory;
use crate::engine::judge::{BothWays, ComparedMemory, Readings};
use memdir_core::kind::Type;
use memdir_guard::secrets;
use memdir_lexicon as lexicon;
use memdir_reader::facts::{Facts, sentences};
use memdir_reader::likeness::{Note, statement_of, words};

/// What two memories are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryRelation {
    /// One holds every sentence of the other.
    Double {
        /// Whether the first of the two holds the second.
        first_wins: bool,
    },
    /// Both say the same; the union of them is one memory.
    Same,
    /// One tells what became of the other.
    Supersedes {
        /// Whether the first of the two stands.
        first_wins: bool,
        /// Whether it is known that it was said later; else the wording alone says so.
        later: bool,
    },
    /// Both cannot hold. Nobody knows which was said later, unless it says whether that was the first.
    Contradict {
        /// Whether the first of the two was said later.
        first_later: Option<bool>,
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
/// Tells what two memories are to each other.
pub(super) fn relate(
    one: &WorkspaceMemory,
    other: &WorkspaceMemory,
    notes: (&Note, &Note),
    &NearPair { score, mutual, .. }: &NearPair,
    readings: &mut Readings<'_>,
) -> MemoryRelation {
    let (mine, theirs) = (Facts::read(&one.body()), Facts::read(&other.body()));
    if !theirs.sentences.is_empty() && theirs.sentences.is_subset(&mine.sentences) {
        return MemoryRelation::Double { first_wins: true };
    }
    if !mine.sentences.is_empty() && mine.sentences.is_subset(&theirs.sentences) {
        return MemoryRelation::Double { first_wins: false };
    }
    let texts = (one.text(), other.text());
    if one.is_long() || other.is_long() || !is_understood(&texts.0) || !is_understood(&texts.1) {
        return MemoryRelation::Apart;
    }
    // Which was said later; nobody knows of most.
    let first_later = match (one.said_at, other.said_at) {
        (Some(one), Some(other)) if one != other => Some(one > other),
        _ => None,
    };
    let told = match (tells_of_news(one), tells_of_news(other)) {
        (true, true) => first_later,
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    if let Some(first) = told
        && score >= CHANGED_FROM
        && mutual
        && (if first { tells_of(one, other) } else { tells_of(other, one) })
        && (tells_of_news(one) != tells_of_news(other) || differ(&notes, &texts))
    {
        // What tells of the change is the older one: it may have been changed back.
        return match first_later {
            Some(later) if later != first => MemoryRelation::Unsure,
            _ => MemoryRelation::Supersedes { first_wins: first, later: first_later.is_some() },
        };
    }
    let drafts = (is_tentative(&texts.0), is_tentative(&texts.1));
    if drafts.0 != drafts.1 && score >= FIRM_FROM && first_later.is_none_or(|later| later == drafts.1) {
        // The firm one must be about the same dates or amounts, or undo the plan.
        return MemoryRelation::Supersedes { first_wins: drafts.1, later: first_later.is_some() };
    }
    let pair = (compared(one), compared(other));
    if score >= CHANGED_FROM && contradict((one, &pair.0), (other, &pair.1), readings) {
        return MemoryRelation::Contradict { first_later };
    }
    let kind = one.kind().or(other.kind());
    let other_value = pair.0.differs_in_one_value(&pair.1);
    let contradictory = other_value || notes.0.differs_in_numbers(notes.1) || notes.0.opposes(notes.1);
    if contradictory {
        return if score >= LOOK_FROM && mutual { MemoryRelation::Unsure } else { MemoryRelation::Apart };
    }
    if score >= same_from(kind) && !is_apart(kind, &texts) { MemoryRelation::Same } else { MemoryRelation::Apart }
}

/// Whether two memories are about one thing and cannot both hold.
fn contradict(
    (one, mine): (&WorkspaceMemory, &ComparedMemory),
    (other, theirs): (&WorkspaceMemory, &ComparedMemory),
    readings: &mut Readings<'_>,
) -> bool {
    let secret = |candidate: &WorkspaceMemory| !secrets::scan(&candidate.text()).is_empty();
    mine.is_about_the_same_as(theirs)
        && !secret(one)
        && !secret(other)
        && readings.of_pair(mine, theirs).is_some_and(BothWays::contradict)
}

/// A memory as it is compared with another.
fn compared(candidate: &WorkspaceMemory) -> ComparedMemory {
    let statement = statement_of(&candidate.body());
    let description = candidate.description();
    let statement = if statement.trim().is_empty() { description.clone() } else { statement };
    ComparedMemory { name: candidate.name(), description, statement }
}

/// Whether each of two facts or pointers names something that the other does not: two boards, two regions.
fn is_apart(kind: Option<Type>, texts: &(String, String)) -> bool {
    let (one, other) = (Facts::read(&texts.0), Facts::read(&texts.1));
    let is_fact = !matches!(kind, Some(Type::Feedback | Type::User));
    is_fact && !one.lacks(&other).is_empty() && !other.lacks(&one).is_empty()
}

/// Whether there is anything that one of two says otherwise.
fn differ(notes: &(&Note, &Note), texts: &(String, String)) -> bool {
    let (a, b): (HashSet<String>, HashSet<String>) =
        (words(&texts.0).into_iter().collect(), words(&texts.1).into_iter().collect());
    notes.0.differs_in_numbers(notes.1) || notes.0.opposes(notes.1) || (!a.is_subset(&b) && !b.is_subset(&a))
}

/// Whether the newer memory tells of a change in the same breath as of what the older is about: a word of change
/// in one sentence and a common name in another are two things, the more so the longer the text.
fn tells_of(newer: &WorkspaceMemory, older: &WorkspaceMemory) -> bool {
    let named: HashSet<String> = words(&older.name()).into_iter().collect();
    // What it is about is in its description and in its first sentence.
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
        || body.lines().flat_map(sentences).any(|text| says(&text, &lexicon::REPLACES) && speaks_of(&text))
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
fn tells_of_news(candidate: &WorkspaceMemory) -> bool {
    let stated = format!("{}\n{}\n{}", candidate.name(), candidate.description(), statement_of(&candidate.body()));
    tells_of_change(&stated) || says(&candidate.body(), &lexicon::REPLACES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::{TestMemory, store};

    fn candidate(name: &str, body: &str) -> WorkspaceMemory {
        let text = crate::engine::test_memory::topic("project", name, body);
        WorkspaceMemory::loose(
            memdir_guard::confine::RelPath::parse("a.md").unwrap(),
            memdir_store::topic::Topic::parse(text.into_bytes()),
        )
    }

    #[test]
    fn d3_a_change_must_be_told_of_what_the_older_memory_is_about() {
        let older = candidate("Build server", "Jenkins builds every branch.");
        let newer = candidate("Builds", "We moved from Jenkins to GitHub Actions.");
        assert!(tells_of(&newer, &older));
        // The change is about something else, and the common name stands elsewhere.
        let long = "The wiki moved to Notion. Nightly reports come by mail. Jenkins has a dashboard for them.";
        assert!(!tells_of(&candidate("Reports", long), &older));
        // A long text has a word of everything.
        let words = "Some of the build was changed last week. The server room is cold.";
        assert!(!tells_of(&candidate("Notes", words), &older));
        assert!(tells_of(&candidate("Builds", "The old build server is retired."), &older));
        assert!(tells_of(&candidate("构建", "构建改用 GitHub Actions,不再用 Jenkins。"), &older));
    }

    #[test]
    fn h3_a_long_note_is_outdated_by_nothing_and_merged_with_nothing_but_itself() {
        let long = "# Queue\n\nThe queue moved from the old broker to Kestrel. Workers ack late. Retries are three.";
        let bench = TestMemory::new();
        let memory = bench.memory();
        let told = |one: &str, other: &str| {
            let (a, b) = (candidate("Queue", one), candidate("Queue", other));
            let notes = (Note::read(&a.text()), Note::read(&b.text()));
            let near = NearPair { one: 0, other: 1, score: 1.4, mutual: true };
            relate(&a, &b, (&notes.0, &notes.1), &near, &mut Readings::of(store(&memory)))
        };
        assert_eq!(told(long, "The queue is the old broker."), MemoryRelation::Apart);
        assert_eq!(told("The queue is the old broker.", long), MemoryRelation::Apart);
        assert_eq!(told(long, long), MemoryRelation::Double { first_wins: true });
        let short = "The queue moved from the old broker to Kestrel.";
        let found = told("The queue is the old broker.", short);
        assert_eq!(found, MemoryRelation::Supersedes { first_wins: false, later: false });
        // In a language without rules only the very same sentences count.
        assert_eq!(told("큐는 오래된 브로커를 쓴다.", "큐는 오래된 브로커를 쓰지 않는다."), MemoryRelation::Apart);
        assert_eq!(
            told("큐는 브로커를 쓴다.", "큐는 브로커를 쓴다. 재시도는 세 번이다."),
            MemoryRelation::Double { first_wins: false }
        );
    }
}
