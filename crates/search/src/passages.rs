//! A long memory → the passages that it is found by.
//!
//! Enters: the body of a memory. Leaves: pieces of about as much as the encoder reads, each with the heading it stands under; none
//! for a body that is read whole anyway. A piece ends where a section or a paragraph does, and inside one only where it is longer
//! than a passage by itself. Never splits a character, and never gives more than a few dozen.

use std::ops::Range;

/// About a hundred tokens: four letters of an alphabet are one, and so is a character of a script without letters.
const LENGTH: usize = 440;
/// A body up to here is read whole.
const WHOLE: usize = LENGTH * 5 / 4;
/// A file of forty kilobytes has a hundred sections; beyond this its passages are longer.
const MOST: usize = 32;

/// A piece of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The heading it stands under, without its marks.
    pub heading: Option<Range<usize>>,
    /// Its text.
    pub text: Range<usize>,
}

/// Cuts a body into passages.
pub fn passages(body: &str) -> Vec<Passage> {
    let all = length(body);
    if all <= WHOLE {
        return Vec::new();
    }
    let mut limit = LENGTH.max(all / MOST);
    loop {
        let found = cut(body, limit);
        if found.len() <= MOST {
            return found;
        }
        limit *= 2;
    }
}

fn cut(body: &str, limit: usize) -> Vec<Passage> {
    let mut out: Vec<Passage> = Vec::new();
    let mut heading = None;
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut fenced = false;
    let mut close = |open: &mut Option<(Range<usize>, usize)>, heading: &Option<Range<usize>>| {
        if let Some((text, _)) = open.take()
            && !body[text.clone()].trim().is_empty()
        {
            out.push(Passage { heading: heading.clone(), text });
        }
    };
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let place = at..at + line.len();
        at = place.end;
        fenced ^= line.trim_start().starts_with("```");
        if !fenced && let Some(title) = title(line) {
            close(&mut open, &heading);
            heading = Some(place.start + title.start..place.start + title.end);
            continue;
        }
        let cost = length(line);
        // A blank line is a good place to end once half a passage is full; a full one ends anywhere.
        let ends = open.as_ref().is_some_and(|(_, so_far)| {
            so_far + cost > limit || (line.trim().is_empty() && !fenced && *so_far > limit / 2)
        });
        if ends {
            close(&mut open, &heading);
        }
        for piece in pieces(&body[place.clone()], limit) {
            let piece = place.start + piece.start..place.start + piece.end;
            let cost = length(&body[piece.clone()]);
            if open.as_ref().is_some_and(|(_, so_far)| so_far + cost > limit) {
                close(&mut open, &heading);
            }
            let (text, so_far) = open.get_or_insert((piece.clone(), 0));
            text.end = piece.end;
            *so_far += cost;
        }
    }
    close(&mut open, &heading);
    out
}

/// Where the title of a heading line is.
fn title(line: &str) -> Option<Range<usize>> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(marks..)?;
    if !(1..=6).contains(&marks) || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let start = line.len() - rest.trim_start().len();
    Some(start..start + rest.trim().len())
}

/// A line in pieces that fit: one, unless it is longer than a passage.
fn pieces(line: &str, limit: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let (mut start, mut cost, mut blank) = (0, 0, 0);
    for (at, c) in line.char_indices() {
        if c.is_whitespace() || matches!(c, '。' | '，' | '；') {
            blank = at + c.len_utf8();
        }
        cost += weight(c);
        if cost > limit {
            let end = if blank > start { blank } else { at };
            out.push(start..end);
            cost = length(&line[end..at + c.len_utf8()]);
            start = end;
        }
    }
    out.push(start..line.len());
    out
}

fn length(text: &str) -> usize {
    text.chars().map(weight).sum()
}

/// What a character costs of [`LENGTH`].
fn weight(c: char) -> usize {
    match c {
        '\u{0}'..='\u{24f}' => 1,
        '\u{250}'..='\u{2fff}' => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(body: &str) -> Vec<(Option<&str>, &str)> {
        passages(body).into_iter().map(|one| (one.heading.map(|at| &body[at]), body[one.text].trim())).collect()
    }

    #[test]
    fn a_short_body_is_read_whole() {
        assert!(passages("One rule.\n\n**Why:** a reason.\n").is_empty());
    }

    #[test]
    fn a_section_is_a_passage_under_its_heading() {
        let filler = "The harbour office answers on weekdays. ".repeat(9);
        let body = format!("Intro.\n\n## Cranes\n{filler}\n\n## Pilots ##\n\n{filler}\n```\n# not a heading\n```\n");
        let found = texts(&body);
        assert_eq!(found[0], (None, "Intro."));
        assert_eq!(found[1].0, Some("Cranes"));
        assert!(found.iter().any(|(heading, text)| *heading == Some("Pilots ##") && text.contains("# not a heading")));
        assert!(found.iter().all(|(heading, _)| *heading != Some("not a heading")));
    }

    #[test]
    fn a_line_longer_than_a_passage_is_cut_between_words() {
        let body = "quay crane berth ".repeat(200);
        let found = texts(&body);
        assert!(found.len() > 5);
        for (_, text) in found {
            assert!(text.split_whitespace().all(|word| ["quay", "crane", "berth"].contains(&word)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_but_headings_and_blanks(body in "(\\PC{0,80}|#{1,3} \\PC{0,20}|```)(\n(\\PC{0,300}|#{1,3} \\PC{0,20}|```|)){0,60}") {
            let found = passages(&body);
            prop_assert!(found.len() <= MOST);
            let mut last = 0;
            for one in &found {
                prop_assert!(one.text.start >= last && body.get(one.text.clone()).is_some());
                last = one.text.end;
                if let Some(heading) = &one.heading {
                    prop_assert!(body.get(heading.clone()).is_some());
                }
            }
            if !found.is_empty() {
                let kept: usize = found.iter().map(|one| body[one.text.clone()].chars().filter(|c| !c.is_whitespace()).count()).sum();
                let mut fenced = false;
                let mut expected = 0;
                for line in body.split('\n') {
                    fenced ^= line.trim_start().starts_with("```");
                    if fenced || title(line).is_none() {
                        expected += line.chars().filter(|c| !c.is_whitespace()).count();
                    }
                }
                prop_assert_eq!(kept, expected);
            }
        }
    }
}
