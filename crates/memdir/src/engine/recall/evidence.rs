//! Whether what a memory names is still there: files of the project, and symbols in them.
//!
//! Enters: a memory's text and when it was written. Leaves: for each file and symbol it names whether
//! it is there, changed since, or gone. Bounded: a few names, files of moderate size, no search
//! through the project, no model. Never looks outside the project.

use std::path::{Component, Path};

use serde::Serialize;

use crate::limits::{EVIDENCE_BYTES, EVIDENCE_NAMES, EVIDENCE_TOTAL_BYTES};

/// What became of something a memory names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
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
    pub standing: Standing,
}

/// A look into the project, with an end to how much of it is read.
pub(crate) struct Sight<'p> {
    project: &'p Path,
    /// Bytes of the project that may still be read.
    left: u64,
}

impl<'p> Sight<'p> {
    /// A fresh look.
    pub(crate) fn of(project: &'p Path) -> Sight<'p> {
        Sight { project, left: EVIDENCE_TOTAL_BYTES }
    }

    /// Looks up what a memory names.
    pub(crate) fn check(&mut self, text: &str, written_ns: i64) -> Vec<Evidence> {
        let mut found: Vec<Evidence> = Vec::new();
        for name in paths(text) {
            if found.len() >= EVIDENCE_NAMES {
                break;
            }
            if found.iter().any(|known| known.name == name) {
                continue;
            }
            let Some(standing) = standing(&self.project.join(name), written_ns) else { continue };
            found.push(Evidence { name: name.to_owned(), standing });
        }
        // A symbol is only looked for in the files that the memory names with it.
        if found.is_empty() || found.iter().any(|known| known.standing == Standing::Gone) {
            return found;
        }
        let mut read: Option<Vec<String>> = None;
        for symbol in symbols(text) {
            if found.len() >= EVIDENCE_NAMES {
                break;
            }
            let read = read.get_or_insert_with(|| found.iter().filter_map(|known| self.read(&known.name)).collect());
            if read.is_empty() {
                break;
            }
            if !found.iter().any(|known| known.name == symbol) && !read.iter().any(|text| text.contains(symbol)) {
                found.push(Evidence { name: symbol.to_owned(), standing: Standing::Gone });
            }
        }
        found
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
    let list = |standing: Standing, words: &str| {
        let names: Vec<&str> =
            evidence.iter().filter(|one| one.standing == standing).map(|one| one.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{} {words}", names.join(", ")))
    };
    let parts: Vec<String> = [list(Standing::Gone, "is no longer there"), list(Standing::Changed, "changed since")]
        .into_iter()
        .flatten()
        .collect();
    parts.join("; ")
}

/// What the file system says of a path; `None` when it says nothing useful.
fn standing(path: &Path, written_ns: i64) -> Option<Standing> {
    match std::fs::symlink_metadata(path) {
        Ok(facts) => {
            let changed = crate::store::fs::modified_ns(&facts);
            Some(if facts.is_file() && changed > written_ns { Standing::Changed } else { Standing::There })
        }
        // Only where its directory's neighbourhood exists is a missing file a finding: other paths are other machines'.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            path.parent().and_then(Path::parent).is_some_and(Path::is_dir).then_some(Standing::Gone)
        }
        Err(_) => None,
    }
}

/// Relative file paths in a text: with a slash, a plain ending, and no way out of the project.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| {
        let stays = Path::new(word).components().all(|part| matches!(part, Component::Normal(_)));
        let ending = Path::new(word).extension().is_some_and(|ending| {
            let ending = ending.to_string_lossy();
            (1..=5).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
        });
        word.contains('/') && stays && ending && !word.contains("://") && word.len() < 200
    })
}

/// Identifiers in code spans that look like code, not like words.
fn symbols(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|span| {
        let plain = span.len() >= 4
            && span.len() <= 60
            && span.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let mixed = span.contains('_') || span.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        plain && mixed && span.bytes().any(|byte| byte.is_ascii_lowercase())
    })
}

/// Runs of path characters, without quotes, brackets, line numbers and the full stop of a sentence.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-' | '+' | '@')))
        .map(|word| word.trim_matches(|letter| matches!(letter, '.' | '-' | '@' | '+')).trim_start_matches("./"))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    fn check(text: &str, written_ns: i64, project: &Path) -> Vec<Evidence> {
        Sight::of(project).check(text, written_ns)
    }

    #[test]
    fn there_changed_gone_and_a_symbol_that_moved() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("src/auth")).unwrap();
        std::fs::write(dir.path().join("src/auth/mod.rs"), "fn check_token() {}").unwrap();
        let text = "Tokens are checked in src/auth/mod.rs:42 by `check_token`, and `old_helper` was split off.";
        let late = i64::MAX;
        let found = check(text, late, dir.path());
        assert_eq!(found[0], Evidence { name: "src/auth/mod.rs".into(), standing: Standing::There });
        assert_eq!(found[1], Evidence { name: "old_helper".into(), standing: Standing::Gone });
        assert_eq!(check(text, 0, dir.path())[0].standing, Standing::Changed);
        let gone = check("see src/auth/session.rs.", late, dir.path());
        assert_eq!(sentence(&gone), "src/auth/session.rs is no longer there");
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
