//! What is public is used by somebody outside its crate: another crate, a test or a fuzz target that links it, or the docs.
//!
//! Functions and constants are looked at. A type may be public for being the result of one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::process;

/// Public for other reasons than somebody's use.
const OF_THEIR_OWN: &[(&str, &str)] =
    &[("core/src/limits", "a table that is printed whole: every limit has its row, whoever reads it")];

fn files_below(dir: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files_below(&path, ending, found);
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
}

/// The words of each place that may use a crate, by the crate whose sources it is; docs, fuzz targets and tests are nobody's.
fn words_by_place() -> BTreeMap<String, BTreeSet<String>> {
    let (root, word) = (crate::crates_dir(), Regex::new(r"\w+").unwrap());
    let (mut files, repository) = (Vec::new(), root.parent().unwrap().to_path_buf());
    files_below(&root, "rs", &mut files);
    files_below(&repository.join("fuzz/fuzz_targets"), "rs", &mut files);
    files_below(&repository.join("fuzz/src"), "rs", &mut files);
    files_below(&repository.join("docs"), "md", &mut files);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let below = file.strip_prefix(&root).unwrap_or(Path::new("")).to_string_lossy().replace('\\', "/");
        let place = below.split_once("/src/").map_or("", |(name, _)| name).to_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        found
            .entry(place)
            .or_default()
            .extend(code.flat_map(|line| word.find_iter(line)).map(|word| word.as_str().to_owned()));
    }
    found
}

#[test]
fn what_is_public_is_used_outside() {
    let public = Regex::new(r"(?m)^ *pub (?:const |async |unsafe )*(?:fn|const|static) (\w+)").unwrap();
    let (words, root) = (words_by_place(), crate::crates_dir());
    let (mut unused, mut looked_at) = (Vec::new(), 0);
    for (file, text) in process::library_sources() {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let own = name.split('/').next().unwrap_or_default().to_owned();
        if own == "cli" || OF_THEIR_OWN.iter().any(|(place, _)| name.starts_with(place)) {
            continue;
        }
        for item in public.captures_iter(&crate::uses::code(&text)) {
            looked_at += 1;
            if !words.iter().any(|(place, words)| *place != own && words.contains(&item[1])) {
                unused.push(format!("{name}: {}", &item[1]));
            }
        }
    }
    assert!(looked_at > 500, "the public items are somewhere else: {looked_at}");
    assert!(unused.is_empty(), "nobody outside uses these, so they are not public: {unused:#?}");
}
