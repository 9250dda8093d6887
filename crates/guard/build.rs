//! Turns the word lists in `lexicon/`, one file a language, into one list for each kind of word.

#![expect(clippy::disallowed_methods, reason = "a build script writes where cargo tells it to")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=lexicon");
    let mut lists: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir("lexicon")? {
        let file: toml_edit::DocumentMut = fs::read_to_string(entry?.path())?.parse()?;
        for (kind, words) in file.iter() {
            let list = lists.entry(kind.to_owned()).or_default();
            let words = words.as_array().ok_or_else(|| format!("{kind} is no list"))?;
            for word in words {
                let word = word.as_str().ok_or_else(|| format!("{kind} holds no text"))?;
                // Whoever looks for bytes knows only the two cases of ASCII.
                let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
                if !first.is_ascii() {
                    list.insert(format!("{}{rest}", first.to_uppercase()));
                }
                list.insert(word.to_owned());
            }
        }
    }
    let code: String = lists
        .iter()
        .map(|(kind, words)| {
            format!("pub(crate) const {}: &[&str] = &{:?};\n", kind.to_uppercase(), words.iter().collect::<Vec<_>>())
        })
        .collect();
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("lexicon.rs"), code)?;
    Ok(())
}
