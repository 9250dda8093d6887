//! Each judge at its edge: the last value it lets go, the first it keeps.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use super::*;

/// Whether a value that is the whole text is kept.
fn kept(judge: Judge, value: &str) -> bool {
    judge.keep(value, 0..value.len(), 0..value.len()).is_some()
}

fn possible(judge: Judge, yes: &[&str], no: &[&str]) {
    for window in yes {
        assert!(judge.possible(window.as_bytes()), "{judge:?}: {window}");
    }
    for window in no {
        assert!(!judge.possible(window.as_bytes()), "{judge:?}: {window}");
    }
}

#[test]
fn a_shape_needs_twelve_characters_of_which_one_is_no_small_letter() {
    for judge in [Judge::Shape, Judge::MixedCase] {
        possible(
            judge,
            &["abcdefghijk1", "abcdefghijK1", "ABCDEFGHIJKL", "see abcdef_+/.~1", "abcdef=-ghK1"],
            &["abcdefghij1", "abcdefghijkl", "abcdef ghijk1", "abcdef!ghijk1", ""],
        );
    }
}

#[test]
fn a_random_value_needs_fifteen_characters_with_letters_and_digits() {
    for judge in [Judge::Random, Judge::Unnamed] {
        possible(
            judge,
            &["abcdefghijklmn1", "x abcdefghijklmn1 y"],
            &["abcdefghijklm1", "abcdefghijklmno", "735194826409173", "abcdefgh jklmn12"],
        );
    }
}

#[test]
fn the_other_judges_ask_for_a_character_they_cannot_do_without() {
    possible(Judge::Password, &["is hunte2 now"], &["is hunt2 now", "is hunter now", "hun ter2"]);
    possible(Judge::Passphrase, &["is \"a", "is 'a", "is `a"], &["is a b 7"]);
    possible(Judge::Url, &["a:b@c"], &["a:b/c"]);
    for judge in [Judge::Argument, Judge::KeyBlock, Judge::Basic] {
        possible(judge, &["", "a"], &[]);
    }
    assert!(has_letter_and_digit(b"a1") && !has_letter_and_digit(b"ab") && !has_letter_and_digit(b"12"));
}

#[test]
fn mixed_case_needs_both_cases_and_enough_of_them() {
    assert!(kept(Judge::MixedCase, "qLzRmXvBnKtW"));
    assert!(kept(Judge::MixedCase, "aaBBcdEF"), "two and a half bits a character are enough");
    for value in ["qlzrmxvbnktw", "QLZRMXVBNKTW", "AaAaAaAaAaAa", "ExampleQlZrMx"] {
        assert!(!kept(Judge::MixedCase, value), "{value}");
    }
}

#[test]
fn a_value_is_random_with_letters_digits_and_bits_enough() {
    let value = "q4W7zP2mX9rT3lKb";
    assert!(is_random(value, bits(value)), "at the least number of bits");
    assert!(!is_random(value, bits(value) + 0.001));
    assert!(!is_random("qLzR%mXvB%nKtW", 2.5), "no digit");
    assert!(!is_random("735194826409173", 2.5), "no letter");
    assert!(!is_random("your-q4W7zP2mX9rT", 2.5), "a stand-in");
    assert!(!is_random("payments-database-v2", 2.5), "a name");
    assert!(!is_random("ed25519.Ed25519PublicKey", 2.5), "a name of the trade");
    // Of two values with as many bits, hex is enough where other letters are not.
    let (hex, other) = ("a1b2c3d4a1b2c3d4", "p1q2r3s4p1q2r3s4");
    assert!(bits(hex) < 3.5 && (bits(hex) - bits(other)).abs() < 1e-9);
    assert!(is_random(hex, 3.5) && !is_random(other, 3.5));
    assert!(!is_random("a1a1a1a1a1a1a1a1", 3.5), "hex of one bit");
}

#[test]
fn words_with_numbers_are_names() {
    let names =
        ["prod/payments-db-v2", "config.dbPassword2", "PAYMENTS_API_KEY_2", "2026-04-10", "20260410", "word1234"];
    for name in names {
        assert!(reads_like_a_name(name), "{name}");
    }
    for value in ["202604101", "word12345", "a1b2", "qLzRmXvB", "prod/q7z9", "wörter"] {
        assert!(!reads_like_a_name(value), "{value}");
    }
}

#[test]
fn letters_that_change_case_too_often_are_a_jumble() {
    assert!(is_jumble("qLzRmXvB") && is_jumble("aBcdEfgHi"));
    for word in ["qLzRmXv", "aBcdeFgh", "dbPassword", "abcdefgh", "ABCDEFGH"] {
        assert!(!is_jumble(word), "{word}");
    }
}

#[test]
fn what_names_a_place_is_no_unnamed_secret() {
    assert!(follows_colon(":ab", 1) && !follows_colon("ab:", 1) && !follows_colon("ab:", 2));
    assert!(!follows_colon(":a", 0) && !follows_colon("", 0));
    let value = "q4W7zP2mX9rT3lKb8";
    assert!(kept(Judge::Unnamed, value));
    let text = format!(":{value}");
    assert_eq!(Judge::Unnamed.keep(&text, 1..text.len(), 1..text.len()), None);
    let uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    assert!(is_uuid(uuid) && !kept(Judge::Unnamed, uuid) && kept(Judge::Random, uuid));
    for value in [
        "7c9e6679-7425-40de-944b-e07fc1f90ae",
        "7c9e6679-7425-40de-944b-e07fc1f90ae7a",
        "7c9e667907425040de0944b0e07fc1f90ae7",
        "7c9e6679-7425-40de-944b-e07fc1f90ag7",
    ] {
        assert!(!is_uuid(value), "{value}");
    }
}

#[test]
fn key_material_is_sixteen_characters_behind_the_head() {
    assert!(kept(Judge::KeyBlock, "-----BEGIN KEY-----\nq4W7+P2/X9rT3lK="));
    assert!(!kept(Judge::KeyBlock, "-----BEGIN KEY-----\nq4W7+P2/X9rT3l="));
    assert!(!kept(Judge::KeyBlock, "-----BEGIN KEYq4W7zP2mX9rT3lKb-----\nnothing"), "the head does not count");
    assert!(!kept(Judge::KeyBlock, "-----BEGIN KEY-----\nxxxxxxxxxxxxxxxxxxxxxxxx"), "nor does a mask");
    assert_eq!(longest_base64("q4W7\\nzP2mX9\\rrT3"), 6, "line ends are written out in JSON");
}

#[test]
fn a_login_in_base64_is_told_by_what_it_decodes_to() {
    let login = |text: &str| is_basic(&STANDARD.encode(text));
    assert!(login("mara:tr0ub4dor") && is_basic(&STANDARD_NO_PAD.encode("mara:tr0ub4dor")));
    assert!(login("q4W7zP2mX9rT3lKb:"), "a token in place of the user");
    for text in [
        "q4W7zP2mX9rT3lK:",
        "your-q4W7zP2mX9rT:",
        "mara:changeme",
        "mara tr0ub4dor",
        "mara:tr0ub\n4dor",
        "q4W7zP2mX9rT3lKb",
    ] {
        assert!(!login(text), "{text}");
    }
    assert!(!is_basic("%%%") && !is_basic(&STANDARD.encode([0xff, b':', 0xfe, b'x'])));
}
