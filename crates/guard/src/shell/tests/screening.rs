//! The first look by itself: what it turns away would be denied later, but only after an expensive parse.

use super::super::screen::screen;

#[test]
fn x6_what_can_nest_is_turned_away_before_the_parse() {
    for command in [
        "ls `x",
        "ls \"`x",
        "ls $(x",
        "ls \"$(x",
        "ls $((1",
        "ls $[1",
        "ls $'x'",
        "ls $\"x\"",
        "ls <(x",
        "ls >(x",
        "cat <<x",
        "ls (",
        "ls )",
        "ls {",
        "ls }",
        "ls $x",
        "ls ${HOME",
        "ls $HOMEX",
        "ls $HOME_",
        "ls $HOME1",
        "ls $?",
        "ls \"$x\"",
        "ls 'x",
        "ls \"x",
        "ls \"x'",
        "ls \x01",
        "ls '\x01'",
        "ls \\\x01",
        "ls a#\n(",
        "ls # it's\n(",
        "ls 'a'(",
        "ls \"a\"(",
        "ls \\\\(",
        "ls '\\'(",
        "ls $HOME(",
        "ls é(",
        "ls \\é(",
        "ls a#(",
        "ls 'a'#(",
        "ls \\\n(",
    ] {
        assert!(screen(command).is_err(), "{command:?}");
    }
}

#[test]
fn x6_quotes_escapes_and_comments_hide_what_means_nothing_in_them() {
    for command in [
        "ls '$(x) `x` ${ ( { <('",
        "ls \"( ) { } <( << #\"",
        "ls \"$'x'\"",
        "ls \\( \\) \\{ \\} \\` \\$x \\' \\\"",
        "ls \"\\` \\$x \\\"\"",
        "ls # ( ` $x '",
        "# (",
        "ls;# (",
        "ls|# (",
        "ls\t# (\nls",
        "ls $HOME ${HOME}x $PWD/x \"$HOME\"",
        "ls $ a$ \"$\" $/",
        "ls \\\n\tx",
        "ls < a > b",
        "ls \\é é",
        "ls \\",
    ] {
        assert_eq!(screen(command), Ok(()), "{command:?}");
    }
}

#[test]
fn x6_a_reason_names_the_construct() {
    for (command, word) in [
        ("ls $((1", "arithmetic"),
        ("ls $[1", "arithmetic"),
        ("ls $(x", "$(…)"),
        ("ls $'x'", "quotes"),
        ("ls $\"x\"", "quotes"),
        ("ls $x", "variables"),
        ("ls >(x", "<(…)"),
        ("cat <<x", "<<"),
        ("ls )", "parentheses"),
        ("ls }", "brace"),
        ("ls \x7f", "U+007F"),
    ] {
        let reason = screen(command).unwrap_err();
        assert!(reason.contains(word), "{command:?}: {reason}");
    }
}
