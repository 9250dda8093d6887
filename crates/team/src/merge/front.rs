//! Frontmatter, key by key.
//!
//! A key that one side changed is as that side has it. One that both changed differently keeps one value in its place and
//! the other under `other-<key>`, until somebody decides. The keys of `metadata` are keys of their own; those that a
//! program writes by itself (when, in which session) are not worth a conflict.

use std::collections::BTreeMap;

use super::OTHER;
use super::sequence::{settle, unite_unique};

/// Keys that programs write: the larger value stands.
const VOLATILE: &[&str] = &["modified", "originSessionId", "node_type"];

/// Keys in order, and each with its alternatives as they follow the colon.
#[derive(Default)]
struct MergedKeys {
    order: Vec<String>,
    values: BTreeMap<String, Vec<String>>,
}

/// Merges what is between the fences; `None`: there is no frontmatter.
pub(super) fn merge(base: Option<&str>, one: Option<&str>, other: Option<&str>) -> Option<String> {
    let (Some(one), Some(other)) = (one, other) else {
        // Whoever has some keeps it: a side without cannot mean to delete every key.
        return one.or(other).map(str::to_owned);
    };
    let base = base.map(|text| MergedKeys::read(text, ""));
    Some(merged(base.as_ref(), &MergedKeys::read(one, ""), &MergedKeys::read(other, "")).write(""))
}

fn merged(base: Option<&MergedKeys>, one: &MergedKeys, other: &MergedKeys) -> MergedKeys {
    let mut values = BTreeMap::new();
    for key in one.order.iter().chain(&other.order) {
        if values.contains_key(key) {
            continue;
        }
        let before = base.and_then(|base| base.values.get(key));
        let (a, b) = (one.values.get(key), other.values.get(key));
        let value = if VOLATILE.contains(&key.as_str()) {
            a.into_iter().chain(b).flatten().max().map(|value| vec![value.clone()])
        } else {
            nested(before, a, b).or_else(|| settle(before, a, b))
        };
        if let Some(value) = value {
            values.insert(key.clone(), value);
        }
    }
    let there =
        |order: &[String]| -> Vec<String> { order.iter().filter(|key| values.contains_key(*key)).cloned().collect() };
    MergedKeys { order: unite_unique(&there(&one.order), &there(&other.order)), values }
}

/// A mapping below a key is merged key by key too.
fn nested(base: Option<&Vec<String>>, one: Option<&Vec<String>>, other: Option<&Vec<String>>) -> Option<Vec<String>> {
    let below = |value: Option<&Vec<String>>| match value.map(Vec::as_slice) {
        Some([one]) => {
            let lines = one.strip_prefix('\n')?;
            let indent = &lines[..lines.len() - lines.trim_start_matches(' ').len()];
            let simple = !indent.is_empty()
                && lines.lines().all(|line| line.strip_prefix(indent).is_some_and(|line| key_of(line).is_some()));
            simple.then(|| (MergedKeys::read(lines, indent), indent.to_owned()))
        }
        _ => None,
    };
    let ((a, indent), (b, _)) = (below(one)?, below(other)?);
    let base = below(base).map(|(base, _)| base);
    let text = merged(base.as_ref(), &a, &b).write(&indent);
    Some(vec![format!("\n{}", text.trim_end_matches('\n'))])
}

impl MergedKeys {
    fn read(text: &str, indent: &str) -> MergedKeys {
        let mut entries: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            let own = line.strip_prefix(indent).unwrap_or(line);
            match key_of(own) {
                Some((key, value)) => entries.push((key.to_owned(), value.trim_end().to_owned())),
                None if entries.is_empty() => entries.push((String::new(), line.to_owned())),
                None => {
                    if let Some((_, value)) = entries.last_mut() {
                        value.push('\n');
                        value.push_str(line);
                    }
                }
            }
        }
        let mut mapping = MergedKeys::default();
        for (key, value) in entries {
            let main = second_of(&key).unwrap_or(&key).to_owned();
            if !mapping.order.contains(&main) {
                mapping.order.push(main.clone());
            }
            let values = mapping.values.entry(main).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
        for values in mapping.values.values_mut() {
            values.sort_by_key(|value| super::digest(value));
        }
        mapping
    }

    fn write(&self, indent: &str) -> String {
        let mut out = String::new();
        for key in &self.order {
            for (at, value) in self.values.get(key).into_iter().flatten().enumerate() {
                match (key.as_str(), at) {
                    ("", _) => out.push_str(&format!("{value}\n")),
                    (key, 0) => out.push_str(&format!("{indent}{key}:{value}\n")),
                    (key, 1) => out.push_str(&format!("{indent}{OTHER}{key}:{value}\n")),
                    (key, at) => out.push_str(&format!("{indent}{OTHER}{key}-{at}:{value}\n")),
                }
            }
        }
        out
    }
}

/// The key that `other-key` and `other-key-2` are a second value of.
fn second_of(key: &str) -> Option<&str> {
    let rest = key.strip_prefix(OTHER)?;
    let numbered = rest.rsplit_once('-').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    Some(numbered.map_or(rest, |(main, _)| main)).filter(|main| !main.is_empty())
}

/// `key: value` at the start of a line, the value with the blank before it.
fn key_of(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#', '-']) {
        return None;
    }
    let (key, value) = line.split_once(':')?;
    (!key.is_empty() && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((key, value))
}
