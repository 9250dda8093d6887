use super::*;

struct Disk {
    dir: tempfile::TempDir,
}

impl Disk {
    fn with(files: &[(&str, &str)]) -> Disk {
        let disk = Disk { dir: tempfile::tempdir().unwrap() };
        for (file, text) in files {
            let path = disk.path(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        disk
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(file)
    }

    fn read(&self, source: &str, path: Option<&str>) -> Result<Vec<ImportedMemory>, ImportError> {
        let (home, config, claude) = (self.path("home"), self.path("home/.config"), self.path("home/.claude"));
        let root = self.path("work/app");
        let at = ImportPaths { home: &home, config: &config, claude: &claude, root: &root, cwd: &root };
        read(source, path.map(Path::new), &at)
    }

    fn bodies(&self, source: &str) -> Vec<String> {
        self.memories(source).into_iter().map(|found| found.body).collect()
    }

    fn memories(&self, source: &str) -> Vec<ImportedMemory> {
        self.read(source, None).unwrap().into_iter().filter(|found| !found.is_index()).collect()
    }
}

#[test]
fn codex_keeps_groups_of_tasks() {
    let disk = Disk::with(&[(
        "home/.codex/memories/MEMORY.md",
        "intro\n# Task Group: Release\nscope: app\n- tag before you push\n\n# Task Group: Empty\n# Task Group: Tests\nuse nextest\n",
    )]);
    let found = disk.read("codex", None).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].name.as_deref(), found[1].body.as_str()), (Some("Release"), "use nextest"));
    assert!(found[0].origin.ends_with(".codex/memories/MEMORY.md") && found[0].day.is_none());
}

#[test]
fn gemini_keeps_bullets_for_all_projects_and_a_folder_for_this_one() {
    let disk = Disk::with(&[
        (
            "home/.gemini/GEMINI.md",
            "# Rules\n- a rule\n\n## Gemini Added Memories\n- I like tabs\n* and tea\n\n## Other\n- no\n",
        ),
        ("home/.gemini/tmp/app/memory/MEMORY.md", "- index"),
        ("home/.gemini/tmp/app/memory/db.md", "# Database\n\nIt is on db7.\n"),
    ]);
    let projects = format!("{{\"projects\":{{\"{}\":\"app\"}}}}", disk.path("work/app").display());
    std::fs::write(disk.path("home/.gemini/projects.json"), projects).unwrap();
    assert_eq!(disk.bodies("gemini"), ["It is on db7.", "I like tabs", "and tea"]);
    let found = disk.memories("gemini");
    assert_eq!((found[0].name.as_deref(), found[1].scope), (Some("Database"), Some(Scope::User)));
}

#[test]
fn qwen_and_claude_code_keep_files_like_ours() {
    let topic = "---\nname: A\ndescription: about a\ntype: feedback\n---\n\nDo it so.\n";
    let disk = Disk::with(&[("home/.qwen/memories/a.md", topic), ("home/.qwen/memories/MEMORY.md", "- x")]);
    let index = disk
        .read("qwen", None)
        .unwrap()
        .into_iter()
        .find(ImportedMemory::is_index)
        .and_then(|found| found.kept)
        .unwrap();
    assert_eq!((index.path.as_str(), &index.bytes[..]), ("MEMORY.md", &b"- x"[..]));
    let found = disk.memories("qwen");
    assert_eq!(found[0].kept.as_ref().unwrap().bytes, topic.as_bytes());
    assert_eq!((found.len(), found[0].kind, found[0].scope), (1, Some(Type::Feedback), Some(Scope::User)));
    assert_eq!((found[0].name.as_deref(), found[0].body.as_str()), (Some("A"), "Do it so."));
}

#[test]
fn goose_keeps_entries_with_tags() {
    let disk = Disk::with(&[
        ("home/.config/goose/memory/dev.txt", "# rust style\nUse tabs\n\n# x\nUse nextest\nalways\n"),
        ("work/app/.goose/memory/db.txt", "The database is on db7\n"),
    ]);
    assert_eq!(disk.bodies("goose"), ["Use tabs", "Use nextest\nalways", "The database is on db7"]);
}

#[test]
fn json_of_mem0_and_of_memdir_and_plain_lists() {
    let disk = Disk::with(&[
        (
            "work/app/mem0.json",
            r#"{"results":[{"id":"1","memory":"Likes tea","created_at":"2025-03-01T10:00:00Z"},{"memory":""}]}"#,
        ),
        ("work/app/own.json", r#"{"version":1,"memories":[{"scope":"user","type":"user","name":"N","body":"B"}]}"#),
        ("work/app/list.json", r#"["one fact", {"text": "another"}]"#),
        ("work/app/odd.json", r#"{"a":1}"#),
        ("work/app/broken.json", "{"),
    ]);
    let mem0 = disk.read("mem0", Some("mem0.json")).unwrap();
    assert_eq!((mem0.len(), mem0[0].body.as_str(), mem0[0].day), (1, "Likes tea", Some(jiff::civil::date(2025, 3, 1))));
    let own = disk.read("own.json", None).unwrap();
    assert_eq!((own[0].scope, own[0].kind), (Some(Scope::User), Some(Type::User)));
    assert_eq!(disk.bodies("list.json"), ["one fact", "another"]);
    for file in ["odd.json", "broken.json"] {
        assert!(matches!(disk.read(file, None), Err(ImportError::NoMemories(_))), "{file}");
    }
    assert!(matches!(disk.read("nobody", None), Err(ImportError::Unknown(_))));
    assert!(matches!(disk.read("codex", Some("gone.md")), Err(ImportError::Unread { .. })));
    assert!(matches!(disk.read("mem0", None), Err(ImportError::Unread { .. })));
}

#[test]
fn links_in_a_folder_are_not_followed() {
    let disk = Disk::with(&[("secret.md", "not for you"), ("work/app/notes/a.md", "mine")]);
    memdir_testkit::link(disk.path("secret.md"), disk.path("work/app/notes/b.md")).unwrap();
    assert_eq!(disk.bodies("notes"), ["mine"]);
}
