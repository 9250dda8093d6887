//! Names that only a project gives: a database, a machine, a workflow, a table.
//!
//! Enters: a clause and an operation. Leaves: in the match, the name that both speak of. A name is told from an everyday word by its parts:
//! `clinic_dev`, `analytics.events_*`; what a program or a file is called by is compared elsewhere.

use memdir_reader::subjects::Clause;

use super::super::operation::Operation;
use super::super::paths::{is_host, means};
use super::super::things::is_program;
use super::{ClauseMatch, say};

/// A shorter name may be anything.
const LETTERS: usize = 6;

/// A name of the clause that the operation is told.
pub(super) fn own_names(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    let is_told = |name: &str| {
        !operation.programs.iter().any(|program| program == name)
            && !operation.touches.iter().any(|touch| means(name, &touch.path))
            && operation.pieces.iter().any(|piece| holds(piece, name))
    };
    let found = clause.words.iter().position(|word| is_own_name(&word.text) && is_told(&word.text));
    if let Some(at) = found {
        matched.own_name = Some(at);
        say(matched, clause.words[at].as_written());
    }
}

/// Whether a word is made of parts as no everyday word is, and is no program, host or option.
fn is_own_name(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '*');
    let parts = || text.split(['_', '-', '.']).filter(|part| !part.is_empty());
    text.len() >= LETTERS
        && text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(plain)
        && parts().nth(1).is_some()
        && parts().next().is_some_and(|part| part.bytes().any(|byte| byte.is_ascii_alphabetic()))
        && !is_program(text)
        && !is_host(text)
}

/// Whether a word is such a name beyond doubt: people write everyday words with a hyphen too.
pub(in super::super) fn is_surely_own_name(text: &str) -> bool {
    is_own_name(text) && text.bytes().any(|byte| byte == b'_' || byte.is_ascii_digit())
}

/// Whether a text has a name in it, and not as a part of another one.
fn holds(text: &str, name: &str) -> bool {
    let bare = name.trim_end_matches('*');
    let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    text.match_indices(bare).any(|(at, _)| {
        !text[..at].ends_with(inside) && (bare.len() < name.len() || !text[at + bare.len()..].starts_with(inside))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_project_has_parts() {
        for (text, own) in [
            ("clinic_dev", true),
            ("scada-gw", true),
            ("analytics_311.events_*", true),
            ("deploy", false),
            ("docker-compose", false),
            ("--dry-run", false),
            ("e.g.", false),
        ] {
            assert_eq!(is_own_name(text), own, "{text}");
        }
        assert!(is_surely_own_name("prod-01") && !is_surely_own_name("force-push"));
    }

    #[test]
    fn a_name_is_whole_where_it_stands() {
        assert!(holds("gpu-nightly.yml", "gpu-nightly"));
        assert!(holds("select 1 from `web.events_2026`", "events_*"));
        assert!(!holds("clinic_dev_copy", "clinic_dev") && !holds("my-clinic_dev", "clinic_dev"));
    }
}
