//! Pairs of notes, and what holds for every pair.

use proptest::prelude::*;

use super::*;

/// Says the same in other words: at least worth asking.
const PARAPHRASES: &[(&str, &str)] = &[
    ("Never mock the database in integration tests.", "Integration tests must not use a mocked db"),
    ("No summary at the end of replies", "Don't recap at the end of a reply"),
    ("Commit messages must not contain emoji", "Never put emoji into a commit message"),
    ("Release 5.0 is planned for 2026-04-21", "We plan to ship release 5.0 on 2026-04-21"),
    ("Latency board is grafana.sable.internal/d/api-latency", "On-call watches grafana.sable.internal/d/api-latency"),
    ("Ask before adding an npm dependency", "Always ask before you add npm dependencies"),
    ("User is a backend engineer with little CSS experience", "Backend engineer, little experience with CSS"),
    ("Refund tool is owned by Tomek", "Tomek owns the refund tool"),
    ("Code comments are written in Chinese", "代码注释统一用中文"),
    ("回答尽量简短,不要铺垫", "回答要简短,不要铺垫和客套"),
    ("接口文档在语雀「小程序/接口」", "语雀空间「小程序/接口」放接口文档"),
    ("每周四下午发版", "发版时间是每周四下午"),
];

/// Shares words and says something else: not the same.
const DIFFERENT: &[(&str, &str)] = &[
    ("use tabs", "never use tabs"),
    ("Use tabs for indentation in Go files", "Never use tabs for indentation in Go files"),
    ("Merge freeze starts 2026-03-05", "Merge freeze starts 2026-06-22"),
    ("Line length is 80 characters", "Line length is 100 characters"),
    ("Releases go out on Tuesdays at 11:00", "Releases go out on Thursdays at 22:00"),
    ("Commit messages follow Conventional Commits", "Commit small and often"),
    ("Integration tests hit a real database", "The database of record is Oracle 19c"),
    ("Tomek owns the refund tool", "Tomek prefers short replies"),
    ("API board in Grafana", "API keys are in the vault"),
    ("灰度先放 5%,观察两天", "灰度首批改为 10%,观察一天"),
    ("回答用中文", "不要用中文回答"),
    ("前端用 Vue", "前端测试跑在夜里"),
];

#[test]
fn paraphrases_are_worth_asking_about() {
    let low: Vec<_> = PARAPHRASES.iter().map(|(a, b)| (likeness(a, b), a, b)).filter(|(l, ..)| *l < MAYBE).collect();
    assert!(low.is_empty(), "{low:#?}");
}

#[test]
fn other_facts_are_never_the_same() {
    let high: Vec<_> = DIFFERENT.iter().map(|(a, b)| (likeness(a, b), a, b)).filter(|(l, ..)| *l >= SAME).collect();
    assert!(high.is_empty(), "{high:#?}");
}

#[test]
fn most_paraphrases_are_the_same_outright() {
    let same = PARAPHRASES.iter().filter(|(a, b)| likeness(a, b) >= SAME).count();
    assert!(same * 3 >= PARAPHRASES.len() * 2, "{same} of {}", PARAPHRASES.len());
}

#[test]
fn a_different_number_lowers_likeness() {
    let same = likeness("Freeze on 2026-03-05 for mobile", "Freeze on 2026-03-05 for mobile apps");
    let other = likeness("Freeze on 2026-03-05 for mobile", "Freeze on 2026-03-06 for mobile apps");
    assert!(same > SAME && other < same * 0.8, "{same} {other}");
}

#[test]
fn words_are_folded() {
    for (text, want) in [
        ("Never mock the databases", "mock database"),
        ("committing commits committed", "commit commit commit"),
        ("merge merging merged merges", "merge merge merge merge"),
        ("libraries library", "library library"),
        ("recap and summaries", "summary summary"),
        ("2026-04-10 at 3.5 and v2", "2026-04-10 3.5 v2"),
        ("代码注释用中文", "代码 comment chinese"),
        ("灰度比例", "灰度 度比 比例"),
        ("the of and", ""),
        ("", ""),
    ] {
        assert_eq!(words(text).join(" "), want, "{text:?}");
    }
}

#[test]
fn containing_respects_what_is_said() {
    for (long, short, want) in [
        ("Never mock the database in tests; use Docker", "never mock a database", true),
        ("never use tabs", "use tabs", false),
        ("use tabs", "never use tabs", false),
        ("use tabs, never spaces", "never use spaces", true),
        ("freeze 2026-03-05", "freeze 2026-03-06", false),
        ("freeze 2026-03-05 for mobile", "Freeze: 2026-03-05.", true),
        ("代码注释用中文,变量用英文", "注释用中文", true),
        ("不要用中文", "用中文", false),
        ("anything", "", true),
        ("anything", "it is so", false),
        ("", "anything", false),
    ] {
        assert_eq!(contains(long, short), want, "{long:?} / {short:?}");
    }
}

#[test]
fn f3_bodies_unite_before_the_reasons() {
    let old = "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.\n**How to apply:** Repository tests.\n";
    let new = "Use the docker Postgres service.\n\n**Why:** Constraint errors differ.\n**How to apply:** Anything that runs SQL.\n";
    assert_eq!(
        merge_body(old, new),
        "Never mock the database in integration tests.\n\nUse the docker Postgres service.\n\n\
         **Why:** Mocks hid a broken migration.\n**Why:** Constraint errors differ.\n\
         **How to apply:** Repository tests.\n**How to apply:** Anything that runs SQL.\n"
    );
    let same_use = "Stop after the edit.\n\n**Why:** User reads the diff.\n**How to apply:** All replies.";
    let other = "No list of touched files.\n\n**Why:** User reads the diff.\n**How to apply:** All replies.";
    assert_eq!(
        merge_body(same_use, other),
        "Stop after the edit.\n\nNo list of touched files.\n\n**Why:** User reads the diff.\n**How to apply:** All replies."
    );
}

#[test]
fn one_body_that_contains_the_other_is_taken_as_it_is() {
    let short = "Zendesk view \"Tools\".";
    let long = "Zendesk view \"Tools\", tag tool-bug.\n";
    assert_eq!(merge_body(short, long), long);
    assert_eq!(merge_body(long, short), long);
    assert_eq!(merge_body("", long), long);
    assert_eq!(merge_body(long, ""), long);
    let reason = "Use tabs.\n\n**Why:** taste.";
    let better = "Use tabs.\n\n**Why:** taste and screen readers.";
    assert_eq!(merge_body(reason, better), better);
    assert_eq!(merge_body("Use tabs.", "Never use tabs."), "Use tabs.\n\nNever use tabs.");
}

#[test]
fn code_blocks_and_line_ends_survive() {
    let old = "Run it so:\n\n```sh\nmake all\n\nmake test\n```\n\n**Why:** order.\n";
    let merged = merge_body(old, "Wait for the lock first.");
    assert!(merged.starts_with("Run it so:\n\n```sh\nmake all\n\nmake test\n```\n\nWait for the lock"));
    assert!(merged.ends_with("**Why:** order.\n"));
    assert_eq!(merge_body("Alpha line.\r\n", "Beta line."), "Alpha line.\r\n\r\nBeta line.\r\n");
}

/// Bodies of lines that share words, with and without labels.
fn body() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "Use tabs.",
        "Never use tabs.",
        "Use tabs in Go files.",
        "It is so.",
        "",
        "**Why:** taste",
        "**Why:** taste of the team",
        "**How to apply:** Go files",
        "How to apply: all",
        "注释用中文",
        "不要用中文注释",
        "```",
        "- a list item",
        "freeze 2026-03-05",
        "freeze 2026-03-06",
        "…",
        "# Tabs",
        "**Why:** linter",
        "plain words here",
    ]);
    let end = prop::sample::select(vec!["\n", "\n\n", "\r\n"]);
    prop::collection::vec((line, end), 0..7)
        .prop_map(|parts| parts.into_iter().flat_map(|(line, end)| [line, end]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn merging_keeps_every_line_and_settles(old in body(), new in body()) {
        let merged = merge_body(&old, &new);
        for line in old.lines().chain(new.lines()) {
            // What joins a list becomes an item of it.
            let bare = |line: &'_ str| line.trim().trim_start_matches("- ").to_owned();
            let kept = merged.lines().any(|kept| bare(kept) == bare(line));
            prop_assert!(kept || contains(&merged, line), "lost {line:?} of {old:?} + {new:?}");
        }
        prop_assert_eq!(&merge_body(&merged, &new), &merged);
        prop_assert_eq!(&merge_body(&merged, &merged), &merged);
    }

    #[test]
    fn every_pair_has_a_likeness(a in "(?s).{0,120}", b in "(?s).{0,120}") {
        let forth = likeness(&a, &b);
        prop_assert!((0.0..=1.0).contains(&forth));
        prop_assert!((forth - likeness(&b, &a)).abs() < 1e-3);
        let _ = merge_body(&a, &b);
        prop_assert!(contains(&a, &a));
    }
}

#[test]
fn large_bodies_are_survived() {
    let long = "Use tabs in file one.\n\nNever use spaces in file two.\n\n".repeat(2_000);
    let other = "注释用中文\n\n**Why:** 新人\n\n".repeat(2_000);
    let merged = merge_body(&long, &other);
    assert!(contains(&merged, &long) && contains(&merged, &other));
    assert!(likeness(&long, &other) < MAYBE);
}
