//! Searching for words: memory files first, transcripts last, streamed (Q1). In a long-running process, files that
//! certainly do not hold the text are not read.
//!
//! Enters: words or a regular expression. Leaves: the lines that hold them, one after the other; the caller may stop. Ranks nothing and
//! reads no file through a link.

use std::fs::File;
use std::io::{BufRead, BufReader};

use serde::Serialize;

use super::outside_memory::{BESIDE, dated};
use super::session_cache::sorted;
use super::titles::Titles;
use super::{Error, Memory, MemoryOrigin, Recall};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_search::trigram_filter::Needle;

/// The longest part of a line that is shown, in characters.
const SHOWN_CHARS: usize = 300;
/// The longest transcript line that is searched; a pasted image is not prose.
const LINE_BYTES: u64 = 4 * 1024 * 1024;

/// Where a hit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HitPlace {
    /// In a memory.
    Memory,
    /// In a conversation.
    Transcript,
}

/// One line that matches.
#[derive(Clone, Debug, Serialize)]
pub struct MatchingLine {
    /// The file: relative for memories, absolute for transcripts.
    pub file: String,
    /// What people call the memory; none for a transcript or an index.
    pub title: Option<String>,
    /// Its line, from 1.
    pub line: usize,
    /// The line, or the part of it around the match.
    pub text: String,
    /// Whose memory; none for a transcript, and for the file that the project keeps itself.
    pub scope: Option<Scope>,
    /// Where.
    pub place: HitPlace,
    /// The team it came from and who wrote it, for a shared memory.
    pub from: Option<String>,
}

impl Recall<'_> {
    /// Hands every matching line to `found` as it is met. Stops when it says so.
    pub fn search(
        &self,
        term: &str,
        regex: bool,
        transcripts: bool,
        found: &mut dyn FnMut(MatchingLine) -> bool,
    ) -> Result<(), Error> {
        if term.trim().is_empty() {
            return Err(Error::Refused("there is nothing to search for: the term is empty".into()));
        }
        let pattern = if regex { term.to_owned() } else { regex::escape(term) };
        let matcher = regex::RegexBuilder::new(&pattern)
            .case_insensitive(true)
            .size_limit(4 * 1024 * 1024)
            .build()
            .map_err(|error| Error::Refused(format!("this is not a valid pattern: {error}")))?;
        let needle = if regex { None } else { Needle::of(term) };
        self.memory.history().notice()?;
        // As in a listing: without a team's state nothing is known of where memories came from.
        let origins = self.memory.origins().unwrap_or_default();
        for (scope, store) in self.memory.stores()? {
            let catalog = store.known()?;
            let mut titles = Titles::of(store);
            let mut all = self.memory.trigram_filters.borrow_mut();
            let mut trigram_filters = all.as_mut().map(|all| all.entry(store.root().path().to_path_buf()).or_default());
            let order = trigram_filters
                .as_mut()
                .map_or_else(|| sorted(&catalog), |trigram_filters| trigram_filters.order(&catalog));
            for number in order {
                let known = catalog.at(number);
                let rule_out =
                    |needle| trigram_filters.as_ref().is_some_and(|it| it.rule_out(number, known.hash, needle));
                if needle.as_ref().is_some_and(rule_out) {
                    continue;
                }
                let Ok(file) = RelPath::parse(known.path) else { continue };
                let Ok(Some(bytes)) = store.root().read(&file) else { continue };
                if let Some(trigram_filters) = &mut trigram_filters {
                    trigram_filters.take(number, known.hash, &bytes);
                }
                let scope = if scope == Scope::Private && file.in_team() { Scope::Team } else { scope };
                let from = origins.get(known.path).filter(|_| scope == Scope::Team).map(MemoryOrigin::shown);
                let mut title = None;
                let mut found = |hit: MatchingLine| {
                    let said = || titles.title(scope, known.path, known.name).into_owned();
                    let title = title.get_or_insert_with(|| (!file.is_index()).then(said)).clone();
                    found(MatchingLine { title, from: from.clone(), ..hit })
                };
                if !search_file(known.path, &bytes, Some(scope), &matcher, &mut found) {
                    return Ok(());
                }
            }
        }
        if let Some(root) = self.memory.logs_beside() {
            for path in dated(&root)? {
                let Ok(Some(bytes)) = root.read(&path) else { continue };
                if !search_file(&format!("{BESIDE}{path}"), &bytes, Some(Scope::Private), &matcher, found) {
                    return Ok(());
                }
            }
        }
        if let Some(project) = self.memory.project_memory()
            && !search_file(project.file, &project.bytes, None, &matcher, found)
        {
            return Ok(());
        }
        if transcripts { self.memory.search_transcripts(&matcher, found) } else { Ok(()) }
    }
}

impl Memory {
    fn search_transcripts(
        &self,
        matcher: &regex::Regex,
        found: &mut dyn FnMut(MatchingLine) -> bool,
    ) -> Result<(), Error> {
        let dir = self.place.project_dir()?;
        let mut names = memdir_store::fs::names(&dir)?;
        names.retain(|name| name.ends_with(".jsonl"));
        names.sort();
        for name in names {
            let path = dir.join(name);
            let Ok(file) = File::open(&path) else { continue };
            let mut reader = BufReader::new(file);
            let mut line = Vec::new();
            let mut at = 0;
            loop {
                line.clear();
                let read = std::io::Read::take(&mut reader, LINE_BYTES).read_until(b'\n', &mut line);
                if !read.is_ok_and(|read| read > 0) {
                    break;
                }
                at += 1;
                let Some(text) = spoken(&line, matcher) else { continue };
                let shown = path.display().to_string();
                let hit = MatchingLine {
                    file: shown,
                    title: None,
                    line: at,
                    text,
                    scope: None,
                    place: HitPlace::Transcript,
                    from: None,
                };
                if !found(hit) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Hands over the matching lines of one file. False when enough was found.
fn search_file(
    file: &str,
    bytes: &[u8],
    scope: Option<Scope>,
    matcher: &regex::Regex,
    found: &mut dyn FnMut(MatchingLine) -> bool,
) -> bool {
    String::from_utf8_lossy(bytes).lines().enumerate().all(|(at, line)| {
        let Some(text) = around(line, matcher) else { return true };
        found(MatchingLine {
            file: file.to_owned(),
            title: None,
            line: at + 1,
            text,
            scope,
            place: HitPlace::Memory,
            from: None,
        })
    })
}

/// The part of a line around the match.
fn around(line: &str, matcher: &regex::Regex) -> Option<String> {
    let hit = matcher.find(line)?;
    if line.chars().count() <= SHOWN_CHARS {
        return Some(line.trim_end().to_owned());
    }
    let before: Vec<char> = line[..hit.start()].chars().rev().take(SHOWN_CHARS / 3).collect();
    let start: String = before.into_iter().rev().collect();
    let rest: String = line[hit.start()..].chars().take(SHOWN_CHARS * 2 / 3).collect();
    Some(format!("…{start}{rest}…"))
}

/// What was said in a transcript line, as far as it matches. Lines that are not JSON are searched as they are.
fn spoken(line: &[u8], matcher: &regex::Regex) -> Option<String> {
    let raw = String::from_utf8_lossy(line);
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(line) else { return around(&raw, matcher) };
    let mut texts = Vec::new();
    collect(&value, &mut texts, 0);
    texts.iter().find_map(|text| text.lines().find_map(|line| around(line, matcher)))
}

/// Every string below `text`, `content`, `input` and the like; identifiers are not speech.
fn collect<'v>(value: &'v serde_json::Value, texts: &mut Vec<&'v str>, depth: usize) {
    if depth > 12 {
        return;
    }
    match value {
        serde_json::Value::String(text) => texts.push(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, texts, depth + 1)),
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let quiet = matches!(
                    key.as_str(),
                    "uuid" | "parentUuid" | "sessionId" | "signature" | "id" | "timestamp" | "version"
                );
                if !quiet {
                    collect(value, texts, depth + 1);
                }
            }
        }
        _ => {}
    }
}
