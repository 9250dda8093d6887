//! What `@path` brings in (C2).

use super::*;

#[test]
fn c2_includes_come_before_their_parent_once_each() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@docs/a.md @ROOT/home/app/docs/b.md @docs/a.md `@no.md`"),
        ("home/app/docs/a.md", "@./b.md and @../c.md#part"),
        ("home/app/docs/b.md", "b"),
        ("home/app/c.md", "c"),
        ("home/app/no.md", "no"),
    ]);
    let rules = world.load();
    let want = ["home/app/docs/b.md", "home/app/c.md", "home/app/docs/a.md", "home/app/CLAUDE.md"];
    assert_eq!(world.loaded(&rules), want);
    let parents: Vec<_> = rules.files.iter().map(|f| f.included_by.as_deref().map(|p| world.short(p))).collect();
    let a = Some("home/app/docs/a.md".to_owned());
    assert_eq!(parents, [a.clone(), a, Some("home/app/CLAUDE.md".into()), None]);
    assert_eq!(world.skips(&rules), ["home/app/docs/b.md: loaded already", "home/app/docs/a.md: loaded already"]);
    assert_eq!(world.reads.borrow().len(), 4, "each file is read once");
}

#[test]
fn c2_an_instruction_file_that_is_also_included_keeps_its_place() {
    let world = World::new(&[("home/app/CLAUDE.md", "@CLAUDE.local.md"), ("home/app/CLAUDE.local.md", "mine")]);
    let rules = world.load();
    assert_eq!(world.loaded(&rules), ["home/app/CLAUDE.md", "home/app/CLAUDE.local.md"]);
    assert_eq!(rules.files[1].included_by, None);
}

#[test]
fn c2_depth_is_bounded() {
    let world = World::new(&[("home/app/CLAUDE.md", "@1.md")]);
    for n in 1..=INCLUDE_DEPTH + 2 {
        let text = format!("@{}.md @alice", n + 1);
        world.write(&format!("home/app/{n}.md"), text.as_bytes());
    }
    let rules = world.load();
    assert_eq!(rules.files.len(), 1 + INCLUDE_DEPTH);
    assert_eq!(world.skips(&rules), ["home/app/6.md: more than 5 includes deep"]);
    assert!(rules.block(&mut Prompts::built_in()).unwrap().unwrap().cut);
}

#[test]
fn c2_cycles_are_cut() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@a.md @CLAUDE.md"),
        ("home/app/a.md", "@b.md"),
        ("home/app/b.md", "@a.md @CLAUDE.md"),
    ]);
    let rules = world.load();
    assert_eq!(world.loaded(&rules), ["home/app/b.md", "home/app/a.md", "home/app/CLAUDE.md"]);
    let cycle = |file: &str| format!("home/app/{file}: includes itself");
    assert_eq!(world.skips(&rules), [cycle("a.md"), cycle("CLAUDE.md"), cycle("CLAUDE.md")]);
}

#[test]
fn c2_what_is_not_text_or_not_there_is_skipped_by_name() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@logo.png @blob.md @gone.md @.env @dir @empty.md @alice @a/b me@x.md"),
        ("home/app/logo.png", "text all the same"),
        ("home/app/blob.md", "a\0b"),
        ("home/app/.env", "KEY=1"),
        ("home/app/dir/x.md", "x"),
        ("home/app/empty.md", "\u{feff} \r\n"),
        ("home/app/x.md", "not mentioned"),
    ]);
    let rules = world.load();
    assert_eq!(world.loaded(&rules), ["home/app/CLAUDE.md"]);
    assert_eq!(
        world.skips(&rules),
        [
            "home/app/logo.png: not a text file",
            "home/app/blob.md: not a text file",
            "home/app/gone.md: no such file",
            "home/app/.env: not a text file",
            "home/app/empty.md: empty",
        ]
    );
    let read: Vec<String> = world.reads.borrow().iter().map(|path| world.short(path)).collect();
    assert_eq!(read, ["home/app/CLAUDE.md", "home/app/blob.md", "home/app/empty.md"]);
}

#[test]
fn c2_mentions_in_code_files_are_not_includes() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@main.ts"),
        ("home/app/main.ts", "import x from \"@/x\"; // @other.md"),
        ("home/app/other.md", "other"),
    ]);
    assert_eq!(world.load().files.len(), 2);
}
