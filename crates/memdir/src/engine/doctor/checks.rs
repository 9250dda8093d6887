//! Every check by name, for the reference. The tests hold it against the checks themselves.

use super::Level;

/// One thing that `doctor` looks for.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// As in [`super::DoctorFinding::check`].
    pub name: &'static str,
    /// How bad it is.
    pub level: Level,
    /// Whether `--fix` repairs it.
    pub fixable: bool,
    /// What it means, in one sentence.
    pub about: &'static str,
}

const fn found(name: &'static str, level: Level, about: &'static str) -> Check {
    Check { name, level, fixable: false, about }
}

const fn repaired(name: &'static str, level: Level, about: &'static str) -> Check {
    Check { name, level, fixable: true, about }
}

/// All of them, the worst first.
pub const CHECKS: &[Check] = &[
    found("directory", Level::Error, "The memory directory is refused; nothing is read or written."),
    found("unreadable", Level::Error, "A file is there and cannot be read."),
    found("secret", Level::Error, "A file holds what looks like a secret."),
    found("team-scope", Level::Error, "A memory about a person is in team memory."),
    found("settings", Level::Warning, "A setting did not take effect."),
    found("long-instructions", Level::Warning, "An instruction file is longer than a model follows well."),
    found("odd-entry", Level::Warning, "A link, a directory or a name that cannot be used as a memory."),
    found("hard-link", Level::Warning, "A file has a second name, perhaps outside the directory."),
    found("huge-file", Level::Warning, "A file is larger than a memory should be."),
    repaired("permissions", Level::Warning, "Everybody on this machine can write to a file."),
    repaired("dangling-pointer", Level::Warning, "The index points to a file that is not there."),
    repaired("doubled-pointer", Level::Warning, "The index has the same line twice."),
    repaired("missing-pointer", Level::Warning, "The index does not name a file."),
    found(
        "two-versions",
        Level::Warning,
        "Two people changed one thing at the same time; one of the versions must go.",
    ),
    found("index-overflow", Level::Warning, "The index is longer than a session loads."),
    found("unclosed-fence", Level::Warning, "The frontmatter is not closed."),
    found("invalid-utf8", Level::Warning, "Some bytes are not UTF-8."),
    found("nul-byte", Level::Warning, "There is a NUL byte in the text."),
    found("wiring", Level::Warning, "An agent that memdir was wired into has it only in part, or would not run it."),
    repaired(
        "contradiction",
        Level::Warning,
        "Memories, or the parts of one, cannot all hold; a repair proposes the later one.",
    ),
    found("undecided", Level::Info, "Something was said that may change a memory; the inbox asks which one holds."),
    found("stale-evidence", Level::Info, "A memory names a file or a symbol that the project no longer has."),
    found("duplicate", Level::Info, "Another memory says everything that this one says."),
    found("long-line", Level::Info, "A line of the index is longer than a glance takes in."),
    found("duplicate-key", Level::Info, "The frontmatter has the same key twice; the last one is read."),
    found("stray-line", Level::Info, "A line of the frontmatter cannot be read."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The first string behind each occurrence of a mark.
    fn named<'s>(source: &'s str, mark: &str) -> impl Iterator<Item = &'s str> {
        let pieces: Vec<&str> = source.split(mark).skip(1).collect();
        pieces.into_iter().filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
    }

    #[test]
    fn i6_every_check_is_listed_once_and_none_is_invented() {
        let listed: BTreeSet<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(listed.len(), CHECKS.len());
        let mut known = BTreeSet::new();
        let sources = [
            include_str!("mod.rs"),
            include_str!("content.rs"),
            include_str!("contradiction.rs"),
            include_str!("drift.rs"),
            include_str!("wiring.rs"),
        ];
        for source in sources {
            known.extend(named(source, ".push("));
            known.extend(named(source, ".fixable("));
        }
        for source in
            [include_str!("../../../../store/src/topic/flag.rs"), include_str!("../../../../store/src/index/drift.rs")]
        {
            let ids = source.split("fn id(").nth(1).and_then(|rest| rest.split("\n    }").next()).unwrap();
            known.extend(named(ids, "=> "));
        }
        // How a memory is written is not a fault.
        for style in ["no-frontmatter", "no-name", "no-description", "unknown-type", "bom", "crlf"] {
            assert!(known.remove(style), "{style}");
        }
        assert_eq!(listed, known);
    }

    #[test]
    fn the_worst_come_first() {
        assert!(CHECKS.is_sorted_by_key(|check| std::cmp::Reverse(check.level)));
    }
}
