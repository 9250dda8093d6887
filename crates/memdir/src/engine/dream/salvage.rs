//! What only the index says moves into memories, before its lines are shortened or taken out.
//!
//! Enters: the bytes of an index and the desk. Leaves: sheets that say it now, new ones where none fits, and which
//! lines may go because a memory says them. Never writes on a pinned memory: its line stays.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use memdir_encoder::Encoder;

use super::desk::Desk;
use super::pairs::cosine;
use crate::engine::Error;
use crate::kind::Scope;
use crate::limits;
use crate::store::index::{self, Index};
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
    let mut spoken: Option<Vec<Vec<u32>>> = None;
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
    spoken: &[Vec<u32>],
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

#[cfg(test)]
mod tests {
    use super::*;

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
