//! Repositories that try to move the memory directory, and those that only look like it.

use super::*;

/// Everything a repository can bring along, none of which may move the memory directory.
#[cfg(unix)]
#[test]
fn p5_a_hostile_repository_cannot_redirect_writes() {
    type Attack = (&'static str, fn(&Sandbox));
    let attacks: &[Attack] = &[
        ("committed project settings", |b| {
            b.write("app/.claude/settings.json", ALT);
            b.commit("app");
        }),
        ("uncommitted project settings", |b| {
            b.write("app/.claude/settings.json", ALT);
        }),
        ("committed local settings", |b| {
            b.write("app/.claude/settings.local.json", ALT);
            b.commit("app");
        }),
        ("staged local settings", |b| {
            b.write("app/.claude/settings.local.json", ALT);
            b.git("app", &["add", "-f", "."]);
        }),
        ("local settings behind a committed link", |b| {
            b.write("app/config/settings.local.json", ALT);
            b.link("config", "app/.claude");
            b.commit("app");
        }),
        ("a committed link to a tracked file", |b| {
            b.write("app/innocent.json", ALT);
            b.link("../innocent.json", "app/.claude/settings.local.json");
            b.commit("app");
        }),
        ("an untracked link to a tracked file", |b| {
            b.write("app/innocent.json", ALT);
            b.commit("app");
            b.link("../innocent.json", "app/.claude/settings.local.json");
        }),
        ("a submodule named .claude", |b| {
            b.repository("evil");
            b.write("evil/settings.local.json", ALT);
            b.commit("evil");
            let url = b.path("evil");
            b.git("app", &["submodule", "--quiet", "add", url.to_str().unwrap(), ".claude"]);
            b.commit("app");
        }),
        ("an index that cannot be read", |b| {
            b.write("app/.claude/settings.local.json", ALT);
            b.write("app/.git/index", "garbage");
        }),
        ("an index split over two files", |b| {
            b.write("app/.claude/settings.local.json", ALT);
            b.commit("app");
            b.git("app", &["update-index", "--split-index"]);
        }),
        ("local settings of a subdirectory", |b| {
            b.write("app/src/.claude/settings.local.json", ALT);
            b.commit("app");
        }),
        ("project settings of a subdirectory", |b| {
            b.write("app/src/.claude/settings.json", ALT);
        }),
        ("a pointer to a repository that does not track the file", |b| {
            b.repository("other");
            b.rename("app/.git", "taken");
            b.write("app/.git", format!("gitdir: {}\n", b.path("other/.git").display()));
            b.write("app/.claude/settings.local.json", ALT);
        }),
        ("memdir's own project file", |b| {
            b.write("app/.memdir.toml", "autoMemoryDirectory = '/alt/memory'\nmemory_dir = '/alt/memory'\n");
        }),
    ];
    for (name, attack) in attacks {
        let b = Sandbox::new();
        b.repository("app");
        attack(&b);
        for cwd in ["app", "app/src"] {
            let place = b.place(cwd);
            assert_eq!(place.memory_rule, DirRule::Default, "{name}, in {cwd}");
            assert!(dir(&place).starts_with(b.path("home/.claude").to_str().unwrap()), "{name}");
        }
    }
}

#[test]
fn p5_an_untracked_local_file_is_the_users_own_word() {
    let b = Sandbox::new();
    b.repository("app");
    b.git("app", &["worktree", "add", "-q", "../wt"]);
    b.write("app/.claude/settings.local.json", ALT);
    for cwd in ["app", "app/src", "wt", "wt/src"] {
        assert_eq!(dir(&b.place(cwd)), "/alt/memory", "{cwd}");
    }
    b.git("app", &["add", "-f", ".claude"]);
    for cwd in ["app", "app/src", "wt", "wt/src"] {
        let place = b.place(cwd);
        assert_eq!(place.memory_rule, DirRule::Default, "{cwd}");
        assert_eq!(place.warnings[0].id, "project-refused", "{cwd}");
    }
    // A directory outside git has no tracked files; a worktree has an index of its own.
    b.write("plain/.claude/settings.local.json", ALT);
    assert_eq!(dir(&b.place("plain")), "/alt/memory");
    b.git("app", &["rm", "-r", "-q", "-f", ".claude"]);
    b.write("wt/.claude/settings.local.json", ALT);
    assert_eq!(dir(&b.place("wt/src")), "/alt/memory");
    b.git("wt", &["add", "-f", ".claude"]);
    assert_eq!(b.place("wt/src").memory_rule, DirRule::Default);
}

#[cfg(unix)]
#[test]
fn g1_a_link_of_the_repository_is_not_followed() {
    for link in ["app/.claude", "app/.claude/agent-memory", "app/.claude/agent-memory/z"] {
        let b = Sandbox::new();
        b.repository("app");
        b.dir("outside/agent-memory/z");
        b.link(b.path("outside"), link);
        let refused = b.place("app").agent_dir("z", AgentScope::Project).unwrap_err();
        assert_eq!(refused, PlaceError::AgentLink(b.path(link)));
    }
}

#[test]
fn git_variables_are_not_heeded() {
    let b = Sandbox::new();
    b.repository("app");
    b.repository("other");
    let git_dir = b.path("other/.git");
    let place = with(&b, "app", &[("GIT_DIR", git_dir.to_str().unwrap()), ("GIT_WORK_TREE", "/")]);
    assert_eq!(place.project.root, b.path("app"));
}
