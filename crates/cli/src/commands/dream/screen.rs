//! One screen of what a dream did: what went and where its content is now, before anything else.
//!
//! The first dream in a directory changes nothing, and says so. People fear that files vanish. So every file that is gone stands
//! here by name with the file that says it now, or with the reason; changes that lose nothing are told after, and only counted where there are many.
//! The last line takes all of it back.

use memdir::engine::{DreamChange, DreamProgress, DreamReport, DreamResult};
use memdir::kind::Scope;

use crate::commands::CommandResult;
use crate::ui::{Style, Ui, counted, safe};

/// Lines of one group; a screen has about forty.
const LINES: usize = 12;
/// Columns that names are aligned in.
const WIDTH: usize = 40;

/// Whose memory a scope is, in words.
fn whose(scope: Scope) -> String {
    DreamProgress::Scope(scope).to_string()
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Became {
    Merged,
    Waits,
    New,
    Changed,
    LeftAlone,
}

impl Became {
    const ALL: [(Became, &'static str); 5] = [
        (Became::Merged, "merged"),
        (Became::Waits, "waits"),
        (Became::New, "new"),
        (Became::Changed, "changed"),
        (Became::LeftAlone, "left alone"),
    ];

    fn of(result: &DreamResult, change: &DreamChange) -> Became {
        let overtaken = result.done.as_ref().is_some_and(|done| done.overtaken.contains(&change.file));
        match change.action {
            _ if overtaken => Became::LeftAlone,
            "create" => Became::New,
            "update" => Became::Changed,
            _ => Became::Merged,
        }
    }
}

pub(super) fn print(report: &DreamReport, ui: &mut Ui) -> CommandResult {
    let several = report.results().count() > 1;
    for (at, (scope, result)) in report.results().enumerate() {
        if several {
            if at > 0 {
                ui.line("")?;
            }
            let head = ui.paint(Style::Bold, &capital(&whose(scope)));
            ui.line(head)?;
        }
        one(result, ui)?;
    }
    if !report.ran() {
        ui.say("Nothing was changed.");
        return Ok(());
    }
    if let Some(change) = report.change() {
        let files = counted(report.done().map(|done| done.files.len()).sum(), "file", "files");
        let undo = ui.paint(Style::Bold, &format!("memdir undo {change}"));
        ui.line(format!("{files} changed; nothing is gone for good. Take it all back: {undo}"))?;
        ui.say(format!("What it changed line by line: memdir diff {change}"));
    }
    for (_, DreamResult { plan, done, .. }) in report.results() {
        if let Some(waits) = done.as_ref().and_then(|done| done.model_waits.as_ref()) {
            let (id, why) = (&waits.proposal, safe(&waits.why));
            ui.line(format!("The model's dream waits for your yes ({why}): memdir inbox show {id}"))?;
        }
        if let Some(id) = done.as_ref().and_then(|done| done.proposals.first()) {
            let files = counted(plan.waiting.len(), "change waits", "changes wait");
            ui.line(format!("{files} for your yes: memdir inbox lists them, memdir inbox show {id} shows the first"))?;
        }
        if plan.first && !plan.waiting.is_empty() {
            ui.line("This is the first dream here, so nothing was changed: memdir inbox accept ID, or memdir dream --force --yes")?;
        }
    }
    Ok(())
}

fn one(result: &DreamResult, ui: &mut Ui) -> CommandResult {
    let plan = &result.plan;
    if plan.is_empty() {
        ui.line("Nothing to do: memory is in order.")?;
    }
    let changes = plan.changes.iter().map(|change| (Became::of(result, change), change));
    let all: Vec<(Became, &DreamChange)> =
        changes.chain(plan.waiting.iter().map(|change| (Became::Waits, change))).collect();
    if !plan.is_empty() {
        ui.line(summary(plan.known, &all))?;
    }
    let width = all.iter().map(|(_, change)| change.file.chars().count()).max().unwrap_or(0).min(WIDTH);
    for (kind, word) in Became::ALL {
        let of_kind: Vec<&DreamChange> =
            all.iter().filter(|(one, change)| *one == kind && !is_told(change)).map(|(_, change)| *change).collect();
        group(&of_kind, kind, word, width, ui)?;
    }
    let look: Vec<String> = plan
        .unsure
        .iter()
        .map(|unsure| format!("{}: {}", safe(&unsure.files.join(" and ")), safe(&unsure.why)))
        .collect();
    listed(&look, "look", Style::Warn, ui)?;
    let left = plan.left_out.iter();
    let left: Vec<String> =
        left.map(|one| format!("{} ({}): {}", safe(&one.line), safe(&one.source), safe(&one.why))).collect();
    listed(&left, "left out", Style::Dim, ui)?;
    let checks = plan.checks.iter().filter(|check| !check.ok);
    listed(
        &checks.map(|check| format!("{}: {}", check.name, safe(&check.detail))).collect::<Vec<_>>(),
        "check",
        Style::Warn,
        ui,
    )
}

/// Whether a change only says what the lines of merged files said already.
fn is_told(change: &DreamChange) -> bool {
    change.action == "update"
        && change.why.split("; ").all(|why| why.starts_with("says what ") && why.ends_with(" said too"))
}

/// All of it in one sentence: `26 memories: 5 merged into others, 1 changed, 5 waiting for your yes.`
fn summary(known: usize, all: &[(Became, &DreamChange)]) -> String {
    let count = |kind: Became| all.iter().filter(|(one, _)| *one == kind).count();
    let parts = [
        (Became::Merged, "merged into others"),
        (Became::Changed, "changed"),
        (Became::New, "new"),
        (Became::Waits, "waiting for your yes"),
        (Became::LeftAlone, "left alone, as somebody changed them meanwhile"),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .map(|(kind, words)| (count(kind), words))
        .filter(|(number, _)| *number > 0)
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    let told = if told.is_empty() { "only a line of the index is set right".to_owned() } else { told.join(", ") };
    format!("{}: {told}.", counted(known, "memory", "memories"))
}

fn group(changes: &[&DreamChange], kind: Became, word: &str, width: usize, ui: &mut Ui) -> CommandResult {
    let lines: Vec<String> = changes
        .iter()
        .map(|change| match (&change.into, kind) {
            (Some(into), Became::Merged) => {
                let how = if change.why.ends_with("true now") { "outdated by" } else { "now in" };
                format!("{:<width$}  {how} {}", safe(&change.file), safe(into))
            }
            _ => format!("{:<width$}  {}", safe(&change.file), safe(&change.why)),
        })
        .collect();
    let style = if kind == Became::Waits { Style::Warn } else { Style::Dim };
    // Every file that goes is named, however many there are.
    let most = if matches!(kind, Became::Merged | Became::Waits) { usize::MAX } else { LINES };
    let shown = lines.len().min(most);
    listed(&lines[..shown], word, style, ui)?;
    if shown < lines.len() {
        listed(&[format!("and {} more", lines.len() - shown)], word, style, ui)?;
    }
    Ok(())
}

fn listed(lines: &[String], word: &str, style: Style, ui: &mut Ui) -> CommandResult {
    let word = ui.paint(style, &format!("{word:<10}"));
    for line in lines {
        ui.line(format!("{word} {line}"))?;
    }
    Ok(())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
