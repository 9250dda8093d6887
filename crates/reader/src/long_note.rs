//! Long notes: what is added to one stands where it belongs, and every other byte of it stays.
//!
//! Enters: a note with headings, tables, code or more than a few sentences, and what it should say besides. Leaves:
//! the note with a line more. Never orders, joins or wraps what is there.

use std::collections::HashSet;

use super::likeness::words;
use super::plain::Label;
use super::sentences::sentences_of;
use memdir_core::limits;

/// Words that a section shares with a text that belongs there; a word of its heading counts as two.
const FITTING: usize = 2;

/// Whether a note is one to add to, not to write again. A list item or a line is at least one sentence.
pub fn is_long(body: &str) -> bool {
    let mut sentences = 0;
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        if is_heading(line) || is_fence(line) || line.trim_start().starts_with('|') {
            return true;
        }
        if Label::of(line).is_none() {
            sentences += sentences_of(line).count();
        }
    }
    sentences > limits::SHORT_NOTE_SENTENCES || body.chars().count() > limits::SHORT_NOTE_CHARS
}

/// The note with a text added: below what it belongs to, else at the end.
pub(crate) fn insert(body: &str, text: &str) -> String {
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    let Some(last) = place(&lines, text) else { return format!("{text}{body}") };
    let ending = if body.contains("\r\n") { "\r\n" } else { "\n" };
    let told: Vec<&str> = text.trim().lines().collect();
    let is_one_item = !told.iter().any(|line| line.trim().is_empty() || is_fence(line) || is_heading(line));
    let added = match bullet_of(&lines[..=last]).filter(|_| is_one_item) {
        Some(bullet) => format!("{bullet}{}", told.join(&format!("{ending}{}", " ".repeat(bullet.len())))),
        None => format!("{ending}{}", told.join(ending)),
    };
    let mut out: String = lines[..=last].concat();
    if out.ends_with('\n') {
        out.push_str(&added);
        out.push_str(ending);
    } else {
        out.push_str(ending);
        out.push_str(&added);
    }
    out.push_str(&lines[last + 1..].concat());
    out
}

/// Where the sentences of a note stand that state something: no heading, label, table or code. A bullet is part of its sentence.
pub fn statements(body: &str) -> Vec<std::ops::Range<usize>> {
    let mut places = Vec::new();
    let (mut start, mut fenced) = (0, false);
    for line in body.split_inclusive('\n') {
        fenced ^= is_fence(line);
        let states = !fenced && !is_fence(line) && !is_heading(line) && !line.trim_start().starts_with('|');
        if states && Label::of(line).is_none() {
            let mut at = start;
            for sentence in sentences_of(line) {
                if sentence.chars().any(char::is_alphanumeric) {
                    places.push(at..at + sentence.len());
                }
                at += sentence.len();
            }
        }
        start += line.len();
    }
    places
}

/// The line behind which a text goes.
fn place(lines: &[&str], text: &str) -> Option<usize> {
    // What the title says, all of the note is about.
    let title: Vec<String> = title_of(lines).map(words).unwrap_or_default();
    let wanted: HashSet<String> = words(text).into_iter().filter(|word| !title.contains(word)).collect();
    let mut best = None;
    for section in sections(lines) {
        let told = |lines: &[&str]| -> HashSet<String> {
            lines.iter().flat_map(|line| words(line)).filter(|word| wanted.contains(word)).collect()
        };
        let (all, heading) = (told(&lines[section.clone()]), lines.get(section.start).filter(|line| is_heading(line)));
        let shared = all.len() + heading.map_or(0, |heading| told(&[heading]).len());
        if shared >= FITTING && best.as_ref().is_none_or(|(most, _)| shared > *most) {
            best = Some((shared, section));
        }
    }
    let section = best.map_or(0..lines.len(), |(_, section)| section);
    let filled = |lines: &[&str]| lines.iter().rposition(|line| !line.trim().is_empty());
    // The reasons at the end of a section go on speaking of all of it.
    let labelled = labels_at_the_end(lines, &section);
    let before = filled(&lines[section.start..labelled]).map(|at| section.start + at);
    before.filter(|at| !is_heading(lines[*at])).or_else(|| filled(&lines[section.clone()]).map(|at| section.start + at))
}

/// The heading that stands above all of a note.
fn title_of<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let mut first = lines.iter().filter(|line| line.starts_with("# "));
    let title = first.next().filter(|_| first.next().is_none())?;
    let above = lines.iter().find(|line| !line.trim().is_empty())?;
    (title == above).then_some(*title)
}

/// From one heading to the next; what comes before the first is one too. A `#` in code is not a heading.
fn sections(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let mut starts = vec![0];
    let mut fenced = false;
    for (at, line) in lines.iter().enumerate() {
        fenced ^= is_fence(line);
        if !fenced && at > 0 && is_heading(line) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Where the labelled lines begin with which a section ends; its end where there are none.
fn labels_at_the_end(lines: &[&str], section: &std::ops::Range<usize>) -> usize {
    let mut fenced = false;
    let first = section.clone().find(|at| {
        fenced ^= is_fence(lines[*at]);
        !fenced && Label::of(lines[*at]).is_some()
    });
    first.unwrap_or(section.end)
}

/// Indentation and bullet of the list that ends here.
fn bullet_of<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let block = lines.iter().rposition(|line| line.trim().is_empty()).map_or(lines, |blank| &lines[blank + 1..]);
    let bullet = |line: &&'l str| {
        let text = line.trim_start();
        let rest = text.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' '))?;
        Some(&line[..line.len() - rest.trim_start().len()])
    };
    // The outermost items are the list; what is indented belongs to them.
    let bullets = block.iter().filter_map(bullet).min_by_key(|bullet| bullet.len())?;
    bullet(block.iter().rev().find(|line| is_fence(line) || !line.starts_with([' ', '\t']) || bullet(line).is_some())?)
        .map(|_| bullets)
}

fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && line[marks..].starts_with([' ', '\t'])
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "# Billing\r\n\r\nRuns nightly at 02:00. Owned by Mara. Retried at 02:00 once by the queue.\r\n\r\n## Retries\r\n\r\n* three attempts\r\n  with a pause\r\n* then a ticket\r\n\r\n## Invoices\r\n\r\n| day | what |\r\n|---|---|\r\n| 3 | sent |\r\n\r\n**Why:** the bank closes early.\r\n";

    #[test]
    fn what_is_structured_or_says_much_is_long() {
        assert!(is_long(NOTE));
        assert!(is_long("Text.\n\n```\ncode\n```\n") && is_long("a\nb\nc\nd\ne\nf\n"));
        assert!(is_long("One. Two. Three. Four. Five. Six.") && is_long("一。二。三。四。五。六。"));
        assert!(!is_long("Use UTC. Everywhere.\n\n**Why:** logs. A lot. Of. Them. All. Day.\n"));
    }

    #[test]
    fn a_line_goes_below_what_it_belongs_to_and_all_else_stays() {
        let list = insert(NOTE, "Attempts pause for ten minutes between retries.");
        let line = "* Attempts pause for ten minutes between retries.\r\n";
        assert_eq!(list, NOTE.replace("* then a ticket\r\n", &format!("* then a ticket\r\n{line}")));
        let table = insert(NOTE, "Invoices are sent again on day 9 what day");
        let line = "\r\nInvoices are sent again on day 9 what day\r\n";
        assert_eq!(table, NOTE.replace("| 3 | sent |\r\n", &format!("| 3 | sent |\r\n{line}")));
        let none = insert("# A\n\none\n\n# B\n\ntwo", "Zebras graze elsewhere.");
        assert_eq!(none, "# A\n\none\n\n# B\n\ntwo\n\nZebras graze elsewhere.");
    }

    #[test]
    fn a_hash_in_code_is_no_section() {
        let note = "# Deploy\n\n```\n# deploy zebra script\nrun\n```\n\n# Zoo\n\nanimals\n";
        assert!(insert(note, "Deploy zebra script waits.").contains("```\n\nDeploy zebra script waits.\n\n# Zoo"));
    }
}
