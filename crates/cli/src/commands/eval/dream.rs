//! `eval dream`: run the offline dream on each case of a set, and check what must be true after it.
//!
//! Each case is copied into a scratch directory with the ages that it gives, and dreamt at its own
//! time, with a yes to whatever waits in the inbox, until nothing is left to do: the set asks what the
//! engine decides, not how much of it a night may change.

#![allow(clippy::disallowed_methods)] // it lays the cases out in a scratch directory

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use memdir::engine::{DreamReport, DreamRequest};
use memdir::limits;
use memdir::model::Cancel;
use memdir::reader::dates;
use memdir::store::index::Index;
use serde::{Deserialize, Serialize};

use super::open;
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// A case that is not in order after this many dreams never will be.
const NIGHTS: usize = 5;

/// What must be true after a case (`evals/FORMAT.md`).
#[derive(Deserialize)]
struct Expect {
    now: String,
    #[serde(default)]
    facts_kept: Vec<Vec<Vec<String>>>,
    #[serde(default)]
    facts_gone: Vec<String>,
    max_files: usize,
    #[serde(default)]
    merged: Vec<[String; 2]>,
    #[serde(default)]
    index_ok: bool,
    #[serde(default)]
    no_relative_dates: bool,
    /// Files of which every byte stays.
    #[serde(default)]
    unchanged: Vec<String>,
}

/// How a case went.
#[derive(Serialize)]
struct Scored {
    case: String,
    ok: bool,
    facts_lost: usize,
    failed: Vec<String>,
    changes: usize,
}

#[derive(Serialize)]
struct Totals {
    cases: usize,
    all_conditions_true: usize,
    facts_lost: usize,
    results: Vec<Scored>,
}

pub(in crate::commands) fn dream(dir: &Path, changes: bool, ui: &mut Ui) -> CommandResult {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(dir)
        .map_err(|error| Failure::refused(format!("{} cannot be read: {error}", dir.display())))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    cases.sort();
    if cases.is_empty() {
        return Err(Failure::refused(format!("{} has no cases: folders with an expect.json", dir.display())));
    }
    let scratch = std::env::temp_dir().join(format!("memdir-eval-dream-{}", std::process::id()));
    let scored = cases.iter().map(|case| score(case, &scratch, changes, ui)).collect::<Result<Vec<_>, _>>();
    let _ = std::fs::remove_dir_all(&scratch);
    let results = scored?;
    let totals = Totals {
        cases: results.len(),
        all_conditions_true: results.iter().filter(|one| one.ok).count(),
        facts_lost: results.iter().map(|one| one.facts_lost).sum(),
        results,
    };
    if ui.json {
        return Ok(ui.print_json(&totals)?);
    }
    for one in &totals.results {
        ui.line(format!("{:<24} {}", one.case, if one.ok { "ok" } else { "FAILED" }))?;
        for failed in &one.failed {
            ui.line(format!("    {failed}"))?;
        }
    }
    ui.line(format!("facts lost             {}", totals.facts_lost))?;
    Ok(ui.line(format!("all conditions true    {} of {}", totals.all_conditions_true, totals.cases))?)
}

fn score(case: &Path, scratch: &Path, changes: bool, ui: &mut Ui) -> Result<Scored, Failure> {
    let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ui.say(format!("dreaming {name} …"));
    let expect: Expect = serde_json::from_slice(&std::fs::read(case.join("expect.json"))?)
        .map_err(|error| Failure::refused(format!("{name}/expect.json is not as FORMAT.md says: {error}")))?;
    let copy = scratch.join(&name).join("memory");
    lay_out(&case.join("before"), &copy, &case.join("mtimes.json"))?;
    let mut transcripts: Vec<PathBuf> = std::fs::read_dir(case.join("transcripts"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    transcripts.sort();
    let before = index_faults(&copy, &topics_of(&copy)?);
    let lines = std::fs::read_to_string(copy.join("MEMORY.md")).unwrap_or_default();
    let mut request =
        DreamRequest { force: true, yes: true, transcripts: Some(transcripts), ..DreamRequest::default() };
    let memory = open(&copy, &scratch.join(&name), &expect.now, &[])?;
    let mut made = 0;
    for night in 0..NIGHTS {
        if night > 0 {
            // What was said is heard once.
            request.transcripts = Some(Vec::new());
        }
        let report =
            memory.dream().run(&request, None, &mut |_| {}, &Cancel::default()).map_err(|failed| failed.error)?;
        if changes {
            tell(&report, ui);
        }
        made += report.changes().count() + report.waiting().count();
        for proposal in memory.inbox().list()? {
            memory.inbox().accept(&proposal.id)?;
        }
        if report.results().all(|(_, result)| result.plan.is_empty()) {
            break;
        }
    }
    let (facts_lost, mut failed) = check(&copy, &expect, &before, &lines)?;
    let bytes = |dir: &Path, file: &String| std::fs::read(dir.join(file)).ok();
    let changed = expect.unchanged.iter().filter(|file| bytes(&case.join("before"), file) != bytes(&copy, file));
    failed.extend(changed.map(|file| format!("not as it was: {file}")));
    Ok(Scored { case: name, ok: failed.is_empty(), facts_lost, failed, changes: made })
}

/// What one dream did and asked for.
fn tell(report: &DreamReport, ui: &mut Ui) {
    let words = report.changes().map(|change| ("", change)).chain(report.waiting().map(|change| ("asks: ", change)));
    for (word, change) in words {
        ui.say(format!("  {word}{} {} {:?} {}", change.action, change.file, change.into, change.why));
    }
    for file in report.results().flat_map(|(_, result)| &result.plan.taken_back) {
        ui.say(format!("  taken back: {file}"));
    }
    for check in report.checks().filter(|check| !check.ok) {
        ui.say(format!("  check {}: {}", check.name, check.detail));
    }
}

/// Copies a directory with the ages that are given for its files.
fn lay_out(from: &Path, to: &Path, times: &Path) -> Result<(), Failure> {
    let times: HashMap<String, String> =
        std::fs::read(times).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let mut left = vec![PathBuf::new()];
    while let Some(below) = left.pop() {
        std::fs::create_dir_all(to.join(&below))?;
        for entry in std::fs::read_dir(from.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                left.push(path);
                continue;
            }
            std::fs::copy(entry.path(), to.join(&path))?;
            if let Some(time) =
                times.get(&*path.to_string_lossy()).and_then(|time| time.parse::<jiff::Timestamp>().ok())
            {
                std::fs::File::options().write(true).open(to.join(&path))?.set_modified(time.into())?;
            }
        }
    }
    Ok(())
}

/// Everything that is not as it must be.
fn check(dir: &Path, expect: &Expect, faults: &[String], lines: &str) -> Result<(usize, Vec<String>), Failure> {
    let topics = topics_of(dir)?;
    let mut failed = Vec::new();
    let lower: Vec<String> = topics.values().map(|text| text.to_lowercase()).collect();
    let kept = |fact: &Vec<Vec<String>>| {
        lower.iter().any(|text| fact.iter().all(|any| any.iter().any(|word| text.contains(&word.to_lowercase()))))
    };
    let lost: Vec<&Vec<Vec<String>>> = expect.facts_kept.iter().filter(|fact| !kept(fact)).collect();
    failed.extend(lost.iter().map(|fact| format!("lost: {fact:?}")));
    for gone in &expect.facts_gone {
        let word = gone.to_lowercase();
        for (name, text) in topics.iter().filter(|(_, text)| text.to_lowercase().contains(&word)) {
            let line = text.lines().find(|line| line.to_lowercase().contains(&word)).unwrap_or_default();
            failed.push(format!("still there: {gone:?} in {name}: {line}"));
        }
    }
    if topics.len() > expect.max_files {
        let names: Vec<&str> = topics.keys().map(String::as_str).collect();
        failed.push(format!("{} files, at most {}: {}", topics.len(), expect.max_files, names.join(" ")));
    }
    for [one, other] in &expect.merged {
        if topics.contains_key(one) && topics.contains_key(other) {
            failed.push(format!("not merged: {one} and {other}"));
        }
    }
    if expect.index_ok {
        // What was wrong before is not a dream's to put right (H1): it must add no fault and lose no line.
        failed.extend(index_faults(dir, &topics).into_iter().filter(|fault| !faults.contains(fault)));
        let now = std::fs::read_to_string(dir.join("MEMORY.md")).unwrap_or_default();
        let kept: HashSet<&str> = now.lines().collect();
        let led: HashSet<usize> =
            Index::parse(lines.as_bytes().to_vec()).pointers().iter().map(|one| one.line).collect();
        let lost = lines.lines().enumerate().filter(|(at, line)| !led.contains(&(at + 1)) && !kept.contains(line));
        failed.extend(lost.map(|(_, line)| format!("the index lost a line that was no pointer: {line}")));
    }
    if expect.no_relative_dates {
        for (name, text) in topics.iter().filter(|(_, text)| dates::has_relative(text)) {
            let line = text.lines().find(|line| dates::has_relative(line)).unwrap_or_default();
            failed.push(format!("relative date in {name}: {line}"));
        }
    }
    Ok((lost.len(), failed))
}

/// The topic files of a directory with their texts.
fn topics_of(dir: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut topics = BTreeMap::new();
    for entry in std::fs::read_dir(dir)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "MEMORY.md" {
            topics.insert(name, String::from_utf8_lossy(&std::fs::read(entry.path())?).into_owned());
        }
    }
    Ok(topics)
}

fn index_faults(dir: &Path, topics: &BTreeMap<String, String>) -> Vec<String> {
    let raw = std::fs::read(dir.join("MEMORY.md")).unwrap_or_default();
    let lines = String::from_utf8_lossy(&raw).lines().count();
    let mut faults = Vec::new();
    if lines > limits::INDEX_LINES || raw.len() > limits::INDEX_BYTES {
        faults.push(format!("the index has {lines} lines and {} bytes", raw.len()));
    }
    let mut seen = HashSet::new();
    for pointer in Index::parse(raw).pointers() {
        if !topics.contains_key(&pointer.target) {
            faults.push(format!("the index points to {}, which is not there", pointer.target));
        }
        if !seen.insert(pointer.target.clone()) {
            faults.push(format!("the index points to {} twice", pointer.target));
        }
    }
    faults.extend(topics.keys().filter(|name| !seen.contains(*name)).map(|name| format!("nothing points to {name}")));
    faults
}
