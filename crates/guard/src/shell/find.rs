//! What `find` may be told. Its words are an expression, not options, and some of them run
//! programs, remove files or write them.

use super::options::listed;
use super::word::{Word, shown};
use super::{Arg, ArgRole};

/// Tests and actions without a value.
const PLAIN: &str = "! ( ) , -a -and -d -daystart -depth -empty -executable -false -ignore_readdir_race -ls \
    -mount -nogroup -noignore_readdir_race -noleaf -not -nouser -nowarn -o -or -print -print0 -prune -quit -readable \
    -true -version -warn -writable -xdev";

/// Tests and actions with one.
const VALUED: &str = "-amin -atime -cmin -context -ctime -fstype -gid -group -ilname -iname -inum -iregex -links \
    -lname -maxdepth -mindepth -mmin -mtime -name -perm -printf -regex -regextype -size -type -uid -used -user -xtype";

/// Tests whose value is a path.
const PATHS: &str = "-anewer -cnewer -newer -samefile";

/// Tests whose value is compared with whole paths.
const PATTERNS: &str = "-ipath -iwholename -path -wholename";

/// What is refused, by the beginning of its name, with the reason.
const REFUSED: [(&str, &str); 8] = [
    ("-L", "follows links to anywhere"),
    ("-follow", "follows links to anywhere"),
    ("-exec", "runs a program"),
    ("-ok", "runs a program"),
    ("-delete", "removes files"),
    ("-fprint", "writes a file"),
    ("-fls", "writes a file"),
    ("-files0-from", "reads its paths from a file; name the paths"),
];

/// Reads the words behind `find`: options, paths, then the expression.
pub(super) fn args(words: Vec<Word>) -> Result<Vec<Arg>, String> {
    let mut args = Vec::with_capacity(words.len());
    let mut value = None;
    let mut expression = false;
    for word in words {
        let text = word.prefix();
        let role = if let Some(role) = value.take() {
            role
        } else if !expression && !begins_expression(&text) {
            ArgRole::Path
        } else if !expression && matches!(text.as_str(), "-H" | "-P") && !word.is_open() {
            ArgRole::Text
        } else {
            expression = true;
            value = term(&word, &text)?;
            ArgRole::Text
        };
        args.push(Arg { lead: String::new(), word, role });
    }
    Ok(args)
}

fn begins_expression(text: &str) -> bool {
    text.starts_with('-') || matches!(text, "(" | ")" | "!" | ",")
}

/// One term of the expression: the role of the value it takes, if it takes one.
fn term(word: &Word, text: &str) -> Result<Option<ArgRole>, String> {
    if !word.is_open() {
        let taken = [(PLAIN, None), (VALUED, Some(ArgRole::Text)), (PATHS, Some(ArgRole::Path))];
        for (names, role) in taken.into_iter().chain([(PATTERNS, Some(ArgRole::PathPattern))]) {
            if listed(names, text) {
                return Ok(role);
            }
        }
    }
    // `-newermt 2026-01-01` compares with a time, `-newerma FILE` with a file.
    if let [what, with] = text.strip_prefix("-newer").unwrap_or_default().as_bytes()
        && b"aBcm".contains(what)
        && b"aBcmt".contains(with)
        && !word.is_open()
    {
        return Ok(Some(if *with == b't' { ArgRole::Text } else { ArgRole::Path }));
    }
    match REFUSED.iter().find(|(begin, _)| text.starts_with(begin)) {
        Some((_, why)) => Err(format!("find {} {why}, which is not allowed", shown(text))),
        None => Err(format!("{} of find is not among the terms known to only read", shown(text))),
    }
}
