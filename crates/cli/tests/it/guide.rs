//! The documents show what memdir really says: every `console` block of the guide, the README and the pages beside them is
//! run, in order, on one scratch machine a document, and what it prints is compared with what the document shows.
//!
//! `UPDATE_GUIDE=1 cargo test -p memdir-cli --test it guide` writes what it prints into the document.
//!
//! - `$ ` starts a command; it goes on below as long as a line ends in `\`.
//! - A block may be indented, as below a step of a list.
//! - What a command reads from `<<'END'` goes on to the line `END`.
//! - A line `…` stands for any number of lines.
//! - The names of changes differ from run to run: one in the guide stands for the one that came
//!   out in its place, in later commands too.
//! - The scratch home is shown as `/home/ada`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use memdir_testkit::TestEnv;

use super::git_env;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const HOME: &str = "/home/ada";
const HOME_SLUG: &str = "-home-ada";
const ANY: &str = "…";

#[test]
fn the_guide_shows_what_memdir_says() {
    check("docs/guide.md", 20);
}

#[test]
fn the_readme_shows_what_memdir_says() {
    check("README.md", 6);
}

#[test]
fn the_page_of_questions_shows_what_memdir_says() {
    check("docs/faq.md", 7);
}

#[test]
fn the_page_on_decisions_shows_what_memdir_says() {
    check("docs/decides.md", 7);
}

/// Runs the commands of a document, which are at least this many.
fn check(document: &str, least: usize) {
    let path = Path::new(ROOT).join(document);
    let text = std::fs::read_to_string(&path).unwrap();
    let update = std::env::var_os("UPDATE_GUIDE").is_some();
    let mut stage = Stage::new();
    let mut written = String::new();
    // How far the block that we are in is indented.
    let mut block: Option<&str> = None;
    let mut lines = text.lines().enumerate().peekable();
    let mut commands = 0;
    while let Some((number, line)) = lines.next() {
        let start = block.and_then(|indent| line.strip_prefix(indent)?.strip_prefix("$ "));
        let (Some(start), Some(indent)) = (start, block) else {
            block = match block {
                Some(indent) => (line.trim_start() != "```").then_some(indent),
                None => line.strip_suffix("```console").filter(|indent| indent.trim().is_empty()),
            };
            written.push_str(line);
            written.push('\n');
            continue;
        };
        let unindented = |line: &str| line.strip_prefix(indent).unwrap_or(line).to_owned();
        let mut command = start.to_owned();
        while command.ends_with('\\') {
            command.push('\n');
            command.push_str(&unindented(lines.next().expect("the rest of the command").1));
        }
        if start.ends_with("<<'END'") {
            while !command.ends_with("\nEND") {
                command.push('\n');
                command.push_str(&unindented(lines.next().expect("the rest of what is read").1));
            }
        }
        let mut expected = Vec::new();
        let ends = |line: &str| line.trim_start() == "```" || unindented(line).starts_with("$ ");
        while let Some((_, line)) = lines.next_if(|(_, line)| !ends(line)) {
            expected.push(unindented(line));
        }
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let printed = stage.run(&command);
        let actual = printed.trim_end();
        commands += 1;
        let agrees = stage.agrees(&expected, &actual.lines().collect::<Vec<_>>());
        assert!(
            agrees || update,
            "{document} line {}: it shows\n{}\nbut `{command}` printed\n{actual}",
            number + 1,
            expected.join("\n")
        );
        let output = if agrees { stage.named(&expected.join("\n")) } else { actual.to_owned() };
        let shown = format!("$ {}{}", ended(&stage.named(&command)), ended(&output));
        written.extend(shown.lines().map(|line| format!("{indent}{line}\n")));
    }
    assert!(commands >= least, "only {commands} commands were found in {document}");
    if update {
        std::fs::write(path, written).unwrap();
    }
}

/// Ada has no agent installed, whoever runs this has.
fn path_without_agents() -> String {
    let path = std::env::var("PATH").unwrap();
    let has_agent =
        |dir: &str| ["claude", "codex", "gemini", "qwen"].iter().any(|name| Path::new(dir).join(name).exists());
    path.split(':').filter(|dir| !has_agent(dir)).collect::<Vec<_>>().join(":")
}

/// The scratch machine, and which change of this run a name in the guide stands for.
struct Stage {
    env: TestEnv,
    dir: PathBuf,
    changes: HashMap<String, String>,
}

impl Stage {
    fn new() -> Stage {
        let env = git_env();
        let dir = env.project();
        Stage { env, dir, changes: HashMap::new() }
    }

    /// Runs a command line as the guide's reader would, in the directory they are in.
    fn run(&mut self, command: &str) -> String {
        let home = self.env.home().to_str().unwrap().to_owned();
        let slug = memdir::store::place::slug(Path::new(&home));
        let command = self.named(command).replace(HOME, &home).replace(HOME_SLUG, &slug);
        let tail = format!("({command}\n) 2>&1");
        if let Some(dir) = command.strip_prefix("cd ") {
            self.dir = self.dir.join(dir.replace('~', &home)).canonicalize().unwrap();
            return String::new();
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_memdir")).parent().unwrap();
        let path = format!("{}:{}", binary.display(), path_without_agents());
        let output = self.env.program("sh", &["-c", &tail]).current_dir(&self.dir).env("PATH", path).output().unwrap();
        wait_for_a_tick(Path::new(&home));
        String::from_utf8(output.stdout).unwrap().replace(&home, HOME).replace(&slug, HOME_SLUG)
    }

    /// Compares two outputs; learns which change is which on the way.
    fn agrees(&mut self, expected: &[&str], actual: &[&str]) -> bool {
        match (expected, actual) {
            ([], []) => true,
            ([first, rest @ ..], _) if *first == ANY => {
                (0..=actual.len()).any(|skip| self.agrees(rest, &actual[skip..]))
            }
            ([first, expected @ ..], [line, actual @ ..]) => {
                self.same_line(first, line) && self.agrees(expected, actual)
            }
            _ => false,
        }
    }

    fn same_line(&mut self, expected: &str, actual: &str) -> bool {
        let (shown, printed): (Vec<&str>, Vec<&str>) = (words(expected), words(actual));
        shown.len() == printed.len() && shown.iter().zip(printed).all(|(shown, printed)| self.same_word(shown, printed))
    }

    fn same_word(&mut self, shown: &str, printed: &str) -> bool {
        if !(is_change(shown) && is_change(printed)) || (shown == printed && !self.changes.contains_key(shown)) {
            return shown == printed;
        }
        self.changes.entry(shown.to_owned()).or_insert_with(|| printed.to_owned()) == printed
    }

    /// A text with the guide's names of changes replaced by those of this run.
    fn named(&self, text: &str) -> String {
        words(text).iter().map(|word| self.changes.get(*word).map_or(*word, String::as_str)).collect()
    }
}

/// A text in pieces: runs of letters and digits, and what is between them.
fn words(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, letter) in text.char_indices() {
        let kind = letter.is_ascii_alphanumeric();
        if before.is_some_and(|before| before != kind) {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = Some(kind);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Whether a word has the shape of a change's name.
fn is_change(word: &str) -> bool {
    word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn ended(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Lists are sorted by the times of files, so two commands must not fall into one tick of the clock.
fn wait_for_a_tick(home: &Path) {
    let file = home.join("tick");
    let touched = || {
        std::fs::write(&file, "").unwrap();
        std::fs::metadata(&file).unwrap().modified().unwrap()
    };
    let start = touched();
    while touched() == start {}
    std::fs::remove_file(&file).unwrap();
}
