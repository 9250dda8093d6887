//! What may leave this machine, and what may come in (T2, T3, T4).
//!
//! Enters: a path and its content, going out or coming in. Leaves: yes, or the name of the reason why not. Outgoing: no secret, nothing about a
//! person, nothing too large. Incoming: everything was written by somebody else, so paths are confined, links and bombs stay outside,
//! and text that speaks to a model as if it were its master is labelled. Never changes what it judges.

mod personal;

use personal::personal_data;

use std::collections::{BTreeMap, BTreeSet};

use super::author::means;
use super::sync::{RuleVerdict, SharingRules};
use super::transport::{Authorship, EntryKind, HeldReason, RemoteEntry};
use memdir_core::kind::Type;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_store::topic::Topic;

/// Why a memory stays outside that is on the list by its own name.
pub(crate) const MUTED_MEMORY: &str = "muted: this memory";

/// The rules of one team on this machine.
#[derive(Clone, Debug, Default)]
pub struct TeamRules {
    /// This machine only reads.
    pub read_only: bool,
    /// Names or keys whose memories are not let in, and paths of single memories.
    pub muted: BTreeSet<String>,
    /// If there are any, only these are let in: keys, names that can be verified, and paths of single memories.
    pub allowed: BTreeSet<String>,
    /// Keys whose owner is known, and their name.
    pub trusted: BTreeMap<String, String>,
    /// Hashes of contents that may leave although they hold personal data: somebody said yes.
    pub agreed: BTreeSet<String>,
    /// Paths that a nearer team has: its version counts here.
    pub shadowed: BTreeSet<String>,
}

impl SharingRules for TeamRules {
    fn read_only(&self) -> bool {
        self.read_only
    }

    fn may_leave(&self, path: &str, content: &[u8]) -> Result<(), HeldReason> {
        check_path(path)?;
        let text = check_text(content)?;
        if let Some(finding) = secrets::scan(text).first() {
            return Err(format!("secret: line {} ({})", finding.line, finding.rule).into());
        }
        if is_index(path) {
            return Ok(());
        }
        if is_about_a_person(path, content) {
            return Err("user-type: a user memory is personal and never leaves".into());
        }
        match personal_data(text) {
            Some((line, what)) if !self.agreed.contains(&super::base::hash(content)) => {
                Err(format!("personal-data: line {line} ({what})").into())
            }
            _ => Ok(()),
        }
    }

    fn may_arrive(&self, entry: &RemoteEntry) -> Result<(), HeldReason> {
        if let EntryKind::Odd { what } = &entry.kind {
            return Err(format!("not-a-file: {what}").into());
        }
        check_path(&entry.path)?;
        if self.shadowed.contains(&entry.path) {
            return Err("shadowed: a nearer team has this memory".into());
        }
        if is_index(&entry.path) {
            // Lines of an index are judged by the memories they point to.
            return Ok(());
        }
        if self.muted.contains(&entry.path) {
            return Err(MUTED_MEMORY.into());
        }
        if self.is_muted(&entry.author) {
            return Err(format!("muted: {}", shown(&entry.author.name)).into());
        }
        if !self.allowed.contains(&entry.path) && !self.is_allowed(&entry.author) {
            return Err(format!(
                "not-allowed: {} is not on the list, or cannot be verified",
                shown(&entry.author.name)
            )
            .into());
        }
        Ok(())
    }

    fn chooses_authors(&self) -> bool {
        !self.muted.is_empty() || !self.allowed.is_empty()
    }

    fn lets_in(&self, author: &Authorship) -> bool {
        !self.is_muted(author) && self.is_allowed(author)
    }

    fn may_land(&self, entry: &RemoteEntry, content: &[u8]) -> RuleVerdict {
        let text = match check_text(content) {
            Ok(text) => text,
            Err(reason) => return RuleVerdict::Held(reason),
        };
        if let Some(finding) = secrets::scan(text).first() {
            return RuleVerdict::Held(format!("secret: line {} ({})", finding.line, finding.rule));
        }
        if !is_index(&entry.path) && is_about_a_person(&entry.path, content) {
            return RuleVerdict::Held("user-type: a user memory has no place in a team".to_owned());
        }
        let mut marks = Vec::new();
        if !entry.author.verified {
            marks.push("unverified".to_owned());
        }
        if PromptInjection::read(text).is_suspicious() {
            marks.push("instructions".to_owned());
        }
        RuleVerdict::Welcome(marks)
    }

    fn known_as(&self, author: Authorship) -> Authorship {
        // Whose key it is counts, not what its owner calls themselves.
        match author.key.as_ref().and_then(|key| self.trusted.get(key)) {
            Some(name) => Authorship { name: name.clone(), verified: true, ..author },
            None => author,
        }
    }
}

impl TeamRules {
    fn is_muted(&self, author: &Authorship) -> bool {
        self.muted.iter().any(|typed| means(typed, author))
    }

    fn is_allowed(&self, author: &Authorship) -> bool {
        let by_key = author.key.as_ref().is_some_and(|key| self.allowed.contains(key));
        // A name alone proves nothing.
        let by_name = || author.verified && self.allowed.iter().any(|typed| means(typed, author));
        self.allowed.is_empty() || by_key || by_name()
    }
}

/// A memory of type user, or one without a type that is named like one.
fn is_about_a_person(path: &str, content: &[u8]) -> bool {
    let named = || {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        ["user_", "user-", "user."].iter().any(|head| name.starts_with(head))
    };
    Topic::parse(content.to_vec()).kind().map_or_else(named, |kind| kind == Type::User)
}

fn is_index(path: &str) -> bool {
    RelPath::parse(path).is_ok_and(|path| path.is_index())
}

/// Only Markdown files below the folder, where a scan would find them.
fn check_path(path: &str) -> Result<(), String> {
    let checked = RelPath::parse(path).map_err(|refusal| format!("path: {refusal}"))?;
    if checked.is_hidden() || !checked.is_markdown() {
        return Err("path: only Markdown files that are not hidden are shared".to_owned());
    }
    if checked.components().any(speaks_to_a_shell) {
        return Err("path: a shell would take it for an option or a command".to_owned());
    }
    if checked.components().count() + 2 > limits::SCAN_DEPTH || checked.components().next() == Some(super::PARENTS) {
        return Err("path: it is nested too deeply, or in a folder that is not this team's".to_owned());
    }
    Ok(())
}

/// Whether a name is an option, or runs something, where somebody hands it to a shell without quotes.
fn speaks_to_a_shell(name: &str) -> bool {
    name.starts_with('-') || name.contains(['$', '`', ';', '|', '<', '>', '*', '?'])
}

fn check_text(content: &[u8]) -> Result<&str, String> {
    if content.len() > limits::TEAM_FILE_BYTES {
        return Err(format!("too-large: {} bytes", content.len()));
    }
    match std::str::from_utf8(content) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err("not-text: it is not plain UTF-8".to_owned()),
    }
}

/// A name from outside, fit for a message.
fn shown(name: &str) -> String {
    memdir_guard::shown::one_line(name).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, author: Authorship) -> RemoteEntry {
        RemoteEntry { path: path.to_owned(), kind: EntryKind::File { id: "1".into(), bytes: 1 }, author }
    }

    fn author(name: &str, key: Option<&str>) -> Authorship {
        Authorship { name: name.to_owned(), key: key.map(str::to_owned), verified: false }
    }

    #[test]
    fn t4_paths_that_lead_elsewhere_do_not_arrive() {
        let rules = TeamRules::default();
        for path in [
            "../a.md",
            "/etc/a.md",
            "a/../../b.md",
            ".git/a.md",
            "a.sh",
            "a\\b.md",
            "from/org/a.md",
            "a/b/c/d/e/f/g/h.md",
            "con.md",
            "-rf.md",
            "area/--help.md",
            "$(touch x).md",
            "a;b.md",
            "a\0.md",
        ] {
            assert!(rules.may_arrive(&entry(path, Authorship::default())).is_err(), "{path:?}");
            assert!(rules.may_leave(path, b"x").is_err(), "{path:?}");
        }
        assert_eq!(rules.may_arrive(&entry("area/a.md", Authorship::default())), Ok(()));
        let link =
            RemoteEntry { kind: EntryKind::Odd { what: "a symbolic link" }, ..entry("a.md", Authorship::default()) };
        assert!(rules.may_arrive(&link).is_err());
    }

    #[test]
    fn t3_what_must_not_leave_does_not_and_must_not_come_in_either() {
        let rules = TeamRules::default();
        let token = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
        let user = "---\nname: n\ndescription: d\ntype: user\n---\n\nA person.\n";
        let bomb = "x".repeat(limits::TEAM_FILE_BYTES + 1);
        for (text, reason) in [
            (format!("the token is {token}"), "secret"),
            (user.to_owned(), "user-type"),
            (bomb, "too-large"),
            ("a\0b".into(), "not-text"),
        ] {
            let refused = rules.may_leave("a.md", text.as_bytes()).unwrap_err();
            assert!(refused.0.starts_with(reason) && !refused.0.contains(&token), "{refused}");
            assert!(
                matches!(rules.may_land(&entry("a.md", Authorship::default()), text.as_bytes()), RuleVerdict::Held(why) if why.starts_with(reason))
            );
        }
    }

    #[test]
    fn personal_data_leaves_only_with_a_yes_for_that_text() {
        let text = b"Ask jon.doe@corp.io";
        let mut rules = TeamRules::default();
        assert!(rules.may_leave("a.md", text).unwrap_err().0.starts_with("personal-data"));
        rules.agreed.insert(crate::base::hash(text));
        assert_eq!(rules.may_leave("a.md", text), Ok(()));
        assert!(rules.may_leave("a.md", b"Ask jon.doe@corp.io, or mara@corp.io").is_err());
    }

    #[test]
    fn authors_are_muted_listed_and_marked() {
        let mut rules = TeamRules::default();
        let (ada, unknown) = (entry("a.md", author("Boss", Some("KEY"))), entry("b.md", author("Ada", None)));
        let marks = |rules: &TeamRules, entry: &RemoteEntry| rules.may_land(entry, b"Fine.");
        assert_eq!(marks(&rules, &ada), RuleVerdict::Welcome(vec!["unverified".into()]));
        // Whoever signs with Ada's key is Ada, and nobody else by saying so.
        rules.trusted.insert("KEY".into(), "Ada".into());
        let ada = RemoteEntry { author: rules.known_as(ada.author), ..ada };
        assert_eq!((ada.author.name.as_str(), marks(&rules, &ada)), ("Ada", RuleVerdict::Welcome(vec![])));
        assert!(!rules.known_as(unknown.author.clone()).verified);
        // Who only says that they are Ada is not on the list.
        rules.allowed.insert("Ada".into());
        assert!(rules.may_arrive(&ada).is_ok() && rules.may_arrive(&unknown).is_err());
        rules.muted.insert("Ada".into());
        assert!(rules.may_arrive(&ada).unwrap_err().0.starts_with("muted"));
    }
}
