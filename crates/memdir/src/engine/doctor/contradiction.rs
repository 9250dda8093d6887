//! What cannot all hold: two memories, two sentences of one, or a memory and its own description or index line (K7, H5).
//!
//! Enters: a store. Leaves: findings, and on a repair proposals in the inbox: the memory that was said later stands, a description says
//! what its memory says. Never changes a memory by itself: which of two holds is for a person to say. What the judge is not sure of is
//! not spoken of.

use super::{Checkup, Level, RepairReport};
use crate::engine::dream::{StandingPair, is_understood, pointers};
use crate::engine::inbox::{NewProposal, ProposedFile};
use crate::engine::judge::{BothWays, ComparedMemory, Readings, differ_in_one_value};
use crate::engine::listing::{FileRole, role};
use crate::engine::question::OpenQuestion;
use crate::engine::{Advice, Error, Hint, Memory};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_reader::{likeness, long_note, sentences, title};
use memdir_store::Store;
use memdir_store::topic::Topic;

/// Sentences of one memory that are held against each other.
const SENTENCES: usize = 80;

/// What a memory says that its own description, line or other sentence denies.
struct Inner {
    file: RelPath,
    topic: Topic,
    what: ConflictKind,
}

enum ConflictKind {
    /// Two of its sentences.
    Sentences(String, String),
    /// Its description.
    Description(String),
    /// Its line in the index.
    Line(String),
}

impl Memory {
    pub(super) fn check_contradictions(&self, store: &Store, checkup: &mut Checkup) -> Result<(), Error> {
        let mut readings = Readings::of(store);
        let asked = self.open_questions(store);
        for OpenQuestion { files, what } in &asked {
            let file = files.first().cloned();
            let fix = Advice::new("say which one holds", Hint::ListProposals);
            checkup.push("undecided", Level::Info, file.clone(), what.clone(), fix);
            checkup.such_as(what.clone(), file);
        }
        let is_asked = |pair: &StandingPair| {
            asked.iter().any(|question| question.is_about(&pair.stands) && question.is_about(&pair.other))
        };
        let pairs = self.dream().contradictions(store, &mut readings)?;
        for pair in pairs.into_iter().filter(|pair| !is_asked(pair)) {
            let StandingPair { stands, other, newer, says: [stands_says, other_says] } = pair;
            let (message, advice) = if newer {
                (
                    format!("says “{other_says}”; {stands} was said later and says “{stands_says}”"),
                    "see which one holds",
                )
            } else {
                (
                    format!("says “{other_says}”; {stands} says “{stands_says}”"),
                    "see which one holds, and forget the other",
                )
            };
            let fix = Advice::new(advice, Hint::EditOrForget);
            if newer {
                checkup.fixable("contradiction", Level::Warning, Some(other.to_string()), message, fix);
            } else {
                checkup.push("contradiction", Level::Warning, Some(other.to_string()), message, fix);
            }
            checkup
                .such_as(format!("{other} (“{other_says}”) and {stands} (“{stands_says}”)"), Some(other.to_string()));
        }
        for Inner { file, what, .. } in self.inner_contradictions(store, &mut readings)? {
            let (message, fixable) = match &what {
                ConflictKind::Sentences(one, other) => (format!("says both “{one}” and “{other}”"), false),
                ConflictKind::Description(said) => {
                    (format!("its description says “{said}”, and its text otherwise"), true)
                }
                ConflictKind::Line(said) => {
                    (format!("its line in the index says “{said}”, and its text otherwise"), false)
                }
            };
            let fix = Advice::new("open it and correct it", Hint::EditFound);
            if fixable {
                checkup.fixable("contradiction", Level::Warning, Some(file.to_string()), message.clone(), fix);
            } else {
                checkup.push("contradiction", Level::Warning, Some(file.to_string()), message.clone(), fix);
            }
            checkup.such_as(format!("{file} {message}"), Some(file.to_string()));
        }
        readings.keep();
        Ok(())
    }

    /// Puts into the inbox what would settle them.
    pub(super) fn propose_later(&self, scope: Scope, store: &Store, repaired: &mut RepairReport) -> Result<(), Error> {
        let mut readings = Readings::of(store);
        let mut proposals: Vec<(String, Vec<ProposedFile>)> = Vec::new();
        let text = |bytes: Option<Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        for pair in self.dream().contradictions(store, &mut readings)?.into_iter().filter(|pair| pair.newer) {
            let before = text(store.root().read(&pair.other)?);
            let why = format!("{} was said later and says otherwise", pair.stands);
            let (file, into) = (pair.other.to_string(), Some(pair.stands.to_string()));
            let gone = ProposedFile { file, before, into, outdated: true, why: why.clone(), ..ProposedFile::default() };
            proposals.push((why, vec![gone]));
        }
        for Inner { file, mut topic, what } in self.inner_contradictions(store, &mut readings)? {
            let ConflictKind::Description(_) = what else { continue };
            let before = text(Some(topic.as_bytes().to_vec()));
            let said = title::summary(&likeness::statement_of(&topic.body()));
            if topic.set("description", &said).is_err() {
                continue;
            }
            let why = "its description says what its text denies".to_owned();
            let after = text(Some(topic.into_bytes()));
            let file =
                ProposedFile { file: file.to_string(), before, after, why: why.clone(), ..ProposedFile::default() };
            proposals.push((why, vec![file]));
        }
        readings.keep();
        let rejected = self.rejected(store);
        for (why, files) in proposals {
            if files.iter().all(|file| rejected.contains(&file.fingerprint())) {
                continue;
            }
            let new = NewProposal { kind: "doctor", reason: format!("doctor: {why}"), files };
            repaired.proposals.push(self.propose(scope, new)?);
        }
        Ok(())
    }

    fn inner_contradictions(&self, store: &Store, readings: &mut Readings<'_>) -> Result<Vec<Inner>, Error> {
        let (known, lines) = (store.known()?, pointers(store)?);
        let mut found = Vec::new();
        for path in known.paths().into_iter().filter(|path| role(path) == FileRole::Topic) {
            let Ok(file) = RelPath::parse(path) else { continue };
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            let topic = Topic::parse(bytes);
            if !is_understood(&topic.body()) {
                continue;
            }
            let line = lines.get(path).map(String::as_str).unwrap_or_default();
            if let Some(what) = inner(&topic, line, readings) {
                found.push(Inner { file, topic, what });
            }
        }
        Ok(found)
    }
}

/// The first thing that a memory says and denies.
fn inner(topic: &Topic, line: &str, readings: &mut Readings<'_>) -> Option<ConflictKind> {
    let body = topic.body();
    let stated: Vec<&str> = long_note::statements(&body).into_iter().map(|place| body[place].trim()).collect();
    let bare = |text: &str| ComparedMemory { statement: text.to_owned(), ..ComparedMemory::default() };
    let mut deny = |one: &str, other: &str| {
        differ_in_one_value(one, other) && readings.of_pair(&bare(one), &bare(other)).is_some_and(BothWays::contradict)
    };
    for (at, one) in stated.iter().take(SENTENCES).enumerate() {
        if let Some(other) = stated[at + 1..].iter().take(SENTENCES).find(|other| deny(one, other)) {
            return Some(ConflictKind::Sentences((*one).to_owned(), (*other).to_owned()));
        }
    }
    let told = sentences::said(&body);
    let heads =
        [topic.description().unwrap_or_default().into_owned(), line.lines().last().unwrap_or_default().to_owned()];
    for (at, head) in heads.into_iter().enumerate().filter(|(_, head)| !head.trim().is_empty()) {
        let stands = sentences::said(&head).is_subset(&told);
        if !stands && stated.iter().any(|one| deny(&head, one)) {
            return Some(if at == 0 { ConflictKind::Description(head) } else { ConflictKind::Line(head) });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::engine::test_memory::{TestMemory, store};

    fn memory(name: &str, description: &str, modified: &str, text: &str) -> String {
        format!("---\nname: {name}\ndescription: {description}\ntype: reference\nmodified: {modified}\n---\n\n{text}\n")
    }

    fn found(bench: &TestMemory) -> Vec<(String, bool)> {
        let findings = bench.memory().files().checkup().unwrap().findings;
        let ours = findings.into_iter().filter(|finding| finding.check == "contradiction");
        ours.map(|finding| (finding.files.join(" "), finding.fixable)).collect()
    }

    #[test]
    fn k6_the_later_of_two_is_proposed_and_one_undo_takes_a_yes_back() {
        let (early, late) = ("2026-04-01T09:00:00Z", "2026-04-01T10:05:00Z");
        let said = |time: &str, tool: &str| {
            let text = format!("Bugs are filed in {tool}");
            memory("Bugs", &text, time, &format!("{text}."))
        };
        let bench = TestMemory::with(&[("b.md", &said(early, "Trello")), ("a.md", &said(late, "Linear"))]);
        bench.put("MEMORY.md", "- [Bugs](a.md) — Linear\n- [Old bugs](b.md) — Trello\n");
        assert_eq!(found(&bench), [("b.md".to_owned(), true)]);
        let before = bench.bytes();
        let memory = bench.memory();
        let repaired = memory.files().repair().unwrap();
        assert_eq!((repaired.changes.len(), repaired.proposals.len()), (0, 1));
        assert_eq!(bench.bytes(), before);
        let landed = memory.inbox().accept(&repaired.proposals[0]).unwrap();
        assert!(!bench.dir().join("b.md").exists() && !bench.read("MEMORY.md").contains("Trello"), "{landed:?}");
        memory.history().undo(Some(&landed.change.unwrap())).unwrap();
        assert_eq!(bench.bytes(), before);
    }

    #[test]
    fn h5_what_one_memory_says_and_denies_is_named() {
        let now = "2026-04-01T09:00:00Z";
        for (text, description, line, fixable) in [
            ("Backups are kept for 30 days.", "Backups are kept for 14 days", "keeping", Some(true)),
            ("Backups are kept for 30 days.", "How long they are kept", "Backups are kept for 14 days", Some(false)),
            ("Backups are kept for 30 days. Backups are kept for 14 days.", "How long", "keeping", Some(false)),
            ("Backups are kept for 30 days.", "Backups are kept for 30 days", "keeping", None),
            ("Box A has 4 cores. Box B has 8 cores.", "Cores of the boxes", "cores", None),
        ] {
            let bench = TestMemory::with(&[("a.md", &memory("Backups", description, now, text))]);
            bench.put("MEMORY.md", format!("- [Backups](a.md) — {line}\n"));
            let wanted: Vec<(String, bool)> = fixable.map(|fixable| ("a.md".to_owned(), fixable)).into_iter().collect();
            assert_eq!(found(&bench), wanted, "{text} {description} {line}");
        }
    }

    #[test]
    fn a_second_run_reads_no_pair_again() {
        let said = |tool: &str| memory("Bugs", "where", "2026-04-01T09:00:00Z", &format!("Bugs are filed in {tool}."));
        let bench = TestMemory::with(&[("b.md", &said("Trello")), ("a.md", &said("Linear"))]);
        let memory = bench.memory();
        memory.files().checkup().unwrap();
        let kept = store(&memory).cache_dir().join("pair-readings.json");
        let first = std::fs::read(&kept).unwrap();
        let mut readings: std::collections::BTreeMap<String, [u8; 4]> = serde_json::from_slice(&first).unwrap();
        assert!(readings.values().any(|reading| reading[0] > 0), "a pair was read");
        // What the cache says is believed: nothing is read again.
        for reading in readings.values_mut() {
            *reading = [0; 4];
        }
        let bytes = serde_json::to_vec(&readings).unwrap();
        memdir_store::fs::replace(&kept, &bytes, memdir_store::fs::Durability::Cache).unwrap();
        let findings = memory.files().checkup().unwrap().findings;
        assert!(!findings.iter().any(|finding| finding.check == "contradiction"), "{findings:?}");
    }
}
