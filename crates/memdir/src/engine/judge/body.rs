//! The body of a short memory in its parts.
//!
//! Enters: a body. Leaves: what it states, why, where it applies, and what stands behind that. Writing the parts again gives a body of
//! the same form.

use memdir_reader::plain::Label;

/// A body in its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::engine) struct Body {
    pub(in crate::engine) statement: String,
    pub(in crate::engine) why: Option<String>,
    pub(in crate::engine) apply: Option<String>,
    /// What follows the labels and is none.
    pub(in crate::engine) rest: String,
}

impl Body {
    pub(in crate::engine) fn read(text: &str) -> Body {
        let mut body = Body::default();
        let mut labelled = false;
        for line in text.lines() {
            match Label::of(line) {
                Some((Label::Why, after)) if body.why.is_none() => body.why = Some(after.to_owned()),
                Some((Label::Apply, after)) if body.apply.is_none() => body.apply = Some(after.to_owned()),
                _ => {
                    let part = if labelled { &mut body.rest } else { &mut body.statement };
                    part.push_str(line);
                    part.push('\n');
                    continue;
                }
            }
            labelled = true;
        }
        body.statement = body.statement.trim().to_owned();
        body.rest = body.rest.trim_end().to_owned();
        body
    }

    pub(in crate::engine) fn written(&self, newline: bool) -> String {
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

/// A body with another reason, or another word on where it applies; every other line stays as it is.
pub(in crate::engine) fn with_label(text: &str, label: Label, value: &str) -> String {
    let name = if label == Label::Why { "**Why:**" } else { "**How to apply:**" };
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = format!("{name} {value}");
    let mut lines: Vec<&str> = text.trim_end().lines().collect();
    let of = |line: &str| Label::of(line).map(|(label, _)| label);
    if let Some(at) = lines.iter().position(|line| of(line) == Some(label)) {
        lines[at] = &line;
    } else {
        // The reason stands before where it applies; both stand together, below what is said.
        let labelled = lines.iter().rposition(|line| matches!(of(line), Some(Label::Why | Label::Apply)));
        match labelled {
            Some(at) if label == Label::Why => lines.insert(at, &line),
            Some(at) => lines.insert(at + 1, &line),
            None => lines.extend(["", &line]),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use memdir_reader::plain::Label;

    use super::{Body, with_label};

    #[test]
    fn a_label_is_set_in_its_place_and_nothing_else_changes() {
        for (text, label, want) in [
            ("Use tabs.\n", Label::Why, "Use tabs.\n\n**Why:** x\n"),
            ("Use tabs.\n\n**How to apply:** Go\n", Label::Why, "Use tabs.\n\n**Why:** x\n**How to apply:** Go\n"),
            ("Use tabs.\n\n**Why:** taste\nmore\n", Label::Why, "Use tabs.\n\n**Why:** x\nmore\n"),
            ("Use tabs.\n\n**Why:** taste\n", Label::Apply, "Use tabs.\n\n**Why:** taste\n**How to apply:** x\n"),
        ] {
            assert_eq!(with_label(text, label, " x\n"), want);
        }
    }

    #[test]
    fn a_body_is_read_and_written_again() {
        for text in [
            "Use tabs.\n",
            "Use tabs.\n\n**Why:** diffs.\n**How to apply:** in Go.\n",
            "One.\n\nTwo.",
            "A.\n\n**Why:** b.\nmore\n",
        ] {
            assert_eq!(Body::read(text).written(text.ends_with('\n')), text);
        }
    }
}
