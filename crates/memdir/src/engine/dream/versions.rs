//! Two versions of one thing, kept side by side by team sync until somebody decides.
//!
//! Enters: team memories with marked versions of a paragraph, or a second value of a key. Leaves: the one that
//! stands where the texts themselves decide it (one says all of the other; one was noted later; one tells what
//! became of the other; one is only a draft), with the other noted as superseded; and for a person, what
//! nothing decides. Looks at the texts alone, never at a file's time or at who dreams: two members who dream of the same
//! conflict come to the same bytes, so that their next sync has none.

use std::collections::HashSet;

use super::relate::telling;
use super::unite::PossibleContradiction;
use super::wording::{is_tentative, tells_of_change};
use super::workspace::{DiscardedLine, Workspace, WorkspaceMemory};
use memdir_guard::confine::RelPath;
use memdir_reader::dates;
use memdir_reader::likeness::{self, Note, TextPolarity, words};
use memdir_store::topic::{BrokenFrontmatter, Topic};
use memdir_team::merge::{EITHER, END, OR, OTHER, has_conflict};

/// Words of a version that a person is shown.
const SHOWN_CHARS: usize = 60;

/// Decides what can be decided. What is left is returned, and such a memory is left alone by the rest of the dream.
pub(super) fn decide(workspace: &mut Workspace) -> Vec<PossibleContradiction> {
    let mut unsure = Vec::new();
    for candidate in workspace.candidates.iter_mut().filter(|candidate| candidate.torn) {
        let pinned = candidate.topic.pinned();
        if !pinned {
            body(candidate);
            // Frontmatter too odd to change keeps both values, and the person is told.
            let _ = front(candidate);
        }
        candidate.torn = is_torn(&candidate.file, &String::from_utf8_lossy(candidate.topic.as_bytes()));
        if candidate.torn {
            let why = if pinned { "it is pinned" } else { "neither dates nor wording tell which is true" };
            let why = format!("holds two versions of something and {why}; both are kept until somebody decides");
            unsure.push(PossibleContradiction { files: vec![candidate.file.to_string()], why });
        }
    }
    unsure
}

/// Whether a memory holds two versions; only sync writes them, and only in a team's folder.
pub(super) fn is_torn(file: &RelPath, text: &str) -> bool {
    file.in_team() && has_conflict(text)
}

/// Whether a key only holds the second value of another.
pub(super) fn is_second(file: &RelPath, key: &str) -> bool {
    file.in_team() && key.starts_with(OTHER)
}

/// Whether a line is a mark of sync and says nothing itself.
pub(super) fn is_mark(line: &str) -> bool {
    [EITHER, OR, END].contains(&line.trim_end())
}

/// The lines of a body that are between marks: of these one version has to go.
pub(super) fn contested(body: &str) -> HashSet<String> {
    let versions = pieces(body).into_iter().filter_map(|piece| match piece {
        BodyPiece::Versions(versions) => Some(versions),
        BodyPiece::Text(_) => None,
    });
    versions.flatten().flat_map(|version| version.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A stretch of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BodyPiece {
    Text(String),
    Versions(Vec<String>),
}

/// A body in its stretches; marks that do not close are text.
fn pieces(body: &str) -> Vec<BodyPiece> {
    let mut out = vec![BodyPiece::Text(String::new())];
    let mut open: Option<(String, Vec<String>)> = None;
    for line in body.split_inclusive('\n') {
        match (line.trim_end(), &mut open) {
            (EITHER, None) => open = Some((line.to_owned(), vec![String::new()])),
            (OR, Some((raw, versions))) => {
                raw.push_str(line);
                versions.push(String::new());
            }
            (END, Some((_, versions))) => {
                let texts = versions.iter().map(|text| text.trim_matches('\n').to_owned());
                let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).collect();
                out.extend([BodyPiece::Versions(texts), BodyPiece::Text(String::new())]);
                open = None;
            }
            (_, Some((raw, versions))) => {
                raw.push_str(line);
                if let Some(last) = versions.last_mut() {
                    last.push_str(line);
                }
            }
            (_, None) => {
                if let Some(BodyPiece::Text(text)) = out.last_mut() {
                    text.push_str(line);
                }
            }
        }
    }
    if let (Some((raw, _)), Some(BodyPiece::Text(text))) = (open, out.last_mut()) {
        text.push_str(&raw);
    }
    out
}

fn body(candidate: &mut WorkspaceMemory) {
    let mut made = String::new();
    let (mut dropped, mut notes) = (Vec::new(), Vec::new());
    for piece in pieces(&candidate.body()) {
        match piece {
            BodyPiece::Text(text) => made.push_str(&text),
            BodyPiece::Versions(versions) => match winner(&versions) {
                Some((at, why)) => {
                    made.push_str(&versions[at]);
                    made.push('\n');
                    let stands = &versions[at];
                    for gone in versions.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, gone)| gone) {
                        supersede(gone, stands, why, &mut dropped, &mut notes);
                    }
                }
                None => made.push_str(&format!("{EITHER}\n\n{}\n\n{END}\n", versions.join(&format!("\n\n{OR}\n\n")))),
            },
        }
    }
    if !notes.is_empty() {
        candidate.topic.set_body(&made);
        candidate.dropped.append(&mut dropped);
        candidate.notes.append(&mut notes);
    }
}

/// Notes the lines of the version that goes, and what they went for.
fn supersede(gone: &str, stands: &str, why: Why, dropped: &mut Vec<DiscardedLine>, notes: &mut Vec<String>) {
    let reason = format!("superseded by the other version, “{}”: {}", shown(stands), why.told());
    let lines = gone.lines().filter(|line| !line.trim().is_empty());
    dropped.extend(lines.map(|line| DiscardedLine { line: line.to_owned(), reason: reason.clone() }));
    notes.push(format!("of two versions “{}” stands and “{}” went: {}", shown(stands), shown(gone), why.told()));
}

fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}

/// Settles the name and the description; of other keys nobody can tell by words.
fn front(candidate: &mut WorkspaceMemory) -> Result<(), BrokenFrontmatter> {
    for key in ["description", "name"] {
        let keys = keys_of(&candidate.topic, key);
        let values: Vec<String> =
            keys.iter().map(|key| candidate.topic.get(key).map(String::from).unwrap_or_default()).collect();
        if values.len() < 2 {
            continue;
        }
        let Some((at, why)) = winner(&values).or_else(|| said_by_body(&values, &candidate.body())) else { continue };
        let mut made = candidate.topic.clone();
        for other in &keys[1..] {
            made.remove(other)?;
        }
        made.set(key, &values[at])?;
        candidate.topic = made;
        let stands = values[at].clone();
        for gone in values.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, gone)| gone) {
            supersede(gone, &stands, why, &mut candidate.dropped, &mut candidate.notes);
        }
    }
    Ok(())
}

/// A key and those that hold another value of it.
fn keys_of(topic: &Topic, key: &str) -> Vec<String> {
    let second = format!("{OTHER}{key}");
    let is_version = |other: &String| {
        other.strip_prefix(second.as_str()).is_some_and(|rest| {
            let number = rest.strip_prefix('-').unwrap_or(rest);
            rest.is_empty()
                || (number != rest && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    let all = topic.keys();
    let main = all.iter().filter(|other| *other == key).take(1);
    main.chain(all.iter().filter(|other| is_version(other))).cloned().collect()
}

/// A name or description may go when the body says it; the one that says more stays.
fn said_by_body(values: &[String], body: &str) -> Option<(usize, Why)> {
    if body.lines().any(is_mark) {
        return None;
    }
    let said = TextPolarity::read(body);
    let mut unsaid = (0..values.len()).filter(|at| !said.covers(&TextPolarity::read(&values[*at])));
    match (unsaid.next(), unsaid.next()) {
        (at, None) => Some((at.unwrap_or(0), Why::InBody)),
        _ => None,
    }
}

/// Why one version stands and not the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    SaysAll,
    Later,
    TellsOfChange,
    Firm,
    InBody,
}

impl Why {
    const fn told(self) -> &'static str {
        match self {
            Why::SaysAll => "it says all of the other",
            Why::Later => "it was noted later",
            Why::TellsOfChange => "it tells what became of the other",
            Why::Firm => "the other was a draft",
            Why::InBody => "the text says the other too",
        }
    }
}

/// The version that stands against every other one.
fn winner(versions: &[String]) -> Option<(usize, Why)> {
    (0..versions.len()).find_map(|at| {
        let mut others = versions.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let first = beats(&versions[at], others.next()?)?;
        others.all(|other| beats(&versions[at], other).is_some()).then_some((at, first))
    })
}

/// Why one text stands against another; wording first, as where two memories contradict each other.
fn beats(one: &str, other: &str) -> Option<Why> {
    if contains(one, other) {
        return Some(Why::SaysAll);
    }
    let (a, b) = (Note::read(one), Note::read(other));
    // Versions of a paragraph that have nothing in common are no longer about one thing.
    if a.likeness(&b) < likeness::MAYBE || contains(other, one) {
        return None;
    }
    if let (Some(day), Some(earlier)) = (dates::anchor(one), dates::anchor(other)) {
        return (day > earlier).then_some(Why::Later);
    }
    let (news, old) = (tells_of_change(one), tells_of_change(other));
    if news && !old {
        // Whoever tells of a change must name all that the other names: else it may be another change.
        let named = telling(other);
        let own: HashSet<String> = words(one).into_iter().collect();
        return (!named.is_empty() && named.iter().all(|word| own.contains(word))).then_some(Why::TellsOfChange);
    }
    (!is_tentative(one) && is_tentative(other) && !news && !old).then_some(Why::Firm)
}

/// Whether a text holds the other one word for word, said the same way. Shared words alone are not enough:
/// of "Jon cuts, Ada reviews" and "Ada cuts" each word of the second is in the first.
fn contains(long: &str, short: &str) -> bool {
    let bare = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (all, part) = (bare(long), bare(short));
    let stands = !part.is_empty() && all.windows(part.len()).any(|window| window == part);
    stands && TextPolarity::read(long).covers(&TextPolarity::read(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which(one: &str, other: &str) -> Option<(usize, Why)> {
        let found = winner(&[one.to_owned(), other.to_owned()]);
        let turned = winner(&[other.to_owned(), one.to_owned()]);
        assert_eq!(found.map(|(_, why)| why), turned.map(|(_, why)| why), "the order must not matter");
        found
    }

    #[test]
    fn t1_the_version_that_says_why_or_when_it_changed_stands() {
        for (stands, goes, why) in [
            ("Mara cuts releases on Tuesdays.", "Mara cuts releases.", Why::SaysAll),
            ("Noted on 2026-04-09: Jon cuts releases.", "Noted on 2026-03-02: Ada cuts releases.", Why::Later),
            ("Jon took over cutting releases from Ada.", "Ada is cutting releases.", Why::TellsOfChange),
            ("The demo moved from 2026-05-02 to 2026-05-09.", "The demo is on 2026-05-02.", Why::TellsOfChange),
            ("The code freeze begins on 2026-06-22.", "The code freeze probably begins on 2026-07-01.", Why::Firm),
            ("发布改为由 Jon 负责,之前由 Ada 负责。", "发布由 Ada 负责。", Why::TellsOfChange),
        ] {
            assert_eq!(which(stands, goes), Some((0, why)), "{stands}");
        }
    }

    #[test]
    fn t1_where_nothing_decides_both_are_kept() {
        for (one, other) in [
            ("Jon cuts releases.", "Ada cuts releases."),
            ("Freeze from 2026-06-22.", "Freeze from 2026-07-01."),
            ("Use tabs.", "Never use tabs."),
            ("Ada cuts releases, Jon reviews.", "Jon cuts releases."),
            ("A blocks B.", "B blocks A."),
            // It tells of a change, and not of what the other says.
            ("Jon took over releases from Mara.", "Ada cuts releases."),
            ("The freeze is probably off.", "Mara left the team in May."),
        ] {
            assert_eq!(which(one, other), None, "{one} | {other}");
        }
    }

    #[test]
    fn t1_marks_that_do_not_close_are_text() {
        let open = format!("One.\n\n{EITHER}\n\nTwo.\n");
        assert_eq!(pieces(&open), [BodyPiece::Text(open.clone())]);
        let closed = format!("One.\n\n{EITHER}\n\nTwo.\n\n{OR}\n\nThree.\n\n{END}\n\nFour.\n");
        let versions = BodyPiece::Versions(vec!["Two.".to_owned(), "Three.".to_owned()]);
        assert_eq!(pieces(&closed)[1], versions);
        assert_eq!(contested(&closed).len(), 2);
    }
}
