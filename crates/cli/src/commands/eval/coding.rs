//! `eval coding`: what must not come, and what must (`evals/coding/FORMAT.md`).
//!
//! Either memdir itself is asked: each project with its code in a folder of its own, each memory saved on its day, each question
//! asked on the day of the set. Or answers are read that another system gave (`--answers`), which makes this the one scorer
//! for all of them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use memdir::engine::{Memory, RecallRequest, Remember, Signature};
use memdir::kind::Type;
use memdir::store::history::Actor;
use memdir::surroundings::Surroundings;
use serde::{Deserialize, Serialize};

use super::Scratch;
use super::verdict::{CodingQuestion, Given, Judged, Sum, VerdictTotals, judge, totals};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// When the questions are asked.
const NOW: &str = "2026-10-25T09:00:00Z";

#[derive(Deserialize)]
struct CodingProject {
    project: String,
    files: BTreeMap<String, String>,
}

/// What a system answered.
#[derive(Default, Deserialize)]
struct Answers {
    /// Memories it did not take.
    #[serde(default)]
    refused: Vec<String>,
    /// By question.
    texts: HashMap<String, String>,
}

#[derive(Serialize)]
struct Told<'t> {
    #[serde(flatten)]
    totals: &'t VerdictTotals,
    characters: f64,
    refused: &'t [String],
    cases: Vec<ToldCase<'t>>,
}

#[derive(Serialize)]
struct ToldCase<'t> {
    id: &'t str,
    #[serde(flatten)]
    judged: &'t Judged,
}

pub(crate) fn coding(dir: &Path, answers: Option<&Path>, misses: bool, ui: &mut Ui) -> CommandResult {
    let memories: Vec<Given> = lines(dir, "memories.jsonl")?;
    let cases: Vec<CodingQuestion> = lines(dir, "cases.jsonl")?;
    let answers = match answers {
        Some(file) => serde_json::from_slice(&std::fs::read(file)?)
            .map_err(|error| Failure::refused(format!("{} holds no answers: {error}", file.display())))?,
        None => ask(dir, &memories, &cases, ui)?,
    };
    let text = |case: &CodingQuestion| answers.texts.get(&case.id).map(String::as_str).unwrap_or_default();
    let judged: Vec<Judged> = cases.iter().map(|case| judge(case, text(case), &memories)).collect();
    let totals = totals(cases.iter().zip(&judged));
    let letters: usize = cases.iter().map(|case| text(case).chars().count()).sum();
    let characters = letters as f64 / cases.len().max(1) as f64;
    if ui.json {
        let cases = cases.iter().zip(&judged).map(|(case, judged)| ToldCase { id: &case.id, judged }).collect();
        return Ok(ui.print_json(&Told { totals: &totals, characters, refused: &answers.refused, cases })?);
    }
    for (category, questions) in &totals.categories {
        // The one that counts comes first.
        let first = questions.get("holds").map(|sum| (category.as_str().to_owned(), *sum));
        let others = questions.iter().filter(|(question, _)| **question != "holds");
        for (name, Sum(held, asked)) in first.into_iter().chain(others.map(|(name, sum)| (format!("  {name}"), *sum))) {
            ui.line(format!("{name:<24} {held} of {asked}"))?;
        }
    }
    ui.line(format!("{:<24} {:.2}", "mean", totals.mean))?;
    ui.line(format!("{:<24} {characters:.0}", "characters shown, mean"))?;
    ui.line(format!("{:<24} {}", "memories refused", answers.refused.len()))?;
    for (case, judged) in cases.iter().zip(&judged).filter(|(_, judged)| misses && !judged.holds) {
        let shown = text(case).split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = shown.chars().take(600).collect();
        ui.line(format!("\n{} [{}] {} {judged:?}\n    {shown}", case.id, case.category.as_str(), case.query))?;
    }
    Ok(())
}

/// Lets memdir answer.
fn ask(dir: &Path, memories: &[Given], cases: &[CodingQuestion], ui: &mut Ui) -> Result<Answers, Failure> {
    let scratch = Scratch::new();
    let folders = lay_out(&scratch.0, &lines::<CodingProject>(dir, "projects.jsonl")?)?;
    let folder = |project: &str| {
        let known = folders.get(project);
        known.ok_or_else(|| Failure::refused(format!("{project} is not in projects.jsonl")))
    };
    let mut answers = Answers::default();
    ui.say("saving …");
    for given in memories {
        let memory = open(&scratch.0, folder(&given.project)?, &format!("{}T12:00:00Z", given.when))?;
        let wanted = Remember {
            text: given.text.clone(),
            kind: Type::ALL.into_iter().find(|kind| kind.to_string() == given.kind),
            name: Some(given.name.clone()),
            description: Some(given.description.clone()),
            ..Remember::default()
        };
        match memory.files().remember(&wanted) {
            Ok(saved) => age(Path::new(&saved.path), &given.when)?,
            Err(error) if error.is_refusal() => answers.refused.push(given.id.clone()),
            Err(error) => return Err(error.into()),
        }
    }
    ui.say("reading …");
    for folder in folders.values() {
        open(&scratch.0, folder, NOW)?.recall().refresh(usize::MAX, &|| false)?;
    }
    for case in cases {
        let answer =
            open(&scratch.0, folder(&case.project)?, NOW)?.recall().for_prompt(RecallRequest::new(&case.query))?;
        answers.texts.insert(case.id.clone(), answer.reminder);
    }
    Ok(answers)
}

/// The projects as repositories with today's code, by name.
fn lay_out(scratch: &Path, projects: &[CodingProject]) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut folders = BTreeMap::new();
    for project in projects {
        let folder = scratch.join("work").join(&project.project);
        for (path, content) in &project.files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            std::fs::write(path, content)?;
        }
        // Without git they are plain folders.
        let _ = crate::env::git(&folder, &["init", "--quiet"]).and_then(|_| crate::env::git(&folder, &["add", "."]));
        folders.insert(project.project.clone(), folder);
    }
    Ok(folders)
}

/// Gives a file the day of its memory.
fn age(path: &Path, day: &str) -> Result<(), Failure> {
    let time: jiff::Timestamp =
        format!("{day}T00:00:00Z").parse().map_err(|_| Failure::refused(format!("{day} is not a day")))?;
    Ok(std::fs::File::options().write(true).open(path)?.set_modified(time.into())?)
}

fn open(scratch: &Path, project: &Path, now: &str) -> Result<Memory, Failure> {
    let around = Surroundings {
        cwd: project.to_path_buf(),
        home: Some(scratch.join("home")),
        state_dir: Some(scratch.join("state")),
        cache_dir: Some(scratch.join("cache")),
        ..Surroundings::default()
    };
    let now: jiff::Timestamp = now.parse().map_err(|_| Failure::refused(format!("{now} is not a time")))?;
    let signature = Signature { actor: Actor::User, session: None, message: None };
    Ok(Memory::open(around, crate::env::git, now.to_zoned(jiff::tz::TimeZone::UTC), signature)?)
}

fn lines<T: serde::de::DeserializeOwned>(dir: &Path, name: &str) -> Result<Vec<T>, Failure> {
    let text = std::fs::read_to_string(dir.join(name))
        .map_err(|error| Failure::refused(format!("{} has no {name}: {error}", dir.display())))?;
    let parse = |line: &str| {
        serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a line of {name} is not as FORMAT.md says: {error}")))
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
}
