//! What is typed as a password, and what only stands where one would, at the edges.

use proptest::prelude::*;

use super::*;

proptest! {
    /// What is turned away before the pattern runs would be turned away after it.
    #[test]
    fn the_first_look_is_never_stricter_than_the_second(
        value in "[!-~]{6,24}|[A-Za-z*!.]{6,16}|[0-9-]{6,12}"
    ) {
        if could_be_typed(&value, 6) {
            prop_assert!(could_hold(value.as_bytes()), "{}", value);
        }
    }
}

#[test]
fn passwords_are_told_from_words_and_code() {
    let passwords =
        ["hunter22", "Summer2026!", "tr0ub4dor&3", "Correct*Horse", "hunter2-blue", "73519482", "EyEGyKFvoT"];
    for value in passwords {
        assert!(could_be_typed(value, 6), "{value}");
    }
    let others = [
        "required",
        "min-12-chars",
        "db-credentials-v2",
        "sha256-hashed",
        "DB_PASSWORD2",
        "20260410",
        "2026-04-10",
        "**Required**",
        "password1",
        "prod2",
        "changeme99",
    ];
    for value in others {
        assert!(!could_be_typed(value, 6), "{value}");
    }
}

#[test]
fn the_first_look_wants_digits_or_a_strange_mix_of_cases() {
    for run in ["a1", "x735", "735194", "Ab!c", "helloWorld", "**Horse!Correct**"] {
        assert!(could_hold(run.as_bytes()), "{run}");
    }
    for run in ["73519", "AB!C", "ab!c", "Hello", "hello", "**Required**", "(Required)."] {
        assert!(!could_hold(run.as_bytes()), "{run}");
    }
    assert!(!could_hold(b"a1\xff"));
}

#[test]
fn digits_alone_are_a_password_from_six_on() {
    assert!(could_be_typed("735194", 6));
    for value in ["73519", "735194!", "735-194-1", "20260410", "19991231"] {
        assert!(!could_be_typed(value, 5), "{value}");
    }
    assert!(is_date("20260410") && is_date("19991231") && !is_date("202604101") && !is_date("73519482"));
}

#[test]
fn letters_alone_are_one_with_a_symbol_between_two_cases_or_as_a_jumble() {
    assert!(could_be_typed("Correct*Horse", 6) && could_be_typed("EyEGyKFvoT", 6));
    for value in ["correct*horse", "CORRECT*HORSE", "correcthorse", "CorrectHorse", "**Required**"] {
        assert!(!could_be_typed(value, 6), "{value}");
    }
}

#[test]
fn nobody_types_fewer_or_more() {
    let of = |length: usize| "q7".repeat(64)[..length.min(128)].to_owned() + &"q".repeat(length.saturating_sub(128));
    assert!(could_be_typed(&of(6), 6) && !could_be_typed(&of(5), 6));
    assert!(could_be_typed(&of(128), 6) && !could_be_typed(&of(129), 6));
}

#[test]
fn parts_of_words_and_numbers_are_words() {
    for value in ["min-12-chars", "abcd1-blue", "db/credentials:v2", "a.b"] {
        assert!(is_several_words(value), "{value}");
    }
    for value in ["hunter22", "abcde1-blue", "q7z-blue", "-word-", "q7z"] {
        assert!(!is_several_words(value), "{value}");
    }
    assert!(is_variable("DB_PASSWORD2"));
    for value in ["DBPASSWORD2", "db_password2", "DB_PASS!", "Db_PASSWORD"] {
        assert!(!is_variable(value), "{value}");
    }
}

#[test]
fn code_is_told_from_what_is_typed() {
    for value in [
        "hash(input1",
        "x)1",
        "config[1",
        "x]1",
        "a{1",
        "a}1",
        "Option<Secret2",
        "x>1",
        "/etc1",
        "~x1",
        "-x1",
        "=x1",
        "pw/one2",
        "a::b1",
        "ab.c1",
        "a_b.c1",
        "settings.db.password2",
    ] {
        assert!(reads_like_code(value), "{value}");
    }
    for value in ["hunter22", "pw/one2!", "a.b1", "a1b.cd", "ab.q7z9", "a:b1"] {
        assert!(!reads_like_code(value), "{value}");
    }
}

#[test]
fn quotes_are_taken_literally_and_prose_is_trimmed() {
    let typed_in = |text: &str, value: &str| {
        let start = text.find(value).unwrap();
        typed(text, start..start + value.len()).map(|range| text[range].to_owned())
    };
    for quote in ["\"", "'", "`"] {
        let text = format!("is {quote}hunt2.{quote}");
        assert_eq!(typed_in(&text, "hunt2.").as_deref(), Some("hunt2."));
    }
    assert_eq!(typed_in("it is hunter22).", "hunter22).").as_deref(), Some("hunter22"));
    assert_eq!(typed_in("hunter22", "hunter22").as_deref(), Some("hunter22"), "at the start of a text");
    assert_eq!(typed_in("it is hunter2.", "hunter2."), None, "seven characters outside of quotes");
    assert_eq!(typed_in("it is \"hunt2\"", "hunt2"), None, "five inside");
    assert_eq!(typed_in("it is hash(input1", "hash(input1"), None, "code");
    assert_eq!(typed_in("it is 'hash(input1", "hash(input1").as_deref(), Some("hash(input1"));
}

#[test]
fn a_url_takes_any_password_but_a_stand_in_a_port_or_one_that_ships() {
    assert!(is_given("abc") && !is_given("ab") && !is_given("changeme"));
    assert!(is_port("3000,mara") && is_port("3000;mara") && !is_port("3000") && !is_port("30a0,mara"));
    let in_url = |value: &str, host: &str| {
        let text = format!("{value}@{host}");
        is_in_url(&text, value, value.len())
    };
    for host in ["localhost:5432/x", "127.0.0.1/x", "host.docker.internal", "rabbit:5672/"] {
        assert!(!in_url("Postgres", host), "{host}");
        assert!(in_url("hunter", host), "{host}");
    }
    assert!(in_url("postgres", "db.corp.net/x") && in_url("postgres", "12.corp.net/127."));
    assert!(!in_url("3000,mara", "corp.net") && !in_url("ab", "corp.net") && !in_url("changeme", "corp.net"));
}

#[test]
fn a_phrase_has_several_words_and_a_number() {
    let long = |length: usize| "blue 7 ".repeat(20)[..length].to_owned();
    assert!(is_phrase("blue 7 z") && is_phrase(&long(128)));
    for value in [
        "blue 7z".to_owned(),
        "blue77zz".to_owned(),
        "blue green".to_owned(),
        "your_ blue 7".to_owned(),
        "use sha256 here".to_owned(),
        long(129),
    ] {
        assert!(!is_phrase(&value), "{value}");
    }
}
