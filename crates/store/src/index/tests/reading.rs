//! What is a pointer and what is the user's (I1).

use super::*;

#[test]
fn i1_pointers_are_read_however_they_are_written() {
    let table = [
        ("- [Role](user_role.md) — game programmer", "Role", "user_role.md", "game programmer"),
        ("* [Role](user_role.md) - dashes - inside", "Role", "user_role.md", "dashes - inside"),
        ("+ [Role](user_role.md): colon", "Role", "user_role.md", "colon"),
        ("- [Role](user_role.md) – en dash", "Role", "user_role.md", "en dash"),
        ("- [Role](user_role.md) -- two", "Role", "user_role.md", "two"),
        ("- [Role](user_role.md) no mark", "Role", "user_role.md", "no mark"),
        ("- [Role](user_role.md)", "Role", "user_role.md", ""),
        ("- [Role](user_role.md) —", "Role", "user_role.md", ""),
        ("  \t-   [ Role ](user_role.md)   —   spaced  ", "Role", "user_role.md", "spaced"),
        ("- [Role](<my role.md>) — x", "Role", "my role.md", "x"),
        ("- [Role](my%20role%E4%B8%AD.md) — x", "Role", "my role中.md", "x"),
        ("- [Role](100%.md) — x", "Role", "100%.md", "x"),
        ("- [Role](my role.md \"remark\") — x", "Role", "my role.md", "x"),
        ("- [Role](./sub/dir/role.md) — x", "Role", "sub/dir/role.md", "x"),
        ("- [Role](role.md#part) — x", "Role", "role.md", "x"),
        ("- [Role](role_(old).md) — x", "Role", "role_(old).md", "x"),
        ("- [Role](user\\_role.md) — x", "Role", "user_role.md", "x"),
        ("- [a [b] c](x.md) — x", "a [b] c", "x.md", "x"),
        ("- [a \\] c](x.md) — x", "a ] c", "x.md", "x"),
        ("- [a [ c](x.md) — x", "a [ c", "x.md", "x"),
        ("- [](x.MD) — x", "", "x.MD", "x"),
        ("- [注释](反馈.md) — 代码", "注释", "反馈.md", "代码"),
    ];
    for (line, title, target, hook) in table {
        for whole in [line.to_owned(), format!("{line}\r\n"), format!("\u{feff}{line}\n")] {
            let pointers = index(&whole).pointers();
            assert_eq!(pointers.len(), 1, "{whole:?}");
            let found = &pointers[0];
            let read = (&*found.title, &*found.target, &*found.hook);
            assert_eq!(read, (title, target, hook), "{whole:?}");
            assert_eq!((found.line, found.chars), (1, line.chars().count()));
        }
    }
}

#[test]
fn i1_everything_else_is_the_users() {
    let lines = [
        "",
        "# Memory",
        "plain text",
        "- a note",
        "- see user_role.md",
        "-[Role](x.md)",
        "[Role](x.md)",
        "- [Docs](https://example.com/a.md)",
        "- [Docs](page.html)",
        "- [Up](../x.md)",
        "- [Abs](/x.md)",
        "- [Team](team/MEMORY.md)",
        "- [Me](memory.md)",
        "- [a](x.md",
        "- [a] (x.md)",
        "- [ ] [Task](x.md)",
        "- [a](.md)",
        "- [a](a//b.md)",
        "- [nul](a%00.md)",
        "> - [quoted](x.md)",
        "1. [Numbered](x.md)",
        "- [",
    ];
    for line in lines {
        assert_eq!(index(line).pointers(), [], "{line:?}");
    }
    assert_eq!(Index::parse(b"- [a](\xff.md)\n- [b\xff](b.md)\n".to_vec()).pointers().len(), 2);
}
