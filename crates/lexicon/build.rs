//! Turns `lexicon/*.toml`, `world/*.toml`, `guard/*.toml` and `dates/*.toml` into constant tables: sorted, each with the comment above it as its documentation.
//!
//! Fails where a list has no comment, an entry is there twice, or a value is of no known shape, so that a mistake in a
//! file is a mistake of the build. The same files always give the same bytes.
#![allow(
    clippy::disallowed_methods,
    reason = "a build script is told its surroundings by variables and writes below OUT_DIR"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Value};

/// One list of one language.
struct Entries {
    comment: String,
    shape: Shape,
    /// Rust expressions, in order.
    literals: Vec<String>,
    /// How many words or phrases there are, those of groups included.
    count: usize,
}

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Word,
    Weight,
    Pair,
    Group,
}

impl Shape {
    fn entry(self) -> &'static str {
        match self {
            Shape::Word => "&str",
            Shape::Weight => "(&str, i32)",
            Shape::Pair => "(&str, &str)",
            Shape::Group => "(&str, &[&str])",
        }
    }

    fn table(self) -> &'static str {
        match self {
            Shape::Word => "List",
            Shape::Weight => "Weights",
            Shape::Pair => "Pairs",
            Shape::Group => "Groups",
        }
    }
}

type Lists = BTreeMap<String, Entries>;

fn main() -> Result<(), String> {
    let variable = |name: &str| std::env::var(name).map_err(|_| format!("{name} is not set"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    println!("cargo:rerun-if-changed=build.rs");
    let languages = read_folder(&root.join("lexicon"))?;
    let mut tables = write(&languages)?;
    for (subject, lists) in read_folder(&root.join("world"))? {
        write_module(&mut tables, &format!("What is the same in every language: `{subject}`."), &subject, &lists);
    }
    write_merged(&mut tables, &root.join("guard"))?;
    write_dates(&mut tables, &root.join("dates"))?;
    std::fs::write(PathBuf::from(variable("OUT_DIR")?).join("tables.rs"), tables).map_err(|error| error.to_string())
}

/// The lists of every file of a folder, by the file's name.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, Lists>, String> {
    let lists = |(path, document): (PathBuf, DocumentMut)| {
        Ok((stem(&path), read(&document).map_err(|error| format!("{}: {error}", path.display()))?))
    };
    documents(folder)?.into_iter().map(lists).collect()
}

/// Every file of a folder, in the order of their names.
fn documents(folder: &Path) -> Result<BTreeMap<PathBuf, DocumentMut>, String> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let document = text.parse().map_err(|error: toml_edit::TomlError| format!("{}: {error}", path.display()))?;
        files.insert(path, document);
    }
    Ok(files)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The lists of a file by name.
fn read(document: &DocumentMut) -> Result<Lists, String> {
    let mut lists = Lists::new();
    for (name, item) in document.iter() {
        let above = match item {
            Item::Table(table) => table.decor().prefix(),
            _ => document.key(name).and_then(|key| key.leaf_decor().prefix()),
        };
        let comment = comment(above.and_then(|raw| raw.as_str()).unwrap_or_default());
        if comment.is_empty() {
            return Err(format!("{name}: say in a comment above it what the list is for"));
        }
        let count = count(item);
        let (shape, mut found) = entries(item).ok_or_else(|| format!("{name}: neither words nor a table of words"))?;
        found.sort();
        if let Some(pair) = found.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("{name}: {:?} stands twice", pair[0].0));
        }
        let literals = found.into_iter().map(|(_, literal)| literal).collect();
        lists.insert(name.to_owned(), Entries { comment, shape, literals, count });
    }
    Ok(lists)
}

/// The comment directly above a list; one that a blank line parts from it is a heading.
fn comment(above: &str) -> String {
    let block = above.rsplit("\n\n").next().unwrap_or_default();
    let lines = block.lines().filter_map(|line| line.trim().strip_prefix('#')).map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}

fn count(item: &Item) -> usize {
    let words = |item: &Item| item.as_array().map_or(1, toml_edit::Array::len);
    item.as_table().map_or_else(|| words(item), |table| table.iter().map(|(_, item)| words(item)).sum())
}

/// What a list holds: what to sort by, and the Rust expression.
fn entries(item: &Item) -> Option<(Shape, Vec<(String, String)>)> {
    if let Some(array) = item.as_array() {
        let word = |value: &Value| value.as_str().map(|word| (word.to_owned(), format!("{word:?}")));
        return Some((Shape::Word, array.iter().map(word).collect::<Option<_>>()?));
    }
    let table = item.as_table()?;
    let shape = match table.iter().next()?.1.as_value()? {
        Value::Integer(_) => Shape::Weight,
        Value::String(_) => Shape::Pair,
        Value::Array(_) => Shape::Group,
        _ => return None,
    };
    let entry = |(word, item): (&str, &Item)| {
        let value = match shape {
            Shape::Weight => item.as_integer()?.to_string(),
            Shape::Pair => format!("{:?}", item.as_str()?),
            Shape::Group | Shape::Word => {
                let mut words: Vec<&str> = item.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
                words.sort_unstable();
                format!("&{words:?}")
            }
        };
        Some((word.to_owned(), format!("({word:?}, {value})")))
    };
    Some((shape, table.iter().map(entry).collect::<Option<_>>()?))
}

fn write_module(out: &mut String, about: &str, module: &str, lists: &Lists) {
    let _ = writeln!(out, "\n/// {about}\npub mod {module} {{");
    for (name, list) in lists {
        let (upper, entry) = (name.to_uppercase(), list.shape.entry());
        let _ = writeln!(out, "    /// {}\n    pub const {upper}: &[{entry}] = &[", list.comment);
        for literal in &list.literals {
            let _ = writeln!(out, "        {literal},");
        }
        out.push_str("    ];\n");
    }
    out.push_str("}\n");
}

/// The lists of `guard/`, all languages in one: who looks for planted text does not ask in which language it is.
fn write_merged(out: &mut String, folder: &Path) -> Result<(), String> {
    let mut lists: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    for (path, document) in documents(folder)? {
        for (name, item) in document.iter() {
            let words = item.as_array().ok_or_else(|| format!("{}: {name} is no list", path.display()))?;
            let (about, list) = lists.entry(name.to_owned()).or_default();
            if stem(&path) == "en" || about.is_empty() {
                let above = document.key(name).and_then(|key| key.leaf_decor().prefix()).and_then(|raw| raw.as_str());
                *about = comment(above.unwrap_or_default());
            }
            for word in words {
                let word = word.as_str().ok_or_else(|| format!("{}: {name} holds no text", path.display()))?;
                // Whoever looks for bytes knows only the two cases of ASCII.
                let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
                if !first.is_ascii() {
                    list.insert(format!("{}{rest}", first.to_uppercase()));
                }
                list.insert(word.to_owned());
            }
        }
    }
    out.push_str("\n/// Words for secrets and for orders to a model, in every language at once.\npub mod guard {\n");
    for (name, (about, words)) in &lists {
        if about.is_empty() {
            return Err(format!("{name}: say in a comment above it what the list is for"));
        }
        let _ = writeln!(
            out,
            "    /// {about}\n    pub const {}: &[&str] = &{:?};",
            name.to_uppercase(),
            words.iter().collect::<Vec<_>>()
        );
    }
    out.push_str("}\n");
    Ok(())
}

/// The tables of `dates/`, a constant for each language; what is in them keeps its order.
fn write_dates(out: &mut String, folder: &Path) -> Result<(), String> {
    out.push_str("\n/// How dates are said, a table for each language.\npub mod dates {\n    use crate::DateTable;\n");
    for (path, document) in documents(folder)? {
        let (mut spaced, mut lists, mut grouped) = (true, String::new(), String::new());
        for (name, item) in document.iter() {
            let odd = || format!("{}: {name} is neither words nor groups of words", path.display());
            if let Some(value) = item.as_bool().filter(|_| name == "spaced") {
                spaced = value;
                continue;
            }
            let array = item.as_array().ok_or_else(odd)?;
            if array.iter().all(Value::is_array) {
                let groups: Option<Vec<Vec<&str>>> = array.iter().map(|group| words(group.as_array()?)).collect();
                let groups: Vec<String> = groups.ok_or_else(odd)?.iter().map(|group| format!("&{group:?}")).collect();
                let _ = write!(grouped, "({name:?}, &[{}]), ", groups.join(", "));
            } else {
                let _ = write!(lists, "({name:?}, &{:?}), ", words(array).ok_or_else(odd)?);
            }
        }
        let (code, name) = (stem(&path), stem(&path).to_uppercase());
        let _ = writeln!(
            out,
            "    /// `{code}`\n    pub const {name}: DateTable =\n        DateTable {{ spaced: {spaced}, lists: &[{lists}], groups: &[{grouped}] }};"
        );
    }
    out.push_str("}\n");
    Ok(())
}

fn words(array: &toml_edit::Array) -> Option<Vec<&str>> {
    array.iter().map(Value::as_str).collect()
}

fn write(languages: &BTreeMap<String, Lists>) -> Result<String, String> {
    let mut out = String::new();
    let variant = |code: &str| code[..1].to_uppercase() + &code[1..];
    out.push_str("/// A language that some list has entries in.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n");
    out.push_str("#[non_exhaustive]\npub enum Lang {\n");
    for code in languages.keys() {
        let _ = writeln!(out, "    /// `{code}`\n    {},", variant(code));
    }
    out.push_str("}\n\nimpl Lang {\n    /// Every language.\n    pub const ALL: &[Lang] = &[");
    out.extend(languages.keys().map(|code| format!("Lang::{}, ", variant(code))));
    out.push_str("];\n\n    /// Its two letters, as in the name of its file.\n");
    out.push_str("    pub const fn code(self) -> &'static str {\n        match self {\n");
    for code in languages.keys() {
        let _ = writeln!(out, "            Lang::{} => {code:?},", variant(code));
    }
    out.push_str("        }\n    }\n}\n");
    let mut all: BTreeMap<&str, Vec<(&str, &Entries)>> = BTreeMap::new();
    for (code, lists) in languages {
        write_module(&mut out, &format!("The lists in one language: `{code}`."), code, lists);
        for (name, list) in lists {
            all.entry(name).or_default().push((code, list));
        }
    }
    for (name, lists) in &all {
        let (first, upper) = (lists[0].1, name.to_uppercase());
        // English says what a list is for, where it has it.
        let comment = lists.iter().find(|(code, _)| *code == "en").map_or(&first.comment, |(_, list)| &list.comment);
        if lists.iter().any(|(_, list)| list.shape != first.shape) {
            return Err(format!("{name}: not of the same shape in every language"));
        }
        let _ = writeln!(out, "\n/// {comment}\npub static {upper}: {} = Table::new(&[", first.shape.table());
        for (code, _) in lists {
            let _ = writeln!(out, "    (Lang::{}, {code}::{upper}),", variant(code));
        }
        out.push_str("]);\n");
    }
    out.push_str("\n/// Every list of every language: its name, and how many entries it has.\n");
    out.push_str("pub const SIZES: &[(Lang, &str, usize)] = &[\n");
    for (code, lists) in languages {
        for (name, list) in lists {
            let _ = writeln!(out, "    (Lang::{}, {name:?}, {}),", variant(code), list.count);
        }
    }
    out.push_str("];\n");
    Ok(out)
}
