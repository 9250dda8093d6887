//! The provider's prompt cache, as far as a client can tell.
//!
//! Anthropic: a request is a row of blocks, tools before system before messages. Each
//! `cache_control` block writes an entry for everything up to it; a later request reads the longest
//! entry that lies at one of its breakpoints or in the 19 blocks before one. What a block says counts,
//! not where the breakpoint sits. The others cache whatever beginning two requests share, in steps
//! of 128 tokens from 1,024 on.
//!
//! A token is four bytes.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use super::recorded::{Api, Recorded, list};

/// How many places are looked at for an entry, the breakpoint's own being the first.
const LOOK_BACK: usize = 20;
/// Where caching without breakpoints begins, and its step.
const SHARED_FROM: usize = 1024;
const SHARED_STEP: usize = 128;

/// Tokens of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Read at full price.
    pub input: u64,
    /// Put into the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Count {
    /// All that was read.
    pub fn prompt(self) -> u64 {
        self.input + self.cache_creation + self.cache_read
    }
}

/// Everything that was cached so far.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: HashSet<u64>,
    seen: Vec<(Api, Vec<u8>)>,
}

impl Cache {
    /// Counts a request that is being answered, and remembers it.
    pub(super) fn charge(&mut self, request: &Recorded) -> Count {
        match request.api {
            Api::Anthropic => self.by_breakpoints(&request.body),
            _ => self.by_beginning(request),
        }
    }

    fn by_breakpoints(&mut self, body: &Value) -> Count {
        let mut hasher = DefaultHasher::new();
        // These are part of what is cached: another model or another answer format shares nothing.
        (text(&body["model"]), body["output_config"].to_string()).hash(&mut hasher);
        let mut row = Vec::new();
        let mut tokens = 0;
        for block in blocks(body) {
            block.content.hash(&mut hasher);
            tokens += block.tokens();
            row.push((hasher.finish(), tokens, block.breakpoint));
        }
        let breakpoints: Vec<usize> = (0..row.len()).filter(|at| row[*at].2).collect();
        let within = |at: usize| breakpoints.iter().any(|point| at <= *point && point - at < LOOK_BACK);
        let read = (0..row.len()).rev().find(|at| within(*at) && self.entries.contains(&row[*at].0));
        let read = read.map_or(0, |at| row[at].1);
        let cached = breakpoints.last().map_or(0, |at| row[*at].1);
        self.entries.extend(breakpoints.iter().map(|at| row[*at].0));
        Count { input: tokens - cached.max(read), cache_creation: cached.saturating_sub(read), cache_read: read }
    }

    fn by_beginning(&mut self, request: &Recorded) -> Count {
        let row: Vec<u8> = beginning(&request.body).into_bytes();
        let shared = self.seen.iter().filter(|(api, _)| *api == request.api).map(|(_, seen)| {
            let bytes = seen.iter().zip(&row).take_while(|(a, b)| a == b).count();
            if bytes / 4 < SHARED_FROM { 0 } else { bytes / 4 / SHARED_STEP * SHARED_STEP }
        });
        let read = shared.max().unwrap_or(0) as u64;
        let count =
            Count { input: (row.len().div_ceil(4) as u64).saturating_sub(read), cache_creation: 0, cache_read: read };
        self.seen.push((request.api, row));
        count
    }
}

/// Tokens of a request that is only counted.
pub(super) fn count(body: &Value) -> u64 {
    blocks(body).iter().map(Block::tokens).sum()
}

struct Block {
    content: String,
    breakpoint: bool,
}

impl Block {
    fn new(place: &str, value: &Value) -> Block {
        let mut value = value.clone();
        let breakpoint = value.as_object_mut().is_some_and(|fields| fields.shift_remove("cache_control").is_some());
        Block { content: format!("{place}:{value}"), breakpoint }
    }

    fn tokens(&self) -> u64 {
        self.content.len().div_ceil(4) as u64
    }
}

/// An Anthropic request as its row of blocks. Bare strings are one block of text.
fn blocks(body: &Value) -> Vec<Block> {
    let mut row: Vec<Block> = list(&body["tools"]).map(|tool| Block::new("tool", tool)).collect();
    row.extend(spread(&body["system"]).iter().map(|block| Block::new("system", block)));
    for message in list(&body["messages"]) {
        let role = text(&message["role"]);
        row.extend(spread(&message["content"]).iter().map(|block| Block::new(role, block)));
    }
    row
}

fn spread(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// What a wire without breakpoints caches from: tools, instructions, then the conversation.
fn beginning(body: &Value) -> String {
    let mut row = String::new();
    for key in ["model", "tools", "instructions", "systemInstruction"] {
        row.push_str(&body[key].to_string());
    }
    for item in ["messages", "input", "contents"].into_iter().flat_map(|key| list(&body[key])) {
        row.push_str(&item.to_string());
    }
    row
}

/// What is wrong with the cache marks of an Anthropic request, as the real server would say.
pub(super) fn complaint(body: &Value) -> Option<String> {
    let marked = blocks(body).iter().filter(|block| block.breakpoint).count();
    (marked > 4).then(|| format!("A maximum of 4 blocks with cache_control may be provided. Found {marked}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(body: Value) -> Recorded {
        Recorded::new("POST".into(), "/v1/messages", Vec::new(), body.to_string().into_bytes())
    }

    fn said(text: &str, mark: bool) -> Value {
        let mut block = json!({ "type": "text", "text": text });
        if mark {
            block["cache_control"] = json!({ "type": "ephemeral" });
        }
        block
    }

    #[test]
    fn a_longer_request_reads_what_a_shorter_one_wrote() {
        let mut cache = Cache::default();
        let body = |last: Vec<Value>| json!({ "model": "m", "messages": [{ "role": "user", "content": last }] });
        let first = cache.charge(&request(body(vec![said("one", false), said("two", true)])));
        assert_eq!((first.cache_read, first.input), (0, 0));
        let second = cache.charge(&request(body(vec![said("one", false), said("two", false), said("three", true)])));
        assert_eq!(second.cache_read, first.cache_creation);
        let other = cache.charge(&request(body(vec![said("ONE", false), said("two", false), said("three", true)])));
        assert_eq!(other.cache_read, 0);
    }

    #[test]
    fn an_entry_too_far_back_is_not_found() {
        let body = |extra: usize| {
            let mut content: Vec<Value> = (0..extra).map(|n| said(&n.to_string(), false)).collect();
            content.insert(0, said("start", extra == 0));
            content.push(said("end", true));
            json!({ "model": "m", "messages": [{ "role": "user", "content": content }] })
        };
        for (extra, found) in [(10, true), (18, true), (19, false)] {
            let mut cache = Cache::default();
            cache.charge(&request(
                json!({ "model": "m", "messages": [{ "role": "user", "content": [said("start", true)] }] }),
            ));
            assert_eq!(cache.charge(&request(body(extra))).cache_read > 0, found, "{extra}");
        }
    }

    #[test]
    fn without_a_breakpoint_nothing_is_cached() {
        let mut cache = Cache::default();
        let body = json!({ "model": "m", "system": "s", "messages": [{ "role": "user", "content": "hello" }] });
        for _ in 0..2 {
            let count = cache.charge(&request(body.clone()));
            assert_eq!((count.cache_read, count.cache_creation), (0, 0));
            assert!(count.input > 0);
        }
    }
}
