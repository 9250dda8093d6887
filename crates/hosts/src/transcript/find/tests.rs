#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use super::*;

fn fixture(name: &str) -> Vec<u8> {
    fs::read(crate::testing::fixture(name)).unwrap()
}

/// A machine on which four agents have worked, in the project and elsewhere.
struct WorkReport(tempfile::TempDir);

impl WorkReport {
    fn put(&self, path: &str, content: &[u8]) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn new() -> WorkReport {
        let worked = WorkReport(tempfile::tempdir().unwrap());
        let elsewhere =
            |content: &[u8]| String::from_utf8_lossy(content).replace("/home/me/src/proj", "/home/me/src/project2");
        let (codex, copilot, qwen) =
            (fixture("codex/rollout.jsonl"), fixture("copilot/events.jsonl"), fixture("qwen/chat.jsonl"));
        worked.put(".codex/sessions/2026/11/15/rollout-a.jsonl", &codex);
        worked.put(".codex/sessions/2026/11/15/rollout-b.jsonl", elsewhere(&codex).as_bytes());
        worked.put(".codex/sessions/2026/11/15/notes-a.jsonl", &codex);
        worked.put(".codex/sessions/2026/11/15/much/too/deep/rollout-c.jsonl", &codex);
        worked.put(".copilot/session-state/a/events.jsonl", &copilot);
        worked.put(".copilot/session-state/b/events.jsonl", elsewhere(&copilot).as_bytes());
        worked.put(".qwen/projects/x/chats/a.jsonl", &qwen);
        worked.put(".qwen/projects/x/chats/a.txt", &qwen);
        worked.put(".qwen/projects/y/chats/b.jsonl", elsewhere(&qwen).as_bytes());
        // Gemini's own file says which of its folders is whose.
        worked.put(".gemini/projects.json", br#"{"projects":{"/home/me/src/proj":"proj","/home/me/src/project2":"project2","/home/me/src/proj/sub":"sub","/home/me/src/proj/odd":7}}"#);
        let chat = fixture("gemini/session-2026-11-15T06-25-2e65a108.jsonl");
        for slug in ["proj", "project2", "sub"] {
            worked.put(&format!(".gemini/tmp/{slug}/chats/session-1.jsonl"), &chat);
        }
        worked
    }

    fn found(&self, since: Option<SystemTime>) -> Vec<String> {
        let around = Surroundings { home: Some(self.0.path().to_path_buf()), ..Surroundings::default() };
        let project = TranscriptQuery { roots: vec!["/home/me/src/proj".into()], slugs: Vec::new(), since };
        let named = |(host, path): (Host, PathBuf)| {
            format!("{} {}", host.as_str(), path.strip_prefix(self.0.path()).unwrap().display())
        };
        let mut found: Vec<String> = transcripts(&around, &project).into_iter().map(named).collect();
        found.sort();
        found
    }
}

#[test]
fn each_agents_conversations_of_the_project_are_found_and_nobody_elses() {
    assert_eq!(
        WorkReport::new().found(None),
        [
            "codex .codex/sessions/2026/11/15/rollout-a.jsonl",
            "copilot .copilot/session-state/a/events.jsonl",
            "gemini .gemini/tmp/proj/chats/session-1.jsonl",
            "gemini .gemini/tmp/sub/chats/session-1.jsonl",
            "qwen .qwen/projects/x/chats/a.jsonl",
        ]
    );
}

#[test]
fn only_what_was_written_since_is_wanted() {
    let worked = WorkReport::new();
    assert_eq!(worked.found(Some(SystemTime::UNIX_EPOCH)), worked.found(None));
    let later = SystemTime::now() + std::time::Duration::from_hours(1);
    assert_eq!(worked.found(Some(later)), Vec::<String>::new());
}

#[test]
fn a_damaged_list_of_projects_hides_only_its_own() {
    let worked = WorkReport::new();
    for damaged in ["", "{\"projects\":", "[]", "{\"projects\":[1]}"] {
        worked.put(".gemini/projects.json", damaged.as_bytes());
        let found = worked.found(None);
        assert!(found.len() == 3 && found.iter().all(|one| !one.starts_with("gemini")), "{damaged}: {found:?}");
    }
}

/// A link could lead anywhere, also back to where the search came from.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let worked = WorkReport::new();
    let sessions = worked.0.path().join(".codex/sessions");
    std::os::unix::fs::symlink(&sessions, sessions.join("again")).unwrap();
    std::os::unix::fs::symlink(sessions.join("2026/11/15/rollout-a.jsonl"), sessions.join("rollout-z.jsonl")).unwrap();
    assert_eq!(worked.found(None).iter().filter(|one| one.starts_with("codex")).count(), 1);
}
