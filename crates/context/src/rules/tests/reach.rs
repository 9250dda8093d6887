//! What an include may not reach (C2), whatever the tree looks like.

use proptest::prelude::*;

use super::*;

const OUTSIDE: &str = "outside the project; a file of the repository reaches it only after your yes";

#[test]
fn c2_a_repository_cannot_reach_out_of_the_project() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@~/.ssh/keys.md @ROOT/other/s.md @../../other/s.md @README.md"),
        ("home/app/README.md", "@../notes.md"),
        ("home/.ssh/keys.md", "secret"),
        ("home/notes.md", "secret"),
        ("other/s.md", "secret"),
    ]);
    let rules = world.load();
    assert_eq!(world.loaded(&rules), ["home/app/README.md", "home/app/CLAUDE.md"]);
    assert_eq!(rules.skipped.len(), 4);
    assert!(rules.skipped.iter().all(|skipped| skipped.reason.to_string() == OUTSIDE));
    assert!(world.reads.borrow().iter().all(|path| path.starts_with(world.path("home/app"))));
}

#[test]
#[cfg(unix)]
fn c2_links_are_resolved_before_the_check() {
    let world = World::new(&[
        ("home/app/sub/CLAUDE.md", "@key.md @folder/s.md @inside.md"),
        ("home/app/real.md", "fine"),
        ("other/s.md", "secret"),
        ("other/id_key", "secret"),
        ("other/rules/r.md", "secret"),
    ]);
    world.link("other/id_key", "home/app/sub/key.md");
    world.link("other", "home/app/sub/folder");
    world.link("home/app/real.md", "home/app/sub/inside.md");
    world.link("other/s.md", "home/app/CLAUDE.md");
    std::fs::create_dir(world.path("home/app/.claude")).unwrap();
    world.link("other/rules", "home/app/.claude/rules");
    let rules = world.load_in("home/app/sub");
    assert_eq!(world.loaded(&rules), ["home/app/real.md", "home/app/sub/CLAUDE.md"]);
    assert_eq!(rules.skipped.len(), 4);
    assert!(rules.skipped.iter().all(|skipped| skipped.reason.to_string() == OUTSIDE));
    assert!(world.reads.borrow().iter().all(|path| path.starts_with(world.path("home/app"))));
}

#[test]
fn c2_the_users_files_reach_further_but_what_they_bring_in_does_not() {
    let world = World::new(&[
        ("home/.claude/CLAUDE.md", "@ROOT/other/s.md @~/app/README.md"),
        ("home/app/README.md", "@~/keys.md"),
        ("home/keys.md", "secret"),
        ("other/s.md", "@t.md"),
        ("other/t.md", "t"),
    ]);
    let rules = world.load();
    let want = ["other/t.md", "other/s.md", "home/app/README.md", "home/.claude/CLAUDE.md"];
    assert_eq!(world.loaded(&rules), want);
    assert_eq!(world.skips(&rules), [format!("home/keys.md: {OUTSIDE}")]);
}

#[test]
fn c2_a_local_file_reaches_home_only_while_it_is_the_users_own() {
    let files =
        [("home/app/CLAUDE.local.md", "@~/mine.md @ROOT/other/s.md"), ("home/mine.md", "mine"), ("other/s.md", "s")];
    let mut world = World::new(&files);
    let rules = world.load();
    assert_eq!(world.loaded(&rules), ["home/mine.md", "home/app/CLAUDE.local.md"]);
    assert_eq!(world.skips(&rules), [format!("other/s.md: {OUTSIDE}")]);
    world.tracked = true;
    assert_eq!(world.loaded(&world.load()), ["home/app/CLAUDE.local.md"]);
    world.tracked = false;
    world.under_git = false;
    assert_eq!(world.loaded(&world.load()), ["home/app/CLAUDE.local.md"]);
}

/// A piece of an instruction file; most point somewhere, some hide what follows.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "@a.md",
        "@sub/b.md",
        "@../b.md",
        "@link.md",
        "@folder/s.md",
        "@~/h.md",
        "@~/app/a.md",
        "@../../other/s.md",
        "@ROOT/other/s.md",
        "@ROOT/home/app/c.txt",
        "@CLAUDE.md",
        "@./gone.md",
        "@c.txt#x",
        "@folder",
        "`",
        "```\n",
        "<!--",
        "-->",
        "\n",
        "\n\n    ",
        "word",
        "é\0",
    ];
    let known = prop::sample::select(pieces.to_vec()).prop_map(str::to_owned);
    prop_oneof![8 => known, 1 => r"@?\PC{0,8}"]
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn c2_no_tree_of_includes_escapes_or_grows(
        texts in prop::collection::vec(prop::collection::vec(piece(), 0..8), 7),
        link in prop::sample::select(vec!["other/s.md", "home/h.md", "home/app/a.md", "home/app/gone"]),
        tracked in any::<bool>(),
    ) {
        let names = [
            "home/app/CLAUDE.md", "home/app/a.md", "home/app/sub/b.md", "home/app/c.txt",
            "home/app/CLAUDE.local.md", "home/h.md", "other/s.md",
        ];
        let texts: Vec<String> = texts.iter().map(|pieces| pieces.join(" ")).collect();
        let files: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let mut world = World::new(&files);
        world.tracked = tracked;
        world.link(link, "home/app/link.md");
        world.link("other", "home/app/folder");
        let rules = world.load();

        let allowed = world.path(if tracked { "home/app" } else { "home" });
        for read in world.reads.borrow().iter() {
            prop_assert!(read.starts_with(&allowed), "read {}", read.display());
        }
        let total: usize = rules.files.iter().map(|file| file.text.len()).sum();
        prop_assert!(total <= RULES_TOTAL_BYTES);
        let mut paths = world.loaded(&rules);
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), rules.files.len());
        for file in &rules.files {
            let mut depth = 0;
            let mut at = file;
            while let Some(parent) = &at.included_by {
                depth += 1;
                prop_assert!(depth <= INCLUDE_DEPTH);
                at = rules.files.iter().find(|file| file.path == *parent).unwrap();
            }
        }
        prop_assert_eq!(&rules, &world.load());
        prop_assert!(world.dir.path().exists());
    }
}
