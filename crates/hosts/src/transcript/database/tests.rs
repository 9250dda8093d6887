#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use super::*;
use crate::testing::{fixture, read_all};
use crate::transcript::{TranscriptQuery, about, detect, kept_at, transcripts};
use memdir_core::surroundings::Surroundings;

const SESSIONS_OF: [(&str, &str, &str, Host); 3] = [
    ("opencode/opencode.db", "opencode/export.json", "/home/me/src/proj/sub", Host::Opencode),
    ("goose/sessions.db", "goose/session-export.json", "/home/me/src/proj", Host::Goose),
    ("goose/sessions-1.52.db", "goose/session-export-1.52.json", "/home/me/src/proj", Host::Goose),
];

/// The path of the session that an export was made of.
fn session(database: &str, export: &str, host: Host) -> PathBuf {
    fixture(database).join(about(&fixture(export), host).unwrap().session.unwrap())
}

#[test]
fn a_session_reads_like_its_export() {
    for (database, export, cwd, host) in SESSIONS_OF {
        let path = session(database, export, host);
        assert_eq!(detect(&path).unwrap(), host);
        let (head, messages) = read_all(&path, host, None).unwrap();
        let (_, exported) = read_all(&fixture(export), host, None).unwrap();
        assert!(messages.len() > 2);
        assert_eq!(messages, exported, "{database}");
        assert_eq!(
            (head.cwd.as_deref(), head.session.as_deref()),
            (Some(Path::new(cwd)), path.file_name().unwrap().to_str())
        );
        assert_eq!(about(&path, host).unwrap().cwd, head.cwd);
        // Garbage is stepped over and counted.
        assert_eq!(head.odd_lines, usize::from(host == Host::Opencode));
    }
}

#[test]
fn x3_only_what_comes_after_the_cursor_and_all_without_it() {
    for (database, export, _, host) in SESSIONS_OF {
        let path = session(database, export, host);
        let (_, all) = read_all(&path, host, None).unwrap();
        let (seen, rest) = read_all(&path, host, Some(&all[0].id)).unwrap();
        assert!(seen.cursor_found && rest.len() < all.len());
        assert_eq!(rest[..], all[all.len() - rest.len()..]);
        let (seen, lost) = read_all(&path, host, Some("gone")).unwrap();
        assert!(!seen.cursor_found && lost == all);
        let (_, none) = read_all(&path, host, Some(&all[all.len() - 1].id)).unwrap();
        assert_eq!(none, []);
    }
}

#[test]
fn a_session_that_is_not_there_and_a_bare_database_are_no_transcripts() {
    for path in [fixture("opencode/opencode.db").join("ses_none"), fixture("opencode/opencode.db")] {
        let error = read_all(&path, Host::Opencode, None).unwrap_err();
        assert!(matches!(error, TranscriptError::Unknown(_)), "{error}");
    }
    assert!(ConversationPath::of(&fixture("opencode/export.json").join("ses_x")).is_none());
    assert!(real(&fixture("opencode/opencode.db").join("x")).is_ok() && real(Path::new("/no/such/file")).is_err());
}

#[test]
fn what_is_only_in_the_log_yet_is_read_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("opencode.db");
    let host = Connection::open(&file).unwrap();
    host.pragma_update(None, "journal_mode", "WAL").unwrap();
    host.execute_batch(
        "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, time_updated INTEGER);
         CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
         CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);
         INSERT INTO session VALUES ('s', NULL, '/w', 1);",
    )
    .unwrap();
    let path = file.join("s");
    let before = written(&path).unwrap();
    host.execute_batch(
        "INSERT INTO message VALUES ('m1', 's', 1, '{\"role\":\"user\"}');
         INSERT INTO part VALUES ('p1', 'm1', '{\"type\":\"text\",\"text\":\"keep it short\"}');",
    )
    .unwrap();
    assert_ne!(written(&path).unwrap(), before);
    let bytes = std::fs::read(&file).unwrap();
    let (_, messages) = read_all(&path, Host::Opencode, None).unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    // A host that holds the database for writing is waited for, not broken.
    host.execute_batch("BEGIN IMMEDIATE; INSERT INTO message VALUES ('m2', 's', 2, '{}');").unwrap();
    assert_eq!(read_all(&path, Host::Opencode, None).unwrap().1.len(), 1);
    host.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn every_session_of_the_project_is_found_wherever_a_host_keeps_it() {
    let home = tempfile::tempdir().unwrap();
    let place = |path: &str| {
        let path = home.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let put = |path: &str, content: &[u8]| std::fs::write(place(path), content).unwrap();
    put(".local/share/opencode/opencode.db", &std::fs::read(fixture("opencode/opencode.db")).unwrap());
    put(".local/share/goose/sessions/sessions.db", &std::fs::read(fixture("goose/sessions.db")).unwrap());
    let said = "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<task>x</task>\\n# Current Working Directory (/home/me/src/proj) Files\"}]}]";
    let tasks = "Code/User/globalStorage/saoudrizwan.claude-dev/tasks";
    put(&format!(".config/{tasks}/17/api_conversation_history.json"), said.as_bytes());
    put(&format!(".config/{tasks}/18/api_conversation_history.json"), said.replace("/proj", "/project2").as_bytes());
    put(".cline/data/sessions/c1/c1.messages.json", format!("{{\"messages\":{said}}}").as_bytes());
    let around = Surroundings { home: Some(home.path().to_path_buf()), ..Surroundings::default() };
    let found = |root: &str| {
        let project = TranscriptQuery { roots: vec![PathBuf::from(root)], slugs: Vec::new(), since: None };
        let mut found: Vec<String> = transcripts(&around, &project)
            .into_iter()
            .map(|(host, path)| format!("{} {}", host.as_str(), path.strip_prefix(home.path()).unwrap().display()))
            .collect();
        found.sort();
        found
    };
    let ours = found("/home/me/src/proj");
    let ends = ["sessions/c1/c1.messages.json", "tasks/17/api_conversation_history.json", "sessions.db/20261115_1"];
    assert!(ends.iter().all(|end| ours.iter().any(|one| one.ends_with(end))), "{ours:?}");
    // A sub-agent's session is not the user's.
    assert!(ours.iter().all(|one| !one.contains("ses_child") && !one.contains("elsewhere")), "{ours:?}");
    assert_eq!(ours.iter().filter(|one| one.starts_with("opencode ")).count(), 2);
    assert_eq!(found("/home/me/src/other").len(), 1);
    // A hook names the session only; nothing is opened for it.
    assert!(kept_at(&around, Host::Opencode, "ses_x").unwrap().ends_with("opencode.db/ses_x"));
    assert_eq!(kept_at(&around, Host::Opencode, "../x"), None);
    assert_eq!(kept_at(&around, Host::Codex, "ses_x"), None);
    assert_eq!(kept_at(&Surroundings::default(), Host::Opencode, "ses_x"), None);
}
