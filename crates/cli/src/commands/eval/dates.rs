//! `eval dates`: each sentence of a set read from the moment it was said, and the dates it got held against those it should
//! have; a habit or a near miss should have none (`evals/FORMAT.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::civil::DateTime;
use memdir::reader::dates::{DateMeaning, Resolved, resolve};
use serde::{Deserialize, Serialize};

use super::verdict::Sum;
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// One sentence of a set.
#[derive(Deserialize)]
struct DateCase {
    id: String,
    lang: String,
    kind: Kind,
    /// The moment, by the clock of the one who said it.
    said: DateTime,
    text: String,
    #[serde(default)]
    want: BTreeSet<String>,
}

/// What a sentence is there for, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// It has dates of one time.
    Date,
    /// It speaks of what comes again and again.
    Habit,
    /// It only looks like a date.
    Near,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Date, Kind::Habit, Kind::Near];

    const fn heading(self) -> &'static str {
        match self {
            Kind::Date => "dates",
            Kind::Habit => "habits",
            Kind::Near => "near misses",
        }
    }
}

/// How many were right of how many, by kind.
type Sums = BTreeMap<Kind, Sum>;

#[derive(Default, Serialize)]
struct Totals {
    all: Sums,
    languages: BTreeMap<String, Sums>,
}

pub(crate) fn dates(file: &Path, misses: bool, ui: &mut Ui) -> CommandResult {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::refused(format!("{} cannot be read: {error}", file.display())))?;
    let mut totals = Totals::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: DateCase = serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a sentence is not as FORMAT.md says: {error}")))?;
        let resolved = resolve(&case.text, case.said.date());
        let right = keeps_words(&case.text, &resolved) && written(&resolved) == case.want;
        for sums in [&mut totals.all, totals.languages.entry(case.lang.clone()).or_default()] {
            let sum = sums.entry(case.kind).or_default();
            *sum = Sum(sum.0 + usize::from(right), sum.1 + 1);
        }
        if misses && !right {
            let want: Vec<&str> = case.want.iter().map(String::as_str).collect();
            let want = if want.is_empty() { "no date".to_owned() } else { want.join(", ") };
            ui.line(format!("{} [{} {}] {want}: {}", case.id, case.lang, case.kind.heading(), resolved.text))?;
        }
    }
    if ui.json {
        return Ok(ui.print_json(&totals)?);
    }
    let languages = totals.languages.iter().map(|(language, sums)| (language.as_str(), sums));
    ui.line(format!("{:<10}{:>12}{:>12}{:>14}", "language", "dates", "habits", "near misses"))?;
    for (language, sums) in languages.chain([("all", &totals.all)]) {
        let [date, habit, near] = Kind::ALL.map(|kind| match sums.get(&kind) {
            Some(Sum(right, all)) => format!("{right}/{all}"),
            None => "-".to_owned(),
        });
        ui.line(format!("{language:<10}{date:>12}{habit:>12}{near:>14}"))?;
    }
    Ok(())
}

/// The dates that are beside their words: a week and a weekend by their first day, a span by both ends.
fn written(resolved: &Resolved) -> BTreeSet<String> {
    let dates = resolved.changes.iter().map(|change| match change.meant {
        DateMeaning::About(day) | DateMeaning::Week(day) | DateMeaning::Weekend(day) => day.to_string(),
        DateMeaning::Days(first, last) => format!("{first}/{last}"),
        meant => meant.to_string(),
    });
    dates.collect()
}

/// Whether what was said is what is left without the dates.
fn keeps_words(said: &str, resolved: &Resolved) -> bool {
    let mut left = String::new();
    let mut rest = resolved.text.as_str();
    for change in &resolved.changes {
        let Some((before, after)) = rest.split_once(&format!("({})", change.meant)) else {
            return false;
        };
        left.push_str(before.strip_suffix(' ').unwrap_or(before));
        rest = after;
    }
    left.push_str(rest);
    left == said
}
