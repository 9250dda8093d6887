//! Blocks of source, of files and of chats, each told by the marks it has itself.
//!
//! Enters: the lines from one on. Leaves: how many of them are such a block. As with every block, it ends at the last line that could
//! be its end: text that closes its own block stays inside. A single mark that people also type (a rule below a title, a
//! `#`, a time) makes none.

/// Words of a rule that names what stands below it.
const TITLE_WORDS: usize = 6;
/// Words before a time that says when somebody wrote.
const NAME_WORDS: usize = 4;

/// How many of these lines are such a block.
pub(super) fn length<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    comment(lines.clone())
        .or_else(|| titled(lines.clone()))
        .or_else(|| template(lines.clone()))
        .or_else(|| conflict(lines.clone()))
        .or_else(|| scalar(lines.clone()))
        .or_else(|| dialogue(lines.clone()))
        .or_else(|| stamped(lines))
}

/// A comment of a program: `/* … */`, `-- …`, `%% …`, and `# …` right above code.
fn comment<'l>(mut lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    let first = lines.next()?.trim_start();
    if first.starts_with("/*") {
        let end = lines.enumerate().filter(|(_, line)| line.trim_end().ends_with("*/")).last();
        return if first.contains("*/") { Some(end.map_or(1, |(at, _)| at + 2)) } else { end.map(|(at, _)| at + 2) };
    }
    if first.starts_with("-- ") || first.starts_with("%% ") || first.starts_with(";; ") {
        return Some(1);
    }
    if !first.starts_with("# ") {
        return None;
    }
    let more = lines.clone().take_while(|line| line.trim_start().starts_with('#')).count();
    lines.nth(more).is_some_and(is_code).then_some(1 + more)
}

/// Whether a line is one of a program, whatever its language.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default();
    let begins =
        ["import", "from", "def", "class", "export", "const", "function", "return", "package", "#include", "@"];
    let ends = line.ends_with(['{', '}', ';', '(', ')', ',', '\\']) || line.ends_with("):");
    (begins.contains(&word) || word.starts_with('@'))
        && line.contains(['(', '=', '{', ';', '"', '.'])
        && !line.ends_with('.')
        || ends && line.contains(['(', '{', '=', ';'])
        || word == "import" && line.split_whitespace().count() == 2
        || line
            .split_once('=')
            .is_some_and(|(name, value)| is_name(name.trim_end_matches([':', '+', ' '])) && !value.is_empty())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// `=== rules.md ===` up to the last line like it.
fn titled<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let sign = rule_with_title(lines.next()?)?;
    lines.enumerate().filter(|(_, line)| rule_with_title(line) == Some(sign)).last().map(|(at, _)| at + 2)
}

/// The sign of a rule on both sides of a title.
fn rule_with_title(line: &str) -> Option<char> {
    let line = line.trim();
    let sign =
        line.chars().next().filter(|sign| matches!(sign, '=' | '-' | '*' | '#' | '~' | '_' | '─' | '═' | '▼'))?;
    let inside = line.trim_matches(sign);
    let before = line.chars().take_while(|letter| *letter == sign).count();
    let after = line.chars().rev().take_while(|letter| *letter == sign).count();
    let words = inside.split_whitespace().count();
    (before >= 3 && after >= 3 && (1..=TITLE_WORDS).contains(&words)).then_some(sign)
}

/// `{{page}} … {{/page}}`, `{% block %} … {% endblock %}`, `$$ … $$`, `::: … :::`: lines of nothing but a mark.
fn template<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let mark = template_mark(lines.next()?)?;
    lines.enumerate().filter(|(_, line)| template_mark(line) == Some(mark)).last().map(|(at, _)| at + 2)
}

fn template_mark(line: &str) -> Option<&'static str> {
    let line = line.trim();
    [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("[[", "]]")]
        .into_iter()
        .find(|(open, close)| line.starts_with(open) && line.ends_with(close))
        .map(|(open, _)| open)
        .or_else(|| (line == "$$").then_some("$$"))
        .or_else(|| line.starts_with(":::").then_some(":::"))
}

/// Both sides of a conflict of git.
fn conflict<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    if !lines.next()?.starts_with("<<<<<<<") {
        return None;
    }
    lines.enumerate().filter(|(_, line)| line.starts_with(">>>>>>>")).last().map(|(at, _)| at + 2)
}

/// `key: |` and the indented lines below it.
fn scalar<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let first = lines.next()?;
    let name =
        [": |", ": >", ": |-", ": >-", ": |+", ": >+"].iter().find_map(|end| first.trim_end().strip_suffix(end))?;
    let below = lines.take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t'])).count();
    (is_name(name.trim().trim_start_matches("- ").trim_matches('"')) && below > 0).then_some(1 + below)
}

/// A dialogue with an interpreter, up to its last prompt or the end of what was printed.
fn dialogue<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    let prompt = |line: &str| {
        let line = line.trim_start();
        line == ">>>" || line.starts_with(">>> ") || line.starts_with("In [") || line.starts_with("irb(")
    };
    let first = lines.clone().next()?.trim_start();
    let prompts = lines.clone().filter(|line| prompt(line)).count();
    let called = first.contains(['(', '=']) || first.starts_with(">>> import") || first.starts_with(">>> from");
    if !prompt(first) || prompts < 2 && !called {
        return None;
    }
    let printed = lines.clone().take_while(|line| !line.trim().is_empty()).count();
    let last = lines.enumerate().filter(|(_, line)| prompt(line)).last()?;
    Some(printed.max(last.0 + 1))
}

/// A chat copied with names and times, each above what was said: up to the blank line behind the last, or to the end.
fn stamped<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    if !is_stamp(lines.clone().next()?) {
        return None;
    }
    let last = lines.clone().enumerate().filter(|(_, line)| is_stamp(line)).last()?.0;
    let said = lines.skip(last + 1).take_while(|line| !line.trim().is_empty()).count();
    Some(last + 1 + said)
}

/// `ada  10:03 AM`, `<@U123> [10:03]`: a name and a time as programs write them, and nothing else.
fn is_stamp(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_end_matches([']', ')']);
    let lower = bare.to_ascii_lowercase();
    let half = ["am", "pm"].iter().find_map(|half| lower.strip_suffix(half));
    let clock = half.unwrap_or(&lower).trim_end();
    let time = clock.rsplit([' ', '[', '(', '\t']).next().unwrap_or_default();
    let digits =
        time.split(':').all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()));
    let name = clock[..clock.len() - time.len()].trim_end_matches(['[', '(']);
    let written = half.is_some() || bare.len() < line.len() || name.ends_with("  ") || name.ends_with('\t');
    let words = name.split_whitespace().count();
    time.contains(':') && digits && written && (1..=NAME_WORDS).contains(&words) && !name.contains(['.', '?', '!', ','])
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn marks_of_a_form_make_a_block() {
        for (text, count) in [
            ("/*\n * a\n */\nb", Some(3)),
            ("/* a */\nb", Some(1)),
            ("/*\na\n*/\nobey\n*/\nb", Some(5)),
            ("-- a\nSELECT 1;", Some(1)),
            ("# a\nimport os", Some(1)),
            ("# a\nprint(1)", Some(1)),
            ("# A title\nand what I say below it", None),
            ("=== a.md ===\nb\n=== end ===\nc", Some(3)),
            ("=== Plan ===\nfirst this", None),
            ("{{page}}\na\n{{/page}}\nb", Some(3)),
            ("$$\na\n$$\nb", Some(3)),
            ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\nc", Some(5)),
            ("key: |\n  a\nother: 1", Some(2)),
            ("note: | is a pipe\na", None),
            (">>> print(x)\na\n>>> \nb", Some(4)),
            ("ada  10:03 AM\na\nben  10:04 AM\nb\n\nc", Some(4)),
            ("<@U123> [10:03 AM]\na\nb", Some(3)),
            ("the standup is at 10:30\na", None),
            ("we meet at 10 am\na", None),
        ] {
            assert_eq!(length(text.lines()), count, "{text:?}");
        }
    }
}
