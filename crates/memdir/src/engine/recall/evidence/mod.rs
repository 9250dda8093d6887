//! Whether what a memory names is still there: files of the project, and symbols in them.
//!
//! Enters: a memory's text and when it was written. Leaves: for each file, symbol, value and task it names ([`claims`])
//! whether it is there, changed since, or gone. Bounded: a few names, files of moderate size, no search
//! through the project, no model. Never looks outside the project.

mod claims;

use std::path::Path;

use serde::Serialize;

use claims::{Task, TaskRunner};
use memdir_core::limits::{EVIDENCE_BYTES, EVIDENCE_INDEX_BYTES, EVIDENCE_NAMES, EVIDENCE_TOTAL_BYTES};
use memdir_reader::sentences::sentences_of;

/// What became of something a memory names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceState {
    /// It is there, as old as the memory or older.
    There,
    /// It was changed after the memory was written.
    Changed,
    /// It is not there any more.
    Gone,
}

/// One thing a memory names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The path or symbol, as the memory writes it.
    pub name: String,
    /// What became of it.
    pub standing: EvidenceState,
}

/// A look into the project, with an end to how much of it is read.
pub(crate) struct ProjectReader<'p> {
    project: &'p Path,
    /// Bytes of the project that may still be read.
    left: u64,
    /// What git tracks, once somebody asked; empty where it cannot be told.
    index: Option<Vec<u8>>,
}

impl<'p> ProjectReader<'p> {
    /// A fresh look.
    pub(crate) fn of(project: &'p Path) -> ProjectReader<'p> {
        ProjectReader { project, left: EVIDENCE_TOTAL_BYTES, index: None }
    }

    /// Looks up what a memory names.
    pub(crate) fn check(&mut self, text: &str, written_ns: i64) -> Vec<Evidence> {
        let mut found: Vec<Evidence> = Vec::new();
        for name in claims::paths(text) {
            let standing = standing(&self.project.join(name), written_ns);
            add(&mut found, name, standing);
        }
        for name in claims::bare_files(text) {
            let standing = self.bare_standing(name, written_ns);
            add(&mut found, name, standing);
        }
        for task in claims::tasks(text) {
            let gone = self.lacks_task(task).then_some(EvidenceState::Gone);
            add(&mut found, task.said, gone);
        }
        // What is in a file is only looked for in the files that the memory names with it.
        if found.iter().any(|known| known.standing == EvidenceState::Gone) {
            return found;
        }
        let files: Vec<String> = found.iter().map(|known| known.name.clone()).collect();
        for line in text.lines().flat_map(sentences_of) {
            let named =
                files.iter().map(String::as_str).filter(|file| line.contains(file)).chain(claims::manifests(line));
            // A code span is meant for code, wherever its file is named.
            let quoted = files.iter().map(String::as_str).filter(|_| line.contains('`'));
            let mut names: Vec<&str> = named.chain(quoted).collect();
            names.sort_unstable();
            names.dedup();
            let inside = Inside::of(line);
            if names.is_empty() || inside.is_empty() {
                continue;
            }
            let read: Vec<String> = names.into_iter().filter_map(|name| self.read(name)).collect();
            for name in inside.missing(&read) {
                add(&mut found, name, Some(EvidenceState::Gone));
            }
        }
        found
    }

    /// A name without its folder may be anywhere: it is gone when git knows no file of that name.
    fn bare_standing(&mut self, name: &str, written_ns: i64) -> Option<EvidenceState> {
        let path = self.project.join(name);
        if path.symlink_metadata().is_ok() {
            return standing(&path, written_ns);
        }
        let index = self.index()?;
        let known = memchr::memmem::find_iter(index, name).any(|at| {
            let (before, after) = (at.checked_sub(1).and_then(|at| index.get(at)), index.get(at + name.len()));
            before.is_some_and(|byte| *byte == b'/') && after.is_some_and(|byte| *byte == 0)
        });
        Some(if known { EvidenceState::There } else { EvidenceState::Gone })
    }

    /// The list of files that git tracks, read once; the form in which names stand whole.
    fn index(&mut self) -> Option<&[u8]> {
        if self.index.is_none() {
            let path = self.project.join(".git/index");
            let small =
                path.symlink_metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= EVIDENCE_INDEX_BYTES);
            let bytes = if small { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
            let whole = bytes.starts_with(b"DIRC") && matches!(bytes.get(4..8), Some([0, 0, 0, 2 | 3]));
            self.index = Some(if whole { bytes } else { Vec::new() });
        }
        self.index.as_deref().filter(|bytes| !bytes.is_empty())
    }

    /// Whether the project has such tasks, all in one file, and this one is not among them.
    fn lacks_task(&mut self, task: Task<'_>) -> bool {
        let (files, elsewhere): (&[&str], &[&str]) = match task.runner {
            TaskRunner::Make => (&["Makefile", "makefile", "GNUmakefile"], &["include ", "-include ", "%"]),
            TaskRunner::Just => (&["justfile", "Justfile"], &["import ", "mod "]),
            TaskRunner::Scripts => (&["package.json"], &["\"workspaces\""]),
        };
        let Some(text) = files.iter().find_map(|file| self.read(file)) else { return false };
        let spread = |line: &str| elsewhere.iter().any(|word| line.trim_start().starts_with(word));
        if text.lines().any(spread) || text.contains("\"workspaces\"") {
            return false;
        }
        let there = |line: &str| match task.runner {
            TaskRunner::Scripts => line.contains(&format!("\"{}\"", task.name)),
            TaskRunner::Make | TaskRunner::Just => line.split(':').next().is_some_and(|head| {
                let mut names = head.trim_start_matches('@').split_whitespace();
                if task.runner == TaskRunner::Just {
                    names.next() == Some(task.name)
                } else {
                    names.any(|name| name == task.name)
                }
            }),
        };
        !text.lines().any(there)
    }

    fn read(&mut self, name: &str) -> Option<String> {
        let path = self.project.join(name);
        let facts = std::fs::symlink_metadata(&path).ok()?;
        if !facts.is_file() || facts.len() > EVIDENCE_BYTES {
            return None;
        }
        self.left = self.left.checked_sub(facts.len())?;
        String::from_utf8(std::fs::read(path).ok()?).ok()
    }
}

/// One line about what is gone or changed; empty when all is as it was.
pub(crate) fn sentence(evidence: &[Evidence]) -> String {
    let list = |standing: EvidenceState, words: &str| {
        let names: Vec<&str> =
            evidence.iter().filter(|one| one.standing == standing).map(|one| one.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{} {words}", names.join(", ")))
    };
    let parts: Vec<String> =
        [list(EvidenceState::Gone, "is no longer there"), list(EvidenceState::Changed, "changed since")]
            .into_iter()
            .flatten()
            .collect();
    parts.join("; ")
}

/// What the file system says of a path; `None` when it says nothing useful.
fn standing(path: &Path, written_ns: i64) -> Option<EvidenceState> {
    match std::fs::symlink_metadata(path) {
        Ok(facts) => {
            let changed = memdir_store::fs::modified_ns(&facts);
            Some(if facts.is_file() && changed > written_ns { EvidenceState::Changed } else { EvidenceState::There })
        }
        // Only where its directory's neighbourhood exists is a missing file a finding: other paths are other machines'.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            path.parent().and_then(Path::parent).is_some_and(Path::is_dir).then_some(EvidenceState::Gone)
        }
        Err(_) => None,
    }
}

/// What one sentence says of the inside of the files it names.
struct Inside<'t> {
    symbols: Vec<&'t str>,
    values: Vec<claims::NamedValue<'t>>,
    networks: Vec<&'t str>,
}

impl<'t> Inside<'t> {
    fn of(line: &'t str) -> Inside<'t> {
        Inside {
            symbols: claims::symbols(line),
            values: claims::values(line),
            networks: claims::networks(line).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.values.is_empty() && self.networks.is_empty()
    }

    /// What none of the files says, where it would have to stand.
    fn missing(&self, files: &[String]) -> Vec<&'t str> {
        if files.is_empty() {
            return Vec::new();
        }
        let none_has = |word: &str| !files.iter().any(|text| text.contains(word));
        let symbols = self.symbols.iter().filter(|symbol| claims::parts(symbol).all(none_has)).copied();
        let values = self.values.iter().filter(|value| files.iter().any(|text| differs(text, value)));
        let networks = self.networks.iter().filter(|network| {
            // Only where such an address is at all: a file may be named for another reason.
            none_has(network) && files.iter().any(|text| claims::networks(text).next().is_some())
        });
        symbols.chain(values.map(|value| value.said)).chain(networks.copied()).collect()
    }
}

/// Whether a file gives a name a number, and nowhere this one.
fn differs(text: &str, value: &claims::NamedValue<'_>) -> bool {
    let mut other = false;
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(value.name) else { continue };
        let rest = rest.trim_start_matches([' ', '"', '\'', ')']);
        let Some(given) = rest.strip_prefix(['=', ':']) else { continue };
        let mut numbers = given.split(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | '_')));
        match numbers.find(|number| number.bytes().any(|byte| byte.is_ascii_digit())) {
            Some(number) if number.trim_matches(['.', '_']) == value.number => return false,
            Some(_) => other = true,
            None => {}
        }
    }
    other
}

/// Notes a finding, once a name and not too many.
fn add(found: &mut Vec<Evidence>, name: &str, standing: Option<EvidenceState>) {
    if let Some(standing) = standing
        && found.len() < EVIDENCE_NAMES
        && !found.iter().any(|known| known.name == name)
    {
        found.push(Evidence { name: name.to_owned(), standing });
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    fn check(text: &str, written_ns: i64, project: &Path) -> Vec<Evidence> {
        ProjectReader::of(project).check(text, written_ns)
    }

    #[test]
    fn there_changed_gone_and_a_symbol_that_moved() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("src/auth")).unwrap();
        std::fs::write(dir.path().join("src/auth/mod.rs"), "fn check_token() {}").unwrap();
        let text = "Tokens are checked in src/auth/mod.rs:42 by `check_token`, and `old_helper` was split off.";
        let late = i64::MAX;
        let found = check(text, late, dir.path());
        assert_eq!(found[0], Evidence { name: "src/auth/mod.rs".into(), standing: EvidenceState::There });
        assert_eq!(found[1], Evidence { name: "old_helper".into(), standing: EvidenceState::Gone });
        assert_eq!(check(text, 0, dir.path())[0].standing, EvidenceState::Changed);
        let gone = check("see src/auth/session.rs.", late, dir.path());
        assert_eq!(sentence(&gone), "src/auth/session.rs is no longer there");
    }

    #[test]
    fn values_addresses_and_tasks_that_are_no_longer_so() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("src")).unwrap();
        std::fs::write(dir.path().join("src/pool.rs"), "const MAX_IDLE: usize = 12;\nlet net = \"10.9.0.0/16\";\n")
            .unwrap();
        std::fs::write(dir.path().join("Makefile"), "lint check-all: deps\n\ttrue\n").unwrap();
        let gone = |text: &str| sentence(&check(text, i64::MAX, dir.path()));
        assert_eq!(gone("MAX_IDLE = 8 in src/pool.rs."), "MAX_IDLE = 8 is no longer there");
        assert_eq!(gone("MAX_IDLE is 12 in src/pool.rs."), "");
        assert_eq!(gone("The office is 10.7.0.0/16, see src/pool.rs."), "10.7.0.0/16 is no longer there");
        assert_eq!(gone("The office is 10.9.0.0/16, see src/pool.rs."), "");
        assert_eq!(gone("Start it with make smoke-test."), "make smoke-test is no longer there");
        assert_eq!(gone("Start it with make check-all."), "");
        assert_eq!(gone("drainQueue is in src/pool.rs."), "drainQueue is no longer there");
    }

    #[test]
    fn nothing_outside_the_project_is_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        for text in [
            "../secret/file.txt",
            "/etc/ssh/sshd_config.d",
            "https://example.org/a/b.html",
            "a/../../b.rs",
            "and/or e.g. 1/2.5",
            "other/repo/x.rs",
        ] {
            assert!(check(text, 0, dir.path()).is_empty(), "{text}");
        }
    }
}
