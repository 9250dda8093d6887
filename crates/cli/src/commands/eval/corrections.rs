//! `eval corrections`: something known is said again, in a memory directory of its own, by `remember` or in a conversation, and what
//! became of the files held against what was expected.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memdir::engine::{Conversation, Landing, Remember};
use memdir::hosts::transcript::{Message, Origin, Role};
use memdir::store::topic::Topic;
use serde::{Deserialize, Serialize};

use super::given::{GivenMemory, INDEX, write_given};
use super::{Scratch, open};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// One statement about something known (`evals/FORMAT.md`).
#[derive(Deserialize)]
struct CorrectionCase {
    id: String,
    #[serde(default)]
    lang: String,
    store: Vec<GivenMemory>,
    say: String,
    expect: String,
    #[serde(default)]
    target: Option<String>,
    #[serde(default)]
    says: Vec<Vec<String>>,
    #[serde(default)]
    gone: Vec<String>,
}

/// How many of a kind came out as expected.
#[derive(Default, Serialize)]
struct Score {
    cases: usize,
    right: usize,
}

/// By what is expected, and by language.
#[derive(Default, Serialize)]
struct Scores {
    all: Score,
    expect: BTreeMap<String, Score>,
    lang: BTreeMap<String, Score>,
}

impl Scores {
    fn add(&mut self, case: &CorrectionCase, right: bool) {
        let by_expect = self.expect.entry(case.expect.clone()).or_default();
        let by_lang = self.lang.entry(case.lang.clone()).or_default();
        for score in [&mut self.all, by_expect, by_lang] {
            score.cases += 1;
            score.right += usize::from(right);
        }
    }
}

/// The files of a memory directory.
type MemoryFiles = BTreeMap<String, String>;

pub(crate) fn corrections(file: &Path, said: bool, misses: bool, ui: &mut Ui) -> CommandResult {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::refused(format!("{} cannot be read: {error}", file.display())))?;
    let scratch = Scratch::new();
    let mut scores = Scores::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: CorrectionCase = serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a case is not as FORMAT.md says: {error}")))?;
        let (before, after) = run(&case, &scratch.0, said)?;
        let wrong = wrong(&case, &before, &after);
        scores.add(&case, wrong.is_none());
        if let Some(wrong) = wrong.filter(|_| misses) {
            ui.line(format!("{} [{} {}] {wrong}: {}", case.id, case.expect, case.lang, case.say))?;
            for (file, text) in after.iter().filter(|(file, text)| before.get(*file) != Some(text)) {
                ui.line(format!("    {file}: {}", text.replace('\n', " ⏎ ")))?;
            }
        }
    }
    if ui.json {
        return Ok(ui.print_json(&scores)?);
    }
    let rows = scores.expect.iter().chain(&scores.lang).map(|(name, score)| (name.as_str(), score));
    for (name, score) in rows.chain([("all", &scores.all)]) {
        let share = score.right as f64 / score.cases.max(1) as f64;
        ui.line(format!("{name:<10}{:>5} of {:<5}{share:.3}", score.right, score.cases))?;
    }
    Ok(())
}

/// Lays a case out, says what is said, and reads every file before and after.
fn run(case: &CorrectionCase, scratch: &Path, said: bool) -> Result<(MemoryFiles, MemoryFiles), Failure> {
    let store = scratch.join("corrections").join(&case.id);
    write_given(&case.store, &store)?;
    let before = files(&store)?;
    let memory = open(&store, scratch, "2026-04-10T09:00:00Z", &[])?;
    if said {
        let message = Message {
            id: "m0".to_owned(),
            role: Role::User,
            origin: Origin::Own,
            text: case.say.clone(),
            tool_uses: Vec::new(),
            time: "2026-04-10T09:00:00Z".parse().ok(),
        };
        memory.learn().extract(&Conversation { messages: &[message], ..Conversation::default() }, Landing::Now)?;
    } else {
        memory.files().remember(&Remember { text: case.say.clone(), ..Remember::default() })?;
    }
    Ok((before, files(&store)?))
}

fn files(store: &Path) -> Result<MemoryFiles, Failure> {
    let mut found = MemoryFiles::new();
    let mut folders = vec![PathBuf::from(store)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(store).unwrap_or(&path).to_string_lossy().into_owned();
                found.insert(name, std::fs::read_to_string(&path)?);
            }
        }
    }
    Ok(found)
}

/// What is not as expected, in words.
fn wrong(case: &CorrectionCase, before: &MemoryFiles, after: &MemoryFiles) -> Option<String> {
    let target = case.target.clone().unwrap_or_default();
    let topics = |files: &MemoryFiles| files.keys().filter(|file| *file != INDEX).cloned().collect::<Vec<_>>();
    let made: Vec<String> = topics(after).into_iter().filter(|file| !before.contains_key(file)).collect();
    let lost: Vec<String> = topics(before).into_iter().filter(|file| !after.contains_key(file)).collect();
    let changed: Vec<&String> = before
        .iter()
        .filter(|(file, text)| *file != INDEX && after.get(*file).is_some_and(|now| now != *text))
        .map(|(file, _)| file)
        .collect();
    let others =
        |file: &str| before.iter().any(|(name, text)| name != INDEX && name != file && after.get(name) != Some(text));
    let says = |text: &str| {
        let text = text.to_lowercase();
        case.says.iter().all(|any| any.iter().any(|one| text.contains(&one.to_lowercase())))
    };
    match case.expect.as_str() {
        "same" if before == after => None,
        "same" if !made.is_empty() => Some(format!("saved again as {}", made.join(", "))),
        "same" => Some("something changed".to_owned()),
        "apart" if !changed.is_empty() || !lost.is_empty() => Some(format!(
            "changed {}{}",
            changed.iter().map(|file| file.as_str()).collect::<Vec<_>>().join(", "),
            lost.join(", ")
        )),
        "apart" => match made.as_slice() {
            [one] if says(&after[one]) && old_lines_stay(before, after) => None,
            [one] if says(&after[one]) => Some("an index line changed".to_owned()),
            [_] => Some("the new memory does not say it".to_owned()),
            _ => Some(format!("{} new memories", made.len())),
        },
        expect => {
            let file = match (lost.as_slice(), made.as_slice()) {
                ([], []) => target.clone(),
                ([old], [new]) if *old == target && expect == "update" => new.clone(),
                ([], [new]) => return Some(format!("{new} stands beside {target}")),
                _ => return Some(format!("lost {}", lost.join(", "))),
            };
            if others(&target) {
                return Some("another memory changed".to_owned());
            }
            let Some(text) = after.get(&file) else { return Some("gone".to_owned()) };
            if before.get(&file) == Some(text) {
                return Some("nothing changed".to_owned());
            }
            if !says(text) {
                return Some("does not say the new".to_owned());
            }
            if expect == "refine" {
                return (!keeps(&before[&target], text)).then(|| "lost what it said".to_owned());
            }
            let line =
                after.get(INDEX).and_then(|index| index.lines().find(|line| line.contains(&format!("({file})"))));
            let everywhere =
                format!("{}\n{text}\n{}", file.replace(['_', '-'], " "), line.unwrap_or_default()).to_lowercase();
            let said = case.say.to_lowercase();
            let stays =
                |value: &&String| !said.contains(&value.to_lowercase()) && everywhere.contains(&value.to_lowercase());
            case.gone.iter().find(stays).map(|value| format!("still says {value}"))
        }
    }
}

fn old_lines_stay(before: &MemoryFiles, after: &MemoryFiles) -> bool {
    let now: Vec<&str> = after.get(INDEX).map(|index| index.lines().collect()).unwrap_or_default();
    before.get(INDEX).is_none_or(|index| index.lines().all(|line| now.contains(&line)))
}

/// Whether every sentence of a memory's body is still in it.
fn keeps(before: &str, after: &str) -> bool {
    let said = |text: &str| memdir::reader::sentences::said(&Topic::parse(text.as_bytes().to_vec()).body());
    said(before).is_subset(&said(after))
}
