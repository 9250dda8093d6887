//! The parse by itself: it denies what the first look would have turned away, so that neither leans on the other.

use super::super::{Piece, Word, list, word};

#[test]
fn x6_a_word_that_a_shell_would_compute_is_refused() {
    for raw in [
        "$X",
        "${X}",
        "\"$X\"",
        "${HOME:-x}",
        "${!HOME}",
        "$1",
        "$(x)",
        "\"$(x)\"",
        "`x`",
        "$((1))",
        "$'x'",
        "$\"x\"",
        "~root",
        "~+",
    ] {
        assert!(word::read(raw).is_err(), "{raw}");
    }
    assert!(word::read("a`").is_err() && word::read("\"a`\"").is_err(), "an open backquote");
    assert_eq!(Word::text("a*").pieces, [Piece::Quoted("a*".into())]);
    assert_eq!(word::read("$HOME").unwrap().pieces, [Piece::Home]);
    assert_eq!(word::read("${PWD}").unwrap().pieces, [Piece::Here]);
    assert_eq!(word::read("\"\"").unwrap().pieces, [Piece::Quoted(String::new())]);
    assert_eq!(word::read("a\\\nb").unwrap().pieces, [Piece::Bare("ab".into())]);
}

#[test]
fn x6_a_tree_of_anything_but_calls_is_refused() {
    for command in [
        "ls &",
        "ls & ls",
        "(ls)",
        "{ ls; }",
        "! ls",
        "time ls",
        "if ls; then ls; fi",
        "f() { ls; }",
        "[[ a ]]",
        "((1))",
        "cat <(ls)",
        "ls >(ls)",
        "cat <<< x",
        "cat <<E\nx\nE",
        "X=1 ls",
        "<(ls) ls",
        "ls ; ; ls",
        "ls @(a|b)",
    ] {
        assert!(list::plan(command).is_err(), "{command}");
    }
}

#[test]
fn a_word_in_a_message_is_short_and_safe() {
    assert_eq!(word::shown(&"a".repeat(40)), format!("`{}`", "a".repeat(40)));
    assert_eq!(word::shown(&"a".repeat(41)), format!("`{}…`", "a".repeat(40)));
    assert_eq!(word::shown("a\u{1b}"), "`a\\u{1b}`");
}
