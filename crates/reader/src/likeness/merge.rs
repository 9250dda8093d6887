//! Two bodies of one memory become one.
//!
//! Enters: the older body and the newer one. Leaves: their union: what both state, then the reasons,
//! then the uses (F3). A long note is added to and stays as it is otherwise. Never loses a line that the result does
//! not contain, and merging the same body again changes nothing.

use super::polarity::TextPolarity;
use super::words;
use crate::long_note;
use crate::plain::Label;

/// Blocks of one kind that are compared one by one; the rest of a longer body is one block.
const BLOCKS: usize = 100;

/// This many statements find a place of their own in a long note.
const APART: usize = 4;

/// The union of two bodies; where one contains the other, that one as it is.
pub fn merge_body(old: &str, new: &str) -> String {
    let (said, newer) = (TextPolarity::read(old), TextPolarity::read(new));
    // A long note has most words somewhere; that says little about what it says.
    if long_note::is_long(old) {
        return if new.contains(old.trim()) { new.to_owned() } else { added(old, new) };
    }
    if newer.covers(&said) {
        return new.to_owned();
    }
    if said.covers(&newer) {
        return old.to_owned();
    }
    let (mut body, newer) = (BodyParts::read(old), BodyParts::read(new));
    unite(&mut body.statements, newer.statements);
    unite(&mut body.whys, newer.whys);
    unite(&mut body.uses, newer.uses);
    let text = body.written(old.ends_with('\n'));
    if old.contains("\r\n") { text.replace('\n', "\r\n") } else { text }
}

/// A long note with what is new to it, each statement where it belongs; what is long itself stays together.
fn added(old: &str, new: &str) -> String {
    let newer = BodyParts::read(new);
    let standing: Vec<(&str, TextPolarity)> = old.lines().map(|line| (bare(line), TextPolarity::read(line))).collect();
    let is_known = |line: &str| {
        let said = TextPolarity::read(line);
        // A line without words is said by its like alone.
        let says = !words(line).is_empty();
        standing.iter().any(|(text, told)| *text == bare(line) || (says && told.covers(&said)))
    };
    let is_new = |block: &&Block| !block.text.lines().all(is_known);
    let reasons: Vec<&str> =
        newer.whys.iter().chain(&newer.uses).filter(is_new).map(|block| block.text.as_str()).collect();
    let mut statements: Vec<String> = newer.statements.iter().filter(is_new).map(|block| block.text.clone()).collect();
    if statements.len() > APART {
        statements = vec![statements.join("\n\n")];
    }
    // A reason stays with what it was given for.
    match statements.last_mut() {
        Some(last) => last.extend(reasons.iter().map(|reason| format!("\n{reason}"))),
        None if reasons.is_empty() => {}
        None => statements.push(reasons.join("\n")),
    }
    statements.iter().fold(old.to_owned(), |body, text| long_note::insert(&body, text))
}

/// A line without its bullet.
fn bare(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).map_or(line, str::trim_start)
}

/// A body in its parts.
#[derive(Default)]
struct BodyParts {
    statements: Vec<Block>,
    whys: Vec<Block>,
    uses: Vec<Block>,
}

/// Whole lines that belong together, and what they say.
struct Block {
    text: String,
    said: TextPolarity,
}

impl BodyParts {
    fn read(text: &str) -> BodyParts {
        let mut body = BodyParts::default();
        let mut label = None;
        let mut block = String::new();
        let mut fenced = false;
        for line in text.lines() {
            let found = if fenced { None } else { Label::of(line).map(|(label, _)| label) };
            // A labelled block goes on over blank lines, a statement ends at one.
            let blank = line.trim().is_empty();
            if found.is_some() || (blank && !fenced && label.is_none()) {
                body.keep(label, &mut block);
                label = found.or(label);
            }
            let fence = line.trim_start();
            if fence.starts_with("```") || fence.starts_with("~~~") {
                fenced = !fenced;
            }
            if !(blank && block.is_empty()) {
                block.push_str(line);
                block.push('\n');
            }
        }
        body.keep(label, &mut block);
        body
    }

    fn keep(&mut self, label: Option<Label>, block: &mut String) {
        let text = std::mem::take(block);
        let text = text.trim_end_matches('\n');
        if text.trim().is_empty() {
            return;
        }
        let blocks = match label {
            None => &mut self.statements,
            Some(Label::Why) => &mut self.whys,
            Some(Label::Apply) => &mut self.uses,
        };
        let full = blocks.len() >= BLOCKS;
        match blocks.last_mut() {
            Some(last) if full => {
                last.text.push_str(if label.is_none() { "\n\n" } else { "\n" });
                last.text.push_str(text);
            }
            _ => blocks.push(Block { text: text.to_owned(), said: TextPolarity::default() }),
        }
    }

    fn written(&self, newline: bool) -> String {
        let labelled: Vec<&str> = self.whys.iter().chain(&self.uses).map(|block| block.text.as_str()).collect();
        let mut blocks: Vec<&str> = self.statements.iter().map(|block| block.text.as_str()).collect();
        let labelled = labelled.join("\n");
        if !labelled.is_empty() {
            blocks.push(&labelled);
        }
        let mut text = blocks.join("\n\n");
        if newline {
            text.push('\n');
        }
        text
    }
}

/// Adds the blocks that are not there yet; one that says more takes the place of those it contains.
fn unite(blocks: &mut Vec<Block>, newer: Vec<Block>) {
    for block in blocks.iter_mut() {
        block.said = TextPolarity::read(&block.text);
    }
    for mut block in newer {
        block.said = TextPolarity::read(&block.text);
        if blocks.iter().any(|b| b.said.covers(&block.said)) {
            continue;
        }
        match blocks.iter().position(|b| block.said.covers(&b.said)) {
            Some(place) => {
                let rest = blocks.split_off(place);
                let kept = rest.into_iter().filter(|b| !block.said.covers(&b.said)).collect::<Vec<_>>();
                blocks.push(block);
                blocks.extend(kept);
            }
            None => blocks.push(block),
        }
    }
}
