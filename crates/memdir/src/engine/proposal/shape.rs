//! One file of a proposal on its own: is it a memory that memdir would write?
//!
//! What can be mended is mended: relative dates, a missing description, a secret inside a longer
//! text, a pin that only a person may set. The rest is turned down.

use jiff::civil::Date;

use super::{Accepted, AllowedRemovals, Bounds, FileEffect, RejectionRule};
use memdir_core::kind::Type;
use memdir_core::limits;
use memdir_core::settings::Mode;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_reader::{dates, likeness, title};
use memdir_store::staging::StagedChange;
use memdir_store::topic::{BrokenFrontmatter, Flag, Topic};

/// Content words that must be left of a memory when its secrets are gone.
const WORDS_LEFT: usize = 3;

type RefusedFiles = (RejectionRule, String);

/// Whether a memory may go.
pub(super) fn check_removal(change: &StagedChange, bounds: &Bounds) -> Result<(), RefusedFiles> {
    check_pin(change)?;
    let allowed = match &bounds.removals {
        AllowedRemovals::None => false,
        AllowedRemovals::These(files) => files.contains(&change.file),
        AllowedRemovals::Any => true,
    };
    if allowed {
        Ok(())
    } else {
        Err((RejectionRule::Removal, "nobody asked for this memory to be forgotten".to_owned()))
    }
}

/// Whether a memory may become this, and what it becomes.
pub(super) fn check(
    change: &StagedChange,
    after: &[u8],
    mode: Mode,
    today: Option<Date>,
) -> Result<Accepted, RefusedFiles> {
    check_pin(change)?;
    check_place(&change.file, change.before.is_none(), mode)?;
    check_size(change, after)?;
    let before = change.before.clone().map(Topic::parse);
    let mut topic = Topic::parse(after.to_vec());
    check_format(before.as_ref(), &topic)?;
    if change.file.in_team() && topic.kind() == Some(Type::User) {
        return Err((RejectionRule::Scope, "a user memory is personal and never goes to the team".to_owned()));
    }
    check_orders(change, after)?;
    let mut notes = Vec::new();
    if topic.pinned() {
        topic.set_pinned(false).map_err(too_odd)?;
        notes.push("only a person pins a memory".to_owned());
    }
    if change.before.is_none() {
        describe(&mut topic, &mut notes).map_err(too_odd)?;
    }
    if let Some(today) = today {
        date(before.as_ref(), &mut topic, today, &mut notes).map_err(too_odd)?;
    }
    let after = without_secrets(change, topic, &mut notes)?;
    let action = if change.before.is_none() { FileEffect::Created } else { FileEffect::Updated };
    Ok(Accepted {
        file: change.file.clone(),
        action,
        notes,
        messages: Vec::new(),
        heir: None,
        renamed: None,
        before: change.before.clone(),
        after: Some(after),
    })
}

/// A file that cannot be mended without harm is not a memory as memdir writes them.
fn too_odd(odd: BrokenFrontmatter) -> RefusedFiles {
    (RejectionRule::Format, odd.to_string())
}

fn check_pin(change: &StagedChange) -> Result<(), RefusedFiles> {
    let pinned = change.before.as_ref().is_some_and(|before| Topic::parse(before.clone()).pinned());
    if pinned {
        Err((RejectionRule::Pinned, "a person pinned this memory; only they change it".to_owned()))
    } else {
        Ok(())
    }
}

fn check_place(file: &RelPath, new: bool, mode: Mode) -> Result<(), RefusedFiles> {
    if !file.is_markdown() || file.is_hidden() {
        return Err((RejectionRule::Confinement, "a memory is a Markdown file that is not hidden".to_owned()));
    }
    if file.in_team() && new && mode != Mode::Team {
        return Err((RejectionRule::Scope, "team memory is off; save it as a private memory".to_owned()));
    }
    if let Some(found) = secrets::scan(file.as_str()).first() {
        return Err((RejectionRule::Secret, format!("its name holds what looks like a secret ({})", found.rule)));
    }
    Ok(())
}

fn check_size(change: &StagedChange, after: &[u8]) -> Result<(), RefusedFiles> {
    let grew = change.before.as_ref().is_none_or(|before| after.len() > before.len());
    if after.len() > limits::PROPOSED_BYTES && grew {
        let (bytes, most) = (after.len(), limits::PROPOSED_BYTES);
        return Err((
            RejectionRule::Size,
            format!("it would have {bytes} bytes; a model writes at most {most} into a memory"),
        ));
    }
    Ok(())
}

/// Nothing odd about it that was not odd before.
fn check_format(before: Option<&Topic>, after: &Topic) -> Result<(), RefusedFiles> {
    let known = before.map(Topic::flags).unwrap_or_default();
    let broken = |flag: &Flag| {
        let harmless = matches!(flag, Flag::NoName | Flag::NoDescription | Flag::Bom | Flag::Crlf);
        // Which line is stray changes with every edit.
        let same = |one: &Flag| one == flag || matches!((one, flag), (Flag::StrayLine(_), Flag::StrayLine(_)));
        !harmless && !known.iter().any(same)
    };
    if let Some(flag) = after.flags().into_iter().find(broken) {
        return Err((RejectionRule::Format, flag.to_string()));
    }
    if after.body().trim().is_empty() {
        return Err((RejectionRule::Format, "it says nothing below its frontmatter".to_owned()));
    }
    Ok(())
}

/// A model that reads a planted text must not carry it into memory; what was there before is not its doing.
fn check_orders(change: &StagedChange, after: &[u8]) -> Result<(), RefusedFiles> {
    let planted = |bytes: &[u8]| {
        let injection = PromptInjection::read(&String::from_utf8_lossy(bytes));
        injection.is_planted().then_some(injection)
    };
    match planted(after) {
        Some(injection) if change.before.as_deref().and_then(planted).is_none() => Err((
            RejectionRule::Orders,
            format!("it reads like an order planted for a model: it {}", injection.reasons()),
        )),
        _ => Ok(()),
    }
}

/// Fills in what recall goes by.
fn describe(topic: &mut Topic, notes: &mut Vec<String>) -> Result<(), BrokenFrontmatter> {
    let body = topic.body().into_owned();
    if topic.name().is_none() {
        topic.set("name", &title::title(&body))?;
        notes.push("the name was missing".to_owned());
    }
    if topic.description().is_none() {
        topic.set("description", &title::summary(&body))?;
        notes.push("the description was missing".to_owned());
    }
    Ok(())
}

/// Makes the dates of new lines absolute (F4). Old lines were said on another day.
fn date(
    before: Option<&Topic>,
    topic: &mut Topic,
    today: Date,
    notes: &mut Vec<String>,
) -> Result<(), BrokenFrontmatter> {
    let old = before.map(|topic| topic.body().into_owned()).unwrap_or_default();
    let mut resolve = |text: &str| {
        let resolved = dates::resolve(text, today);
        let changes = resolved.changes.iter();
        notes.extend(changes.map(|change| format!("\"{}\" was dated {}", change.said, change.meant)));
        resolved.text
    };
    let body = topic.body().into_owned();
    let lines = body.split_inclusive('\n').map(|line| {
        let known = old.lines().any(|old| old == line.trim_end_matches(['\r', '\n']));
        if known { line.to_owned() } else { resolve(line) }
    });
    let dated: String = lines.collect();
    topic.set_body(&dated);
    let said = topic.description().map(String::from).unwrap_or_default();
    if before.and_then(Topic::description).as_deref() != Some(&said) {
        let dated = resolve(&said);
        if dated != said {
            topic.set("description", &dated)?;
        }
    }
    Ok(())
}

/// Cuts out new secrets, or refuses where nothing would be left, and always for the team (T3).
fn without_secrets(change: &StagedChange, topic: Topic, notes: &mut Vec<String>) -> Result<Vec<u8>, RefusedFiles> {
    let text = String::from_utf8_lossy(topic.as_bytes()).into_owned();
    let old = change.before.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let found = secrets::scan(&text);
    let Some(new) = found.iter().find(|finding| !old.contains(&text[finding.start..finding.end])) else {
        return Ok(topic.into_bytes());
    };
    let refuse = |why: &str| {
        Err((RejectionRule::Secret, format!("line {} holds what looks like a secret ({}){why}", new.line, new.rule)))
    };
    if change.file.in_team() {
        return refuse("; the team's memory never does");
    }
    let about = format!("{}\n{}", topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
    if !secrets::scan(&about).is_empty() {
        return refuse(", in its name or description");
    }
    let (redacted, _) = secrets::redact(&text);
    let body = Topic::parse(redacted.clone().into_bytes()).body().into_owned();
    if likeness::words(&without_markers(&body)).len() < WORDS_LEFT {
        return refuse(" and nothing else");
    }
    notes.push(format!("a secret was cut out ({})", new.rule));
    Ok(redacted.into_bytes())
}

/// The text without `[redacted: …]`.
fn without_markers(text: &str) -> String {
    let mut pieces = text.split("[redacted: ");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |out, piece| out + piece.split_once(']').map_or("", |(_, rest)| rest))
}
