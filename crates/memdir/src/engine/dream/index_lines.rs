//! The index after a dream: every line that somebody wrote stays as it is.
//!
//! Enters: the bytes of an index and what lands. Leaves: the bytes in which only the lines of memories that this dream brought,
//! removed or revised differ: a line more for a new one, another target for a merged or renamed one, no line for one that
//! went, another text where the old one says what no longer holds. A pointer that led to nothing before is told
//! of, and set right where exactly one file has that name. Never moves, shortens or cleans up a line, and an index over its
//! limits is told of, not cut (H1, I4).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::workspace::{MemoryFate, Workspace, WorkspaceMemory};
use super::{DreamCheck, DreamPlan};
use crate::engine::listing::{FileRole, role};
use crate::engine::{Error, index_of, pointer};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::index::Index;
use memdir_store::topic::Topic;

/// Names of files that a message shows.
const NAMED: usize = 3;

/// What happens to the line of one memory.
#[derive(Clone, Debug)]
pub(super) struct LineStep {
    /// The memory; the step counts only if what the dream wanted with it was done.
    pub(super) file: RelPath,
    /// It only gives the file another name.
    pub(super) renames: bool,
    target: String,
    act: LineEdit,
}

#[derive(Clone, Debug)]
enum LineEdit {
    /// It gets a line, unless it has one.
    Add { title: String, hook: String },
    /// Its line leads to another memory from now on; it goes if that one has a line.
    LeadTo(String),
    /// Its line goes.
    Drop,
    /// Its line says what is true now, where it was memdir's own or says what is no longer true (K2).
    Follow(Box<Revision>),
}

/// A memory before and after, for its line.
#[derive(Clone, Debug)]
struct Revision {
    before: Topic,
    after: Topic,
    swaps: Vec<(String, String)>,
}

/// One index and what happens to its lines.
#[derive(Debug)]
pub(super) struct IndexEdit {
    pub(super) scope: Scope,
    pub(super) steps: Vec<LineStep>,
}

/// What happens to the line of one memory that lands.
pub(super) fn steps(workspace: &Workspace, candidate: &WorkspaceMemory, required: bool) -> Vec<LineStep> {
    let step = |of: &WorkspaceMemory, act| LineStep {
        file: of.file.clone(),
        renames: false,
        target: pointer::target(&of.file),
        act,
    };
    let add = |of: &WorkspaceMemory| step(of, LineEdit::Add { title: of.name(), hook: of.description() });
    match (&candidate.before, &candidate.fate) {
        (None, _) if required => vec![add(candidate)],
        (None, _) => Vec::new(),
        (_, MemoryFate::Merged(into)) => {
            vec![step(candidate, LineEdit::LeadTo(pointer::target(&workspace.candidates[workspace.heir(*into)].file)))]
        }
        // Its line says what is no longer true.
        (_, MemoryFate::Superseded(into)) if candidate.pointer.is_some() => {
            vec![step(candidate, LineEdit::Drop), add(&workspace.candidates[workspace.heir(*into)])]
        }
        (_, MemoryFate::Superseded(_) | MemoryFate::Archived(_)) => vec![step(candidate, LineEdit::Drop)],
        (Some(_), MemoryFate::Stays) if candidate.pointer.is_none() => Vec::new(),
        (Some(before), MemoryFate::Stays) => {
            let (before, after) = (Topic::parse(before.clone()), candidate.topic.clone());
            let revision = Revision { before, after, swaps: candidate.swaps.clone() };
            let mut steps = vec![step(candidate, LineEdit::Follow(Box::new(revision)))];
            if let Some(to) = &candidate.renamed {
                steps.push(LineStep { renames: true, ..step(candidate, LineEdit::LeadTo(pointer::target(to))) });
            }
            steps
        }
    }
}

/// The index after some steps.
pub(super) fn apply(raw: &[u8], steps: &[LineStep]) -> Vec<u8> {
    let mut index = Index::parse(raw.to_vec());
    for step in steps {
        let has = |index: &Index, target: &str| index.targets().any(|known| known == target);
        match &step.act {
            LineEdit::Add { title, hook } if !has(&index, &step.target) => {
                let edit = index.point(&step.target, title, hook);
                index.apply(&edit);
            }
            LineEdit::LeadTo(to) => pointer::redirect(&mut index, &step.target, to),
            LineEdit::Drop => {
                let edit = index.unpoint(&step.target);
                index.apply(&edit);
            }
            LineEdit::Follow(revision) => {
                let Revision { before, after, swaps } = &**revision;
                for edit in pointer::followed_edits(&index, &step.target, before, after, swaps) {
                    index.apply(&edit);
                }
            }
            LineEdit::Add { .. } => {}
        }
    }
    index.into_bytes()
}

/// Looks at the indexes as they are and as they will be, and at pointers that led to nothing before.
pub(super) fn check_index(store: &Store, plan: &mut DreamPlan, repair: bool) -> Result<(), Error> {
    let known = store.known()?;
    let files = known.paths();
    let (mut over, mut fine, mut dangling, mut lost) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for edit in &mut plan.index_edits {
        let file = index_of(edit.scope)?;
        let Some(raw) = store.root().read(&file)?.or_else(|| (!edit.steps.is_empty()).then(Vec::new)) else {
            continue;
        };
        for (from, found) in dead_ends(&raw, &files, edit.scope) {
            match found.filter(|_| repair) {
                Some(to) => {
                    let step = LineStep {
                        file: RelPath::parse(&to)?,
                        renames: false,
                        target: from,
                        act: LineEdit::LeadTo(pointer::target(&RelPath::parse(&to)?)),
                    };
                    edit.steps.push(step);
                }
                None => dangling.push(from),
            }
        }
        let after = apply(&raw, &edit.steps);
        lost.extend(gone(&raw, &after, &edit.steps));
        let (lines, bytes) = (String::from_utf8_lossy(&after).lines().count(), after.len());
        let told = format!("{file}: {lines} lines, {bytes} bytes");
        let is_over = lines > limits::INDEX_LINES || bytes > limits::INDEX_BYTES;
        if is_over {
            over.push(format!("{told}; a session loads a part of it"));
        } else {
            fine.push(told);
        }
        if after != raw {
            plan.indexes.push(file.to_string());
        }
    }
    plan.checks.push(DreamCheck::new("index-lines-kept", &lost, "lines that others wrote stay as they are".into()));
    plan.checks.push(DreamCheck::new("index-within-limits", &over, fine.join("; ")));
    let named = dangling.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if dangling.len() > NAMED { format!(" and {} more", dangling.len() - NAMED) } else { String::new() };
    let told: Vec<String> =
        if dangling.is_empty() { Vec::new() } else { vec![format!("{named}{more}; a checkup says more")] };
    plan.checks.push(DreamCheck::new("index-leads-somewhere", &told, "every line leads to a file".into()));
    Ok(())
}

/// Pointers of an index to nothing, each with the one file of that name that no line leads to.
fn dead_ends(raw: &[u8], files: &[&str], scope: Scope) -> Vec<(String, Option<String>)> {
    let folder = if scope == Scope::Team { "team/" } else { "" };
    let there: HashSet<&str> = files.iter().copied().collect();
    let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
    let own = |path: &&&str| path.starts_with("team/") == (scope == Scope::Team) && role(path) == FileRole::Topic;
    for path in files.iter().filter(own) {
        by_name.entry(path.rsplit('/').next().unwrap_or(path)).or_default().push(path);
    }
    let index = Index::parse(raw.to_vec());
    let led: HashSet<String> = index.targets().map(|target| format!("{folder}{target}")).collect();
    let dead: BTreeSet<String> =
        led.iter().filter(|path| !there.contains(path.as_str())).map(|path| path[folder.len()..].to_owned()).collect();
    dead.into_iter()
        .map(|from| {
            let name = from.rsplit('/').next().unwrap_or(&from);
            let found = match by_name.get(name).map(Vec::as_slice) {
                Some([one]) if !led.contains(*one) => Some((*one).to_owned()),
                _ => None,
            };
            (from, found)
        })
        .collect()
}

/// Lines of an index that are gone though no step was about them.
fn gone(raw: &[u8], after: &[u8], steps: &[LineStep]) -> Vec<String> {
    let about: HashSet<&str> = steps.iter().map(|step| step.target.as_str()).collect();
    let pointers = Index::parse(raw.to_vec()).pointers();
    let mine: HashSet<usize> =
        pointers.iter().filter(|pointer| about.contains(pointer.target.as_str())).map(|pointer| pointer.line).collect();
    let (before, now) = (String::from_utf8_lossy(raw), String::from_utf8_lossy(after));
    let kept: HashSet<&str> = now.lines().collect();
    let lines = before.lines().enumerate();
    lines
        .filter(|(at, line)| !mine.contains(&(at + 1)) && !kept.contains(line))
        .map(|(_, line)| line.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(target: &str, act: LineEdit) -> LineStep {
        LineStep { file: RelPath::parse(target).unwrap(), renames: false, target: target.into(), act }
    }

    #[test]
    fn i4_h1_only_the_lines_of_what_the_dream_did_differ() {
        let raw = "\u{feff}# Mine\r\n\r\nA word of mine.\r\n* [A in a.md](./a.md) – *long* hook\r\n+ [B](b.md): hook\r\n- [C](c.md) — hook\r\n- loose note";
        let add = LineEdit::Add { title: "New".into(), hook: "brought by a dream".into() };
        let steps = [
            step("a.md", LineEdit::LeadTo("d.md".into())),
            step("b.md", LineEdit::LeadTo("c.md".into())),
            step("n.md", add),
        ];
        let out = String::from_utf8(apply(raw.as_bytes(), &steps)).unwrap();
        assert_eq!(
            out,
            "\u{feff}# Mine\r\n\r\nA word of mine.\r\n* [A in a.md](d.md) – *long* hook\r\n- [C](c.md) — hook\r\n- loose note\r\n- [New](n.md) — brought by a dream"
        );
        assert_eq!(gone(raw.as_bytes(), out.as_bytes(), &steps), Vec::<String>::new());
        assert_eq!(apply(raw.as_bytes(), &[]), raw.as_bytes());
    }

    #[test]
    fn h1_a_line_is_renewed_only_where_it_says_what_is_no_longer_true() {
        let launch = |day: &str| {
            let text = format!("The launch is on {day}");
            Topic::parse(format!("---\nname: Launch\ndescription: {text}\n---\n{text}.\n").into_bytes())
        };
        let revision = || Revision { before: launch("2026-04-20"), after: launch("2026-05-04"), swaps: Vec::new() };
        let follow = || LineEdit::Follow(Box::new(revision()));
        let told = apply(b"- [Go](l.md) \xe2\x80\x94 launch on 2026-04-20\n", &[step("l.md", follow())]);
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("2026-05-04") && !told.contains("2026-04-20"), "{told}");
        let own = "- [Go](l.md) — launch, ask the harbour first\n";
        assert_eq!(apply(own.as_bytes(), &[step("l.md", follow())]), own.as_bytes());
    }

    #[test]
    fn i6_a_dead_end_has_a_way_out_only_where_one_file_has_the_name() {
        let raw = b"- [A](old/a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](x/c.md)\n";
        let files = ["new/a.md", "one/b.md", "two/b.md", "c.md"];
        let found = dead_ends(raw, &files, Scope::Private);
        let want = [("b.md", None), ("old/a.md", Some("new/a.md")), ("x/c.md", None)];
        assert_eq!(found, want.map(|(from, to)| (from.to_owned(), to.map(str::to_owned))));
    }
}
