//! Runs the rules: one pass for all keywords, then each rule only around its own.
//!
//! Enters: a text. Leaves: which rule found what where, sorted, without overlaps. Work grows with
//! the text, not with the rules: patterns compile when their keyword is first met, and see only
//! the neighbourhood of the keyword.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use super::keywords::Keywords;
use super::rule::SecretRule;
use super::{marked, nearby, rules};

/// Bytes before a keyword that are searched; the longest head before a keyword is 76.
const BEFORE: usize = 128;
/// After a value that was weighed and found harmless the search goes on inside it, for it may hold
/// the name of another value; but not inside a long one, or a hostile text costs its square.
const LOOK_INSIDE: usize = 128;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::new);

struct Engine {
    rules: Vec<&'static SecretRule>,
    names: HashSet<&'static [u8]>,
    keywords: Keywords,
    patterns: Vec<OnceLock<Option<Regex>>>,
}

struct RuleMatch {
    rule: usize,
    secret: Range<usize>,
}

/// Finds all secrets, sorted, none overlapping another.
pub(super) fn secrets(text: &str) -> Vec<(&'static SecretRule, Range<usize>)> {
    let engine = &*ENGINE;
    let markers = engine.markers(text);
    let mut candidates = Vec::new();
    for (rule, windows) in engine.windows(text).into_iter().enumerate() {
        for window in windows {
            engine.search(text, rule, window, &markers, &mut candidates);
        }
    }
    engine.settle(candidates)
}

/// The places of markers that stand for what was redacted.
pub(super) fn markers(text: &str) -> Vec<Range<usize>> {
    ENGINE.markers(text)
}

/// The compiled pattern, or nothing if it is no regular expression.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}

impl Engine {
    fn new() -> Engine {
        let rules: Vec<&'static SecretRule> = rules::all().collect();
        let pairs = rules.iter().enumerate();
        let keywords = Keywords::new(pairs.flat_map(|(at, rule)| rule.keywords.iter().map(move |word| (*word, at))));
        let names =
            rules.iter().map(|rule| rule.name).chain(nearby::NAMES).chain([marked::NAME]).map(str::as_bytes).collect();
        let patterns = rules.iter().map(|_| OnceLock::new()).collect();
        Engine { rules, names, keywords, patterns }
    }

    /// Where the text says that something was redacted: a rule must not find its own marker, nor
    /// take the rule's name in it for the name of a value that follows.
    fn markers(&self, text: &str) -> Vec<Range<usize>> {
        const OPEN: &str = "[redacted: ";
        const NAME_BYTES: usize = 64;
        memchr::memmem::find_iter(text.as_bytes(), OPEN)
            .filter_map(|start| {
                let inside = start + OPEN.len();
                let rest = text.as_bytes().get(inside..)?;
                let name = rest.get(..memchr::memchr(b']', &rest[..rest.len().min(NAME_BYTES)])?)?;
                self.names.contains(name).then(|| start..inside + name.len() + 1)
            })
            .collect()
    }

    /// For each rule the parts of the text in which it is worth looking.
    fn windows(&self, text: &str) -> Vec<Vec<Range<usize>>> {
        let mut windows: Vec<Vec<Range<usize>>> = vec![Vec::new(); self.rules.len()];
        self.keywords.each(text.as_bytes(), |rule, start, end| {
            let needed = end.saturating_add(self.rules[rule].reach).min(text.len());
            let start = start.saturating_sub(BEFORE);
            match windows[rule].last_mut() {
                Some(last) if needed <= last.end => {}
                Some(last) if start <= last.end => last.end = next_blank(text, needed),
                _ => windows[rule].push(start..next_blank(text, needed)),
            }
        });
        windows
    }

    fn search(
        &self,
        text: &str,
        rule: usize,
        window: Range<usize>,
        markers: &[Range<usize>],
        candidates: &mut Vec<RuleMatch>,
    ) {
        if !self.rules[rule].judge.possible(&text.as_bytes()[window.clone()]) {
            return;
        }
        let pattern = self.patterns[rule].get_or_init(|| compile(self.rules[rule].pattern));
        let Some(pattern) = pattern else { return };
        let visible = &text.as_bytes()[..window.end];
        let mut from = window.start;
        while from < visible.len()
            && let Some(groups) = pattern.captures_at(visible, from)
            && let Some(whole) = groups.get(0)
        {
            let secret = groups.iter().skip(1).flatten().next().unwrap_or(whole).range();
            let kept = self.rules[rule].judge.keep(text, whole.range(), secret.clone());
            let kept = kept.filter(|kept| !touches(markers, &(whole.start()..kept.end)));
            from = match kept {
                Some(kept) => {
                    let next = kept.end;
                    candidates.push(RuleMatch { rule, secret: kept });
                    next
                }
                None if secret == whole.range() || secret.len() > LOOK_INSIDE => secret.end,
                None => secret.start,
            }
            .max(whole.start() + 1);
        }
    }

    /// Where rules compete, the specific one wins, then the earlier, then the longer match.
    fn settle(&self, mut candidates: Vec<RuleMatch>) -> Vec<(&'static SecretRule, Range<usize>)> {
        candidates.sort_by_key(|c| (c.secret.start, std::cmp::Reverse(c.secret.end), c.rule));
        let (broad, specific): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|candidate| self.rules[candidate.rule].broad);
        let mut kept: Vec<RuleMatch> = Vec::new();
        for group in [specific, broad] {
            let mut added: Vec<RuleMatch> = Vec::new();
            for candidate in group {
                let free = added.last().is_none_or(|last| last.secret.end <= candidate.secret.start);
                if free && !overlaps(&kept, &candidate.secret) {
                    added.push(candidate);
                }
            }
            kept.extend(added);
            kept.sort_by_key(|candidate| candidate.secret.start);
        }
        kept.into_iter().map(|c| (self.rules[c.rule], c.secret)).collect()
    }
}

fn overlaps(sorted: &[RuleMatch], range: &Range<usize>) -> bool {
    let next = sorted.partition_point(|candidate| candidate.secret.end <= range.start);
    sorted.get(next).is_some_and(|candidate| candidate.secret.start < range.end)
}

pub(super) fn touches(sorted: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = sorted.partition_point(|marker| marker.end <= range.start);
    sorted.get(next).is_some_and(|marker| marker.start < range.end)
}

/// The first blank at or after a position: no token is cut by the end of its window.
fn next_blank(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr::memchr3(b' ', b'\n', b'\t', rest).map_or(text.len(), |offset| from + offset)
}

#[cfg(test)]
mod tests;
