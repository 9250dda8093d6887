//! Every path that ARCHITECTURE.md and CONTRIBUTING.md name in backquotes is there.
//!
//! A path is a name with a slash in it, or a Rust file. It begins at the root of the repository, at `crates/`, or, for
//! `engine/…`, at the sources of crate `memdir`. A Rust file without a folder is one that some crate has. Fenced blocks are not read.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use super::sources;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Where a path may begin.
const BASES: [&str; 3] = ["", "crates", "crates/memdir/src"];

/// What is between backquotes, outside fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    // The fences cut the text into prose, block, prose …
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

fn is_path(quoted: &str) -> bool {
    let plain = quoted.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    plain && !quoted.starts_with('/') && (quoted.contains('/') || quoted.ends_with(".rs"))
}

fn missing(text: &str) -> Vec<&str> {
    let files: BTreeSet<_> = sources().into_iter().filter_map(|(path, _)| Some(path.file_name()?.to_owned())).collect();
    let exists = |path: &str| {
        if path.contains('/') {
            BASES.iter().any(|base| Path::new(ROOT).join(base).join(path).exists())
        } else {
            files.contains(OsStr::new(path))
        }
    };
    quoted(text).into_iter().filter(|quoted| is_path(quoted) && !exists(quoted)).collect()
}

#[test]
fn the_paths_that_the_documents_name_are_there() {
    for (document, at_least) in [("ARCHITECTURE.md", 60), ("CONTRIBUTING.md", 15)] {
        let text = std::fs::read_to_string(Path::new(ROOT).join(document)).unwrap();
        let paths = quoted(&text).into_iter().filter(|quoted| is_path(quoted)).count();
        assert!(paths >= at_least, "only {paths} paths were found in {document}");
        assert_eq!(missing(&text), Vec::<&str>::new(), "{document} names what is not there");
    }
}

#[test]
fn a_path_that_is_not_there_is_found_and_what_is_no_path_is_left_alone() {
    let text = "`engine/mod.rs`, `cli/src/main.rs`, `docs/`, `Store::change`, `<state>/x.rs`, `~/.claude/x`\n\
                ```text\n`no/such/file`\n```\n`engine/nowhere.rs`, `cli/nowhere/`, `nowhere.rs`, `main.rs`";
    assert_eq!(missing(text), ["engine/nowhere.rs", "cli/nowhere/", "nowhere.rs"]);
}
