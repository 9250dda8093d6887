use std::collections::BTreeMap;

use super::*;

mod hostile;

/// A home of its own.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn with(files: &[(&str, &str)]) -> Home {
        let home = Home { dir: tempfile::tempdir().unwrap() };
        for (file, text) in files {
            home.put(file, text);
        }
        home
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("home").join(file)
    }

    fn put(&self, file: &str, text: &str) {
        std::fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::fs::write(self.path(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    /// Everything below home with its bytes and permissions.
    fn all(&self) -> BTreeMap<PathBuf, (Vec<u8>, Option<std::fs::Permissions>)> {
        let mut found = BTreeMap::new();
        let mut left = vec![self.path("")];
        while let Some(dir) = left.pop() {
            for path in std::fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
                let mode = std::fs::symlink_metadata(&path).unwrap().permissions();
                if path.is_symlink() {
                    let to = std::fs::read_link(&path).unwrap();
                    found.insert(path, (to.as_os_str().as_encoded_bytes().to_vec(), None));
                } else if path.is_dir() {
                    found.insert(path.clone(), (Vec::new(), Some(mode)));
                    left.push(path);
                } else {
                    found.insert(path.clone(), (std::fs::read(&path).unwrap(), Some(mode)));
                }
            }
        }
        found
    }

    fn on<T>(&self, act: impl FnOnce(&Machine<'_>) -> T) -> T {
        let around = Surroundings {
            home: Some(self.path("")),
            config_dir: Some(self.path(".config")),
            ..Surroundings::default()
        };
        let state = self.dir.path().join("state");
        act(&Machine { around: &around, has_program: &|_| false, memdir: "memdir", state: &state })
    }

    fn init(&self, host: Host) -> Result<HostPlan, InstallError> {
        self.on(|machine| {
            let plan = plan(machine, host)?;
            apply(machine, &plan, false).map(|()| plan)
        })
    }

    fn remove(&self, host: Host) -> Result<HostPlan, InstallError> {
        self.on(|machine| {
            let plan = plan_removal(machine, host)?;
            apply(machine, &plan, true).map(|()| plan)
        })
    }
}

/// Every host, and the files that wiring it touches.
const WIRED: [(Host, &[&str]); 11] = [
    (Host::ClaudeCode, &[".claude/settings.json"]),
    (Host::Codex, &[".codex/hooks.json", ".codex/config.toml"]),
    (Host::Gemini, &[".gemini/settings.json"]),
    (Host::Qwen, &[".qwen/settings.json"]),
    (Host::Copilot, &[".copilot/hooks/memdir.json", ".copilot/mcp-config.json"]),
    (Host::Opencode, &[".config/opencode/plugins/memdir.js"]),
    (Host::Goose, &[".config/goose/config.yaml", ".config/goose/.goosehints"]),
    (Host::Cline, &[".cline/data/settings/cline_mcp_settings.json", "Documents/Cline/Rules/memdir.md"]),
    (Host::Aider, &[".aider/memdir.md", ".aider.conf.yml"]),
    (Host::Cursor, &[".cursor/mcp.json"]),
    (Host::Zed, &[".config/zed/settings.json", ".config/zed/AGENTS.md"]),
];

#[test]
fn every_host_is_wired_from_nothing_and_back_with_its_directories() {
    assert!(WIRED.iter().map(|(host, _)| *host).eq([0, 1, 2, 5, 3, 4, 6, 7, 8, 9, 10].map(|at| Host::ALL[at])));
    for (host, files) in WIRED {
        let home = Home::with(&[("other.txt", "x")]);
        let before = home.all();
        assert!(!home.on(|machine| plan(machine, host)).unwrap().found);
        let plan = home.init(host).unwrap();
        assert_eq!(plan.changes.len(), files.len(), "{host}");
        for file in files {
            assert!(home.read(file).contains("memdir"), "{host} {file}");
        }
        assert!(home.init(host).unwrap().changes.is_empty(), "{host}: twice is once");
        home.remove(host).unwrap();
        assert_eq!(home.all(), before, "{host}");
    }
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
fn the_plugin_in_integrations_is_the_one_that_is_installed() {
    let packaged =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/opencode/memdir.js"));
    assert_eq!(packaged.unwrap(), include_str!("../opencode.js"));
}

#[test]
fn the_hooks_in_integrations_are_those_that_are_written() {
    for (host, file) in [
        (Host::ClaudeCode, "claude-code/hooks/hooks.json"),
        (Host::Codex, "codex/hooks/hooks.json"),
        (Host::Gemini, "gemini/hooks/hooks.json"),
        (Host::Qwen, "qwen/settings.json"),
        (Host::Copilot, "copilot/memdir.json"),
    ] {
        assert_eq!(packaged(file)["hooks"], written(host, 0)["hooks"], "{file}");
    }
}

#[test]
fn the_servers_in_integrations_are_those_that_are_written() {
    for (file, host, at) in [
        ("gemini/gemini-extension.json", Host::Gemini, 0),
        ("qwen/settings.json", Host::Qwen, 0),
        ("copilot/mcp-config.json", Host::Copilot, 1),
        // These two wait for no server, so theirs is the plain entry.
        ("claude-code/.mcp.json", Host::Cursor, 0),
        ("codex/.mcp.json", Host::Cursor, 0),
    ] {
        assert_eq!(packaged(file)["mcpServers"], written(host, at)["mcpServers"], "{file}");
    }
}

#[test]
fn the_skill_is_the_same_in_every_package() {
    let read = |file: &str| {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations")).join(file);
        std::fs::read_to_string(path).unwrap()
    };
    let skill = read("skills/memdir/SKILL.md");
    assert_eq!(read("codex/skills/memdir/SKILL.md"), skill);
    assert_eq!(read("gemini/skills/memdir/SKILL.md"), skill);
    assert_eq!(read("claude-code/skills/memory/SKILL.md"), skill.replacen("name: memdir", "name: memory", 1));
}

fn packaged(file: &str) -> serde_json::Value {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations")).join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn written(host: Host, at: usize) -> serde_json::Value {
    let after = Home::with(&[]).on(|machine| plan(machine, host)).unwrap().changes.remove(at).after.unwrap();
    serde_json::from_slice(&after).unwrap()
}
