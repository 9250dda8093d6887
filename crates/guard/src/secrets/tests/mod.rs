//! T3, F7: each rule against its samples, ordinary text against all rules, and what holds for
//! every text.

use std::collections::HashSet;

use proptest::prelude::*;

use super::{Finding, find, keywords, redact, rules, scan};

mod prose;
mod samples;

fn names(found: &[Finding]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.rule).collect()
}

#[test]
fn the_table_is_well_formed() {
    let names: Vec<_> = rules().map(|rule| rule.name).collect();
    assert!(names.len() >= 80, "{} rules", names.len());
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "names are unique");
    for rule in rules() {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(rule.name.chars().all(kebab) && !rule.name.starts_with('-'), "{}", rule.name);
        assert!(!rule.about.is_empty() && !rule.keywords.is_empty(), "{}", rule.name);
        let fit = |word: &&str| **word == word.to_lowercase() && word.len() >= keywords::HEAD;
        assert!(rule.keywords.iter().all(fit), "{}", rule.name);
        assert!(find::compile(rule.pattern).is_some(), "{} does not compile", rule.name);
    }
}

#[test]
fn every_rule_finds_its_example_and_passes_its_near_miss() {
    let samples = samples::all();
    for rule in rules() {
        assert!(samples.iter().any(|sample| sample.rule == rule.name), "{} has no sample", rule.name);
    }
    let mut wrong = Vec::new();
    for sample in &samples {
        let Some(rule) = rules().find(|rule| rule.name == sample.rule) else {
            panic!("sample of an unknown rule {}", sample.rule);
        };
        let lower = sample.example.to_lowercase();
        assert!(rule.keywords.iter().any(|word| lower.contains(word)), "{}: no keyword in example", rule.name);
        let found = scan(&sample.example);
        if !names(&found).contains(&sample.rule) {
            wrong.push(format!("{} missed, found {:?} in {}", sample.rule, names(&found), sample.example));
        }
        let found = scan(&sample.near);
        if !found.is_empty() {
            wrong.push(format!("{}: near miss is {:?}: {}", sample.rule, names(&found), sample.near));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What stands in for a secret in notes and documentation, put where the secret of each example was.
#[test]
fn stand_ins_are_no_secrets() {
    let stand_ins = [
        "<your-token>",
        "${SECRET}",
        "$SECRET",
        "xxxxxxxxxxxxxxxx",
        "process.env.X",
        "os.environ[\"X\"]",
        "changeme",
        "…",
        "***",
    ];
    let mut wrong = Vec::new();
    for sample in samples::all() {
        for stand_in in stand_ins {
            let mut text = sample.example.clone();
            for finding in scan(&sample.example).iter().rev() {
                text.replace_range(finding.start..finding.end, stand_in);
            }
            let found = scan(&text);
            if !found.is_empty() {
                wrong.push(format!("{:?} in {text}", names(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn only_the_secret_itself_is_replaced() {
    let key = ["AKIA", "Q4W7ZP2MX9RT3LKB"].concat();
    let password = "tr0ub4dor";
    let text = format!("line one\nkey {key}, db postgres://app:{password}@db.corp.net/x\r\nrest");
    let (out, found) = redact(&text);
    assert_eq!(
        out,
        "line one\nkey [redacted: aws-access-key-id], db postgres://app:[redacted: postgres-url-password]@db.corp.net/x\r\nrest"
    );
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(&text[found[0].start..found[0].end], key);
    assert_eq!(&text[found[1].start..found[1].end], password);
}

#[test]
fn a_marker_is_never_found_again() {
    for rule in rules() {
        for text in [
            format!("[redacted: {}]", rule.name),
            format!("password: [redacted: {}]", rule.name),
            format!("[redacted: {}]: Xk9vQ2mZ7pL4wR8t", rule.name),
            format!("http://a:[redacted: {}]@host", rule.name),
            format!("Bearer [redacted: {}] token=[redacted: {}]", rule.name, rule.name),
        ] {
            assert_eq!(names(&scan(&text)), Vec::<&str>::new(), "{text}");
            assert_eq!(redact(&text).0, text);
        }
    }
    // Only our own markers count: a secret in brackets stays a secret.
    let hidden = format!("[redacted: {}{}]", "ghp_", "q4W7zP2mX9rT3lKbQ4w7Zp2Mx9Rt3LkBq4W7");
    assert_eq!(names(&scan(&hidden)), ["github-token"]);
}

#[test]
fn a_token_of_any_length_is_found_whole() {
    let long = "q4W7zP2mX9rT3lKb".repeat(4000);
    let text = format!("{}{} end", "ghp_", long);
    assert_eq!(redact(&text).0, "[redacted: github-token] end");
    let kind = "RSA PRIVATE KEY";
    let pem = format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----", "q4W7zP2mX9rT3lKb\n".repeat(500));
    assert_eq!(redact(&format!("a\n{pem}\nb")).0, "a\n[redacted: private-key-rsa]\nb");
    let escaped = pem.replace('\n', "\\n");
    assert_eq!(redact(&format!("\"{escaped}\"")).0, "\"[redacted: private-key-rsa]\"");
}

#[test]
fn hostile_text_ends_and_ends_clean() {
    let texts = [
        "password: ".repeat(4_000),
        "token=".repeat(4_000),
        "secret:token:".repeat(2_000),
        "sk-".repeat(10_000),
        concat!("-----BEGIN RSA ", "PRIVATE KEY-----\n").repeat(400),
        "postgres://a:".repeat(2_000),
        "密码：".repeat(2_000),
        concat!("token=", "q4W7zP2mX9rT3lKb9:").repeat(400),
        "[redacted: ".repeat(2_000),
        format!("password={}", "a1".repeat(20_000)),
    ];
    for text in texts {
        let (out, _) = redact(&text);
        assert_eq!(scan(&out), Vec::new(), "{}", &text[..20]);
    }
}

/// Text of the pieces that rules look for, glued in any order.
fn suspicious() -> impl Strategy<Value = String> {
    let examples: Vec<String> = samples::all().into_iter().map(|sample| sample.example).collect();
    let cut = (proptest::sample::select(examples), any::<proptest::sample::Index>(), any::<bool>()).prop_map(
        |(example, at, whole)| {
            let cuts: Vec<usize> = example.char_indices().map(|(at, _)| at).collect();
            if whole { example } else { example[cuts[at.index(cuts.len())]..].to_owned() }
        },
    );
    let glue = proptest::sample::select(vec![
        "",
        " ",
        "\n",
        "\r\n",
        ": ",
        "=",
        "\"",
        "'",
        "`",
        "，",
        "：",
        "密码",
        "password",
        "token: ",
        "secret=",
        "[redacted: jwt]",
        "[redacted: generic-token]",
        "é",
        "\u{0}",
        "://",
        "@",
        "Bearer ",
        concat!("-----BEGIN ", "PRIVATE KEY-----"),
    ]);
    let piece = prop_oneof![4 => cut, 4 => glue.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let found = scan(text);
    let mut last = 0;
    for finding in &found {
        prop_assert!(last <= finding.start && finding.start < finding.end && finding.end <= text.len());
        prop_assert!(text.get(finding.start..finding.end).is_some(), "on character boundaries");
        prop_assert_eq!(finding.line, 1 + text[..finding.start].matches('\n').count());
        last = finding.end;
    }
    let (out, redacted) = redact(text);
    prop_assert!(redacted.len() >= found.len() || redacted.iter().any(|finding| finding.end == text.len()));
    prop_assert_eq!(scan(&out), Vec::new());
    let (again, more) = redact(&out);
    prop_assert_eq!(&again, &out);
    prop_assert!(more.is_empty());
    let mut last = 0;
    for finding in &redacted {
        prop_assert!(last <= finding.start && text.get(finding.start..finding.end).is_some());
        prop_assert_eq!(finding.line, 1 + text[..finding.start].matches('\n').count());
        last = finding.end;
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_scanned_and_redacted_for_good(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn suspicious_text_is_scanned_and_redacted_for_good(text in suspicious()) {
        check(&text)?;
    }
}

/// A key that stands too close to another is found once that one is gone, and is told by its place in the original.
#[test]
fn what_a_first_look_hides_is_found_in_the_second() {
    let hex = "1ac15326b23b7faac9bcf80c5c2323af";
    let (first, second) = (format!("shpat_{hex}"), format!("{hex}b9"));
    let pair = format!("key {first}jenkins key `{second}` there");
    let text = format!("é\n{pair}\n{pair}, end");
    let (out, found) = redact(&text);
    let gone = "key [redacted: shopify-token]jenkins key `[redacted: jenkins-token]` there";
    assert_eq!(out, format!("é\n{gone}\n{gone}, end"));
    let values: Vec<&str> = found.iter().map(|finding| &text[finding.start..finding.end]).collect();
    assert_eq!(values, [&first, &second, &first, &second]);
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 2, 3, 3]);
}

/// Each key hides the next one. Nine looks are precise; who needs a tenth loses the rest of the text.
#[test]
fn a_text_that_hides_too_much_is_cut() {
    let key = concat!("sdk-", "d39fbc18-38f7-38f7-38f7-94b21d10221c");
    let gone = "[redacted: launchdarkly-key]";
    let hidden = |count: usize| format!("head {} tail", key.repeat(count));
    assert_eq!(redact(&hidden(9)).0, format!("head {} tail", gone.repeat(9)));
    let (out, found) = redact(&hidden(10));
    assert_eq!(out, format!("head {}", gone.repeat(10)));
    assert_eq!((found.len(), found[9].end), (10, hidden(10).len()));
}

#[test]
fn a_secret_that_touches_a_marker_is_still_one() {
    let key = ["ghp_", "q4W7zP2mX9rT3lKbQ4w7Zp2Mx9Rt3LkBq4W7"].concat();
    for text in [
        format!("{key}[redacted: jwt]"),
        format!("[redacted: jwt]{key}"),
        format!("[redacted: jwt]{key}[redacted: jwt]"),
    ] {
        assert_eq!(names(&scan(&text)), ["github-token"], "{text}");
    }
}
