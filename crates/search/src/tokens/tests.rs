use super::*;
use proptest::prelude::*;

fn terms(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    Tokenizer::default().each(text, |token| out.push(token.text.to_string()));
    out
}

#[test]
fn text_becomes_terms() {
    let table: &[(&str, &[&str])] = &[
        ("The refunds were retried", &["refund", "retri"]),
        ("Café Zürich ＡＰＩ ﬁle", &["cafe", "zurich", "api", "file"]),
        ("don't the user's", &["dont", "user"]),
        ("snake_case", &["snake", "case", "snakecas"]),
        ("camelCase", &["camel", "case", "camelcas"]),
        ("kebab-case", &["kebab", "case", "kebabcas"]),
        ("HTTPServer", &["http", "server", "httpserver"]),
        ("GitHub github", &["git", "hub", "github", "github"]),
        ("Base64Encoder", &["base64", "encod", "base64encoder"]),
        ("src/auth/mod.rs", &["src", "auth", "mod", "rs", "srcauthmodr"]),
        ("lib/user_store.rs", &["lib", "user", "store", "userstor", "rs", "libuserstor"]),
        ("std::fs::File", &["std", "fs", "file", "stdfsfile"]),
        ("error[E0502] TS2345", &["error", "e0502", "ts2345"]),
        ("v1.22.3 and 1.2.3", &["v1", "22", "3", "v1.22.3", "1", "2", "3", "1.2.3"]),
        ("2026-04-10", &["2026", "04", "10", "2026.04.10"]),
        ("git commit --no-verify", &["git", "commit", "no", "verifi", "noverifi"]),
        ("end. Next", &["end", "next"]),
        ("----- title -----", &["titl"]),
        ("部署流程", &["部署", "署流", "流程"]),
        ("用 Redis 做缓存", &["用", "redi", "做缓", "缓存"]),
        ("テスト", &["テス", "スト"]),
        ("배포", &["배포"]),
        ("p99 50ms iOS", &["p99", "50ms", "ios"]),
        ("", &[]),
        ("\u{0}\u{202e}…", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(&terms(text), expected, "{text:?}");
    }
}

#[test]
fn ways_to_write_one_identifier_meet() {
    let shared = |text: &str| {
        let mut out = None;
        Tokenizer::default().each(text, |token| {
            if token.shape == TokenShape::Whole {
                out = Some(token.text.to_string());
            }
        });
        out
    };
    let expected = shared("retry_policy");
    assert!(expected.is_some());
    for text in ["retryPolicy", "RetryPolicy", "retry-policy", "RETRY_POLICY", "--retry-policy", "retry.policy"] {
        assert_eq!(shared(text), expected, "{text}");
    }
}

#[test]
fn no_dropped_word_is_longer_than_the_longest() {
    let longest = memdir_lexicon::en::SEARCH_STOP_WORD.iter().map(|word| word.len()).max();
    assert_eq!(longest, Some(DROPPED_BYTES));
}

#[test]
fn r6_one_word_is_not_enough_and_han_and_kana_count_as_words() {
    for text in ["", " ", "ok", "continue!", "  /compact ", "好", "?!", "foo_bar.rs", "- -"] {
        assert!(!more_than_one_word(text), "{text:?}");
    }
    for text in ["fix it", "部署", "テスト", "ok 好", "はい"] {
        assert!(more_than_one_word(text), "{text:?}");
    }
}

#[test]
fn a_huge_line_without_spaces_stays_bounded() {
    for unit in ["x", "aB", "a_", "a/", "署", "é", "a.1", "---"] {
        let text = unit.repeat(5_000_000 / unit.len());
        let mut longest = 0;
        Tokenizer::default().each(&text, |token| longest = longest.max(token.text.len()));
        assert!(longest <= WHOLE_BYTES + 4, "{unit}: {longest}");
    }
}

proptest! {
    #[test]
    fn every_term_is_folded_and_bounded(text in any::<String>()) {
        Tokenizer::default().each(&text, |token| {
            assert!(!token.text.is_empty() && token.text.len() <= WHOLE_BYTES + 4);
            assert!(!token.text.chars().any(|c| c.is_whitespace() || c.is_ascii_uppercase()));
        });
    }

    #[test]
    fn a_tokenizer_keeps_nothing_from_the_text_before(first in any::<String>(), second in any::<String>()) {
        let mut reused = Tokenizer::default();
        reused.each(&first, |_| {});
        let mut again = Vec::new();
        reused.each(&second, |token| again.push(token.text.to_string()));
        prop_assert_eq!(again, terms(&second));
    }
}
