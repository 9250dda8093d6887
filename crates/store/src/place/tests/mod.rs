//! Places as a whole: priorities, hostile repositories, and every directory.

use std::path::Path;

use super::{sandbox::Sandbox, *};

mod hostile;

const ALT: &str = r#"{"autoMemoryDirectory":"/alt/memory"}"#;

fn with(b: &Sandbox, cwd: &str, vars: &[(&str, &str)]) -> Place {
    let mut around = b.around(cwd);
    around.vars.extend(vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    Place::find(&around).unwrap()
}

/// The directory as text, or the id of the refusal.
fn dir(place: &Place) -> String {
    match &place.memory_dir {
        Ok(dir) => dir.to_string_lossy().into_owned(),
        Err(error) => error.id().to_owned(),
    }
}

#[test]
fn p1_default_place_and_config_home() {
    let b = Sandbox::new();
    b.repository("w/app");
    let slug = slug(&b.path("w/app"));
    assert_eq!(b.memory("w/app").unwrap(), format!("home/.claude/projects/{slug}/memory"));
    assert_eq!(b.place("w/app/src").memory_rule, DirRule::Default);
    let moved = with(&b, "w/app", &[("CLAUDE_CONFIG_DIR", "/srv/claude/")]);
    assert_eq!(dir(&moved), format!("/srv/claude/projects/{slug}/memory"));
    let relative = with(&b, "w/app", &[("CLAUDE_CONFIG_DIR", "conf")]);
    assert_eq!(relative.config_home.unwrap(), b.path("w/app/conf"));
    let empty = with(&b, "w/app", &[("CLAUDE_CONFIG_DIR", "")]);
    assert_eq!(empty.config_home.unwrap(), b.path("home/.claude"));
}

#[test]
fn p1_a_missing_home_is_an_error_only_where_it_is_needed() {
    let b = Sandbox::new();
    let mut around = b.around("");
    around.home = None;
    let place = Place::find(&around).unwrap();
    assert_eq!(place.memory_dir, Err(PlaceError::NoHome));
    assert_eq!(place.user_dir(), Err(PlaceError::NoHome));
    assert!(PlaceError::NoHome.to_string().contains("CLAUDE_CONFIG_DIR"));
    around.flags.memory_dir = Some("mem/x".into());
    assert_eq!(Place::find(&around).unwrap().memory_dir, Ok(b.path("mem/x")));
    around.flags.memory_dir = None;
    around.vars.insert("CLAUDE_CONFIG_DIR".into(), "/c/d".into());
    assert!(Place::find(&around).unwrap().memory_dir.is_ok());
}

#[test]
fn p3_one_memory_for_a_repository_and_transcripts_for_each_directory() {
    let b = Sandbox::new();
    b.repository("app");
    b.git("app", &["worktree", "add", "-q", "../wt"]);
    let memory = b.memory("app").unwrap();
    for cwd in ["app/src/deep", "wt", "wt/src"] {
        let place = b.place(cwd);
        assert_eq!(b.memory(cwd).unwrap(), memory, "{cwd}");
        let transcripts = place.project_dir().unwrap();
        assert_eq!(transcripts, b.path("home/.claude/projects").join(slug(&b.path(cwd))), "{cwd}");
    }
    assert!(b.place("wt").project.is_git());
    assert_eq!(b.place("wt").project.checkout, b.path("wt"));
    b.dir("plain/deep");
    let plain = b.place("plain/deep").project;
    assert_eq!((plain.root.clone(), plain.is_git()), (b.path("plain/deep"), false));
}

#[test]
fn p4_priorities() {
    let b = Sandbox::new();
    b.repository("app");
    let slug = slug(&b.path("app"));
    let remote = ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/remote");
    let over = ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/over/ride");
    let rule_and_dir = |place: &Place| (place.memory_rule.id(), dir(place));

    let place = with(&b, "app", &[remote]);
    assert_eq!(rule_and_dir(&place), ("remote-base", format!("/remote/projects/{slug}/memory")));
    // Each source is added in turn and takes over from all before it.
    for (file, value, rule) in [
        ("home/.claude/settings.json", "/user/mem", "setting:user"),
        ("app/.claude/settings.local.json", "/local/mem", "setting:local"),
    ] {
        b.write(file, format!(r#"{{"autoMemoryDirectory":"{value}"}}"#));
        if rule == "setting:local" {
            let place = with(&b, "app", &[remote]);
            assert_eq!(rule_and_dir(&place), ("setting:user", "/user/mem".to_owned()), "P5");
            assert!(place.approve(Path::new("/user/mem")).is_err());
            place.approve(Path::new(value)).unwrap();
        }
        assert_eq!(rule_and_dir(&with(&b, "app", &[remote])), (rule, value.to_owned()));
    }
    let mut around = b.around("app");
    around.vars.insert(remote.0.into(), remote.1.into());
    around.flags.settings.push(("autoMemoryDirectory".into(), "~/flag".into()));
    let place = Place::find(&around).unwrap();
    assert_eq!(rule_and_dir(&place), ("setting:flag", b.path("home/flag").display().to_string()));
    b.write("etc/managed-settings.json", r#"{"autoMemoryDirectory":"/managed/mem"}"#);
    assert_eq!(rule_and_dir(&Place::find(&around).unwrap()), ("setting:managed", "/managed/mem".into()));
    around.vars.insert(over.0.into(), over.1.into());
    assert_eq!(rule_and_dir(&Place::find(&around).unwrap()), ("override-variable", over.1.into()));
    around.flags.memory_dir = Some("../here".into());
    let place = Place::find(&around).unwrap();
    assert_eq!(rule_and_dir(&place), ("flag", b.path("here").display().to_string()));
    for rule in [DirRule::Flag, DirRule::OverrideVariable, DirRule::RemoteBase, DirRule::Default] {
        assert!(rule.sentence().ends_with('.'), "E6");
    }
}

#[test]
fn p6_a_refused_path_has_no_fallback() {
    let b = Sandbox::new();
    b.repository("app");
    for (name, value, want) in [
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "relative/path", "relative"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "~/mem", "relative"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/", "root"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/x", "near-root"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "//srv/x/y", "unc"),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "relative", "relative"),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "\\\\srv\\x", "unc"),
        ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/a\0b", "nul"),
        ("CLAUDE_CONFIG_DIR", "/a\0b", "nul"),
    ] {
        let place = with(&b, "app", &[(name, value)]);
        assert_eq!(dir(&place), want, "{name}={value:?}");
        let message = place.memory_dir.unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("Nothing is"), "{message}");
    }
    b.write("home/.claude/settings.json", r#"{"autoMemoryDirectory":"~/.."}"#);
    let place = b.place("app");
    assert_eq!((dir(&place), place.memory_rule.id()), ("leaves-home".to_owned(), "setting:user"));
    let message = place.memory_dir.unwrap_err().to_string();
    assert!(message.contains("settings.json") && message.contains("`..`"), "{message}");
}

#[test]
fn e4_a_committed_file_switches_off_and_never_on() {
    let b = Sandbox::new();
    b.repository("app");
    b.write("app/.claude/settings.json", r#"{"autoMemoryEnabled":false}"#);
    for cwd in ["app", "app/src/deep"] {
        let place = b.place(cwd);
        assert_eq!((place.enabled, place.enabled_rule.id()), (false, "setting:project"), "{cwd}");
    }
    b.write("home/.claude/settings.json", r#"{"autoMemoryEnabled":true}"#);
    assert!(!b.place("app").enabled, "the project goes before the user's file");
    b.write("app/.claude/settings.local.json", r#"{"autoMemoryEnabled":true}"#);
    assert!(b.place("app").enabled, "the user's word for this project goes before it");
    b.commit("app");
    assert!(!b.place("app").enabled, "a tracked local file cannot switch on");

    b.repository("on");
    b.write("on/.claude/settings.json", r#"{"autoMemoryEnabled":true}"#);
    b.write("home/.claude/settings.json", r#"{"autoMemoryEnabled":false}"#);
    let place = b.place("on");
    assert_eq!((place.enabled, place.enabled_rule.id()), (false, "setting:user"));
    assert!(place.memory_dir.is_ok(), "E5: the directory is known even when memory is off");
}

#[test]
fn p9_p10_the_other_directories() {
    let b = Sandbox::new();
    b.repository("app");
    let place = b.place("app");
    assert_eq!(place.user_dir().unwrap(), b.path("home/.claude/memory"));
    assert_eq!(place.state_dir().unwrap(), b.path("home/.local/state/memdir"));
    assert_eq!(place.cache_dir().unwrap(), b.path("home/.cache/memdir"));
    let mut around = b.around("app");
    around.flags.memory_dir = Some(b.path("home"));
    assert_eq!(Place::find(&around).unwrap().memory_dir.unwrap_err().id(), "home");
    around.flags.memory_dir = Some(b.path("home/.local"));
    let inside = Place::find(&around).unwrap();
    assert_eq!(inside.state_dir().unwrap_err().id(), "inside-memory");
    assert!(inside.cache_dir().is_ok());
    around.state_dir = None;
    assert_eq!(Place::find(&around).unwrap().state_dir().unwrap_err().id(), "no-platform-directory");
}

#[test]
fn g1_agent_directories() {
    let b = Sandbox::new();
    b.repository("app");
    b.git("app", &["worktree", "add", "-q", "../wt"]);
    for cwd in ["app", "app/src", "wt"] {
        let place = b.place(cwd);
        let at = |agent, scope| place.agent_dir(agent, scope).map(|dir| b.relative(&dir));
        assert_eq!(at("plug:z", AgentScope::User).unwrap(), "home/.claude/agent-memory/plug-z");
        assert_eq!(at("plug:z", AgentScope::Project).unwrap(), "app/.claude/agent-memory/plug-z");
        assert_eq!(at("plug:z", AgentScope::Local).unwrap(), "app/.claude/agent-memory-local/plug-z");
        assert_eq!(place.agent_dir("../x", AgentScope::User).unwrap_err().id(), "agent-type");
    }
    let remote = with(&b, "wt", &[("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/remote")]);
    let slug = slug(&b.path("app"));
    assert_eq!(
        remote.agent_dir("z", AgentScope::Local).unwrap(),
        Path::new("/remote/projects").join(slug).join("agent-memory-local/z")
    );
    assert_eq!(b.relative(&remote.agent_dir("z", AgentScope::Project).unwrap()), "app/.claude/agent-memory/z");
    assert_eq!(AgentScope::parse(" Local "), Some(AgentScope::Local));
    assert_eq!(AgentScope::parse("team"), None);
}

#[test]
fn the_project_flag_names_a_directory_that_exists() {
    let b = Sandbox::new();
    b.repository("app");
    b.write("file", "");
    let mut around = b.around("home");
    around.flags.project = Some("../app/src".into());
    let place = Place::find(&around).unwrap();
    assert_eq!((&place.project.root, &place.project.cwd), (&b.path("app"), &b.path("app/src")));
    for missing in ["../none", "../file", "a\0b"] {
        around.flags.project = Some(missing.into());
        assert_eq!(Place::find(&around).unwrap_err().id(), "no-project", "{missing:?}");
    }
}

#[test]
fn a_working_directory_that_was_deleted_keeps_its_memory() {
    let b = Sandbox::new();
    let place = b.place("gone/../gone/deep");
    assert_eq!(place.project.root, b.path("gone/deep"));
    assert!(place.memory_dir.is_ok());
}

#[test]
fn the_home_directory_as_a_project_reads_its_settings_once() {
    let b = Sandbox::new();
    b.write("home/.claude/settings.json", ALT);
    let place = b.place("home");
    assert_eq!((dir(&place).as_str(), place.memory_rule.id()), ("/alt/memory", "setting:user"));
    assert_eq!(place.warnings, []);
}
