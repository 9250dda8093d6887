//! The library is told about the process it runs in: only `memdir::here` looks, and no other room calls it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::uses;

/// What may look at the process: the command line, the server's runtime, tests, and the one module made for it.
const MAY_LOOK: &[&str] = &["cli", "serve", "testkit", "memdir/src/here"];

/// The modules that a source file declares for tests alone: where each begins, without its ending.
fn test_modules(file: &Path, text: &str) -> Vec<PathBuf> {
    static DECLARED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"#\[cfg\(test\)\]\s*(?:#\[[^\n]*\]\s*)*(?:pub(?:\(\w+\))? )?mod (\w+);").unwrap());
    let is_root = ["mod.rs", "lib.rs", "main.rs"].iter().any(|root| file.ends_with(root));
    let below = if is_root { file.parent().unwrap().to_path_buf() } else { file.with_extension("") };
    DECLARED.captures_iter(text).map(|module| below.join(&module[1])).collect()
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Every source file of the crates that is not there for tests alone, with its text.
pub(crate) fn library_sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for room in std::fs::read_dir(super::crates_dir()).unwrap() {
        let room = room.unwrap().path();
        if !room.ends_with("testkit") {
            sources(&room.join("src"), &mut files);
        }
    }
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect();
    let tests: Vec<PathBuf> = texts.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
    texts.into_iter().filter(|(file, _)| !tests.iter().any(|test| file.with_extension("").starts_with(test))).collect()
}

#[test]
fn only_one_module_of_the_library_looks_at_the_process() {
    let looks = Regex::new(
        r"\benv::(var|vars|var_os|vars_os|current_dir|home_dir|temp_dir|args|args_os|current_exe)\b|\b(Timestamp|Zoned|SystemTime)::now\b|\bTimeZone::system\b|\bCommand::new\b|\bhere::",
    )
    .unwrap();
    let root = super::crates_dir();
    let (mut files, mut found, mut allowed) = (Vec::new(), Vec::new(), 0);
    for room in std::fs::read_dir(&root).unwrap() {
        sources(&room.unwrap().path().join("src"), &mut files);
    }
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect();
    let tests: Vec<PathBuf> = texts.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
    for (file, text) in &texts {
        if tests.iter().any(|test| file.with_extension("").starts_with(test)) {
            continue;
        }
        let name = file.strip_prefix(&root).unwrap();
        let code = uses::code(text);
        // The front door names the module without calling it.
        let code = code.replace("pub use here::open as open_here;", "");
        match looks.find(&code) {
            Some(_) if MAY_LOOK.iter().any(|place| name.starts_with(place)) => allowed += 1,
            Some(look) => found.push(format!("{}: {}", name.display(), look.as_str())),
            None => {}
        }
    }
    assert!(found.is_empty(), "these look at the process: {found:#?}");
    assert!(allowed > 2, "the search finds nothing any more");
}
