//! What memory does, in numbers: how it grew, what agents were told, what was never told, what that cost.
//!
//! Enters: the listing and the record of hook calls. Leaves: counts, for plots. The record keeps only the last calls, so
//! `since` says how far back telling is known. Changes nothing.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use serde::Serialize;

use super::{Error, Listed, Sessions};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits::{OVERVIEW_DAYS, OVERVIEW_ROWS, OVERVIEW_WEEKS};

/// Everything at once.
#[derive(Debug, Serialize)]
pub struct Overview {
    /// The memories of today, by when they were written; oldest week first.
    pub weeks: Vec<Week>,
    /// Since when it is known what agents were told; none: nothing is known yet.
    pub since: Option<String>,
    /// What they were told, most often first.
    pub told: Vec<TellingCount>,
    /// How many of today's memories they were not told since.
    pub never: usize,
    /// Some of these, oldest first: the likeliest to be of no use.
    pub never_told: Vec<NamedMemory>,
    /// What was put before agents on each of the last days, oldest first.
    pub days: Vec<ToldDay>,
}

/// How many memories there were at the end of a week, counting those that are still there.
#[derive(Debug, Default, Serialize)]
pub struct Week {
    /// Its last day.
    pub until: Date,
    /// By type.
    pub user: usize,
    /// By type.
    pub feedback: usize,
    /// By type.
    pub project: usize,
    /// By type.
    pub reference: usize,
    /// Without a type.
    pub untyped: usize,
}

/// A memory by its name.
#[derive(Debug, Serialize)]
pub struct NamedMemory {
    /// Its file.
    pub file: String,
    /// Whose it is.
    pub scope: Scope,
    /// What people call it.
    pub title: String,
}

/// How often a memory was told.
#[derive(Debug, Serialize)]
pub struct TellingCount {
    /// Which.
    #[serde(flatten)]
    pub memory: NamedMemory,
    /// How often.
    pub times: usize,
    /// When last.
    pub last: String,
}

/// What one day's agents were told.
#[derive(Debug, Serialize)]
pub struct ToldDay {
    /// The day.
    pub date: Date,
    /// Hooks that were called.
    pub calls: usize,
    /// Those that had something to say.
    pub spoke: usize,
    /// Tokens put before a model, guessed high.
    pub tokens: u64,
}

impl Sessions<'_> {
    /// What memory does, in numbers.
    pub fn overview(&self) -> Result<Overview, Error> {
        let project = self.memory.place.project.root.display().to_string();
        let calls: Vec<_> = self.hook_records()?.filter(|call| call.project == project).collect();
        let today = self.memory.now.date();
        // Newest first, so the first mention of a file is its last time.
        let mut shown: HashMap<&str, (usize, &str)> = HashMap::new();
        let first_day = today.saturating_sub(jiff::Span::new().days(OVERVIEW_DAYS - 1));
        let mut days: BTreeMap<Date, ToldDay> = (0..OVERVIEW_DAYS)
            .map(|ago| first_day.saturating_add(jiff::Span::new().days(ago)))
            .map(|date| (date, ToldDay { date, calls: 0, spoke: 0, tokens: 0 }))
            .collect();
        for call in &calls {
            for file in &call.shown {
                shown.entry(file).or_insert((0, &call.time)).0 += 1;
            }
            let at = call
                .time
                .parse::<jiff::Timestamp>()
                .ok()
                .map(|at| at.to_zoned(self.memory.now.time_zone().clone()).date());
            if let Some(day) = at.and_then(|date| days.get_mut(&date)) {
                day.calls += 1;
                day.spoke += usize::from(call.bytes > 0);
                day.tokens += call.tokens;
            }
        }
        let listing = self.memory.files().list()?;
        let (mut told, mut never_told) = (Vec::new(), Vec::new());
        for one in listing.memories() {
            match shown.get(&*one.file) {
                Some((times, last)) => {
                    told.push(TellingCount { memory: named(&one), times: *times, last: (*last).to_owned() });
                }
                None => never_told.push(one),
            }
        }
        told.sort_by_key(|one| std::cmp::Reverse(one.times));
        told.truncate(OVERVIEW_ROWS);
        Ok(Overview {
            weeks: weeks(today, listing.memories()),
            since: calls.last().map(|call| call.time.clone()),
            told,
            never: never_told.len(),
            never_told: never_told.iter().rev().take(OVERVIEW_ROWS).map(named).collect(),
            days: days.into_values().collect(),
        })
    }
}

fn named(one: &Listed<'_>) -> NamedMemory {
    NamedMemory { file: one.file.to_string(), scope: one.scope, title: one.title.to_string() }
}

fn weeks<'l>(today: Date, memories: impl Iterator<Item = Listed<'l>>) -> Vec<Week> {
    let until = |ago: i64| today.saturating_sub(jiff::Span::new().days(7 * ago));
    let mut weeks: Vec<Week> =
        (0..OVERVIEW_WEEKS).rev().map(|ago| Week { until: until(ago), ..Week::default() }).collect();
    for one in memories {
        // What has no known age counts as old.
        let age = one.age_days.unwrap_or(i64::MAX);
        for (week, ago) in weeks.iter_mut().zip((0..OVERVIEW_WEEKS).rev()) {
            let count = match one.kind {
                Some(Type::User) => &mut week.user,
                Some(Type::Feedback) => &mut week.feedback,
                Some(Type::Project) => &mut week.project,
                Some(Type::Reference) => &mut week.reference,
                None => &mut week.untyped,
            };
            *count += usize::from(age >= 7 * ago);
        }
    }
    weeks
}
