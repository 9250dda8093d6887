//! The guards that hold for every writer: size, nothing about a person in a team's folder, and no secret that was not
//! there before.
//!
//! Enters: what a file was and should become. Leaves: the same, or with a secret cut out, or the reason
//! why not. Undo restores and is not judged.

use super::{ChangeError, FilePlan, OnSecret};
use crate::index::{Index, PointerEdit};
use crate::topic::Topic;
use memdir_core::kind::Type;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;

/// Judges a whole file.
pub(super) fn check(path: &RelPath, plan: &mut FilePlan, on_secret: OnSecret) -> Result<(), ChangeError> {
    let Some(wanted) = plan.wanted.as_ref().filter(|_| on_secret != OnSecret::Restore) else { return Ok(()) };
    check_size(path, plan)?;
    check_person(path, wanted, plan)?;
    let text = String::from_utf8_lossy(wanted);
    let Some(finding) = new_secret(&text, plan) else { return Ok(()) };
    if on_secret != OnSecret::Redact {
        return Err(ChangeError::Secret { path: path.to_string(), line: finding.line, rule: finding.rule });
    }
    plan.wanted = Some(secrets::redact(&text).0.into_bytes());
    Ok(())
}

/// The same for an index of which only lines were set: those lines are all that is new in it.
pub(super) fn check_lines(
    path: &RelPath,
    plan: &mut FilePlan,
    edits: &mut [PointerEdit],
    on_secret: OnSecret,
) -> Result<(), ChangeError> {
    if on_secret == OnSecret::Restore {
        return Ok(());
    }
    check_size(path, plan)?;
    let mut redacted = false;
    for edit in &mut *edits {
        let Some(line) = &mut edit.after else { continue };
        let Some(finding) = parts(line).find_map(|part| new_secret(part, plan)) else { continue };
        if on_secret != OnSecret::Redact {
            return Err(ChangeError::Secret { path: path.to_string(), line: edit.at + 1, rule: finding.rule });
        }
        *line = parts(line).map(|part| secrets::redact(part).0).collect();
        redacted = true;
    }
    if redacted {
        let mut index = Index::parse(plan.seen.clone().unwrap_or_default());
        for edit in edits {
            index.apply(edit);
        }
        plan.wanted = Some(index.into_bytes());
    }
    Ok(())
}

/// Title, target and hook of an index line: each says the same in other words, and must not be read as one sentence.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive("](").flat_map(|part| part.split_inclusive(") — "))
}

/// What is about a person does not get into a team's folder, by whichever command (T2).
fn check_person(path: &RelPath, wanted: &[u8], plan: &FilePlan) -> Result<(), ChangeError> {
    let is_user = |content: &[u8]| Topic::parse(content.to_vec()).kind() == Some(Type::User);
    if path.in_team() && is_user(wanted) && !plan.seen.as_deref().is_some_and(is_user) {
        return Err(ChangeError::Refused(format!("{path}: a user memory is personal and never goes to the team")));
    }
    Ok(())
}

fn check_size(path: &RelPath, plan: &FilePlan) -> Result<(), ChangeError> {
    let size = |content: &Option<Vec<u8>>| content.as_ref().map_or(0, Vec::len);
    let (before, bytes) = (size(&plan.seen), size(&plan.wanted));
    if bytes > limits::TOPIC_BYTES && bytes > before {
        return Err(ChangeError::TooLarge { path: path.to_string(), bytes });
    }
    Ok(())
}

/// The first secret in a text that was not in the file before: what did is reported by
/// `doctor`, and must not block pinning the file.
fn new_secret(text: &str, plan: &FilePlan) -> Option<secrets::Finding> {
    let found = secrets::scan(text);
    if found.is_empty() {
        return None;
    }
    let old = plan.seen.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    found.into_iter().find(|finding| !old.contains(&text[finding.start..finding.end]))
}
