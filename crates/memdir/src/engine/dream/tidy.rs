//! One memory on its own: should it have been kept, and does it hold a secret?
//!
//! Enters: the desk. Leaves: sheets that a person should decide about: short notes that say what code or git say anyway,
//! and notes with a secret, as they would be without it. These are judgements about what somebody wrote, so they are
//! proposed and never land by themselves (H1). Long notes are judged by nobody, pinned ones stay as they are, and no
//! text that stands is ever dated (H2).

use super::desk::{Desk, Dropped, Fate, Grounds, Sheet};
use super::wording::is_understood;
use memdir_core::kind::Type;
use memdir_guard::secrets;
use memdir_reader::worth::NotWorth;
use memdir_reader::{likeness, worth};

/// Content words that must be left of a memory without its secrets.
const WORDS_LEFT: usize = 3;

/// Finds what should not have been kept, and what holds a secret.
pub(super) fn sort_out(desk: &mut Desk) {
    for sheet in desk.sheets.iter_mut().filter(|sheet| sheet.is_free() && sheet.is_untouched()) {
        if let Some(why) = unwanted(sheet) {
            sheet.hold(&why);
            sheet.fate = Fate::Archived(why);
        } else if !secrets::scan(&String::from_utf8_lossy(sheet.topic.as_bytes())).is_empty() {
            redact(sheet);
        }
    }
}

/// Why a memory should not have been kept.
pub(super) fn unwanted(sheet: &Sheet) -> Option<String> {
    if sheet.is_long() {
        return None;
    }
    let body = sheet.body();
    let text = String::from_utf8_lossy(sheet.topic.as_bytes()).into_owned();
    if let Some(found) = secrets::scan(&text).first() {
        let left = without_secrets(&body);
        if likeness::words(&left).len() < WORDS_LEFT {
            return Some(format!("a secret ({}) and nothing else", found.rule));
        }
    }
    if !is_understood(&sheet.text()) {
        return None;
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
    let reason = "it holds a secret; this is the memory without it";
    let body = sheet.body();
    let (clean, _) = secrets::redact(&body);
    for (line, now) in body.lines().zip(clean.lines()) {
        if line != now {
            sheet.dropped.push(Dropped { line: line.to_owned(), reason: reason.to_owned() });
        }
    }
    sheet.topic.set_body(&clean);
    let told = sheet.description();
    let (clean, _) = secrets::redact(&told);
    if clean != told && sheet.topic.set("description", &clean).is_ok() {
        sheet.dropped.push(Dropped { line: told, reason: reason.to_owned() });
    }
    sheet.notes.push(reason.to_owned());
    sheet.hold(reason);
    // Of all that a person should decide it comes first.
    sheet.grounds = Grounds::Said;
}

#[cfg(test)]
mod tests {
    use super::super::tests::desk;
    use super::*;
    use crate::engine::workbench::{Workbench, topic};

    #[test]
    fn f7_h1_only_what_code_and_git_say_is_proposed_to_go_and_never_a_pinned_or_long_memory() {
        let garbage = "src/api has handlers, src/db has queries.";
        let pinned = topic("project", "Layout", garbage).replace("type: project\n", "type: project\npinned: true\n");
        let bench = Workbench::with(&[
            ("a.md", &topic("project", "Layout", garbage)),
            ("b.md", &pinned),
            ("c.md", &topic("feedback", "Rule", "Never edit src/gen by hand.")),
            ("d.md", &topic("project", "Layout", &format!("# Layout\n\n{garbage}"))),
        ]);
        let mut desk = desk(&bench);
        sort_out(&mut desk);
        let stays: Vec<bool> = desk.sheets.iter().map(Sheet::stays).collect();
        assert_eq!(stays, [false, true, true, true]);
        assert!(desk.sheets[0].held.is_some());
    }

    #[test]
    fn h1_a_secret_is_only_ever_proposed_to_be_cut_out() {
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
        assert!(desk.sheets.iter().all(|sheet| sheet.held.is_some()));
    }
}
