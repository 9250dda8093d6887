//! Indexes written by the real git in every version, and indexes that lie.

use proptest::prelude::*;

use super::*;
use crate::place::sandbox::Sandbox;

const LOCAL: &str = ".claude/settings.local.json";

fn tracked(b: &Sandbox, repository: &str) -> bool {
    is_tracked(&b.path(&format!("{repository}/.git/index")), LOCAL)
}

/// A repository of many files, with or without the local settings among them.
fn repository(b: &Sandbox, name: &str, with_local: bool, init: &[&str]) {
    b.dir(name);
    b.git(name, &[&["init", "-q"], init].concat());
    for file in [".claude/settings.json", ".claude/settings.local.jsonc", "a/é/ü", "a/b", "zz", "README"] {
        b.write(&format!("{name}/{file}"), file);
    }
    b.write(&format!("{name}/{}/file", "long/".repeat(40)), "");
    if with_local {
        b.write(&format!("{name}/{LOCAL}"), "{}");
    }
}

#[test]
fn p5_every_index_version_is_read() {
    let b = Sandbox::new();
    for (format, init) in [("sha1", vec![]), ("sha256", vec!["--object-format=sha256"])] {
        for version in ["2", "3", "4"] {
            for with_local in [true, false] {
                let name = format!("{format}-{version}-{with_local}");
                repository(&b, &name, with_local, &init);
                b.commit(&name);
                b.git(&name, &["update-index", "--index-version", version]);
                if version != "2" {
                    // Extended flags, which only versions 3 and 4 have.
                    b.write(&format!("{name}/later"), "x");
                    b.git(&name, &["add", "-N", "later"]);
                }
                assert_eq!(tracked(&b, &name), with_local, "{name}");
            }
        }
    }
}

#[test]
fn p5_an_index_with_all_its_extensions_is_read() {
    let b = Sandbox::new();
    repository(&b, "r", false, &[]);
    b.commit("r");
    b.git("r", &["update-index", "--untracked-cache"]);
    b.git("r", &["status"]);
    assert!(!tracked(&b, "r"));
    b.git("r", &["-c", "index.skipHash=true", "-c", "feature.manyFiles=true", "add", "-A"]);
    assert!(!tracked(&b, "r"));
}

#[test]
fn p5_a_repository_without_an_index_tracks_nothing() {
    let b = Sandbox::new();
    repository(&b, "r", true, &[]);
    assert!(!tracked(&b, "r"));
    b.git("r", &["add", "-f", LOCAL]);
    assert!(tracked(&b, "r"), "staged is tracked");
    b.git("r", &["rm", "-q", "--cached", LOCAL]);
    assert!(!tracked(&b, "r"));
}

#[test]
fn p5_a_split_or_sparse_index_is_not_trusted() {
    let b = Sandbox::new();
    repository(&b, "split", false, &[]);
    b.commit("split");
    b.git("split", &["update-index", "--split-index"]);
    assert!(tracked(&b, "split"));
    repository(&b, "sparse", true, &[]);
    b.commit("sparse");
    b.git("sparse", &["sparse-checkout", "set", "--cone", "--sparse-index", "a"]);
    assert!(tracked(&b, "sparse"));
}

#[test]
fn p5_what_stands_for_the_directory_tracks_the_file() {
    for entry in [
        ".claude",                     // a link or a submodule
        ".Claude/Settings.Local.JSON", // a file system without case
        ".CLAUDE",
        ".claude/\u{17f}ettings.local.json", // folds to `s`
        ".cl\u{200c}aude/settings.local.json",
    ] {
        let index = made(&[entry.as_bytes()]);
        assert_eq!(lists(&index, LOCAL), Some(true), "{entry:?}");
    }
    for entry in [".claud", ".claude2", ".claude/settings.local.json.bak", "x/.claude/settings.local.json", "é"] {
        assert_eq!(lists(&made(&[entry.as_bytes()]), LOCAL), Some(false), "{entry:?}");
    }
    let below = lists(&made(&["dé/.claude".as_bytes()]), "dé/.claude/settings.local.json");
    assert_eq!(below, Some(true));
}

#[test]
fn p5_an_index_that_lies_counts_as_tracking() {
    let b = Sandbox::new();
    let good = made(&[b"a", b"b"]);
    assert_eq!(lists(&good, LOCAL), Some(false));
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty", vec![]),
        ("short", good[..good.len() - 1].to_vec()),
        ("other magic", [b"XIRC", &good[4..]].concat()),
        ("version 9", [&good[..7], &[9], &good[8..]].concat()),
        ("more entries than there are", [&good[..11], &[3], &good[12..]].concat()),
        ("fewer entries than there are", [&good[..11], &[1], &good[12..]].concat()),
        ("all the entries in the world", [&good[..8], &[0xff; 4], &good[12..]].concat()),
        ("a name of another length", [&good[..73], &[2], &good[74..]].concat()),
        ("a hidden tail", [&good[..good.len() - 20], b"JUNK\xff\xff\xff\xff", &[0; 20]].concat()),
    ];
    for (name, bytes) in cases {
        let path = b.write("index", &bytes);
        assert!(is_tracked(&path, LOCAL), "{name}");
    }
    b.dir("folder");
    assert!(is_tracked(&b.path("folder"), LOCAL));
    assert!(!is_tracked(&b.path("none"), LOCAL));
}

/// A version 2 index with these names.
fn made(names: &[&[u8]]) -> Vec<u8> {
    let mut out = b"DIRC\0\0\0\x02".to_vec();
    out.extend((names.len() as u32).to_be_bytes());
    for name in names {
        out.extend([7; 60]);
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(*name);
        let padded = (62 + name.len() + 8) & !7;
        out.resize(out.len() + padded - 62 - name.len(), 0);
    }
    out.extend([9; 20]);
    out
}

proptest! {
    #[test]
    fn p5_any_bytes_are_read_without_failure(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        version in 2_u8..5,
        entries in 0_u8..4,
    ) {
        lists(&bytes, LOCAL);
        lists(&[b"DIRC\0\0\0", [version].as_slice(), &[0, 0, 0, entries], &bytes].concat(), LOCAL);
    }

    #[test]
    fn p5_a_listed_name_is_always_found(
        mut names in proptest::collection::vec("[a-z/.]{1,40}", 0..20),
        at in any::<prop::sample::Index>(),
    ) {
        prop_assert_eq!(
            lists(&made(&names.iter().map(String::as_bytes).collect::<Vec<_>>()), "0/1"),
            Some(false)
        );
        names.insert(at.index(names.len() + 1), LOCAL.to_owned());
        let index = made(&names.iter().map(String::as_bytes).collect::<Vec<_>>());
        prop_assert_eq!(lists(&index, LOCAL), Some(true));
    }
}
