//! A known memory told anew: the value that changed is changed, the rest stays.
//!
//! Enters: a memory and a draft about the same thing. Leaves: the memory with the new value in place of
//! the old one wherever it stood, the new statement where it adds something, its own reason where none is
//! given. Never leaves both values as if both were true, and never drops what the draft does not touch.

use super::compose::Draft;
use crate::kind::Type;
use crate::limits::DESCRIPTION_CHARS;
use crate::store::topic::Topic;
use crate::text::likeness;
use crate::text::plain::Label;
use crate::text::title;

/// What sort of value stands in a text; a value is only replaced by one of its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Date,
    Address,
    Clock,
    Weekday,
    Quoted,
    Name,
    Number,
}

const SORTS: [Sort; 7] =
    [Sort::Date, Sort::Address, Sort::Clock, Sort::Weekday, Sort::Quoted, Sort::Name, Sort::Number];

const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
    "周一",
    "周二",
    "周三",
    "周四",
    "周五",
    "周六",
    "周日",
    "星期一",
    "星期二",
    "星期三",
    "星期四",
    "星期五",
    "星期六",
    "星期日",
];

/// Words that a sentence begins with and that are no names.
const COMMON: &[&str] = &[
    "The", "It", "We", "They", "This", "That", "Our", "Their", "He", "She", "There", "Since", "From", "Now", "No",
    "Yes", "And", "But", "If", "When", "After", "Before", "Until", "Keep", "Use", "Never", "Always", "Not", "In", "On",
    "At", "For", "All", "Only", "Then", "Also", "User", "These", "Those", "You", "Your", "Its", "A", "An", "As", "So",
    "With", "Without", "By", "To", "Of", "Is", "Are", "Was", "Were",
];

/// What stands before a value that is the old one.
const OLD_BEFORE: &[&str] =
    &["instead of", "rather than", "not", "from", "no longer", "was", "old", "不是", "不再是", "从", "原来是", "代替"];

/// So many words beside the new value only say that it is new: "was extended", "moved".
const UNSAID: usize = 2;

/// Says in a memory what the draft says.
pub(super) fn revise(topic: &mut Topic, draft: &Draft) {
    let (name, description, body) = (
        topic.name().unwrap_or_default().into_owned(),
        topic.description().unwrap_or_default().into_owned(),
        topic.body().into_owned(),
    );
    let old = Body::read(&body);
    let swaps = swaps(&format!("{name}\n{description}\n{}", old.statement), &draft.statement);
    let told = |text: &str| swaps.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let kept = told(&old.statement);
    let replaces = swaps.is_empty() && draft.changes && draft.kind != Type::Feedback;
    let words = likeness::words(&kept);
    let unsaid = likeness::words(&draft.statement).into_iter().filter(|word| !words.contains(word)).count();
    let statement = if likeness::contains(&kept, &draft.statement) || (!swaps.is_empty() && unsaid <= UNSAID) {
        kept
    } else if replaces {
        draft.statement.clone()
    } else {
        format!("{}\n\n{kept}", draft.statement)
    };
    let why = match (&draft.why, &old.why) {
        (Some(new), Some(old)) if !replaces && !likeness::contains(old, new) => Some(format!("{new} {}", told(old))),
        (Some(new), _) => Some(new.clone()),
        (None, Some(old)) => Some(told(old)),
        (None, None) => None,
    };
    let apply = old.apply.as_deref().map(told).or_else(|| draft.apply.clone());
    topic.set_body(&Body { statement, why, apply, rest: told(&old.rest) }.written(body.ends_with('\n')));
    if told(&name) != name {
        topic.set("name", &told(&name));
    }
    let new = if !swaps.is_empty() && told(&description) != description {
        told(&description)
    } else if replaces || description.is_empty() {
        draft.description()
    } else {
        let both = format!("{}; {}", description.trim_end_matches(['.', '。']), draft.description());
        if both.chars().count() <= DESCRIPTION_CHARS { both } else { title::summary(&both) }
    };
    if new != description {
        topic.set("description", &new);
    }
}

/// A body in its parts.
struct Body {
    statement: String,
    why: Option<String>,
    apply: Option<String>,
    /// What follows the labels and is none.
    rest: String,
}

impl Body {
    fn read(text: &str) -> Body {
        let mut body = Body { statement: String::new(), why: None, apply: None, rest: String::new() };
        let mut labelled = false;
        for line in text.lines() {
            match Label::of(line) {
                Some((Label::Why, after)) if body.why.is_none() => body.why = Some(after.to_owned()),
                Some((Label::Apply, after)) if body.apply.is_none() => body.apply = Some(after.to_owned()),
                _ if labelled => {
                    body.rest.push_str(line);
                    body.rest.push('\n');
                    continue;
                }
                _ => {
                    body.statement.push_str(line);
                    body.statement.push('\n');
                    continue;
                }
            }
            labelled = true;
        }
        body.statement = body.statement.trim().to_owned();
        body.rest = body.rest.trim_end().to_owned();
        body
    }

    fn written(&self, newline: bool) -> String {
        let mut text = self.statement.clone();
        let lines = [("**Why:**", &self.why), ("**How to apply:**", &self.apply)];
        for (at, (label, value)) in lines.iter().filter_map(|(l, v)| Some((l, v.as_ref()?))).enumerate() {
            text.push_str(if at == 0 { "\n\n" } else { "\n" });
            text.push_str(&format!("{label} {value}"));
        }
        if !self.rest.trim().is_empty() {
            text.push('\n');
            text.push_str(&self.rest);
        }
        if newline {
            text.push('\n');
        }
        text
    }
}

/// Which values of the old text give way to which of the new.
fn swaps(old: &str, new: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for sort in SORTS {
        let had = distinct(values(old, sort));
        let (gone, now): (Vec<_>, Vec<_>) = values(new, sort).into_iter().partition(|(_, outdated)| *outdated);
        let (gone, now) = (distinct(gone), distinct(now));
        // A value the old text has already is no news.
        let news: Vec<&String> = now.iter().filter(|value| !stands_in(old, value)).collect();
        let Some(to) = news.first() else { continue };
        let named: Vec<&String> = gone.iter().filter(|value| stands_in(old, value)).collect();
        let from = match (named.as_slice(), had.as_slice(), sort) {
            ([one], ..) => Some(*one),
            // Names and numbers stand for many things; only an old one that is named gives way.
            (_, _, Sort::Name | Sort::Number) => None,
            (_, [one], _) if news.len() == 1 => Some(one),
            _ => None,
        };
        if let Some(from) = from.filter(|from| !now.contains(from)) {
            found.push((from.clone(), (*to).clone()));
        }
    }
    found
}

/// Whether a value stands in a text by itself.
fn stands_in(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        apart(text[..at].chars().next_back()) && apart(text[at + value.len()..].chars().next())
    })
}

fn distinct(values: Vec<(String, bool)>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (value, _) in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The values of a sort, each with whether the words before it call it the old one.
fn values(text: &str, sort: Sort) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    match sort {
        Sort::Quoted => {
            for (open, close) in [('"', '"'), ('「', '」'), ('“', '”')] {
                let mut from = 0;
                while let Some(at) = text[from..].find(open).map(|at| from + at) {
                    let inside = at + open.len_utf8();
                    let Some(length) = text[inside..].find(close) else { break };
                    found.push((text[inside..inside + length].to_owned(), is_old(&text[..at])));
                    from = inside + length + close.len_utf8();
                }
            }
        }
        Sort::Weekday => {
            let lower = text.to_lowercase();
            if lower.len() == text.len() {
                for day in WEEKDAYS {
                    for (at, _) in lower.match_indices(day) {
                        let end = at + day.len();
                        let apart = |c: char| !c.is_ascii_alphabetic();
                        let free = !day.is_ascii()
                            || (lower[..at].chars().next_back().is_none_or(apart)
                                && lower[end..].chars().next().is_none_or(apart));
                        if free {
                            found.push((text[at..end].to_owned(), is_old(&text[..at])));
                        }
                    }
                }
            }
        }
        _ => {
            let mut at = 0;
            for (nth, word) in text.split_whitespace().enumerate() {
                let start = text[at..].find(word).map_or(at, |offset| at + offset);
                at = start + word.len();
                let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
                let first = nth == 0
                    || text[..start].trim_end().ends_with(['.', '。', '!', '?', ':'])
                    || text[..start].ends_with('\n');
                if is_sort(bare, sort, first) {
                    found.push((bare.to_owned(), is_old(&text[..start])));
                }
            }
        }
    }
    found
}

fn is_sort(word: &str, sort: Sort, first: bool) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match sort {
        Sort::Date => word.len() == 10 && word.parse::<jiff::civil::Date>().is_ok(),
        Sort::Clock => {
            digits >= 3 && word.contains(':') && word.chars().all(|c| c.is_ascii_digit() || ":-".contains(c))
        }
        Sort::Address => {
            word.contains("://")
                || (word.contains('.') && word.contains('/') && digits < word.len() / 2)
                || (word.matches('.').count() >= 2
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || ".-/".contains(c)))
        }
        Sort::Name => {
            !(first && COMMON.contains(&word))
                && word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().all(char::is_alphabetic)
                && word.chars().count() > 1
        }
        Sort::Number => {
            digits > 0
                && word.parse::<jiff::civil::Date>().is_err()
                && word.chars().all(|c| c.is_ascii_digit() || ".,%".contains(c))
        }
        Sort::Quoted | Sort::Weekday => false,
    }
}

/// Whether the words right before a value say that it no longer holds.
fn is_old(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "\"“「".contains(c)).to_lowercase();
    OLD_BEFORE.iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|rest| !word.is_ascii() || !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
    }) || before.ends_with("instead of the")
        || before.ends_with("from the")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::kind::Scope;
    use crate::store::topic::NewTopic;

    fn revised(
        name: &str,
        description: &str,
        body: &str,
        kind: Type,
        statement: &str,
        why: Option<&str>,
    ) -> (String, String, String) {
        let mut topic = Topic::compose(&NewTopic { name, description, kind: Some(kind), body, pinned: false });
        let draft = Draft {
            kind,
            scope: Scope::Private,
            statement: statement.into(),
            why: why.map(str::to_owned),
            apply: None,
            day: date(2026, 4, 10),
            messages: Vec::new(),
            explicit: false,
            changes: true,
            context: None,
            about: None,
        };
        revise(&mut topic, &draft);
        let text = |value: Option<std::borrow::Cow<'_, str>>| value.unwrap_or_default().into_owned();
        (text(topic.name()), text(topic.description()), topic.body().into_owned())
    }

    #[test]
    fn a_new_date_takes_the_place_of_the_old_one() {
        let (_, description, body) = revised(
            "Release",
            "Release 7 on 2026-04-21",
            "Release 7 on 2026-04-21.\n\n**Why:** the fair.\n**How to apply:** finish before.\n",
            Type::Project,
            "It slipped to 2026-04-28.",
            Some("QA found a bug."),
        );
        assert_eq!(description, "Release 7 on 2026-04-28");
        assert!(!body.contains("2026-04-21") && body.contains("2026-04-28"), "{body}");
        assert!(body.contains("QA found a bug. the fair.") && body.contains("finish before"), "{body}");
    }

    #[test]
    fn an_address_a_weekday_and_a_named_old_value_give_way() {
        let (_, description, _) = revised(
            "Board",
            "Board at old.example.org/d/1",
            "old.example.org/d/1",
            Type::Reference,
            "The board is now at new.example.org/d/1.",
            None,
        );
        assert_eq!(description, "Board at new.example.org/d/1");
        let (_, description, body) = revised(
            "发版日",
            "每周四发版",
            "每周四 15:00 发版。",
            Type::Project,
            "现在发版不是周四了，改成每周二。",
            None,
        );
        assert_eq!(description, "每周二发版");
        assert!(body.contains("每周二 15:00"), "{body}");
        let (_, description, body) = revised(
            "Rewrite",
            "Ana leads the rewrite, due 2026-05-30",
            "Then Ana leads, due 2026-05-30.",
            Type::Project,
            "Yes, Bo took over the rewrite from Ana.",
            None,
        );
        assert!(description.contains("2026-05-30") && body.contains("Bo leads"), "{description} {body}");
    }

    #[test]
    fn a_rule_that_says_more_keeps_what_it_said() {
        let (name, description, body) = revised(
            "Short answers",
            "Answers under ten lines",
            "Keep answers under ten lines.\n",
            Type::Feedback,
            "Longer answers are fine about security.",
            None,
        );
        assert_eq!(name, "Short answers");
        assert!(description.contains("ten lines") && description.contains("security"));
        assert!(body.contains("ten lines") && body.contains("security"));
    }
}
