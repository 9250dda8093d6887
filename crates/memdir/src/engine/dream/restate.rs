//! A memory of the workspace says what was said later.
//!
//! Enters: a candidate and a statement that the judge found to change it. Leaves: the candidate as it reads then, with every line that
//! went and why. A day that moved is written wherever the old one stood; else the statement takes the place of the sentence it
//! contradicts, with name, description and file name (K2). Where more facts would go than come, a person decides (H3).

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use super::statement::Statement;
use super::unite::is_exchange;
use super::workspace::{ChangeGrounds, DiscardedLine, Workspace, WorkspaceMemory};
use crate::engine::judge::{self, NewStatement, Revised};
use memdir_guard::confine::RelPath;
use memdir_lexicon as lexicon;
use memdir_reader::facts::{FactKind, Facts, sentences};
use memdir_reader::phrase_match::PhraseMatcher;
use memdir_reader::{dates, likeness, title};
use memdir_store::topic::file_name;

/// Why a long note is only revised with a yes.
pub(super) const LONG: &str = "it is a long note, and what was said is about one line of it";

/// A day that became another one.
pub(super) struct MovedDay {
    from: Date,
    pub(super) to: Date,
    /// It was said by how much, not to which day.
    pub(super) told: bool,
}

/// Whether all that a statement changes is the one day that a memory names.
pub(super) fn moved_day(candidate: &WorkspaceMemory, text: &str) -> Option<MovedDay> {
    // The day of a reason does not move with the thing.
    let stated = format!("{}\n{}", candidate.description(), likeness::statement_of(&candidate.body()));
    let (known, said) = (days(&stated), days(text));
    let [from] = known.iter().copied().collect::<Vec<_>>()[..] else { return None };
    let new: Vec<Date> = said.difference(&known).copied().collect();
    // Anything else that it names is news of its own.
    let more = Facts::read(&candidate.text()).lacks(&Facts::read(text));
    let only_day = more.keys().all(|sort| *sort == FactKind::Date);
    match new[..] {
        [to] if only_day => Some(MovedDay { from, to, told: false }),
        [] => shift(text).and_then(|span| Some(MovedDay { from, to: from.checked_add(span).ok()?, told: true })),
        _ => None,
    }
}

/// Writes another day wherever the old one stood.
pub(super) fn move_date(candidate: &mut WorkspaceMemory, moved: &MovedDay, source: &str) -> bool {
    let (from, to) = (moved.from.to_string(), moved.to.to_string());
    let mut made = candidate.topic.clone();
    let body = candidate.body();
    made.set_body(&dates::replaced(&body, &from, &to));
    for key in ["description", "name"] {
        let said = made.get(key).map(String::from).unwrap_or_default();
        if said.contains(&from) && made.set(key, &dates::replaced(&said, &from, &to)).is_err() {
            return false;
        }
    }
    let heads = [candidate.name(), candidate.description(), candidate.pointer.clone().unwrap_or_default()];
    let lines = body.lines().chain(heads.iter().flat_map(|head| head.lines())).filter(|line| line.contains(&from));
    let dropped: Vec<DiscardedLine> =
        lines.map(|line| DiscardedLine { line: line.to_owned(), reason: source.to_owned() }).collect();
    candidate.dropped.extend(dropped);
    candidate.notes.push(format!("{from} became {to}: {source}"));
    candidate.grounds = ChangeGrounds::Said;
    candidate.swaps.push((from, to));
    candidate.topic = made;
    true
}

/// Lets a memory state what is true now.
pub(super) fn restate(
    workspace: &mut Workspace,
    at: usize,
    statement: &Statement<'_>,
    sentence: Option<Range<usize>>,
    source: &str,
) -> bool {
    let candidate = &workspace.candidates[at];
    let path = candidate.file.as_str();
    let (folder, stem) = path.rsplit_once('/').map_or(("", path), |(folder, stem)| (folder, stem));
    let new = NewStatement { text: statement.text.clone(), ..NewStatement::default() };
    let revised = judge::revise(&candidate.topic, stem.trim_end_matches(".md"), &new, sentence);
    let Ok(Revised { topic, swaps, misnamed }) = revised else { return false };
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let renamed = misnamed.then(|| {
        let name = topic.name().unwrap_or_default().into_owned();
        let taken = |name: &str| workspace.has(&format!("{prefix}{name}"));
        let fitting = file_name(topic.kind(), &title::file_words(&name), &taken);
        RelPath::parse(&format!("{prefix}{fitting}")).ok()
    });
    let candidate = &mut workspace.candidates[at];
    let old = format!("{}\n{}", candidate.text(), candidate.pointer.as_deref().unwrap_or_default());
    candidate.topic = topic;
    candidate.renamed = renamed.flatten().or(candidate.renamed.take());
    candidate.swaps.extend(swaps);
    let stands = Facts::read(&candidate.text());
    let goes = |line: &String| !Facts::read(line).sentences.is_subset(&stands.sentences);
    let dropped: Vec<String> = sentences(&old).into_iter().filter(goes).collect();
    if !is_exchange(&dropped.join("\n"), &candidate.text()) {
        candidate.hold("it said more than what was contradicted");
    }
    let reason = |line: String| DiscardedLine { line, reason: source.to_owned() };
    candidate.dropped.extend(dropped.into_iter().map(reason));
    candidate.grounds = ChangeGrounds::Said;
    candidate.notes.push(format!("states what is true now; {source}"));
    true
}

/// Lets a memory say what was said besides what it says.
pub(super) fn refine(candidate: &mut WorkspaceMemory, statement: &Statement<'_>) -> bool {
    let new = NewStatement { text: statement.text.clone(), ..NewStatement::default() };
    let Ok(topic) = judge::refine(&candidate.topic, &new) else { return false };
    candidate.topic = topic;
    candidate.grounds = ChangeGrounds::Said;
    candidate.notes.push(format!("takes in what was said ({})", statement.raw.source));
    true
}

/// The dates that a text names.
fn days(text: &str) -> BTreeSet<Date> {
    dates::whole_dates(text).map(|(_, day)| day).collect()
}

/// "two days later than planned", 推迟 3 天.
fn shift(text: &str) -> Option<Span> {
    let spoken = PhraseMatcher::new(text);
    let sign = match () {
        () if spoken.says(&lexicon::LATER) => 1,
        () if spoken.says(&lexicon::EARLIER) => -1,
        () => return None,
    };
    let lower = text.to_lowercase();
    let tokens: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    tokens.windows(2).find_map(|pair| {
        let count = number(pair[0])? * sign;
        match pair[1] {
            "day" | "days" => Some(count.days()),
            "week" | "weeks" => Some(count.weeks()),
            "month" | "months" => Some(count.months()),
            _ => None,
        }
    })
}

fn number(word: &str) -> Option<i64> {
    match word {
        "a" | "an" => Some(1),
        _ => word
            .parse()
            .ok()
            .filter(|count| *count < 1_000)
            .or_else(|| lexicon::NUMBER.iter().find(|(name, _)| *name == word).map(|(_, count)| count.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_delays_are_counted_from_the_known_day() {
        let old: Date = "2026-04-20".parse().unwrap();
        let after = |text: &str| shift(text).map(|span| old.checked_add(span).unwrap().to_string());
        assert_eq!(after("the feed is late: two days later than planned").as_deref(), Some("2026-04-22"));
        assert_eq!(after("it comes a week earlier").as_deref(), Some("2026-04-13"));
        assert_eq!(after("it takes two days"), None);
    }
}
