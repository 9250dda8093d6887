//! Secrets in text: named rules, found and redacted (T3, F7).
//!
//! Enters: any text. Leaves: [`Finding`]s, or the text with each secret replaced by
//! `[redacted: rule-name]`. Never touches a file, never sends or keeps what it found, and never
//! says that a text is safe: it knows shapes of tokens, not meanings.
//!
//! A rule fires where its keyword stands in the text, its pattern matches around it, and the value
//! is not what documentation writes in place of a secret. Missing a secret is bad; crying wolf over
//! a commit hash is nearly as bad, for the memory is then lost.

mod chunks;
mod encoded;
mod entropy;
mod find;
mod joined;
mod judge;
mod jwt;
mod keywords;
mod marked;
mod nearby;
mod noise;
mod password;
mod placeholder;
mod rule;
mod rules;
mod told;
mod view;

use std::ops::Range;

pub(crate) use keywords::Keywords;
pub use rule::SecretRule;

#[cfg(test)]
mod tests;

/// How often [`redact`] looks again at its own result before it gives up on precision. What a
/// first look hides behind another match is found in the second; more is an attack.
const ROUNDS: usize = 8;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule that fired.
    pub rule: &'static str,
    /// First byte of the secret itself, without the words around it.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Line of the first byte, counted from 1.
    pub line: usize,
}

/// All rules, the specific ones before the broad ones.
pub fn rules() -> impl Iterator<Item = &'static SecretRule> {
    rules::all()
}

/// Finds the secrets of a text, sorted, none overlapping another: as it is written, as a reader sees it, with torn
/// tokens joined, and decoded.
pub fn scan(text: &str) -> Vec<Finding> {
    let markers = find::markers(text);
    let mut found = Vec::new();
    let mut add = |rule: &'static str, at: Range<usize>| {
        let next = found.partition_point(|earlier: &Finding| earlier.end <= at.start);
        let free = found.get(next).is_none_or(|later| at.end <= later.start) && !find::touches(&markers, &at);
        if free && at.start < at.end {
            found.insert(next, Finding { rule, start: at.start, end: at.end, line: 0 });
        }
    };
    for (rule, at) in find::secrets(text) {
        add(rule.name, at);
    }
    for at in jwt::tokens(text) {
        add("jwt", at);
    }
    for at in marked::tokens(text) {
        add(marked::NAME, at);
    }
    if let Some(view) = view::hidden(text) {
        for (rule, at) in find::secrets(&view.text) {
            add(rule.name, view.original(at));
        }
    }
    let plain = view::plain(text);
    if let Some(view) = &plain {
        for (rule, at) in find::secrets(&view.text) {
            add(rule.name, view.original(at));
        }
    }
    let seen = plain.as_ref().map_or(text, |view| view.text.as_str());
    let in_text = |at: Range<usize>| plain.as_ref().map_or(at.clone(), |view| view.original(at));
    if let Some(view) = joined::joined(seen) {
        for (rule, at) in find::secrets(&view.text) {
            add(rule.name, in_text(view.original(at)));
        }
        // Of a value in pieces nobody knows whether they belong together; a word for it may have been spelled out.
        for (rule, at) in nearby::told_in(&view.text) {
            let place = view.original(at.clone());
            if place.len() == at.len() {
                add(rule, in_text(place));
            }
        }
    }
    for (rule, at) in encoded::secrets(seen) {
        add(rule, in_text(at));
    }
    for (rule, at) in nearby::secrets(seen, &find::markers(seen)) {
        add(rule, in_text(at));
    }
    number_lines(text, &mut found);
    found
}

/// Replaces each secret by `[redacted: rule-name]` and says what was replaced, in the bytes of the
/// original. A scan of the result finds nothing, and redacting it again changes nothing.
pub fn redact(text: &str) -> (String, Vec<Finding>) {
    let mut found = scan(text);
    let mut out = replace(text, &found);
    for round in 0.. {
        let again = scan(&out);
        let Some(first) = again.first() else { break };
        let hidden = if round < ROUNDS {
            in_original(&again, &found)
        } else {
            let mut rest = in_original(std::slice::from_ref(first), &found);
            for finding in &mut rest {
                finding.end = text.len();
                found.retain(|earlier| earlier.end <= finding.start);
            }
            rest
        };
        found.extend(hidden);
        found.sort_by_key(|finding| finding.start);
        out = replace(text, &found);
    }
    number_lines(text, &mut found);
    (out, found)
}

/// A message as it may be kept or shown to whoever writes memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    /// The message without its secrets; one marker in place of it all where it is withheld.
    pub text: String,
    /// The rule for which nothing of the message may be used.
    pub withheld: Option<&'static str>,
}

/// Screens what somebody said. A token that its own shape gives away is cut out, and the rest may stay. Where only
/// the words around a value tell that it is a secret, or such words stand beside a token, nobody can say where the secret
/// begins and ends: then nothing of the message stays.
pub fn screen(message: &str) -> Screened {
    let (text, found) = redact(message);
    let Some(first) = found.first() else { return Screened { text, withheld: None } };
    let exact = |finding: &Finding| {
        finding.rule == marked::NAME || rules().any(|rule| rule.name == finding.rule && rule.has_shape())
    };
    let vague = found.iter().find(|finding| !exact(finding));
    let withheld = vague.or_else(|| nearby::names_a_credential(&text, &find::markers(&text)).then_some(first));
    match withheld {
        Some(finding) => Screened { text: marker(finding.rule), withheld: Some(finding.rule) },
        None => Screened { text, withheld: None },
    }
}

fn marker(rule: &str) -> String {
    format!("[redacted: {rule}]")
}

fn replace(text: &str, found: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for finding in found {
        out.push_str(text.get(done..finding.start).unwrap_or_default());
        out.push_str(&marker(finding.rule));
        done = finding.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Moves findings in a redacted text to where they stand in the original. They never touch a
/// marker, so each lies in one piece of it.
fn in_original(again: &[Finding], redacted: &[Finding]) -> Vec<Finding> {
    let (mut grown, mut shrunk) = (0, 0);
    let mut earlier = redacted.iter().peekable();
    again
        .iter()
        .map(|finding| {
            while let Some(gone) = earlier.next_if(|gone| gone.start + grown - shrunk <= finding.start) {
                grown += marker(gone.rule).len();
                shrunk += gone.end - gone.start;
            }
            Finding { start: finding.start + shrunk - grown, end: finding.end + shrunk - grown, ..finding.clone() }
        })
        .collect()
}

fn number_lines(text: &str, found: &mut [Finding]) {
    let (mut line, mut counted) = (1, 0);
    for finding in found {
        let between = text.as_bytes().get(counted..finding.start).unwrap_or_default();
        line += memchr::memchr_iter(b'\n', between).count();
        counted = finding.start;
        finding.line = line;
    }
}
