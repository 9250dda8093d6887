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
    let yes = |cwd: &str| b.place(cwd).approve(Path::new("/alt/memory")).unwrap();
    yes("wt/src");
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
    yes("plain");
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

/// An unpacked archive brings an untracked local file: the user says yes once for each place, and to some places nobody can.
#[cfg(unix)]
#[test]
fn p5_an_unpacked_archive_redirects_nothing_without_a_yes() {
    let b = Sandbox::new();
    b.repository("app");
    b.dir("app/shipped/memory");
    b.dir("home/.ssh");
    b.link(b.path("home/.ssh").to_str().unwrap(), "home/innocent");
    let default = dir(&b.place("app"));
    let local = |named: &str| {
        b.write("app/.claude/settings.local.json", format!(r#"{{"autoMemoryDirectory":"{named}"}}"#));
        b.place("app")
    };
    let shipped = b.path("app/shipped/memory");
    for never in [
        "/etc/cron.d",
        "/usr/local/share/x",
        "/var/spool/cron",
        "~/.ssh",
        "~/.config/autostart",
        "~/.local/bin",
        "~/innocent",
        "~/innocent/deep",
        "~/../home/.ssh/x",
        shipped.to_str().unwrap(),
        b.path("app/new").to_str().unwrap(),
    ] {
        let place = local(never);
        assert!(place.memory_dir.is_err() || dir(&place) == default, "{never}: {}", dir(&place));
        assert_eq!(place.waiting, None, "{never}");
        let target = never.replace('~', b.path("home").to_str().unwrap());
        assert!(place.approve(Path::new(&target)).is_err(), "{never}");
    }
    let wanted = b.path("home/notes/memory");
    let place = local("~/notes/memory");
    assert_eq!((dir(&place), place.waiting.as_deref()), (default.clone(), Some(wanted.as_path())));
    let told = place.warnings.iter().find(|warning| warning.id == "redirect-waits").unwrap().to_string();
    assert!(told.contains("said yes") && told.contains("home/notes/memory"), "{told}");
    place.approve(&wanted).unwrap();
    assert_eq!(dir(&local("~/notes/memory")), wanted.display().to_string());
    // Another place, and another project with the same file, wait again.
    assert_eq!(dir(&local("~/other/memory")), default);
    b.repository("second");
    b.write("second/.claude/settings.local.json", r#"{"autoMemoryDirectory":"~/notes/memory"}"#);
    assert_eq!(b.place("second").memory_rule, DirRule::Default);
}
