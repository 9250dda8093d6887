//! The strict renderer: `{{slot}}` in a template becomes its value.
//!
//! Enters: a template and named values. Leaves: the text, or which slot did not match. Never
//! expands a value again, so that text from a file or a user cannot reach another slot; never
//! guesses: a slot without a value and a value without a slot are both errors.
//!
//! A slot is exactly `{{name}}` with letters, digits and `_` in the name. Anything else in
//! braces, such as `${{ env.X }}`, is ordinary text.

/// Why a template and its values do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// The template asks for something nobody gave.
    #[error("there is no value for the slot {{{{{0}}}}}")]
    NoValue(String),
    /// A value was given and the template has no place for it.
    #[error("the slot {{{{{0}}}}} is missing")]
    NoSlot(String),
}

/// Puts `values` into `template`, each slot once and in one pass.
///
/// A slot that stands alone on its line takes the line with it when its value is empty, and one
/// of the blank lines around it too: parts can be left out without leaving holes.
pub fn fill(template: &str, values: &[(&str, &str)]) -> Result<String, FillError> {
    let mut text = String::with_capacity(template.len());
    let mut used = vec![false; values.len()];
    let mut rest = template;
    // Asked of the template, not of the text: a value that ends in a line feed does not count.
    let mut at_line_start = true;
    while let Some((before, name, after)) = next_slot(rest) {
        let Some(at) = values.iter().position(|(slot, _)| *slot == name) else {
            return Err(FillError::NoValue(name.to_owned()));
        };
        used[at] = true;
        text.push_str(before);
        if !before.is_empty() {
            at_line_start = before.ends_with('\n');
        }
        let value = values[at].1;
        text.push_str(value);
        rest = after;
        if value.is_empty() && at_line_start {
            rest = without_line_end(after, &text);
        }
        at_line_start &= rest.len() != after.len();
    }
    text.push_str(rest);
    match used.iter().position(|used| !used) {
        Some(at) => Err(FillError::NoSlot(values[at].0.to_owned())),
        None => Ok(text),
    }
}

/// What follows an empty slot, less the end of its line and a blank line that would be doubled.
fn without_line_end<'t>(after: &'t str, text: &str) -> &'t str {
    let Some(next) = after.strip_prefix('\n') else {
        return after;
    };
    match next.strip_prefix('\n') {
        Some(beyond) if text.is_empty() || text.ends_with("\n\n") => beyond,
        _ => next,
    }
}

/// The first slot: what comes before it, its name, what follows.
fn next_slot(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("{{") {
        let open = from + found;
        let inner = &text[open + 2..];
        let length = inner.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'_')).unwrap_or(inner.len());
        let (name, after) = inner.split_at(length);
        if let (false, Some(after)) = (name.is_empty(), after.strip_prefix("}}")) {
            return Some((&text[..open], name, after));
        }
        // One step only: in `{{{dir}}}` the slot starts at the second brace.
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slots_are_filled_and_everything_else_stays() {
        let cases = [
            ("a {{x}} b", "a 1 b"),
            ("{{x}}{{x}}", "11"),
            ("{{{x}}}", "{1}"),
            ("${{ x }} {{x}} {{ x", "${{ x }} 1 {{ x"),
            ("{{x-y}} {{}} {{x}}", "{{x-y}} {{}} 1"),
            ("é{{x}}é", "é1é"),
        ];
        for (template, want) in cases {
            assert_eq!(fill(template, &[("x", "1")]).unwrap(), want, "{template}");
        }
    }

    #[test]
    fn a_slot_without_value_and_a_value_without_slot_are_errors() {
        assert_eq!(fill("{{a}}", &[]), Err(FillError::NoValue("a".into())));
        assert_eq!(fill("text", &[("a", "1")]), Err(FillError::NoSlot("a".into())));
        assert_eq!(FillError::NoSlot("a".into()).to_string(), "the slot {{a}} is missing");
    }

    #[test]
    fn an_empty_part_leaves_no_hole() {
        let cases = [
            ("a\n\n{{x}}\n\nb", "a\n\nb"),
            ("a\n{{x}}\nb", "a\nb"),
            ("{{x}}\n\nb", "b"),
            ("a\n{{x}}\n\nb", "a\n\nb"),
            ("a\n\n{{x}}", "a\n\n"),
            ("a {{x}}\nb", "a \nb"),
            ("a\n{{x}}\n{{x}}\nb", "a\nb"),
            ("a\n\n{{x}}\n\n{{x}}\n\nb", "a\n\nb"),
            ("{{x}}{{x}}\nb", "\nb"),
        ];
        for (template, want) in cases {
            assert_eq!(fill(template, &[("x", "")]).unwrap(), want, "{template:?}");
        }
    }

    #[test]
    fn braces_without_end_cost_linear_time() {
        let hostile = "{{a".repeat(1 << 19);
        assert_eq!(fill(&hostile, &[]).unwrap(), hostile);
    }

    proptest! {
        #[test]
        fn values_are_never_expanded_again(
            first in r"(\{\{(a|b)\}\}|[a-z{} \n]){1,12}",
            second in r"(\{\{(a|b)\}\}|[a-z{} \n]){1,12}",
        ) {
            let text = fill("<{{a}}|{{b}}>", &[("a", &first), ("b", &second)]).unwrap();
            prop_assert_eq!(text, format!("<{first}|{second}>"));
        }

        #[test]
        fn any_template_either_renders_or_says_which_slot(template in r"(\{\{[ab]?\}?\}?|\PC|\n){0,40}") {
            match fill(&template, &[("a", "1")]) {
                Ok(text) => prop_assert!(text.contains('1')),
                Err(FillError::NoValue(slot)) => {
                    let written = format!("{{{{{slot}}}}}");
                    prop_assert!(template.contains(&written));
                }
                Err(FillError::NoSlot(_)) => prop_assert!(!template.contains("{{a}}")),
            }
        }
    }
}
