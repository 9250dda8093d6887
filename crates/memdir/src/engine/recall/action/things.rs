//! The concrete things that a clause of a memory names: commands, programs, options, paths, hosts, names of code.
//!
//! Enters: a clause. Leaves: its things, each with where it stands. Code is read by what it looks like; of prose only what no
//! everyday word looks like, and the names of programs that are not everyday words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, ClauseWord};

use super::command;
use super::operation::{Operation, host_of};
use super::paths::is_path;

/// Something that a clause names.
#[derive(Clone, Debug)]
pub(super) struct NamedThing {
    /// Where in the clause it begins.
    pub(super) at: usize,
    /// As it is written.
    pub(super) text: String,
    pub(super) what: ThingKind,
    /// Whether it is set as code.
    pub(super) coded: bool,
}

#[derive(Clone, Debug)]
pub(super) enum ThingKind {
    /// A call with what it is told.
    Command(Box<Operation>),
    /// One word that may be a program, a package or a name of code.
    Name,
    Option,
    Path,
    Host,
    Variable,
}

static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let does = programs::DOES.iter().filter_map(|(form, _)| form.split(' ').next());
    let family = programs::FAMILY.iter().flat_map(|(_, members)| members.iter().copied());
    let same = programs::SAME_PROGRAM.iter().flat_map(|(name, same)| [*name, *same]);
    let wrapper = programs::WRAPPER.iter().filter_map(|(form, _)| form.split(' ').next());
    let all = does.chain(family).chain(same).chain(wrapper);
    all.filter(|name| programs::ALSO_ENGLISH.binary_search(name).is_err() && name.len() > 1).collect()
});

/// Whether a word of prose is the name of a program.
pub(super) fn is_program(word: &str) -> bool {
    KNOWN.contains(word) && programs::LANGUAGE_NAME.binary_search(&word).is_err()
}

/// What programs can be told, by program.
static SUBCOMMANDS: LazyLock<HashMap<&'static str, HashSet<&'static str>>> = LazyLock::new(|| {
    let mut found: HashMap<&str, HashSet<&str>> = HashMap::new();
    let forms = programs::DOES.iter().map(|(form, _)| *form).chain(programs::WHOLE_WORD.iter().map(|(form, _)| *form));
    for form in forms {
        let mut parts = form.split(' ');
        if let (Some(program), Some(word)) = (parts.next(), parts.next()) {
            found.entry(program).or_default().insert(word);
        }
    }
    found
});

/// Whether a program has subcommands, so that its name alone says little.
pub(super) fn has_subcommands(program: &str) -> bool {
    SUBCOMMANDS.contains_key(program)
}

/// Whether a program knows a subcommand.
pub(super) fn is_subcommand(program: &str, word: &str) -> bool {
    SUBCOMMANDS
        .get(program)
        .is_some_and(|words| words.contains(word) || programs::SHOWN_BY.binary_search(&word).is_ok())
}

/// The things of a clause, in order.
pub(super) fn things(clause: &Clause) -> Vec<NamedThing> {
    let words = &clause.words;
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if word.code > 0 {
            let length = words[at..].iter().take_while(|other| other.code == word.code).count();
            found.extend(of_code(&words[at..at + length], at));
            at += length;
            continue;
        }
        let length = prose_command(&words[at..]);
        if length > 1 {
            let text = words[at..at + length].iter().map(ClauseWord::as_written).collect::<Vec<_>>().join(" ");
            found.extend(command(&text, at, false));
        } else if let Some(what) = of_prose(word).filter(|_| !is_part_of_name(words, at)) {
            found.push(NamedThing { at, text: word.as_written().to_owned(), what, coded: false });
        }
        at += length.max(1);
    }
    found
}

fn of_code(words: &[ClauseWord], at: usize) -> Vec<NamedThing> {
    let text = words.iter().map(ClauseWord::as_written).collect::<Vec<_>>().join(" ");
    let one = |what| vec![NamedThing { at, text: text.clone(), what, coded: true }];
    let [first, rest @ ..] = words else { return Vec::new() };
    if rest.is_empty() {
        let word = first.as_written();
        return one(if word.starts_with('-') {
            ThingKind::Option
        } else if host_of(word).is_some() {
            ThingKind::Host
        } else if is_path(word) {
            ThingKind::Path
        } else if word.contains('=') {
            ThingKind::Variable
        } else {
            ThingKind::Name
        });
    }
    if first.text.starts_with('-') {
        let options = words.iter().enumerate().filter(|(_, word)| word.text.starts_with('-'));
        let option = |(index, word): (usize, &ClauseWord)| NamedThing {
            at: at + index,
            text: word.as_written().to_owned(),
            what: ThingKind::Option,
            coded: true,
        };
        return options.map(option).collect();
    }
    let callable = first.text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-+/=$~".contains(letter));
    if callable { command(&text, at, true) } else { one(ThingKind::Name) }
}

fn command(text: &str, at: usize, coded: bool) -> Vec<NamedThing> {
    let operations = command::operations(text, "").into_iter();
    operations
        .map(|operation| NamedThing { at, text: text.to_owned(), what: ThingKind::Command(Box::new(operation)), coded })
        .collect()
}

/// How many words of prose are a program with what it is told: `git push --force`.
fn prose_command(words: &[ClauseWord]) -> usize {
    let Some(program) = words.first() else { return 0 };
    let prose = |at: usize| words.get(at).filter(|word| word.code == 0);
    if !prose(1).is_some_and(|next| is_subcommand(&program.text, &next.text)) {
        return 1;
    }
    let more = (2..words.len()).take_while(|at| prose(*at).is_some_and(|word| word.text.starts_with('-'))).count();
    2 + more
}

/// Whether a program's name is the beginning of another name: "Docker Hub".
pub(super) fn is_part_of_name(words: &[ClauseWord], at: usize) -> bool {
    let capital = |word: &ClauseWord| word.code == 0 && word.as_written().starts_with(char::is_uppercase);
    is_program(&words[at].text) && capital(&words[at]) && words.get(at + 1).is_some_and(capital)
}

fn of_prose(word: &ClauseWord) -> Option<ThingKind> {
    let written = word.as_written();
    if word.text.starts_with('-') {
        return (word.text.len() > 1).then_some(ThingKind::Option);
    }
    if host_of(written).is_some() {
        return Some(ThingKind::Host);
    }
    if is_path(written) {
        return Some(ThingKind::Path);
    }
    if is_program(&word.text) || word.looks_technical() {
        return Some(if word.text.contains('=') { ThingKind::Variable } else { ThingKind::Name });
    }
    None
}
