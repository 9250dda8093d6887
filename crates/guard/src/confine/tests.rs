//! P8, T4: the attack table, the names that must pass, and the properties of every accepted path.

use std::path::{Component, Path};

use proptest::prelude::*;

use super::{Refusal, RelPath};

/// The name of the rule that refuses a path.
fn rule(text: &str) -> &'static str {
    match RelPath::parse(text) {
        Ok(_) => "accepted",
        Err(refusal) => match refusal {
            Refusal::Empty => "empty",
            Refusal::PathTooLong { .. } => "path-too-long",
            Refusal::ComponentTooLong { .. } => "component-too-long",
            Refusal::Unc { .. } => "unc",
            Refusal::Absolute { .. } => "absolute",
            Refusal::Drive { .. } => "drive",
            Refusal::Nul { .. } => "nul",
            Refusal::Control { .. } => "control",
            Refusal::Backslash { .. } => "backslash",
            Refusal::Colon { .. } => "colon",
            Refusal::LookAlike { .. } => "look-alike",
            Refusal::Bidi { .. } => "bidi",
            Refusal::Invisible { .. } => "invisible",
            Refusal::EmptyComponent { .. } => "empty-component",
            Refusal::CurrentDir { .. } => "current-dir",
            Refusal::ParentDir { .. } => "parent-dir",
            Refusal::TrailingDot { .. } => "trailing-dot",
            Refusal::OuterSpace { .. } => "outer-space",
            Refusal::Device { .. } => "device",
            Refusal::TeamCase { .. } => "team-case",
            Refusal::Unshareable { .. } => "unshareable",
        },
    }
}

#[test]
fn p8_every_attack_is_refused_by_its_rule() {
    let attacks = [
        ("", "empty"),
        ("/etc/passwd", "absolute"),
        ("/", "absolute"),
        ("\\windows\\system32", "absolute"),
        ("\\\\server\\share\\x", "unc"),
        ("//server/share/x", "unc"),
        ("\\\\?\\C:\\x", "unc"),
        ("C:\\x.md", "drive"),
        ("c:x.md", "drive"),
        ("Z:/x.md", "drive"),
        ("notes.md:hidden", "colon"),
        ("file:///etc/passwd", "colon"),
        ("..", "parent-dir"),
        ("../x.md", "parent-dir"),
        ("a/../../x.md", "parent-dir"),
        ("a/..", "parent-dir"),
        (".", "current-dir"),
        ("./x.md", "current-dir"),
        ("a/./x.md", "current-dir"),
        ("a//x.md", "empty-component"),
        ("a/", "empty-component"),
        ("a\\..\\x.md", "backslash"),
        ("..\\x.md", "backslash"),
        ("a\0.md", "nul"),
        ("x.md\0.png", "nul"),
        ("a\n.md", "control"),
        ("a\r\n.md", "control"),
        ("a\x1b[31m.md", "control"),
        ("a\x7f.md", "control"),
        ("a\u{85}.md", "control"),
        ("a\u{2028}.md", "control"),
        ("...", "trailing-dot"),
        ("a/.../x.md", "trailing-dot"),
        ("x.md.", "trailing-dot"),
        ("team./x.md", "trailing-dot"),
        ("x.md ", "outer-space"),
        (" x.md", "outer-space"),
        (".. /x.md", "outer-space"),
        ("team /x.md", "outer-space"),
        ("a/\u{a0}x.md", "outer-space"),
        ("x.md\u{3000}", "outer-space"),
        ("CON", "device"),
        ("con.md", "device"),
        ("a/NUL.tar.gz", "device"),
        ("aux/x.md", "device"),
        ("com1.md", "device"),
        ("COM\u{b9}.md", "device"),
        ("lpt9", "device"),
        ("con .md", "device"),
        ("CONOUT$", "device"),
        ("..\u{2215}x.md", "look-alike"),
        ("..\u{2044}x.md", "look-alike"),
        ("..\u{ff0f}x.md", "look-alike"),
        ("..\u{ff3c}x.md", "look-alike"),
        ("..\u{29f5}x.md", "look-alike"),
        ("..\u{2216}x.md", "look-alike"),
        ("..\u{29f8}x.md", "look-alike"),
        ("..\u{fe68}x.md", "look-alike"),
        ("\u{ff0e}\u{ff0e}/x.md", "look-alike"),
        ("\u{2024}\u{2024}/x.md", "look-alike"),
        ("\u{2025}/x.md", "look-alike"),
        ("\u{2026}/x.md", "look-alike"),
        ("\u{fe52}\u{fe52}/x.md", "look-alike"),
        ("\u{fe30}/x.md", "look-alike"),
        ("c\u{ff1a}x.md", "look-alike"),
        ("c\u{a789}x.md", "look-alike"),
        ("c\u{2236}x.md", "look-alike"),
        ("\u{2105}.md", "look-alike"),
        ("\u{2488}.md", "look-alike"),
        ("a\u{202e}dm.exe", "bidi"),
        ("\u{200f}a.md", "bidi"),
        ("\u{2067}a.md", "bidi"),
        ("\u{61c}a.md", "bidi"),
        ("MEM\u{200b}ORY.md", "invisible"),
        (".\u{200c}git/config", "invisible"),
        ("a\u{200d}b.md", "invisible"),
        ("👩\u{200d}b.md", "invisible"),
        ("a\u{200d}💻.md", "invisible"),
        ("\u{feff}a.md", "invisible"),
        ("te\u{ad}am/a.md", "invisible"),
        ("a\u{2060}.md", "invisible"),
        ("a\u{206a}.md", "invisible"),
        ("a\u{e0041}.md", "invisible"),
        ("a\u{3164}.md", "invisible"),
        ("Team/x.md", "team-case"),
        ("TEAM/x.md", "team-case"),
        ("team/why?.md", "unshareable"),
        ("team/a*b.md", "unshareable"),
        ("team/a/<x>.md", "unshareable"),
        ("team/a|b.md", "unshareable"),
        ("team/\"q\".md", "unshareable"),
    ];
    for (path, wanted) in attacks {
        assert_eq!(rule(path), wanted, "{path:?}");
    }
}

#[test]
fn p8_lengths_are_limited_in_bytes() {
    assert_eq!(rule(&"a".repeat(255)), "accepted");
    assert_eq!(rule(&"a".repeat(256)), "component-too-long");
    assert_eq!(rule(&"记".repeat(85)), "accepted");
    assert_eq!(rule(&"记".repeat(86)), "component-too-long");
    assert_eq!(rule(&["a".repeat(255).as_str(); 4].join("/")), "accepted");
    let whole = |last: usize| [255, 255, 255, 254, last].map(|length| "a".repeat(length)).join("/");
    assert_eq!((whole(1).len(), rule(&whole(1)), rule(&whole(2))), (1024, "accepted", "path-too-long"));
    assert_eq!(rule(&["a".repeat(255).as_str(); 5].join("/")), "path-too-long");
    assert_eq!(rule(&"../".repeat(2_000_000)), "path-too-long");
}

#[test]
fn p8_honest_names_pass_unchanged() {
    let names = [
        "notes.md",
        "MEMORY.md",
        "team/MEMORY.md",
        "logs/2026/11/2026-11-15.md",
        "feedback_no_mocks.md",
        "a name with spaces.md",
        ".consolidate-lock",
        "..hidden.md",
        "a..b.md",
        "console.md",
        "com10.md",
        "nullable.md",
        "部署说明.md",
        "参考/密码策略.md",
        "メモ.md",
        "résumé café.md",
        "re\u{301}sume\u{301}.md",
        "заметки.md",
        "ملاحظات.md",
        "🚀 launch.md",
        "❤\u{fe0f}.md",
        "👩\u{200d}💻.md",
        "❤\u{fe0f}\u{200d}🔥.md",
        "100% (draft) [v2] {x} #1 'q' & more!.md",
        "teams/x.md",
        "x/Team/y.md",
        "why?.md",
    ];
    for name in names {
        let path = RelPath::parse(name).unwrap();
        assert_eq!(path.as_str(), name);
        assert_eq!(path.to_string(), name);
    }
}

#[test]
fn parts_of_a_path_are_told_apart() {
    let path = |text: &str| RelPath::parse(text).unwrap();
    let deep = path("team/ops/Rota.MD");
    assert_eq!(deep.components().collect::<Vec<_>>(), ["team", "ops", "Rota.MD"]);
    assert_eq!(deep.file_name(), "Rota.MD");
    assert_eq!(deep.parent(), Some("team/ops"));
    assert!(deep.in_team() && deep.is_markdown() && !deep.is_index() && !deep.is_hidden());

    assert_eq!(path("a.md").parent(), None);
    assert_eq!(path("a.md").file_name(), "a.md");
    assert!(path("memory.MD").is_index() && path("team/Memory.md").is_index());
    assert!(!path("MEMORY.md/a.md").is_index() && !path("xMEMORY.md").is_index());
    assert!(path("a/.git/b.md").is_hidden() && path(".a.md").is_hidden());
    assert!(!path("a.b/c.md").is_hidden());
    assert!(!path(".md").is_markdown() && !path("amd").is_markdown() && !path("记录").is_markdown());
    assert!(path("记.md").is_markdown());
    assert!(!path("a/team/x.md").in_team() && !path("team.md").in_team());
}

#[test]
fn a_refusal_quotes_the_path_harmlessly_and_says_what_to_do() {
    let message = RelPath::parse("a/\u{1b}[2J/x.md").unwrap_err().to_string();
    assert!(!message.contains('\u{1b}'), "{message}");
    assert!(message.contains("U+001B") && message.ends_with("remove it"), "{message}");

    let message = RelPath::parse(&"x/".repeat(5_000)).unwrap_err().to_string();
    assert!(message.len() < 200, "{message}");

    let message = RelPath::parse("a/../b.md").unwrap_err().to_string();
    assert!(message.starts_with("path \"a/../b.md\" "), "{message}");
    for (length, end) in [(60, "a\""), (61, "a…\"")] {
        let message = RelPath::parse(&format!("../{}", "a".repeat(length - 3))).unwrap_err().to_string();
        assert!(message.starts_with(&format!("path \"../{}{end} ", "a".repeat(56))), "{message}");
    }

    let message = RelPath::parse("a\u{202e}b.md").unwrap_err().to_string();
    assert!(!message.contains('\u{202e}') && message.contains("U+202E"), "{message}");
}

/// Text built from the pieces attacks are made of, so that acceptance is neither rare nor certain.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("/".to_owned()),
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just("C:".to_owned()),
        Just("\u{2215}".to_owned()),
        Just("nul".to_owned()),
        Just(" ".to_owned()),
        "[a-z]{1,8}",
        "\\PC{1,3}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn p8_parse_never_panics(text in any::<String>()) {
        if let Err(refusal) = RelPath::parse(&text) {
            prop_assert!(!refusal.to_string().contains('\0'));
        }
    }

    #[test]
    fn p8_whatever_is_accepted_stays_below_its_root(text in hostile()) {
        if let Ok(path) = RelPath::parse(&text) {
            let root = Path::new("/root/of/memory");
            let joined = root.join(path.as_str());
            prop_assert!(joined.starts_with(root) && joined != root);
            let below = joined.strip_prefix(root).unwrap();
            prop_assert!(below.components().all(|part| matches!(part, Component::Normal(_))));
            prop_assert_eq!(below.components().count(), path.components().count());
            // The same after the name was normalised on its way to the disk.
            let normal = unicode_normalization::UnicodeNormalization::nfkc(text.as_str());
            let normal = normal.collect::<String>();
            prop_assert_eq!(normal.matches('/').count(), text.matches('/').count());
            prop_assert!(normal.split('/').all(|part| part != ".." && part != "."));
        }
    }
}
