//! One memory on its own: is it worth keeping, does it hold a secret, are its dates absolute?
//!
//! Enters: the desk. Leaves: sheets archived by a named rule, secrets cut out, relative dates
//! written as absolute ones as seen from the day the memory says it was written, else from the
//! file's own day (F4, F7). Pinned memories stay as they are.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::desk::{Desk, Dropped, Fate, Sheet};
use crate::guard::secrets;
use crate::kind::Type;
use crate::store::topic::TooOdd;
use crate::text::worth::NotWorth;
use crate::text::{dates, likeness, worth};

/// Content words that must be left of a memory without its secrets.
const WORDS_LEFT: usize = 3;

/// Archives what should not have been kept, and cuts secrets out of the rest.
pub(super) fn sort_out(desk: &mut Desk) {
    for sheet in desk.sheets.iter_mut().filter(|sheet| sheet.is_free() && sheet.before.is_some()) {
        if let Some(why) = unwanted(sheet) {
            sheet.fate = Fate::Archived(why);
        } else if !secrets::scan(&String::from_utf8_lossy(sheet.topic.as_bytes())).is_empty() {
            redact(sheet);
        }
    }
}

/// Why a memory should not have been kept.
pub(super) fn unwanted(sheet: &Sheet) -> Option<String> {
    let body = sheet.body();
    let text = String::from_utf8_lossy(sheet.topic.as_bytes()).into_owned();
    if let Some(found) = secrets::scan(&text).first() {
        let left = without_secrets(&body);
        if likeness::words(&left).len() < WORDS_LEFT {
            return Some(format!("a secret ({}) and nothing else", found.rule));
        }
    }
    // A description that gives a rule or points outside speaks for the memory.
    let judged = worth::not_worth(&body)?;
    let of_code = matches!(judged, NotWorth::CodeStructure | NotWorth::FilePath | NotWorth::DebugRecipe);
    // A pointer to a tool outside may look like code; the repository does not say it.
    if of_code && sheet.kind() == Some(Type::Reference) {
        return None;
    }
    let told = sheet.description();
    let spoken_for = worth::is_rule(&told) || worth::points_outside(&told);
    (!spoken_for).then(|| judged.why().trim_end_matches('.').to_lowercase())
}

fn without_secrets(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for found in secrets::scan(text) {
        if found.start >= at {
            out.push_str(&text[at..found.start]);
            at = found.end;
        }
    }
    out + &text[at..]
}

fn redact(sheet: &mut Sheet) {
    let body = sheet.body();
    let (clean, _) = secrets::redact(&body);
    for (line, now) in body.lines().zip(clean.lines()) {
        if line != now {
            sheet.dropped.push(Dropped { line: line.to_owned(), reason: "a secret was cut out".to_owned() });
        }
    }
    sheet.topic.set_body(&clean);
    let told = sheet.description();
    let (clean, _) = secrets::redact(&told);
    if clean != told && sheet.topic.set("description", &clean).is_ok() {
        sheet.dropped.push(Dropped { line: told, reason: "a secret was cut out".to_owned() });
    }
    sheet.notes.push("a secret was cut out".to_owned());
}

/// Makes the relative dates of every memory absolute.
pub(super) fn date(desk: &mut Desk) {
    for sheet in desk.sheets.iter_mut().filter(|sheet| sheet.is_free()) {
        // Frontmatter too odd to change keeps its words; the check says so.
        let _ = date_one(sheet);
    }
}

fn date_one(sheet: &mut Sheet) -> Result<(), TooOdd> {
    let Some(dating) = Dating::of(sheet) else { return Ok(()) };
    let body = sheet.body();
    let mut said = Vec::new();
    let dated: String = body.split_inclusive('\n').map(|line| dating.resolve(line, &mut said)).collect();
    let mut made = sheet.topic.clone();
    made.set_body(&dated);
    for key in ["description", "name"] {
        let old = made.get(key).map(String::from).unwrap_or_default();
        let new = dating.resolve(&old, &mut said);
        if new != old {
            made.set(key, &new)?;
        }
    }
    said.dedup();
    sheet.notes.extend(said);
    sheet.topic = made;
    Ok(())
}

/// How the relative dates of one memory are read.
pub(super) struct Dating {
    from: Date,
    /// The memory names the day it was written.
    named: bool,
    /// The one day that its statement means; "before Monday" further down is said of that.
    about: Option<Date>,
}

impl Dating {
    /// `None` when nothing can be told: no day is named, and what it is about is no matter of days.
    pub(super) fn of(sheet: &Sheet) -> Option<Dating> {
        let text = sheet.text();
        if !dates::has_relative(&text) {
            return None;
        }
        let named = dates::anchor(&text);
        // A file's own day counts for what happens; how to work and who somebody is has no day.
        if named.is_none() && matches!(sheet.kind(), Some(Type::Feedback | Type::User)) {
            return None;
        }
        let from = named.unwrap_or(sheet.day);
        let statement = likeness::statement_of(&sheet.body());
        let days: Vec<Date> = dates::resolve(&statement, from)
            .changes
            .iter()
            .filter(|change| !is_weekday(&change.said))
            .filter_map(|change| if let dates::Meant::Day(day) = change.meant { Some(day) } else { None })
            .collect();
        let about = if let [day] = days.as_slice() { Some(*day) } else { None };
        Some(Dating { from, named: named.is_some(), about })
    }

    /// One line with absolute dates. A weekday alone is read from the day the memory is about, and is left
    /// as it is where the memory names no day: it may come every week.
    pub(super) fn resolve(&self, line: &str, said: &mut Vec<String>) -> String {
        let mut resolved = dates::resolve(line, self.from);
        if !resolved.changes.is_empty() && resolved.changes.iter().all(|change| is_weekday(&change.said)) {
            let week_before = self.about.and_then(|day| day.checked_sub(7.days()).ok());
            match week_before {
                Some(day) if self.named => resolved = dates::resolve(line, day),
                _ if self.named => {}
                _ => return line.to_owned(),
            }
        }
        said.extend(resolved.changes.iter().map(|change| format!("“{}” became {}", change.said, change.meant)));
        resolved.text
    }
}

/// Whether a phrase is only the name of a weekday.
fn is_weekday(said: &str) -> bool {
    const NAMES: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = said.trim().to_lowercase();
    let word =
        ["on ", "by ", "until ", "before ", "after "].iter().find_map(|lead| word.strip_prefix(lead)).unwrap_or(&word);
    let han = |lead: &str| said.strip_prefix(lead).is_some_and(|rest| rest.chars().count() == 1);
    NAMES.contains(&word) || ["周", "星期", "礼拜"].iter().any(|lead| han(lead))
}

/// Whether a memory has a date that the dream should have made absolute.
pub(super) fn is_undated(sheet: &Sheet) -> bool {
    let Some(dating) = Dating::of(sheet) else { return false };
    let text = sheet.text();
    text.lines().any(|line| dating.resolve(line, &mut Vec::new()) != line)
}

#[cfg(test)]
mod tests {
    use super::super::tests::desk;
    use super::*;
    use crate::engine::workbench::{Workbench, topic};

    #[test]
    fn f4_relative_dates_are_read_from_the_day_the_note_names() {
        let bench = Workbench::with(&[(
            "project_demo.md",
            &topic("project", "Demo", "Noted on 2026-04-09 (a Thursday): demo next Tuesday at 15:00."),
        )]);
        let mut desk = desk(&bench);
        date(&mut desk);
        assert!(desk.sheets[0].body().contains("2026-04-14"), "{}", desk.sheets[0].body());
    }

    #[test]
    fn f4_a_weekday_alone_is_left_or_read_from_the_day_it_is_about() {
        let bench = Workbench::with(&[
            (
                "a.md",
                &topic(
                    "project",
                    "Train",
                    "Releases leave every Tuesday.\n\n**How to apply:** Merge before Monday evening.",
                ),
            ),
            (
                "b.md",
                &topic(
                    "project",
                    "上线",
                    "记录于 2026-04-06(周一):小程序下周三上线。\n\n**How to apply:** 周二之后不合并功能。",
                ),
            ),
        ]);
        let mut desk = desk(&bench);
        date(&mut desk);
        assert!(desk.sheets[0].body().contains("before Monday evening"), "{}", desk.sheets[0].body());
        assert!(desk.sheets[1].body().contains("2026-04-14"), "{}", desk.sheets[1].body());
        assert!(!is_undated(&desk.sheets[0]) && !is_undated(&desk.sheets[1]));
    }

    #[test]
    fn f7_only_what_code_and_git_say_is_archived_and_never_a_pinned_memory() {
        let garbage = "src/api has handlers, src/db has queries.";
        let pinned = topic("project", "Layout", garbage).replace("type: project\n", "type: project\npinned: true\n");
        let bench = Workbench::with(&[
            ("a.md", &topic("project", "Layout", garbage)),
            ("b.md", &pinned),
            ("c.md", &topic("feedback", "Rule", "Never edit src/gen by hand.")),
        ]);
        let mut desk = desk(&bench);
        sort_out(&mut desk);
        let stays: Vec<bool> = desk.sheets.iter().map(Sheet::stays).collect();
        assert_eq!(stays, [false, true, true]);
    }

    #[test]
    fn a_secret_alone_goes_and_beside_a_fact_it_is_cut_out() {
        let token = format!("ghp_{}", "FAKEfake".repeat(5).chars().take(36).collect::<String>());
        let bench = Workbench::with(&[
            ("a.md", &topic("reference", "Token", &format!("Use {token} for staging."))),
            ("b.md", &topic("reference", "Deploys", &format!("Deploys go through the portal of the vendor {token}."))),
        ]);
        let mut desk = desk(&bench);
        sort_out(&mut desk);
        assert!(!desk.sheets[0].stays());
        assert!(desk.sheets[1].stays() && !desk.sheets[1].body().contains("ghp_"));
        assert_eq!(desk.sheets[1].dropped.len(), 1);
    }
}
