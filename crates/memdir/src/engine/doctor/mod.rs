//! What is wrong with a memory directory, and repairing it (I6).
//!
//! Looks at everything, changes nothing, then says what a repair would do as a diff. A repair is
//! a change like any other: it is one transaction and can be undone. What needs judgement (a
//! secret, two memories that say the same) is reported, never repaired; of two that cannot both hold, a repair proposes the later one.
//!
//! It speaks of what hurts (H5): something leaks, is lost, is not read or leads nowhere. How a memory is written is its
//! author's affair: no frontmatter, a slug for a name, line endings, a long line are not faults, and neither are the
//! permissions that the user's umask gives.

mod checks;
mod content;
mod contradiction;
mod drift;
mod group;
pub(super) mod wiring;

pub use checks::{CHECKS, Check};

use serde::Serialize;

use super::{Advice, Error, Files, Hint, Memory, Signature};
use memdir_core::kind::Scope;
use memdir_store::Store;
use memdir_store::fs::ExposedPath;
use memdir_store::history::Actor;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Should be put right.
    Warning,
    /// Something does not work, or leaks.
    Error,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorFinding {
    /// Which check found it.
    pub check: &'static str,
    /// How bad it is.
    pub level: Level,
    /// In which file; of several, the first.
    pub file: Option<String>,
    /// Every file it is about.
    pub files: Vec<String>,
    /// How often it was found.
    pub count: usize,
    /// What is wrong.
    pub message: String,
    /// What to do; `--fix` does it where [`DoctorFinding::fixable`] is set.
    pub fix: Advice,
    /// Whether `--fix` repairs it.
    pub fixable: bool,
    /// How it is named among others of its kind.
    #[serde(skip)]
    example: String,
}

/// Everything that was found, and what a repair would change.
#[derive(Debug, Default, Serialize)]
pub struct Checkup {
    /// The findings, worst first.
    pub findings: Vec<DoctorFinding>,
    /// What `--fix` would change, as a unified diff.
    pub diff: String,
}

/// What a repair did.
#[derive(Debug, Default, Serialize)]
pub struct RepairReport {
    /// The changes, for `undo`.
    pub changes: Vec<String>,
    /// The files that were repaired.
    pub files: Vec<String>,
    /// What waits for a yes in the inbox: of two memories that cannot both hold, a person says which does.
    pub proposals: Vec<String>,
}

impl Files<'_> {
    /// Looks at everything.
    pub fn checkup(&self) -> Result<Checkup, Error> {
        let mut checkup = Checkup::default();
        for warning in &self.memory.place.warnings {
            let fix = if warning.id == "redirect-waits" && self.memory.place.waiting.is_some() {
                Advice::new("say yes, or correct the setting", Hint::Set("autoMemoryDirectory", "DIR"))
            } else {
                Advice::from("correct the setting")
            };
            checkup.push("settings", Level::Warning, None, warning.to_string(), fix);
        }
        for warning in &self.memory.settings.warnings {
            checkup.push("settings", Level::Warning, None, warning.to_string(), "correct the setting");
        }
        self.memory.check_rules(&mut checkup);
        if let Err(error) = &self.memory.place.memory_dir {
            checkup.push("directory", Level::Error, None, error.to_string(), "name another directory");
        } else {
            for (scope, noticed) in self.memory.history().notice()? {
                let Some((_, store)) = self.memory.stores()?.into_iter().find(|(other, _)| *other == scope) else {
                    continue;
                };
                for (file, why) in noticed.unreadable {
                    checkup.push("unreadable", Level::Error, Some(file), why, "repair or remove the file by hand");
                }
                for odd in noticed.odd {
                    let fix = "replace it by a plain file, or move it away";
                    checkup.push("odd-entry", Level::Warning, Some(odd.path), odd.why.as_str().to_owned(), fix);
                }
                self.memory.check_privacy(store, &mut checkup)?;
                self.memory.check_content(scope, store, &mut checkup)?;
                self.memory.check_contradictions(store, &mut checkup)?;
                self.memory.check_drift(scope, store, &mut checkup)?;
            }
        }
        checkup.findings = group::grouped(checkup.findings);
        Ok(checkup)
    }

    /// Repairs what can be repaired without judgement.
    pub fn repair(&self) -> Result<RepairReport, Error> {
        self.memory.require_on()?;
        let mut repaired = RepairReport::default();
        for (scope, store) in self.memory.stores()? {
            if scope != Scope::User {
                self.memory.require_owner(store)?;
            }
            for widened in store.root().widened()? {
                store.root().narrow(&widened)?;
                repaired.files.push(widened.path);
            }
            self.memory.repair_drift(scope, store, &mut repaired)?;
            self.memory.propose_later(scope, store, &mut repaired)?;
        }
        Ok(repaired)
    }
}

impl Memory {
    /// The author of a repair.
    fn doctor(&self) -> memdir_store::history::Author {
        let Signature { session, message, .. } = self.signature.clone();
        memdir_store::history::Author { actor: Actor::Doctor, session, message, time: self.now.timestamp() }
    }

    fn check_privacy(&self, store: &Store, checkup: &mut Checkup) -> Result<(), Error> {
        for ExposedPath { path, mode, .. } in store.root().widened()? {
            checkup.fixable(
                "permissions",
                Level::Warning,
                Some(path),
                format!("everybody on this machine can write to it (mode {mode:o})"),
                "take the permission to write from others",
            );
        }
        Ok(())
    }

    /// Instruction files that are too long to be followed (C3).
    fn check_rules(&self, checkup: &mut Checkup) {
        for long in self.rules().long {
            let message = format!(
                "{} characters, more than a model follows well (limit {})",
                long.chars,
                memdir_core::limits::RULES_CHARS
            );
            checkup.push("long-instructions", Level::Warning, Some(long.path), message, "split it, or shorten it");
        }
    }
}

impl Checkup {
    fn push(
        &mut self,
        check: &'static str,
        level: Level,
        file: Option<String>,
        message: String,
        fix: impl Into<Advice>,
    ) {
        let example = file.clone().unwrap_or_else(|| message.clone());
        let files = file.iter().cloned().collect();
        let fix = fix.into();
        self.findings.push(DoctorFinding {
            check,
            level,
            file,
            files,
            count: 1,
            message,
            fix,
            fixable: false,
            example,
        });
    }

    fn fixable(
        &mut self,
        check: &'static str,
        level: Level,
        file: Option<String>,
        message: String,
        fix: impl Into<Advice>,
    ) {
        self.push(check, level, file, message, fix);
        if let Some(last) = self.findings.last_mut() {
            last.fixable = true;
        }
    }

    /// How the last finding is named among others of its kind, and which memory it is about.
    fn such_as(&mut self, example: String, file: Option<String>) {
        if let Some(last) = self.findings.last_mut() {
            last.example = example;
            last.files.splice(.., file);
        }
    }
}
