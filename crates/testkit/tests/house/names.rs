//! A type's name says which type is meant: a name that is seen outside its file is defined in no other file.
//!
//! Names that are private to one file each may repeat, and so may the two halves of what differs from system to system.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::process;

/// Types that each system defines in its own way, under one name.
const OF_EACH_SYSTEM: &[&str] = &["Dir", "DirEntry", "Mapped", "ProcessTree", "QuietTerminal"];

/// Names that still stand for two or more things. The list may only become shorter.
const STILL_SHARED: &[&str] = &["Judge"];

/// How many names may be defined in more than one file, the private ones too.
const REPEATED: usize = 29;

/// The types of the built code by name: the files that define each, and whether others see it.
fn types() -> BTreeMap<String, BTreeMap<String, bool>> {
    let defined =
        Regex::new(r"(?m)^ *(pub(?:\([^)]*\))? )?(?:unsafe )?(?:struct|enum|trait|union|type) (\w+)").unwrap();
    let indented_alias = Regex::new(r"^ +(pub(?:\([^)]*\))? )?type ").unwrap();
    let root = crate::crates_dir();
    let mut found: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    for (file, text) in process::library_sources() {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let code = crate::uses::code(&text);
        for one in defined.captures_iter(&code) {
            if !indented_alias.is_match(&one[0]) {
                *found.entry(one[2].to_owned()).or_default().entry(name.clone()).or_default() |= one.get(1).is_some();
            }
        }
    }
    found
}

#[test]
fn a_type_that_others_see_shares_its_name_with_no_other() {
    let types = types();
    assert!(types.len() > 700, "the types are somewhere else: {}", types.len());
    let repeated: Vec<_> = types.iter().filter(|(_, files)| files.len() > 1).collect();
    let shared: BTreeSet<&str> =
        repeated.iter().filter(|(_, files)| files.values().any(|seen| *seen)).map(|(name, _)| name.as_str()).collect();
    let known: BTreeSet<&str> = OF_EACH_SYSTEM.iter().chain(STILL_SHARED).copied().collect();
    let new: Vec<_> = shared.difference(&known).map(|name| (name, &types[*name])).collect();
    assert!(new.is_empty(), "one of each needs a name of its own: {new:#?}");
    let gone: Vec<_> = known.difference(&shared).collect();
    assert!(gone.is_empty(), "these stand for one thing now, take them off the list: {gone:?}");
    assert!(repeated.len() <= REPEATED, "{} names are defined in more than one file", repeated.len());
}
