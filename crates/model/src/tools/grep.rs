//! Grep: a regular expression in files. The expressions are those of the `regex` crate, which
//! take time in proportion to the text, whatever the expression.

use regex::bytes::{Regex, RegexBuilder};

use super::CallLimit;
use super::glob::{matcher, walk};
use super::input::{Grep, GrepOutput};
use super::read::{is_binary, push_line};
use super::view::PathView;
use memdir_core::limits;
use memdir_core::read::small;

/// The largest program an expression may become.
const PROGRAM_BYTES: usize = 4 * 1024 * 1024;

pub(super) fn grep(view: &PathView<'_>, ask: &Grep, patience: &CallLimit) -> Result<String, String> {
    let wanted = RegexBuilder::new(&ask.pattern)
        .case_insensitive(ask.any_case)
        .multi_line(true)
        .size_limit(PROGRAM_BYTES)
        .build()
        .map_err(|error| format!("this is not a regular expression: {error}"))?;
    let base = view.absolute(ask.path.as_deref().unwrap_or("."));
    let only = ask.glob.as_deref().map(matcher).transpose()?;
    let most = ask.most.filter(|most| *most > 0).unwrap_or(usize::MAX);
    let mut found = GrepHits { out: String::new(), lines: 0, skipped: 0 };
    let walked = walk(view, &base, patience, &mut |shown, actual| {
        let below = shown.strip_prefix(&base).unwrap_or(shown);
        let named = |only: &globset::GlobMatcher| {
            only.is_match(below) || shown.file_name().is_some_and(|name| only.is_match(name))
        };
        if only.as_ref().is_none_or(named) {
            found.look(ask.show, &wanted, &shown.display().to_string(), actual);
        }
        found.lines < most && found.out.len() <= limits::TOOL_RESULT_BYTES
    })?;
    if found.lines > most {
        let end = found.out.lines().take(most).map(|line| line.len() + 1).sum::<usize>();
        found.out.truncate(end);
    }
    if found.out.is_empty() {
        found.out.push_str("no match\n");
    }
    if found.skipped > 0 {
        found.out.push_str(&format!("[{} files are too large to search]\n", found.skipped));
    }
    Ok(found.out + walked.note())
}

struct GrepHits {
    out: String,
    lines: usize,
    skipped: usize,
}

impl GrepHits {
    fn look(&mut self, show: GrepOutput, wanted: &Regex, name: &str, actual: &std::path::Path) {
        let bytes = match small(actual, limits::TOOL_READ_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return,
            Err(_) => {
                self.skipped += 1;
                return;
            }
        };
        if is_binary(&bytes) || !wanted.is_match(&bytes) {
            return;
        }
        let matching = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| wanted.is_match(line));
        match show {
            GrepOutput::Files => self.say(name),
            GrepOutput::Counts => {
                let count = matching.count();
                self.say(&format!("{name}:{count}"));
            }
            GrepOutput::Lines => {
                for (at, line) in matching {
                    self.say(&format!("{name}:{}:{}", at + 1, String::from_utf8_lossy(line).trim_end_matches('\r')));
                    if self.out.len() > limits::TOOL_RESULT_BYTES {
                        return;
                    }
                }
            }
        }
    }

    fn say(&mut self, line: &str) {
        push_line(&mut self.out, line);
        self.lines += 1;
    }
}
