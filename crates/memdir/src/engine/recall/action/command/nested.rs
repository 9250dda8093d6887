//! What a command line runs inside another: behind a wrapper, an interpreter, `bash -c` or `ssh`.
//!
//! Enters: the words of a call. Leaves: the words, or the command line, that it runs; nothing for a call that runs only itself.

use memdir_lexicon::programs;

use super::base;

/// Programs whose option `-c` is a command line.
pub(super) const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "fish"];

/// What a wrapper runs: the words behind it, its options and its own word.
pub(super) fn wrapped(words: &[String]) -> Option<Vec<String>> {
    let base = base(words.first()?);
    let fits = |wrapper: &str| {
        let mut parts = wrapper.split(' ');
        parts.next() == Some(base.as_str())
            && parts.enumerate().all(|(at, part)| words.get(at + 1).is_some_and(|word| word == part))
    };
    let (wrapper, options) =
        programs::WRAPPER.iter().filter(|(wrapper, _)| fits(wrapper)).max_by_key(|(wrapper, _)| wrapper.len())?;
    let mut rest = &words[wrapper.split(' ').count()..];
    let mut own = usize::from(options.contains("+1"));
    loop {
        match rest {
            [first, more @ ..] if first == "--" => {
                rest = more;
                // What comes before it was the wrapper's own.
                own = 0;
            }
            [first, more @ ..] if first.starts_with('-') => {
                let valued = options.split(' ').any(|option| option == first);
                rest = if valued { more.get(1..).unwrap_or_default() } else { more };
            }
            [first, more @ ..] if first.contains('=') && !first.contains('/') => rest = more,
            [_, more @ ..] if own > 0 => {
                own -= 1;
                rest = more;
            }
            _ => break,
        }
    }
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// Where the script stands that an interpreter is given.
pub(super) fn interpreted(called: &str, words: &[String]) -> Option<usize> {
    let interpreter =
        programs::LANGUAGE_NAME.contains(&called) || SHELLS.contains(&called) || called.starts_with("python");
    let at = words.iter().skip(1).position(|word| !word.starts_with('-'))? + 1;
    let before = words[1..at].iter().any(|word| matches!(word.as_str(), "-c" | "-e" | "-m" | "-lc"));
    let script = is_script(&words[at]) || words[at] == "artisan" || words[at].contains('/') && SHELLS.contains(&called);
    (interpreter && !before && script).then_some(at)
}

fn is_script(word: &str) -> bool {
    [".sh", ".py", ".js", ".ts", ".rb", ".mjs", ".pl", ".php", ".r", ".jl", ".lua"]
        .iter()
        .any(|end| word.to_lowercase().ends_with(end))
}

/// A command line that is in one word: behind `bash -c`, or for a machine elsewhere.
pub(super) fn script_of(called: &str, words: &[String]) -> Option<String> {
    if called == "eval" {
        return Some(words[1..].join(" "));
    }
    if SHELLS.contains(&called) || called == "su" {
        let at =
            words.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c'))?;
        return words.get(at + 1).cloned();
    }
    if called == "ssh" || called == "mosh" {
        let at = words.iter().skip(1).position(|word| {
            !word.starts_with('-') && (word.contains('@') || word.contains('.') || !word.contains(['/', '=']))
        })?;
        let rest = words.get(at + 2..)?;
        return (!rest.is_empty()).then(|| rest.join(" "));
    }
    None
}
