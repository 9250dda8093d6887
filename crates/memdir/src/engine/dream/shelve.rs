//! The index in a dream: what only stands in it moves into memories, what is left is pointers.
//!
//! Enters: the bytes of an index and the desk. Leaves: which lines may go because a memory says them
//! now, and later the index itself, within its limits as far as its memories allow (I1, I6, D3).
//! Headings and prose that a person wrote stay, unless everything below a heading went.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use memdir_encoder::Encoder;

use super::desk::Desk;
use super::pairs::cosine;
use crate::engine::Error;
use crate::kind::Scope;
use crate::limits;
use crate::store::index::{self, Index, Known};
use crate::store::topic::NewTopic;
use crate::text::likeness::{word_numbers, words};
use crate::text::{dates, guess, title};

/// Content words that make a loose line worth a memory of its own.
const NOTE_WORDS: usize = 4;
/// Content words that a hook must have to say more than its memory.
const HOOK_WORDS: usize = 4;
/// Words of a name and description that a loose line must share to belong to that memory.
const SHARED_WORDS: usize = 2;
/// How near in meaning it must be besides.
const BELONGS_FROM: f32 = 0.35;
/// Bytes of a line that no crowded index cuts.
const FAIR_BYTES: usize = 60;
/// A hook longer than this may hold a pasted answer.
const DUMP_CHARS: usize = 1_000;

/// Moves what only the index says into memories. Returns the lines that need not stand there.
pub(super) fn salvage(desk: &mut Desk, raw: &[u8], scope: Scope, day: Date) -> Result<HashSet<String>, Error> {
    let text = String::from_utf8_lossy(raw).into_owned();
    let pointers: HashMap<usize, index::Pointer> =
        Index::parse(raw.to_vec()).pointers().into_iter().map(|pointer| (pointer.line, pointer)).collect();
    let prefix = if scope == Scope::Team { "team/" } else { "" };
    let places: HashMap<String, usize> =
        desk.sheets.iter().enumerate().map(|(at, sheet)| (sheet.file.to_string(), at)).collect();
    let (mut seen, mut above, mut gone) = (HashSet::new(), None, HashSet::new());
    let mut spoken: Option<Vec<Vec<u64>>> = None;
    // An index over its bytes will have its longer lines cut; what they say must stand in their memories.
    let crowded = raw.len() > limits::INDEX_BYTES;
    let fair = (limits::INDEX_BYTES / text.lines().count().max(1)).min(FAIR_BYTES);
    for (number, line) in text.lines().enumerate() {
        if let Some(pointer) = pointers.get(&(number + 1)) {
            let place = places.get(&format!("{prefix}{}", pointer.target)).copied();
            above = place;
            let Some(at) = place else { continue };
            let doubled = !seen.insert(at);
            if doubled || pointer.chars > limits::LONG_LINE_CHARS || (crowded && line.len() > fair) {
                keep_hook(desk, at, &pointer.hook, day);
            }
            continue;
        }
        let Some(item) = item(line) else {
            if !line.starts_with(char::is_whitespace) && !line.trim().is_empty() {
                above = None;
            }
            continue;
        };
        let indented = line.starts_with(char::is_whitespace);
        if item.contains(".md") || words(item).is_empty() {
            continue;
        }
        let below = above.filter(|_| indented);
        // Reading every memory is dear: once, and only where there is a loose line.
        let spoken =
            spoken.get_or_insert_with(|| desk.sheets.iter().map(|sheet| word_numbers(&sheet.text())).collect());
        if place_note(desk, item, below, day, spoken)? {
            gone.insert(line.trim_end().to_owned());
        }
        if !indented {
            above = None;
        }
    }
    Ok(gone)
}

/// The text of a list item.
fn item(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    ["- ", "* ", "+ "].iter().find_map(|bullet| rest.strip_prefix(bullet)).map(str::trim)
}

/// Says what a long or doubled hook says in its memory, without pasted data.
fn keep_hook(desk: &mut Desk, at: usize, hook: &str, day: Date) {
    let prose = dates::resolve(&prose_of(hook), day).text;
    let sheet = &mut desk.sheets[at];
    if words(&prose).len() >= HOOK_WORDS && !sheet.says(&prose) && sheet.is_free() {
        sheet.add_paragraph(&prose);
        sheet.notes.push("took over what its index line said".to_owned());
    }
}

/// A hook up to where pasted data begins.
fn prose_of(hook: &str) -> String {
    if hook.chars().count() <= DUMP_CHARS {
        return hook.to_owned();
    }
    let marks = ["[{", "{\"", "{ \"", "[[", "[\"", "```", "<?xml", "<html"];
    let start = marks.iter().filter_map(|mark| hook.find(mark)).min();
    let mut long = None;
    let mut at = 0;
    for word in hook.split(' ') {
        if word.len() > 200 {
            long = Some(at);
            break;
        }
        at += word.len() + 1;
    }
    let end = [start, long].into_iter().flatten().min().unwrap_or(hook.len());
    let prose = hook[..end].trim_end();
    // "full answer:" only introduced what was cut.
    let cut = end < hook.len() && prose.ends_with([':', '：']);
    let stop = prose.rfind(['.', ';', ',', '。', '；', '，']).filter(|_| cut);
    stop.map_or(prose, |stop| &prose[..stop]).trim_end_matches([':', '：', ' ']).to_owned()
}

/// Finds a place for a loose line. Returns whether a memory says it now.
fn place_note(
    desk: &mut Desk,
    item: &str,
    below: Option<usize>,
    day: Date,
    spoken: &[Vec<u64>],
) -> Result<bool, Error> {
    if let Some(at) = below {
        if desk.sheets[at].says(item) {
            return Ok(true);
        }
        if !desk.sheets[at].is_free() {
            return Ok(false);
        }
        desk.sheets[at].add_paragraph(&dates::resolve(item, day).text);
        desk.sheets[at].notes.push("took over a line of the index".to_owned());
        return Ok(true);
    }
    let wanted = word_numbers(item);
    // Words that are not there cannot be said there; what this run brought or changed is read in any case.
    let may_say = |at: usize| {
        let known = spoken.get(at).filter(|_| !desk.sheets[at].changed());
        known.is_none_or(|own| wanted.iter().all(|word| own.binary_search(word).is_ok()))
    };
    if (0..desk.sheets.len()).any(|at| desk.sheets[at].stays() && may_say(at) && desk.sheets[at].says(item)) {
        return Ok(true);
    }
    if words(item).len() < NOTE_WORDS {
        return Ok(false);
    }
    let text = dates::resolve(item, day).text;
    match home_of(desk, &text) {
        Some(at) => {
            desk.sheets[at].add_paragraph(&text);
            desk.sheets[at].notes.push("took over a line of the index".to_owned());
        }
        None => {
            let (name, description) = (title::title(&text), title::summary(&text));
            let kind = Some(guess::guess_kind(&text));
            let new = NewTopic { name: &name, description: &description, kind, body: &text, pinned: false };
            let note = "stood only in the index".to_owned();
            desk.add(&new, day_start(day), day, note)?;
        }
    }
    Ok(true)
}

pub(super) fn day_start(day: Date) -> jiff::Timestamp {
    day.to_zoned(jiff::tz::TimeZone::UTC).map_or(jiff::Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

/// The memory that a line belongs to.
fn home_of(desk: &Desk, text: &str) -> Option<usize> {
    let own: HashSet<String> = words(text).into_iter().collect();
    let meant = Encoder::new().encode_query(text).quantise();
    let mut best: Option<(f32, usize)> = None;
    for (at, sheet) in desk.sheets.iter().enumerate().filter(|(_, sheet)| sheet.is_free()) {
        let about: HashSet<String> = words(&format!("{} {}", sheet.name(), sheet.description())).into_iter().collect();
        let shared = own.intersection(&about).count();
        let near =
            sheet.vectors.as_ref().map_or(0.0, |pair| cosine(&meant, &pair.header).max(cosine(&meant, &pair.whole)));
        if shared >= SHARED_WORDS && near >= BELONGS_FROM && best.is_none_or(|(top, _)| near > top) {
            best = Some((near, at));
        }
    }
    best.map(|(_, at)| at)
}

/// A memory as its index names it.
#[derive(Clone, Debug)]
pub(super) struct Title {
    pub(super) target: String,
    pub(super) name: String,
    pub(super) description: String,
    /// Whether its pointer should say what it says now.
    pub(super) renew: bool,
    /// The dream does not write on it, so what its pointer says may stand nowhere else.
    pub(super) held: bool,
}

/// The index with its longest pointers made shorter, as far as it takes to be loaded whole (I2). What they
/// said stands in their memories by then.
pub(super) fn within_bytes(raw: Vec<u8>, titles: &[Title]) -> Vec<u8> {
    if raw.len() <= limits::INDEX_BYTES {
        return raw;
    }
    let free: HashSet<&str> = titles.iter().filter(|title| !title.held).map(|title| title.target.as_str()).collect();
    let mut index = Index::parse(raw);
    let pointers: Vec<index::Pointer> =
        index.pointers().into_iter().filter(|pointer| free.contains(pointer.target.as_str())).collect();
    // From the longest down, in steps, until it fits; a hook of a few words is worth its place.
    for room in [110, 90, 70, 50, 30] {
        for pointer in pointers.iter().filter(|pointer| pointer.hook.chars().count() > room) {
            let edit = index.point(&pointer.target, &pointer.title, &cut_words(&pointer.hook, room));
            index.apply(&edit);
        }
        if index.as_bytes().len() <= limits::INDEX_BYTES {
            break;
        }
    }
    index.into_bytes()
}

/// The first words of a hook, at most so many characters.
fn cut_words(hook: &str, chars: usize) -> String {
    let Some((end, _)) = hook.char_indices().nth(chars.saturating_sub(1)) else { return hook.to_owned() };
    let part = &hook[..end];
    let part = part.rfind([' ', ',', '，', '；', '。', ';']).filter(|at| *at > end / 2).map_or(part, |at| &part[..at]);
    format!("{}…", part.trim_end_matches([' ', ',', ';', '，', '；']))
}

/// The index for what is there after the dream.
pub(super) fn shelved(raw: &[u8], gone: &HashSet<String>, titles: &[Title]) -> Vec<u8> {
    let text = String::from_utf8_lossy(raw).into_owned();
    let kept: Vec<String> = text.lines().filter(|line| !gone.contains(line.trim_end())).map(with_dash).collect();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let joined = |lines: &[String]| lines.iter().flat_map(|line| [line.as_str(), ending]).collect::<String>();
    let known: Vec<Known<'_>> = titles
        .iter()
        .map(|title| Known { target: &title.target, title: &title.name, hook: &title.description })
        .collect();
    // What is named in the index is mended first; files that nothing points to come when emptied headings are gone.
    let cleaned = joined(&kept);
    let first = Index::parse(cleaned.clone().into_bytes());
    let pointed: HashSet<String> = first.targets().map(std::borrow::Cow::into_owned).collect();
    let apart = |c: char| c.is_whitespace() || "()[]<>`'\",:;*".contains(c);
    let mentioned: HashSet<&str> = cleaned.split(apart).map(stem).collect();
    let is_named = |file: &&Known<'_>| pointed.contains(file.target) || mentioned.contains(stem(file.target));
    let named: Vec<Known<'_>> = known.iter().filter(is_named).copied().collect();
    let mended = index::repair(&first, &named).index;
    let standing = without_empty_headings(&text, &String::from_utf8_lossy(mended.as_bytes()));
    let mut index = index::repair(&Index::parse(joined(&standing).into_bytes()), &known).index;
    let pointed: HashSet<String> = index.pointers().into_iter().map(|pointer| pointer.target).collect();
    for title in titles.iter().filter(|title| title.renew && pointed.contains(&title.target)) {
        let edit = index.point(&title.target, &title.name, &title.description);
        index.apply(&edit);
    }
    let out = String::from_utf8_lossy(index.as_bytes()).into_owned();
    // Nothing moved: not a byte of it is touched.
    if out.trim_end() == text.trim_end() { raw.to_vec() } else { out.into_bytes() }
}

/// A file name as `[[name]]` links write it.
fn stem(target: &str) -> &str {
    target.strip_suffix(".md").unwrap_or(target)
}

/// A pointer with the usual bullet.
fn with_dash(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    match line[start..].strip_prefix("* [").or_else(|| line[start..].strip_prefix("+ [")) {
        Some(rest) if rest.contains("](") => format!("{}- [{rest}", &line[..start]),
        _ => line.to_owned(),
    }
}

/// The lines without headings that lost everything below them, and without the gaps that leaves.
fn without_empty_headings(before: &str, after: &str) -> Vec<String> {
    let filled: HashSet<&str> =
        headings(before).into_iter().filter(|(_, filled)| *filled).map(|(line, _)| line).collect();
    let emptied: HashSet<&str> = headings(after)
        .into_iter()
        .filter(|(line, full)| !full && filled.contains(line))
        .map(|(line, _)| line)
        .collect();
    let shrunk = after.lines().count() < before.lines().count();
    let mut out: Vec<String> = Vec::new();
    for line in after.lines().filter(|line| !emptied.contains(line)) {
        let gap = line.trim().is_empty() && out.last().is_none_or(|last| last.trim().is_empty());
        if !(shrunk && gap) {
            out.push(line.to_owned());
        }
    }
    while out.last().is_some_and(|line| line.trim().is_empty()) {
        out.pop();
    }
    out
}

/// Each heading, and whether anything stands below it before the next one of its rank.
fn headings(text: &str) -> Vec<(&str, bool)> {
    let rank = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('#')) {
        let own = rank(line);
        let below = lines[at + 1..].iter().take_while(|line| !(line.starts_with('#') && rank(line) <= own));
        found.push((*line, below.into_iter().any(|line| !line.trim().is_empty() && !line.starts_with('#'))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(target: &str) -> Title {
        Title {
            target: target.into(),
            name: target.into(),
            description: "what it says".into(),
            renew: false,
            held: false,
        }
    }

    #[test]
    fn i6_an_index_in_order_keeps_every_byte() {
        let raw = b"# Mine\n\nA word of mine.\n\n- [A](a.md) \xe2\x80\x94 hook\n";
        assert_eq!(shelved(raw, &HashSet::new(), &[title("a.md")]), raw);
    }

    #[test]
    fn i6_pointers_are_mended_and_emptied_headings_go() {
        let raw =
            "# Mine\n* [A](a.md) — hook\n\n## Old weeks\n- [W](week.md) — gone\n\n## Loose\n- a note about tabs\n";
        let gone = HashSet::from(["- a note about tabs".to_owned()]);
        let out = String::from_utf8(shelved(raw.as_bytes(), &gone, &[title("a.md"), title("b.md")])).unwrap();
        assert_eq!(out, "# Mine\n- [A](a.md) — hook\n- [b.md](b.md) — what it says\n");
    }

    #[test]
    fn i2_an_index_over_its_bytes_is_made_to_fit_and_lines_that_are_held_stay() {
        let hook = |n: usize| format!("记忆{n:03}说明了一件相当长的事情，{}", "每个字都占三个字节，".repeat(9));
        let raw: String = (0..150).map(|n| format!("- [记忆 {n}](m{n}.md) — {}\n", hook(n))).collect();
        assert!(raw.len() > limits::INDEX_BYTES);
        let titles: Vec<Title> = (0..150).map(|n| Title { held: n == 7, ..title(&format!("m{n}.md")) }).collect();
        let out = String::from_utf8(within_bytes(raw.into_bytes(), &titles)).unwrap();
        assert!(out.len() <= limits::INDEX_BYTES, "{}", out.len());
        assert_eq!(out.lines().count(), 150);
        assert!(out.contains(&hook(7)), "a pinned memory's line may be the only place that says it");
        let short = "- [A](a.md) — hook\n".to_owned();
        assert_eq!(within_bytes(short.clone().into_bytes(), &[title("a.md")]), short.as_bytes());
    }

    #[test]
    fn pasted_data_is_cut_and_the_words_before_it_stay() {
        let dump = "{\"max_kg\": 45.9}, ".repeat(100);
        let hook =
            format!("measured on 2026-03-31: 40 requests per second; bursts count per minute. full answer: [{dump}]");
        let prose = prose_of(&hook);
        assert!(prose.ends_with("bursts count per minute"), "{prose}");
        assert_eq!(prose_of("short {\"a\": 1}"), "short {\"a\": 1}");
    }
}
