//! Whether a clause of a memory and an operation speak of the same thing, and by what.
//!
//! Enters: a clause with its things, and an operation. Leaves: a [`ClauseMatch`]: what of the operation is named, and what stays open. Knows
//! nothing of stances: whether a match matters is for the verdict.

mod files;
mod own_names;
mod services;
mod written;

use memdir_lexicon::programs;
use memdir_reader::subjects::Clause;

use super::operation::Operation;
use super::paths::{TouchKind, is_path, means};
use super::things::{NamedThing, ThingKind, is_part_of_name, is_subcommand};
use files::{folders, kinds, path};
pub(super) use own_names::is_surely_own_name;
use own_names::own_names;
use services::{host, servers, sites};
use written::written;

/// Activities that say how a file is touched, or nothing much.
const PLAIN: [&str; 6] = ["run", "edit", "create", "read", "fetch", "force"];

/// What of an operation a clause names.
#[derive(Clone, Debug, Default)]
pub(super) struct ClauseMatch {
    /// A call with what it is told; whether its options are all there.
    pub(super) command: Option<(usize, bool)>,
    /// The program alone.
    pub(super) program: Option<usize>,
    /// A path or directory, where it is named, and how it is touched.
    pub(super) path: Option<TouchedPath>,
    /// Whether it names any path.
    pub(super) names_path: bool,
    /// A kind of files.
    pub(super) kind: Option<&'static str>,
    /// A host or site; and whether by its address.
    pub(super) host: Option<usize>,
    pub(super) named_host: bool,
    /// The server or the tool; whether more than the server is named.
    pub(super) tool: Option<(usize, bool)>,
    /// Something that is written, or a package that is brought in.
    pub(super) written: bool,
    /// Where that is named.
    pub(super) written_at: Option<usize>,
    /// A name of the project's own, such as that of a database.
    pub(super) own_name: Option<usize>,
    /// What is done.
    pub(super) activity: Option<&'static str>,
    /// Options of the clause that the operation has; and whether it names any.
    pub(super) options: (bool, bool),
    /// A variable that is set as the clause has it; and whether it names any.
    pub(super) variables: (bool, bool),
    /// Names a program, path, host or name that is not the operation's.
    pub(super) names_other: bool,
    /// Whether the clause says what the tool is called after: to send, to create.
    pub(super) verb: bool,
    /// The words, for people.
    pub(super) words: String,
}

/// A path that is named and touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct TouchedPath {
    pub(super) at: usize,
    pub(super) how: TouchKind,
    /// Whether it means files by a pattern or their ending.
    pub(super) is_pattern: bool,
}

impl ClauseMatch {
    /// Whether something is named that is not an everyday word.
    pub(super) fn is_concrete(&self) -> bool {
        self.command.is_some()
            || self.program.is_some()
            || self.path.is_some()
            || self.host.is_some()
            || self.tool.is_some()
            || self.own_name.is_some()
            || self.written
    }
}

/// Holds a clause against an operation.
pub(super) fn match_clause(clause: &Clause, things: &[NamedThing], operation: &Operation) -> ClauseMatch {
    let mut matched = ClauseMatch::default();
    for thing in things {
        let named = match &thing.what {
            ThingKind::Command(said) => call(said, operation, thing, &mut matched),
            ThingKind::Name => name(clause, thing, operation, &mut matched),
            ThingKind::Option => {
                let has = has_option(&thing.text, operation);
                matched.options = (matched.options.0 || has, true);
                has
            }
            ThingKind::Variable => {
                let has = operation.variables.contains(&thing.text.to_lowercase());
                matched.variables = (matched.variables.0 || has, true);
                has
            }
            ThingKind::Path => {
                matched.names_path = true;
                // A host may look like a file.
                host(&thing.text, operation, thing.at, &mut matched)
                    || path(&thing.text.to_lowercase(), clause, operation, thing.at, &mut matched)
            }
            ThingKind::Host => host(&thing.text, operation, thing.at, &mut matched),
        };
        if named {
            say(&mut matched, &thing.text);
        } else if !matches!(thing.what, ThingKind::Option | ThingKind::Variable) {
            matched.names_other = true;
        }
    }
    folders(clause, operation, &mut matched);
    kinds(clause, operation, &mut matched);
    sites(clause, operation, &mut matched);
    servers(clause, operation, &mut matched);
    called_in_prose(clause, operation, &mut matched);
    written(clause, things, operation, &mut matched);
    own_names(clause, operation, &mut matched);
    matched.activity = clause.activities.iter().find_map(|said| {
        let said = said.as_str();
        operation.activities.iter().copied().find(|does| *does == said && !PLAIN.contains(does))
    });
    if let Some(activity) = matched.activity {
        say(&mut matched, &activity.replace('-', " "));
    }
    matched
}

/// Whether an operation has an option, in whatever form.
fn has_option(said: &str, operation: &Operation) -> bool {
    let told = operation.told.first().map_or("", String::as_str);
    let whole = operation.programs.iter().any(|name| {
        let forms = [format!("{name} {said}"), format!("{name} {told} {said}")];
        let long = programs::WHOLE_OPTION.iter().filter(|(form, _)| forms.iter().any(|other| other == form));
        long.into_iter().any(|(_, long)| operation.options.contains(*long))
    });
    whole || operation.options.contains(said) || operation.options.contains(&said.to_lowercase())
}

fn say(matched: &mut ClauseMatch, words: &str) {
    if matched.words.is_empty() {
        words.clone_into(&mut matched.words);
    }
}

/// A call that a clause spells out.
fn call(said: &Operation, operation: &Operation, thing: &NamedThing, matched: &mut ClauseMatch) -> bool {
    let (Some(name), false) = (said.called(), said.programs.is_empty()) else { return false };
    if !operation.programs.iter().any(|program| program == name) {
        return false;
    }
    // "python train.py" is a call of that script, not of any that python runs.
    let mut scripts = said.programs.iter().filter(|program| is_path(program));
    if !scripts.all(|script| operation.programs.iter().any(|program| means(script, program))) {
        return false;
    }
    let open = |word: &str| word.starts_with(['<', '[', '{', '$']) || word.contains("...") || word.contains('…');
    let mut told = operation.told.iter();
    let wanted = said.told.iter().filter(|word| !open(word));
    for (at, word) in wanted.enumerate() {
        let same = |other: &String| other == word || is_path(word) && means(word, other);
        // The first word is what it does; the rest may come with others between.
        let found = if at == 0 && !is_path(word) { told.next().is_some_and(same) } else { told.any(same) };
        if !found {
            return false;
        }
    }
    let whole = said.options.difference(&said.forms).all(|option| operation.options.contains(option))
        && said.variables.iter().all(|variable| operation.variables.contains(variable));
    matched.command = match matched.command {
        Some((at, true)) => Some((at, true)),
        _ => Some((thing.at, whole)),
    };
    true
}

/// One word that may be the program, a subcommand, a directory, or something that is written.
fn name(clause: &Clause, thing: &NamedThing, operation: &Operation, matched: &mut ClauseMatch) -> bool {
    let text = thing.text.to_lowercase();
    // What only shows something is meant by its own name alone.
    let language = !thing.coded && programs::LANGUAGE_NAME.binary_search(&text.as_str()).is_ok();
    if !language && operation.programs.iter().take(if operation.shows { 1 } else { 2 }).any(|name| *name == text) {
        matched.program = Some(thing.at);
        return true;
    }
    if operation.tool.as_ref().is_some_and(|tool| tool.name == text || tool.words.join("_") == text) {
        matched.tool = Some((thing.at, true));
        return true;
    }
    if thing.coded && path(&text, clause, operation, thing.at, matched) {
        return true;
    }
    host(&text, operation, thing.at, matched) || operation.told.contains(&text) || operation.pieces.contains(&text)
}

/// A program whose name is an everyday word, with what it is told: "make deploy". Or a program nobody has heard of.
fn called_in_prose(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    if matched.program.is_some() || matched.command.is_some() {
        return;
    }
    for name in &operation.programs {
        let common = programs::ALSO_ENGLISH.binary_search(&name.as_str()).is_ok();
        for (at, _) in clause.words.iter().enumerate().filter(|(_, word)| word.code == 0 && word.text == *name) {
            if is_part_of_name(&clause.words, at) {
                continue;
            }
            let next = clause.words.get(at + 1).filter(|next| next.code == 0);
            let told = next.is_some_and(|next| operation.told.first() == Some(&next.text));
            // It is told to do something else there.
            if !told && next.is_some_and(|next| is_subcommand(name, &next.text)) {
                continue;
            }
            if common && told {
                matched.command = Some((at, true));
            } else if !common
                && programs::LANGUAGE_NAME.binary_search(&name.as_str()).is_err()
                && name.len() > 2
                && !programs::SHOWN_ONLY.contains(&name.as_str())
            {
                matched.program = Some(at);
            } else {
                continue;
            }
            say(matched, name);
            return;
        }
    }
}
