//! Whether a clause of a memory and a deed speak of the same thing, and by what.
//!
//! Enters: a clause with its things, and a deed. Leaves: a [`Meeting`]: what of the deed is named, and what stays open. Knows
//! nothing of stances: whether a meeting matters is for the verdict.

use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, Stance, Word};

use super::deed::Deed;
use super::paths::{How, is_path, means};
use super::things::{Thing, What, is_part_of_name, is_subcommand};

/// Activities that say how a file is touched, or nothing much.
const PLAIN: [&str; 6] = ["run", "edit", "create", "read", "fetch", "force"];
/// Words of servers' names that say nothing about them.
const ANY_SERVER: [&str; 9] = ["server", "mcp", "api", "app", "plugin", "tools", "tool", "service", "claude"];

/// What of a deed a clause names.
#[derive(Clone, Debug, Default)]
pub(super) struct Meeting {
    /// A call with what it is told; whether its options are all there.
    pub(super) command: Option<(usize, bool)>,
    /// The program alone.
    pub(super) program: Option<usize>,
    /// A path or directory, where it is named, and how it is touched.
    pub(super) path: Option<Place>,
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
    /// What is done.
    pub(super) activity: Option<&'static str>,
    /// Options of the clause that the deed has; and whether it names any.
    pub(super) options: (bool, bool),
    /// A variable that is set as the clause has it; and whether it names any.
    pub(super) variables: (bool, bool),
    /// Names a program, path, host or name that is not the deed's.
    pub(super) names_other: bool,
    /// Whether the clause says what the tool is called after: to send, to create.
    pub(super) verb: bool,
    /// The words, for people.
    pub(super) words: String,
}

/// A path that is named and touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) how: How,
    /// Whether it means files by a pattern or their ending.
    pub(super) is_pattern: bool,
}

impl Meeting {
    /// Whether something is named that is no everyday word.
    pub(super) fn is_concrete(&self) -> bool {
        self.command.is_some()
            || self.program.is_some()
            || self.path.is_some()
            || self.host.is_some()
            || self.tool.is_some()
            || self.written
    }
}

/// Holds a clause against a deed.
pub(super) fn meet(clause: &Clause, things: &[Thing], deed: &Deed) -> Meeting {
    let mut met = Meeting::default();
    for thing in things {
        let named = match &thing.what {
            What::Command(said) => call(said, deed, thing, &mut met),
            What::Name => name(clause, thing, deed, &mut met),
            What::Option => {
                let has = has_option(&thing.text, deed);
                met.options = (met.options.0 || has, true);
                has
            }
            What::Variable => {
                let has = deed.variables.contains(&thing.text.to_lowercase());
                met.variables = (met.variables.0 || has, true);
                has
            }
            What::Path => {
                met.names_path = true;
                // A host may look like a file.
                host(&thing.text, deed, thing.at, &mut met)
                    || path(&thing.text.to_lowercase(), clause, deed, thing.at, &mut met)
            }
            What::Host => host(&thing.text, deed, thing.at, &mut met),
        };
        if named {
            say(&mut met, &thing.text);
        } else if !matches!(thing.what, What::Option | What::Variable) {
            met.names_other = true;
        }
    }
    folders(clause, deed, &mut met);
    kinds(clause, deed, &mut met);
    sites(clause, deed, &mut met);
    servers(clause, deed, &mut met);
    called_in_prose(clause, deed, &mut met);
    written(clause, things, deed, &mut met);
    met.activity = clause.activities.iter().find_map(|said| {
        let said = said.as_str();
        deed.activities.iter().copied().find(|does| *does == said && !PLAIN.contains(does))
    });
    if let Some(activity) = met.activity {
        say(&mut met, &activity.replace('-', " "));
    }
    met
}

/// Whether a deed has an option, in whatever form.
fn has_option(said: &str, deed: &Deed) -> bool {
    let told = deed.told.first().map_or("", String::as_str);
    let whole = deed.programs.iter().any(|name| {
        let forms = [format!("{name} {said}"), format!("{name} {told} {said}")];
        let long = programs::WHOLE_OPTION.iter().filter(|(form, _)| forms.iter().any(|other| other == form));
        long.into_iter().any(|(_, long)| deed.options.contains(*long))
    });
    whole || deed.options.contains(said) || deed.options.contains(&said.to_lowercase())
}

fn say(met: &mut Meeting, words: &str) {
    if met.words.is_empty() {
        words.clone_into(&mut met.words);
    }
}

/// A call that a clause spells out.
fn call(said: &Deed, deed: &Deed, thing: &Thing, met: &mut Meeting) -> bool {
    let (Some(name), false) = (said.called(), said.programs.is_empty()) else { return false };
    if !deed.programs.iter().any(|program| program == name) {
        return false;
    }
    let open = |word: &str| word.starts_with(['<', '[', '{', '$']) || word.contains("...") || word.contains('…');
    let mut told = deed.told.iter();
    let wanted = said.told.iter().filter(|word| !open(word));
    for (at, word) in wanted.enumerate() {
        let same = |other: &String| other == word || is_path(word) && means(word, other);
        // The first word is what it does; the rest may come with others between.
        let found = if at == 0 && !is_path(word) { told.next().is_some_and(same) } else { told.any(same) };
        if !found {
            return false;
        }
    }
    let whole = said.options.difference(&said.forms).all(|option| deed.options.contains(option))
        && said.variables.iter().all(|variable| deed.variables.contains(variable));
    met.command = match met.command {
        Some((at, true)) => Some((at, true)),
        _ => Some((thing.at, whole)),
    };
    true
}

/// One word that may be the program, a subcommand, a directory, or something that is written.
fn name(clause: &Clause, thing: &Thing, deed: &Deed, met: &mut Meeting) -> bool {
    let text = thing.text.to_lowercase();
    // What only shows something is meant by its own name alone.
    let language = !thing.coded && programs::LANGUAGE_NAME.binary_search(&text.as_str()).is_ok();
    if !language && deed.programs.iter().take(if deed.shows { 1 } else { 2 }).any(|name| *name == text) {
        met.program = Some(thing.at);
        return true;
    }
    if deed.tool.as_ref().is_some_and(|tool| tool.name == text || tool.words.join("_") == text) {
        met.tool = Some((thing.at, true));
        return true;
    }
    if thing.coded && path(&text, clause, deed, thing.at, met) {
        return true;
    }
    host(&text, deed, thing.at, met) || deed.told.contains(&text) || deed.pieces.contains(&text)
}

/// A path, directory or pattern.
fn path(said: &str, clause: &Clause, deed: &Deed, at: usize, met: &mut Meeting) -> bool {
    let Some(touch) = deed.touches.iter().filter(|touch| means(said, &touch.path)).max_by_key(|touch| touch.how as u8)
    else {
        return false;
    };
    if !may_touch(clause, deed, touch.how) {
        // It is this file, and what the clause says is not what is done to it.
        return true;
    }
    let is_pattern = said.contains('*') || said.starts_with('.') && !said.contains('/');
    met.path = Some(Place { at, how: touch.how, is_pattern });
    true
}

/// Whether what a clause says about files concerns how this one is touched.
fn may_touch(clause: &Clause, deed: &Deed, how: How) -> bool {
    let says = |activity: &str| clause.activities.iter().any(|said| said == activity);
    let shared = clause.activities.iter().any(|said| deed.activities.contains(said.as_str()))
        || says("commit") && deed.activities.contains("stage");
    let (edit, remove, read, run) =
        (says("edit") || says("create"), says("delete-file") || says("move-file"), says("read"), says("run"));
    if says("any-use") {
        return true;
    }
    match how {
        How::Read => read && !edit && !remove || shared && says("copy-file"),
        How::Write => edit || !(remove || read || run && clause.stance == Stance::Forbids),
        How::Delete => edit || remove || !(read || run),
        How::Use => {
            shared
                || run
                || !(edit || remove || read) && (clause.stance != Stance::Forbids || !deed.activities.is_empty())
        }
    }
}

/// A directory by its plain name: "the legacy folder".
fn folders(clause: &Clause, deed: &Deed, met: &mut Meeting) {
    if met.path.is_some() || !clause.files.iter().any(|kind| kind == "folder") {
        return;
    }
    let folder = |word: &Word| {
        let named = word.code == 0 && word.text.len() > 2 && word.text.is_ascii();
        named.then(|| {
            deed.touches.iter().find(|touch| {
                let mut above = touch.path.rsplit('/').skip(1);
                above.any(|part| part == word.text)
            })
        })?
    };
    if let Some(touch) = clause.words.iter().find_map(folder)
        && may_touch(clause, deed, touch.how)
    {
        met.path = Some(Place { at: 0, how: touch.how, is_pattern: false });
        say(met, &touch.path);
    }
}

/// A kind of files.
fn kinds(clause: &Clause, deed: &Deed, met: &mut Meeting) {
    // A path says better which files are meant.
    if met.names_path {
        return;
    }
    for touch in deed.touches.iter().filter(|touch| touch.how != How::Use || deed.activities.contains("stage")) {
        if let Some(kind) = touch.kinds.iter().copied().find(|kind| clause.files.iter().any(|said| said == kind))
            && may_touch(clause, deed, touch.how)
        {
            met.kind = Some(kind);
            say(met, &kind.replace('-', " "));
        }
    }
}

fn host(said: &str, deed: &Deed, at: usize, met: &mut Meeting) -> bool {
    let said = said.to_lowercase();
    let said = super::deed::host_of(&said).unwrap_or_else(|| said.split(['/', ':']).next().unwrap_or(&said).to_owned());
    let said = said.trim_start_matches("*.").trim_start_matches("www.");
    let same = |host: &String| {
        host.trim_start_matches("www.") == said || host.strip_suffix(said).is_some_and(|rest| rest.ends_with('.'))
    };
    if said.is_empty() || !deed.hosts.iter().any(same) {
        return false;
    }
    met.host = Some(at);
    met.named_host = true;
    true
}

/// A site by its plain name: "Stack Overflow" is `stackoverflow.com`.
fn sites(clause: &Clause, deed: &Deed, met: &mut Meeting) {
    if met.host.is_some() {
        return;
    }
    for host in &deed.hosts {
        let labels: Vec<&str> = host.split('.').collect();
        let labels = if labels.len() > 1 { &labels[..labels.len() - 1] } else { &labels[..] };
        let label = |text: &str| {
            text.len() > 2
                && !matches!(text, "www" | "docs" | "api" | "com" | "app" | "the" | "github")
                && labels.contains(&text)
        };
        for (at, word) in clause.words.iter().enumerate() {
            let joined = clause.words.get(at + 1).map(|next| format!("{}{}", word.text, next.text));
            if label(&word.text) || joined.is_some_and(|joined| label(&joined)) {
                met.host = Some(at);
                say(met, host);
                return;
            }
        }
    }
}

/// A server, and what its tool is about.
fn servers(clause: &Clause, deed: &Deed, met: &mut Meeting) {
    let Some(tool) = &deed.tool else { return };
    let is = |word: &Word, name: &String| {
        word.text == *name
            || word.text.strip_suffix('s') == Some(name)
            || name.strip_suffix('s') == Some(word.text.as_str())
    };
    let said = |name: &&String| {
        name.len() > 2 && !ANY_SERVER.contains(&name.as_str()) && clause.words.iter().any(|word| is(word, name))
    };
    let whole = tool.server.join("");
    let server = clause.words.iter().position(|word| {
        let one =
            tool.server.iter().any(|name| name.len() > 2 && !ANY_SERVER.contains(&name.as_str()) && is(word, name));
        one || word.text.replace(['-', '_'], "") == whole
    });
    met.verb = tool.words.iter().any(|word| {
        programs::TOOL_CHANGES.contains(&word.as_str()) && clause.words.iter().any(|said| said.text == *word)
    });
    let own = tool.words.iter().filter(|word| word.len() > 3).any(|word| said(&word));
    if let Some(at) = server.filter(|_| met.tool.is_none()) {
        met.tool = Some((at, own));
        say(met, &clause.words[at].text);
    }
}

/// A program whose name is an everyday word, with what it is told: "make deploy". Or a program nobody has heard of.
fn called_in_prose(clause: &Clause, deed: &Deed, met: &mut Meeting) {
    if met.program.is_some() || met.command.is_some() {
        return;
    }
    for name in &deed.programs {
        let common = programs::ALSO_ENGLISH.binary_search(&name.as_str()).is_ok();
        for (at, _) in clause.words.iter().enumerate().filter(|(_, word)| word.code == 0 && word.text == *name) {
            if is_part_of_name(&clause.words, at) {
                continue;
            }
            let next = clause.words.get(at + 1).filter(|next| next.code == 0);
            let told = next.is_some_and(|next| deed.told.first() == Some(&next.text));
            // It is told to do something else there.
            if !told && next.is_some_and(|next| is_subcommand(name, &next.text)) {
                continue;
            }
            if common && told {
                met.command = Some((at, true));
            } else if !common
                && programs::LANGUAGE_NAME.binary_search(&name.as_str()).is_err()
                && name.len() > 2
                && !programs::SHOWN_ONLY.contains(&name.as_str())
            {
                met.program = Some(at);
            } else {
                continue;
            }
            say(met, name);
            return;
        }
    }
}

/// Names that are about to be written, and packages that are about to be installed.
fn written(clause: &Clause, things: &[Thing], deed: &Deed, met: &mut Meeting) {
    let packages: &[String] =
        if deed.activities.contains("install-package") { deed.told.get(1..).unwrap_or_default() } else { &[] };
    let package = |name: &str| {
        let name = name.to_lowercase();
        packages.iter().any(|told| {
            *told == name
                || told.split(['@', '=', '<', '>', '[']).next() == Some(name.as_str())
                || told.rsplit('/').next() == Some(name.as_str())
        })
    };
    if let Some(word) = clause.words.iter().find(|word| word.text.len() > 2 && package(word.as_written())) {
        met.written = true;
        say(met, word.as_written());
        return;
    }
    let Some(text) = &deed.written else { return };
    let code = things.iter().find(|thing| {
        let said = match thing.what {
            What::Name | What::Path | What::Variable | What::Option => thing.text.len() > 1 && text.says(&thing.text),
            What::Command(_) => thing.coded && text.says(&thing.text),
            What::Host => text.says(&thing.text),
        };
        said && (thing.coded || thing.text.len() > 3)
    });
    if let Some(thing) = code {
        met.written = true;
        met.written_at = Some(thing.at);
        say(met, &thing.text);
        return;
    }
    let single = |word: &Word| word.text.strip_suffix('s').unwrap_or(&word.text).to_owned();
    let prose = || clause.words.iter().filter(|word| word.code == 0 && word.text.is_ascii() && word.text.len() > 3);
    let named = prose().find(|word| {
        text.modules.contains(&word.text) || text.called.contains(&single(word)) && text.names.contains(&single(word))
    });
    let side_by_side = || {
        clause.words.windows(2).find(|pair| {
            pair.iter().all(|word| word.code == 0 && word.text.len() > 3 && word.text.is_ascii())
                && text.joins(&pair[0].text, &pair[1].text)
        })
    };
    if let Some(word) = named.or_else(|| side_by_side().map(|pair| &pair[0])) {
        met.written_at = clause.words.iter().position(|other| std::ptr::eq(other, word));
        met.written = true;
        say(met, word.as_written());
    }
}

/// Whether what a clause and a deed are aimed at is the same, another, or not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Same,
    Other,
    Unsaid,
}

/// Compares what a clause and a deed are aimed at: a branch, an environment, a channel.
pub(super) fn aim(clause: &Clause, deed: &Deed) -> Aim {
    let group =
        |word: &str| programs::TARGET.iter().find(|(_, words)| words.contains(&word)).map(|(target, _)| *target);
    let in_unspaced = |word: &Word| {
        let text = word.text.as_str();
        programs::TARGET
            .iter()
            .find(|(_, words)| words.iter().any(|name| !name.is_ascii() && text.contains(name)))
            .map(|(target, _)| *target)
    };
    let said: Vec<&str> = clause
        .words
        .iter()
        .filter_map(|word| {
            let bare = word.text.trim_start_matches('#');
            group(bare).or_else(|| bare.split(['-', '_', '/', '.']).find_map(group)).or_else(|| in_unspaced(word))
        })
        .collect();
    let channels: Vec<&str> =
        clause.words.iter().filter_map(|word| word.text.strip_prefix('#')).filter(|name| !name.is_empty()).collect();
    if !channels.is_empty() && deed.tool.is_some() {
        return if channels.iter().any(|name| deed.pieces.contains(*name) || deed.pieces.contains(&format!("#{name}"))) {
            Aim::Same
        } else {
            Aim::Other
        };
    }
    if said.is_empty() {
        return Aim::Same;
    }
    let aimed: Vec<&str> = deed
        .pieces
        .iter()
        .filter_map(|piece| group(piece))
        .chain(deed.hosts.iter().flat_map(|host| host.split(['.', '-'])).filter_map(group))
        .chain(deed.touches.iter().flat_map(|touch| touch.path.split(['/', '.', '-', '_'])).filter_map(group))
        .collect();
    if aimed.iter().any(|target| said.contains(target)) {
        return Aim::Same;
    }
    // A push that names its branch goes nowhere else.
    let named_branch = deed.called() == Some("git") && deed.told.len() > 2;
    if aimed.is_empty() && !named_branch { Aim::Unsaid } else { Aim::Other }
}
