use super::*;
use crate::blob::UNKNOWN;
use proptest::prelude::*;

fn of(text: &str) -> Vec<u32> {
    tokens(text.chars(), usize::MAX)
}

/// The tokens of a text without the markers.
fn inner(text: &str) -> Vec<u32> {
    let all = of(text);
    all[1..all.len() - 1].to_vec()
}

#[test]
fn a_plain_sentence_is_words_between_markers() {
    assert_eq!(of("Hello, world!"), [101, 7592, 1010, 2088, 999, 102]);
    assert_eq!(of(""), [101, 102]);
    assert_eq!(of(" \t\r\n\u{a0}\0"), [101, 102]);
}

#[test]
fn case_accents_and_hidden_characters_make_no_difference() {
    for (odd, plain) in [
        ("CRÈME Brûlée", "creme brulee"),
        ("cre\u{300}me", "creme"),
        ("in\u{200b}visi\u{ad}ble\u{feff}", "invisible"),
        ("\u{202e}word\u{202c}", "word"),
        ("nul\0l", "null"),
        ("a\u{3000}b", "a b"),
    ] {
        assert_eq!(of(odd), of(plain), "{odd:?}");
    }
}

#[test]
fn every_chinese_character_and_every_mark_is_a_word() {
    assert_eq!(of("部署a测试"), of("部 署 a 测 试"));
    assert_eq!(of("a.b(c)"), of("a . b ( c )"));
}

#[test]
fn a_word_of_a_hundred_characters_is_split_and_a_longer_one_is_unknown() {
    assert!(inner(&"x".repeat(100)).len() > 1);
    assert_eq!(inner(&"x".repeat(101)), [UNKNOWN]);
    assert_eq!(inner(&"한".repeat(40)), [UNKNOWN], "three parts each");
}

#[test]
fn a_text_that_spells_a_marker_gets_none() {
    assert_eq!(of("[SEP]"), of("[ sep ]"));
    assert_eq!(inner("[CLS]").iter().filter(|token| **token == START).count(), 0);
}

#[test]
fn the_limit_counts_the_markers() {
    let text = "one two three four";
    assert_eq!(tokens(text.chars(), 4), [START, 2028, 2048, END]);
    for limit in 0..3 {
        assert_eq!(tokens(text.chars(), limit), [START, END]);
    }
}

#[test]
fn no_more_is_read_than_is_needed() {
    let mut read = 0;
    let endless = "word ".chars().cycle().inspect(|_| read += 1);
    assert_eq!(tokens(endless, 64).len(), 64);
    assert!(read < 400, "{read} characters");
}

#[test]
fn five_megabytes_of_one_word_or_of_marks_pass() {
    assert_eq!(inner(&"a".repeat(5_000_000)), [UNKNOWN]);
    assert!(inner(&"\u{301}".repeat(2_500_000)).is_empty());
}

proptest! {
    #[test]
    fn any_text_gives_numbers_of_the_vocabulary(text in any::<String>(), limit in 2usize..40) {
        let limited = tokens(text.chars(), limit);
        let all = of(&text);
        prop_assert!(limited.len() <= limit);
        prop_assert!(all.iter().all(|token| (*token as usize) < crate::shape::ROWS));
        prop_assert_eq!(limited[0], START);
        prop_assert_eq!(limited[limited.len() - 1], END);
        prop_assert!(all.starts_with(&limited[..limited.len() - 1]));
    }
}

#[test]
fn parts_are_read_as_one_text_each_in_its_own_language() {
    for (parts, whole) in [
        (
            ["user: ", "never mock the database", " | before: ", "nothing"],
            "user: never mock the database | before: nothing",
        ),
        (["user: ", "以后都写中文", " | before: ", "Done."], "user: 以后都写中文 | before: Done."),
    ] {
        assert_eq!(super::parts(parts, usize::MAX), of(whole));
        assert_eq!(super::parts(parts, 6), tokens(whole.chars(), 6));
    }
    let (german, english) =
        ("die Tests sind nicht mehr rot und das ist gut", "let the old branches die, this is the end of it");
    let joined = super::parts([english, " || ", german], usize::MAX);
    assert_eq!(joined[1..of(english).len() - 1], of(english)[1..of(english).len() - 1]);
    assert!(joined.ends_with(&of(german)[1..]));
}

#[test]
fn a_word_of_english_letters_means_its_own_in_another_language() {
    let old = |token: &u32| (*token as usize) < crate::shape::VOCABULARY;
    let german = inner("die Datenbank ist nicht da, weil wir sie gestern gelöscht haben");
    assert!(!old(&german[0]), "an article: {german:?}");
    for text in [
        "let it die in the end and see what was in there",
        "unaffable antidisestablishmentarianism supercalifragilistic",
        "git rebase -i HEAD~3 && cargo nextest run --no-fail-fast -p memdir_encoder",
        "the German word for it is Datenbank, as in the name of that module",
        "部署到生产环境之前要先问谁?",
        "把 billing-worker 的重试次数改成 5,别忘了 metrics",
    ] {
        assert!(of(text).iter().all(old), "{text}");
    }
    for text in [
        "배포는 목요일에",
        "テストが落ちた",
        "почему падают тесты",
        "chạy lại các bài kiểm tra đi",
        "corre las pruebas otra vez",
    ] {
        assert!(!of(text).iter().all(old), "{text}");
        assert!(!of(text).contains(&UNKNOWN), "{text}");
    }
}

#[test]
fn a_pair_is_two_texts_behind_one_start() {
    let (joined, start) = pair(of("hello"), &of("world !"), 144);
    assert_eq!((joined, start), (vec![101, 7592, 102, 2088, 999, 102], 3));
    assert_eq!(pair(of(""), &of(""), 144), (vec![101, 102, 102], 2));
}

/// The numbers are those of the `tokenizers` library with its "longest first" truncation.
#[test]
fn the_longer_text_of_a_pair_is_cut_first() {
    for (lengths, kept) in [
        ((10, 20), (10, 20)),
        ((10, 300), (10, 131)),
        ((300, 10), (131, 10)),
        ((100, 200), (70, 71)),
        ((200, 100), (71, 70)),
        ((300, 300), (70, 71)),
        ((70, 71), (70, 71)),
        ((0, 500), (0, 141)),
    ] {
        assert_eq!(share(lengths.0, lengths.1, 141), kept, "{lengths:?}");
    }
}
