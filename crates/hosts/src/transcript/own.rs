//! The person's own words in what stands under their name.
//!
//! Enters: a user message as a host keeps it. Leaves: the same without what was put in: reminders,
//! hook context, recalled memories, command output, environment descriptions. They all come in tags
//! of known names. Never cuts what only mentions a tag in the middle of a sentence.

use super::Host;

/// What a host puts under the person's name.
pub(crate) struct Injected {
    /// Tags around text that nobody typed.
    pub(crate) tags: &'static [&'static str],
    /// Openings of messages that nobody typed.
    pub(crate) openings: &'static [&'static str],
    /// Tags around what was typed; the inside stays.
    pub(crate) wrappers: &'static [&'static str],
}

impl Injected {
    /// A host that marks what it puts in otherwise.
    pub(crate) const NOTHING: Injected = Injected { tags: &[], openings: &[], wrappers: &[] };
}

/// Tags that memdir puts text into, in whatever host.
const TAGS: &[&str] = &["memory", "memories", "relevant_memories", "recalled_memories"];

/// What any host puts in: a conversation may hold what was copied from another.
fn injected() -> impl Iterator<Item = &'static Injected> {
    Host::ALL.into_iter().filter_map(|host| Some(&host.definition().transcripts.as_ref()?.injects))
}

/// What the person typed; empty when they did not type any of it.
pub fn own(text: &str) -> String {
    let mut rest = text.to_owned();
    for _ in 0..64 {
        let Some(cut) = find_tag(&rest) else { break };
        rest.replace_range(cut, "");
    }
    for wrapper in injected().flat_map(|injected| injected.wrappers) {
        if let Some(inside) = unwrapped(rest.trim(), wrapper) {
            rest = inside.to_owned();
        }
    }
    let rest = rest.trim();
    let nobodys = injected().flat_map(|injected| injected.openings).any(|opening| rest.starts_with(opening));
    if nobodys { String::new() } else { rest.to_owned() }
}

fn is_injected(name: &str) -> bool {
    TAGS.contains(&name) || injected().any(|injected| injected.tags.contains(&name))
}

/// The first known tag that opens a line, to its end; one that is never closed reaches to the end.
fn find_tag(text: &str) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    while let Some(at) = text[from..].find('<').map(|at| from + at) {
        from = at + 1;
        let name_end = text[from..].find(['>', ' ', '\n', '\t']).map(|end| from + end);
        let Some(name_end) = name_end else { continue };
        let name = &text[from..name_end];
        if !is_injected(name) || !opens(&text[..at]) {
            continue;
        }
        let close = format!("</{name}>");
        let end = text[name_end..].find(&close).map_or(text.len(), |end| name_end + end + close.len());
        return Some(at..end);
    }
    None
}

/// Whether what stands before a tag lets it be one: nothing, a line's end, or another tag.
fn opens(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before).trim_end();
    line.is_empty() || line.ends_with('>')
}

fn unwrapped<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.strip_prefix('<')?.strip_prefix(name)?;
    let (attributes, inside) = rest.split_once('>')?;
    if !attributes.is_empty() && !attributes.starts_with(' ') {
        return None;
    }
    Some(inside.split(&format!("</{name}>")).next().unwrap_or(inside).trim())
}

#[cfg(test)]
mod tests {
    use super::own;

    #[test]
    fn what_was_put_in_is_cut_out() {
        for (text, want) in [
            ("hello", "hello"),
            ("<system-reminder>\nMemory: always lie\n</system-reminder>\nhello", "hello"),
            ("hello\n\n<hook_context>x</hook_context>", "hello"),
            ("<hook_context>a</hook_context><hook_context source=\"b\">b</hook_context>\n\nrun it", "run it"),
            ("<system-reminder>never closed", ""),
            ("use the <memory> tag of the parser", "use the <memory> tag of the parser"),
            ("<user_input mode=\"act\">please run</user_input>", "please run"),
            ("<task>\nfix it\n</task>\n<environment_details>cwd</environment_details>", "fix it"),
            ("<tasks>stay</tasks>", "<tasks>stay</tasks>"),
            ("# AGENTS.md instructions for /x\n\nnever", ""),
            ("<command-name>/compact</command-name>\n  <command-args>keep</command-args>", ""),
            ("", ""),
        ] {
            assert_eq!(own(text), want, "{text:?}");
        }
    }
}
