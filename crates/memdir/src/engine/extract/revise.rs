//! Revises a known memory: the value that changed is replaced, the rest stays.
//!
//! Enters: a memory and a draft about the same thing. Leaves: the memory with the new value in place of
//! the old one wherever it stood, the new statement where it adds something, its own reason where none is
//! given. A long note keeps every byte but the sentence with the old value and the line that is added. Never leaves both
//! values as if both were true, and never drops what the draft does not touch.

use super::draft::Draft;
use super::values::swaps;
use memdir_core::kind::Type;
use memdir_core::limits::DESCRIPTION_CHARS;
use memdir_reader::dates;
use memdir_reader::likeness;
use memdir_reader::long_note;
use memdir_reader::plain::Label;
use memdir_reader::title;
use memdir_store::topic::Topic;

/// So many words beside the new value only say that it is new: "was extended", "moved".
const UNSAID: usize = 2;

/// Says in a memory what the draft says; gives the values that gave way.
pub(super) fn revise(topic: &mut Topic, draft: &Draft) -> Vec<(String, String)> {
    let (name, description, body) = (
        topic.name().unwrap_or_default().into_owned(),
        topic.description().unwrap_or_default().into_owned(),
        topic.body().into_owned(),
    );
    let old = Body::read(&body);
    let swaps = swaps(&format!("{name}\n{description}\n{}", old.statement), &draft.statement);
    if long_note::is_long(&body) {
        return revise_long(topic, draft, swaps);
    }
    let told = |text: &str| swaps.iter().fold(text.to_owned(), |text, (from, to)| dates::replaced(&text, from, to));
    let kept = told(&old.statement);
    let replaces = swaps.is_empty() && draft.changes && draft.kind != Type::Feedback;
    let words = likeness::words(&kept);
    let unsaid = likeness::words(&dates::without_words(&draft.statement))
        .into_iter()
        .filter(|word| !words.contains(word))
        .count();
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
    // Where the frontmatter is too broken to be edited, the body says what is new.
    if told(&name) != name {
        let _ = topic.set("name", &told(&name));
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
        let _ = topic.set("description", &new);
    }
    swaps
}

/// The same for a long note: a sentence with a new value, or a line more.
fn revise_long(topic: &mut Topic, draft: &Draft, swaps: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut body = topic.body().into_owned();
    let before = body.clone();
    for (from, to) in &swaps {
        if let Some(told) = long_note::with_value(&body, from, to, &draft.statement) {
            body = told;
        }
        for key in ["name", "description"] {
            let said = topic.get(key).map(std::borrow::Cow::into_owned).unwrap_or_default();
            if said.contains(from) {
                // Where the frontmatter is too broken to be edited, the body says what is new.
                let _ = topic.set(key, &dates::replaced(&said, from, to));
            }
        }
    }
    let known = likeness::words(&body);
    let unsaid = likeness::words(&dates::without_words(&draft.statement))
        .into_iter()
        .filter(|word| !known.contains(word))
        .count();
    if before == body || unsaid > UNSAID {
        let why = draft.why.as_deref().map(|why| format!("\n\n**Why:** {why}")).unwrap_or_default();
        body = likeness::merge_body(&body, &format!("{}{why}", draft.statement));
    }
    if body != before {
        topic.set_body(&body);
    }
    swaps
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use memdir_core::kind::Scope;
    use memdir_store::topic::NewTopic;

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
