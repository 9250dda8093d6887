//! Putting in and taking out, whatever the host; what each one writes is tested in its folder.

use super::*;
use crate::testing::{Home, repository};

mod hostile;

/// The files that wiring a host touches, below home.
fn files_of(host: Host) -> Vec<String> {
    let home = Home::with(&[]);
    let plan = home.on(|machine| plan(machine, host)).unwrap();
    let below = |change: &PlannedFile| change.path.strip_prefix(home.path("")).unwrap().to_str().unwrap().to_owned();
    plan.changes.iter().map(below).collect()
}

#[test]
fn what_a_person_changed_since_stays() {
    let with_hooks = hostile::JSON[10];
    let home = Home::with(&[(".claude/settings.json", with_hooks)]);
    home.init(Host::ClaudeCode).unwrap();
    let edited = home.read(".claude/settings.json").replace("\"z\": null", "\"z\": \"new\"");
    home.put(".claude/settings.json", &edited);
    home.remove(Host::ClaudeCode).unwrap();
    let after = home.read(".claude/settings.json");
    assert!(
        !after.contains("memdir")
            && after.contains("\"new\"")
            && after.contains("echo hi")
            && after.contains("// mine"),
        "{after}"
    );
    let value = |text: &str| {
        let root = jsonc_parser::cst::CstRootNode::parse(text, &jsonc_parser::ParseOptions::default()).unwrap();
        root.to_serde_value().unwrap()
    };
    assert_eq!(value(&after), value(&with_hooks.replace("\"z\": null", "\"z\": \"new\"")));
    let home = Home::with(&[(".config/goose/.goosehints", "be brief\n")]);
    home.init(Host::Goose).unwrap();
    home.put(".config/goose/.goosehints", &(home.read(".config/goose/.goosehints") + "and kind\n"));
    home.remove(Host::Goose).unwrap();
    assert_eq!(home.read(".config/goose/.goosehints"), "be brief\nand kind\n");
}

#[test]
fn a_file_of_ours_that_a_person_changed_is_left_alone() {
    let home = Home::with(&[]);
    home.init(Host::Opencode).unwrap();
    home.put(".config/opencode/plugins/memdir.js", "// mine now\n");
    let plan = home.remove(Host::Opencode).unwrap();
    assert!(matches!(plan.problem, Some(InstallError::Edited(_))), "{plan:?}");
    assert_eq!(home.read(".config/opencode/plugins/memdir.js"), "// mine now\n");
}

#[test]
fn an_older_entry_of_ours_is_replaced_and_the_original_still_comes_back() {
    let home = Home::with(&[(".qwen/settings.json", "{ \"a\": 1 }")]);
    home.init(Host::Qwen).unwrap();
    let old = home.read(".qwen/settings.json");
    let moved = home.on(|machine| {
        let machine = Machine { memdir: "/opt/new/memdir", ..*machine };
        let plan = plan(&machine, Host::Qwen).unwrap();
        apply(&machine, &plan, false).unwrap();
        home.read(".qwen/settings.json")
    });
    assert!(moved != old && moved.matches("hook qwen").count() == old.matches("hook qwen").count(), "{moved}");
    home.remove(Host::Qwen).unwrap();
    assert_eq!(home.read(".qwen/settings.json"), "{ \"a\": 1 }");
}

#[test]
fn a_linked_dotfile_stays_a_link_and_its_target_is_written() {
    let home = Home::with(&[("dotfiles/claude.json", "{\n  // linked\n}\n")]);
    std::fs::create_dir_all(home.path(".claude")).unwrap();
    memdir_testkit::link(home.path("dotfiles/claude.json"), home.path(".claude/settings.json")).unwrap();
    let before = home.all();
    home.init(Host::ClaudeCode).unwrap();
    assert!(home.path(".claude/settings.json").is_symlink());
    assert!(home.read("dotfiles/claude.json").contains("memdir"));
    home.remove(Host::ClaudeCode).unwrap();
    assert_eq!(home.all(), before);
}

#[test]
fn what_cannot_be_changed_is_left_alone_with_a_reason() {
    for (text, words) in [
        ("{ \"hooks\": 7 }", "`hooks`"),
        ("{ \"hooks\": { \"Stop\": \"x\" } }", "`hooks.Stop`"),
        ("[1]", "(the file)"),
        ("{ \"a\": ", "cannot be read as JSON"),
    ] {
        let home = Home::with(&[(".claude/settings.json", text)]);
        let before = home.all();
        let plan = home.init(Host::ClaudeCode).unwrap();
        let problem = plan.problem.expect(text).to_string();
        assert!(problem.contains(words) && problem.contains("settings.json"), "{text}: {problem}");
        assert_eq!(home.all(), before);
    }
    let home = Home::with(&[(".claude/settings.json", "{}")]);
    std::fs::write(home.path(".claude/settings.json"), b"{\"a\":\"\xff\"}").unwrap();
    assert!(matches!(home.init(Host::ClaudeCode).unwrap().problem, Some(InstallError::NotText(_))));
}

#[test]
fn a_read_only_file_is_left_alone_with_a_reason() {
    let home = Home::with(&[(".claude/settings.json", "{}")]);
    let mut read_only = std::fs::metadata(home.path(".claude/settings.json")).unwrap().permissions();
    read_only.set_readonly(true);
    std::fs::set_permissions(home.path(".claude/settings.json"), read_only).unwrap();
    let before = home.all();
    let error = home.init(Host::ClaudeCode).unwrap_err().to_string();
    assert!(error.contains("read-only") && error.contains("settings.json"), "{error}");
    assert_eq!(home.all(), before);
}

#[test]
fn a_file_that_changed_after_the_plan_is_not_written() {
    let home = Home::with(&[(".claude/settings.json", "{}")]);
    home.on(|machine| {
        let plan = plan(machine, Host::ClaudeCode).unwrap();
        home.put(".claude/settings.json", "{ \"new\": 1 }");
        assert!(matches!(apply(machine, &plan, false), Err(InstallError::Changed(_))));
    });
    assert_eq!(home.read(".claude/settings.json"), "{ \"new\": 1 }");
}

#[test]
fn a_program_with_a_blank_in_its_path_is_quoted_for_the_shell() {
    let home = Home::with(&[]);
    home.on(|machine| {
        let machine = Machine { memdir: "/opt/my tools/memdir", ..*machine };
        let plan = plan(&machine, Host::Codex).unwrap();
        let text = String::from_utf8(plan.changes[0].after.clone().unwrap()).unwrap();
        assert!(text.contains("'/opt/my tools/memdir' hook codex"), "{text}");
    });
}

#[test]
fn the_skill_is_the_same_in_every_package() {
    let read = |file: &str| std::fs::read_to_string(repository("integrations").join(file)).unwrap();
    let skill = read("skills/memdir/SKILL.md");
    assert_eq!(read("codex/skills/memdir/SKILL.md"), skill);
    assert_eq!(read("gemini/skills/memdir/SKILL.md"), skill);
    assert_eq!(read("claude-code/skills/memory/SKILL.md"), skill.replacen("name: memdir", "name: memory", 1));
}
