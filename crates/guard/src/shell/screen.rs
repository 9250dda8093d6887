//! The first look at a command, before it is parsed.
//!
//! Enters: the text. Leaves: nothing, or the name of what is not allowed. Follows quotes, escapes
//! and comments and turns away every construct that can nest: a parser's time doubles with each
//! level of those, and none of them would be allowed anyway. Only ever denies; what it lets
//! through is still parsed and judged.

/// The two variables whose values are known and harmless.
const KNOWN: [&str; 4] = ["$HOME", "${HOME}", "$PWD", "${PWD}"];

#[derive(Clone, Copy, PartialEq)]
enum Quote {
    None,
    Single,
    Double,
}

pub(super) fn screen(command: &str) -> Result<(), String> {
    let mut quote = Quote::None;
    let mut word_starts = true;
    let mut skip_to = 0;
    for (at, c) in command.char_indices() {
        if at < skip_to {
            continue;
        }
        if c.is_control() && c != '\n' && c != '\t' {
            return Err(format!("the command holds the control character U+{:04X}", u32::from(c)));
        }
        let rest = &command[at..];
        let starts = std::mem::replace(&mut word_starts, false);
        match (quote, c) {
            (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
            (Quote::Single, _) => {}
            (_, '`') => return Err(substitution("`…`")),
            (_, '$') => skip_to = at + dollar(rest, quote)?,
            (_, '\\') => {
                let escaped = rest[1..].chars().next();
                // A control character behind a backslash is still one.
                skip_to = at + 1 + escaped.filter(|c| !c.is_control() || *c == '\n').map_or(0, char::len_utf8);
            }
            (Quote::Double, _) => {}
            (Quote::None, '\'') => quote = Quote::Single,
            (Quote::None, '"') => quote = Quote::Double,
            (Quote::None, '#') if starts => skip_to = at + rest.find('\n').unwrap_or(rest.len()),
            (Quote::None, _) => {
                check_bare(rest)?;
                word_starts = c.is_ascii_whitespace() || matches!(c, ';' | '&' | '|' | '<' | '>');
            }
        }
    }
    if quote == Quote::None { Ok(()) } else { Err("a quote is opened and not closed".to_owned()) }
}

/// How many bytes a `$` that may stand here takes with it.
fn dollar(rest: &str, quote: Quote) -> Result<usize, String> {
    if rest.starts_with("$((") || rest.starts_with("$[") {
        return Err("arithmetic ($((…))) is not allowed; write the number".to_owned());
    }
    if rest.starts_with("$(") {
        return Err(substitution("$(…)"));
    }
    if quote == Quote::None && (rest.starts_with("$'") || rest.starts_with("$\"")) {
        return Err("$'…' and $\"…\" quotes are not allowed; use plain quotes".to_owned());
    }
    let continues = |name: &str| {
        let after = rest[name.len()..].chars().next();
        !name.ends_with('}') && after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some(known) = KNOWN.iter().find(|known| rest.starts_with(**known) && !continues(known)) {
        return Ok(known.len());
    }
    let names = rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || "_{?!#@*$-".contains(c));
    if names {
        return Err("variables are not allowed, but for $HOME and $PWD; write the value".to_owned());
    }
    Ok(1)
}

fn check_bare(rest: &str) -> Result<(), String> {
    let denied = |what: &str| Err(format!("{what} is not allowed; only plain calls, pipes, &&, || and ; are"));
    match rest.as_bytes() {
        [b'<' | b'>', b'(', ..] => Err(substitution("<(…)")),
        [b'<', b'<', ..] => denied("a here-document or here-string (<<)"),
        [b'(' | b')', ..] => denied("a subshell, function or group in parentheses"),
        [b'{' | b'}', ..] => denied("an unquoted brace (a group or a brace expansion)"),
        _ => Ok(()),
    }
}

fn substitution(what: &str) -> String {
    format!("{what} runs a command inside the command, which is not allowed; run it on its own")
}
