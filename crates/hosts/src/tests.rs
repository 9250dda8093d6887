//! The rules that every host keeps: its folder, its fixture, its place in the docs; and nobody matches on its name.

use std::path::{Path, PathBuf};

use super::Host;
use super::table::FOLDERS;
use super::testing::{fixture, repository};

/// This room's own sources.
fn room() -> PathBuf {
    // `file!()` is relative to the workspace.
    repository(file!()).parent().unwrap().to_path_buf()
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_host_has_its_folder_with_the_files_of_what_it_can() {
    for (host, folder) in FOLDERS {
        let there = names(&room().join(folder));
        let has = |file: &str| there.iter().any(|name| name == file);
        for file in ["mod.rs", "install.rs", "tests.rs"] {
            assert!(has(file), "{folder} lacks {file}");
        }
        let definition = host.definition();
        assert_eq!(has("wire.rs"), definition.hook.is_some(), "{folder}/wire.rs");
        assert_eq!(has("transcript.rs"), definition.transcripts.is_some(), "{folder}/transcript.rs");
        assert_eq!(folder, host.as_str().replace('-', "_"), "a folder is named as its host");
    }
    // A folder that no line of the table names is one of the shared rooms.
    let dirs = names(&room()).into_iter().filter(|name| room().join(name).is_dir());
    let others: Vec<String> = dirs.filter(|name| FOLDERS.iter().all(|(_, folder)| folder != name)).collect();
    assert_eq!(others, ["install", "transcript", "wire"]);
}

#[test]
fn what_a_folder_says_fits_together() {
    for host in Host::ALL {
        let (definition, profile) = (host.definition(), host.profile());
        assert_eq!(profile.host, host, "the profile is its own");
        assert_eq!(Host::named(definition.name), Some(host));
        assert_eq!(serde_json::to_string(&host).unwrap(), format!("\"{host}\""));
        assert!(!profile.title.is_empty() && !profile.programs.is_empty(), "{host}");
        assert_eq!(definition.hook.is_some(), profile.shape.is_some(), "{host}: who is heard is answered");
        if profile.shape.is_some() {
            assert!(profile.start_bytes > 0 && profile.prompt_bytes > 0, "{host}");
        }
    }
}

#[test]
fn each_host_has_a_fixture_that_its_tests_read() {
    for (host, folder) in FOLDERS {
        let tests = std::fs::read_to_string(room().join(folder).join("tests.rs")).unwrap();
        let files = names(&fixture(host.as_str()));
        let read = |file: &String| tests.contains(file.as_str());
        assert!(files.iter().any(read), "{folder}/tests.rs reads none of {files:?}");
    }
}

#[test]
fn each_host_is_in_the_docs() {
    let guide = std::fs::read_to_string(repository("docs/guide.md")).unwrap();
    let reference = std::fs::read_to_string(repository("docs/reference.md")).unwrap();
    let table = guide.split("## In your agents").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let row = |starts: &str| reference.lines().find(|line| line.starts_with(starts)).unwrap().to_owned();
    let (init, extract) = (row("| `HOST` | claude-code"), row("| `--host HOST` |"));
    for host in Host::ALL {
        let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let mut titles = cells.flat_map(|cell| cell.split(", "));
        assert!(titles.any(|title| title == host.profile().title), "docs/guide.md, In your agents: {host}");
        assert!(init.split([' ', '|']).any(|word| word == host.as_str()), "docs/reference.md, init: {host}");
        assert_eq!(extract.contains(&format!("`{host}`")), host.has_transcripts(), "docs/reference.md, --host: {host}");
    }
}

/// What differs between hosts is asked of the host, so that a new one is found everywhere.
#[test]
fn nobody_outside_names_a_host() {
    let mut left = vec![repository("crates")];
    let mut looked = 0;
    while let Some(dir) = left.pop() {
        for name in names(&dir) {
            let path = dir.join(&name);
            if path.is_dir() {
                let skipped =
                    matches!(name.as_str(), "tests" | "examples" | "benches" | "target") || same(&path, &room());
                left.extend((!skipped).then_some(path));
            } else if name.ends_with(".rs") && name != "tests.rs" {
                looked += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                for host in Host::ALL {
                    let variant = format!("Host::{host:?}");
                    assert!(!code.contains(&variant), "{} names {variant}", path.display());
                }
            }
        }
    }
    assert!(looked > 100, "the sources were looked through");
}

fn same(one: &Path, other: &Path) -> bool {
    one.canonicalize().unwrap() == other.canonicalize().unwrap()
}
