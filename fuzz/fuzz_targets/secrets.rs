//! Secrets: findings are where they say, and what is redacted is gone for good (T3).
//!
//! Bytes `0xff` are left out of the input, so that a seed need not look like a secret itself.

#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::guard::secrets::{redact, rules, scan};
use memdir_fuzz::text;

static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| rules().map(|rule| rule.name).collect());

fuzz_target!(|data: &[u8]| {
    let text = text(&data.iter().copied().filter(|byte| *byte != 0xff).collect::<Vec<u8>>());
    let mut end = 0;
    for finding in scan(&text) {
        assert!(NAMES.contains(finding.rule), "{} is no rule", finding.rule);
        assert!(finding.start >= end && finding.start < finding.end, "findings overlap or are empty");
        assert!(text.get(finding.start..finding.end).is_some(), "a finding is not on characters");
        assert_eq!(finding.line, text[..finding.start].matches('\n').count() + 1);
        end = finding.end;
    }
    let (out, found) = redact(&text);
    assert_eq!(scan(&out), [], "a secret is left");
    assert_eq!(redact(&out), (out.clone(), Vec::new()), "redacting twice is not redacting once");
    // What stands between the findings is there, in order.
    let mut rest = out.as_str();
    let mut done = 0;
    for finding in &found {
        let between = &text[done..finding.start];
        rest = rest.strip_prefix(between).expect("the text before a finding");
        rest = rest.strip_prefix(&*format!("[redacted: {}]", finding.rule)).expect("the mark");
        done = finding.end;
    }
    assert_eq!(rest, &text[done..]);
});
