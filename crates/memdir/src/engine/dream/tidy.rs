//! One memory on its own: should it have been kept, and does it hold a secret?
//!
//! Enters: the workspace. Leaves: candidates that a person should decide about: short notes that say what code or git say anyway,
//! and notes with a secret, as they would be without it. These are judgements about what somebody wrote, so they are
//! proposed and never land by themselves (H1). Long notes are judged by nobody, pinned ones stay as they are, and no
//! text that stands is ever dated (H2).

use super::wording::is_understood;
use super::workspace::{ChangeGrounds, DiscardedLine, MemoryFate, Workspace, WorkspaceMemory};
use memdir_core::kind::Type;
use memdir_guard::secrets;
use memdir_reader::worth::DiscardReason;
use memdir_reader::{likeness, worth};

/// Content words that must be left of a memory without its secrets.
const WORDS_LEFT: usize = 3;

/// Finds what should not have been kept, and what holds a secret.
pub(super) fn sort_out(workspace: &mut Workspace) {
    for candidate in workspace.candidates.iter_mut().filter(|candidate| candidate.is_free() && candidate.is_untouched())
    {
        if let Some(why) = unwanted(candidate) {
            candidate.hold(&why);
            candidate.fate = MemoryFate::Archived(why);
        } else if !secrets::scan(&String::from_utf8_lossy(candidate.topic.as_bytes())).is_empty() {
            redact(candidate);
        }
    }
}

/// Why a memory should not have been kept.
pub(super) fn unwanted(candidate: &WorkspaceMemory) -> Option<String> {
    if candidate.is_long() {
        return None;
    }
    let body = candidate.body();
    let text = String::from_utf8_lossy(candidate.topic.as_bytes()).into_owned();
    if let Some(found) = secrets::scan(&text).first() {
        let left = without_secrets(&body);
        if likeness::words(&left).len() < WORDS_LEFT {
            return Some(format!("a secret ({}) and nothing else", found.rule));
        }
    }
    if !is_understood(&candidate.text()) {
        return None;
    }
    // A description that gives a rule or points outside speaks for the memory.
    let judged = worth::not_worth(&body).filter(|reason| reason.stands_elsewhere())?;
    let of_code = matches!(judged, DiscardReason::CodeStructure | DiscardReason::FilePath | DiscardReason::DebugRecipe);
    // A pointer to a tool outside may look like code; the repository does not say it.
    if of_code && candidate.kind() == Some(Type::Reference) {
        return None;
    }
    let told = candidate.description();
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

fn redact(candidate: &mut WorkspaceMemory) {
    let reason = "it holds a secret; this is the memory without it";
    let body = candidate.body();
    let (clean, _) = secrets::redact(&body);
    for (line, now) in body.lines().zip(clean.lines()) {
        if line != now {
            candidate.dropped.push(DiscardedLine { line: line.to_owned(), reason: reason.to_owned() });
        }
    }
    candidate.topic.set_body(&clean);
    let told = candidate.description();
    let (clean, _) = secrets::redact(&told);
    if clean != told && candidate.topic.set("description", &clean).is_ok() {
        candidate.dropped.push(DiscardedLine { line: told, reason: reason.to_owned() });
    }
    candidate.notes.push(reason.to_owned());
    candidate.hold(reason);
    // Of all that a person should decide it comes first.
    candidate.grounds = ChangeGrounds::Said;
}

#[cfg(test)]
mod tests {
    use super::super::tests::workspace;
    use super::*;
    use crate::engine::test_memory::{TestMemory, topic};

    #[test]
    fn f7_h1_only_what_code_and_git_say_is_proposed_to_go_and_never_a_pinned_or_long_memory() {
        let garbage = "src/api has handlers, src/db has queries.";
        let pinned = topic("project", "Layout", garbage).replace("type: project\n", "type: project\npinned: true\n");
        let bench = TestMemory::with(&[
            ("a.md", &topic("project", "Layout", garbage)),
            ("b.md", &pinned),
            ("c.md", &topic("feedback", "Rule", "Never edit src/gen by hand.")),
            ("d.md", &topic("project", "Layout", &format!("# Layout\n\n{garbage}"))),
        ]);
        let mut workspace = workspace(&bench);
        sort_out(&mut workspace);
        let stays: Vec<bool> = workspace.candidates.iter().map(WorkspaceMemory::stays).collect();
        assert_eq!(stays, [false, true, true, true]);
        assert!(workspace.candidates[0].held.is_some());
    }

    #[test]
    fn h1_a_secret_is_only_ever_proposed_to_be_cut_out() {
        let token = format!("ghp_{}", "FAKEfake".repeat(5).chars().take(36).collect::<String>());
        let bench = TestMemory::with(&[
            ("a.md", &topic("reference", "Token", &format!("Use {token} for staging."))),
            ("b.md", &topic("reference", "Deploys", &format!("Deploys go through the portal of the vendor {token}."))),
        ]);
        let mut workspace = workspace(&bench);
        sort_out(&mut workspace);
        assert!(!workspace.candidates[0].stays());
        assert!(workspace.candidates[1].stays() && !workspace.candidates[1].body().contains("ghp_"));
        assert_eq!(workspace.candidates[1].dropped.len(), 1);
        assert!(workspace.candidates.iter().all(|candidate| candidate.held.is_some()));
    }
}
