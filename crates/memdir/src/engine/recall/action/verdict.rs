//! What a memory has to say about what is about to be done: nothing, something, or that it must not be done.
//!
//! Enters: what a memory is about, and the deeds of a call. Leaves: a [`Verdict`] with its reason. A prohibition that meets a deed
//! holds it; an advice speaks when something else is used than what it advises; a case and an explanation speak when they name the
//! deed. Who already does what is advised is told nothing.

use std::collections::HashSet;

use memdir_core::kind::Type;
use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, Stance, Subjects};

use super::deed::Deed;
use super::meeting::{Aim, Meeting, aim, meet};
use super::paths::{How, is_host};
use super::things::{Thing, What, has_subcommands, things};

/// What a memory has to say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    /// Whether it forbids what is about to be done.
    pub(super) forbids: bool,
    /// How sure that is, 0 to 1.
    pub(super) score: f32,
    /// The words of the memory that the call is about.
    pub(super) words: String,
}

/// What one clause has to say about one deed.
enum Say {
    Nothing,
    Tells(f32),
    Forbids(f32),
    /// It is done as the memory wants it.
    Fulfilled,
    /// What is done is near what is forbidden, and is not it.
    Avoided,
}

/// By what it does alone a deed is not as surely forbidden as by its name.
const BY_ACTIVITY: f32 = 0.8;

/// Holds a memory against the deeds of a call.
pub(super) fn judge(subjects: &Subjects, kind: Option<Type>, deeds: &[Deed]) -> Option<Verdict> {
    let memory = Whole::of(subjects, kind);
    let mut best: Option<Verdict> = None;
    let (mut fulfilled, mut avoided) = (false, false);
    for deed in deeds {
        for (clause, things) in subjects.clauses.iter().zip(&memory.things) {
            let met = meet(clause, things, deed);
            let (forbids, score) = match say(clause, things, deed, &met, &memory) {
                Say::Nothing => continue,
                Say::Fulfilled => {
                    fulfilled = true;
                    continue;
                }
                Say::Avoided => {
                    avoided = true;
                    continue;
                }
                Say::Tells(score) => (false, score),
                Say::Forbids(score) => (true, score),
            };
            if forbids && is_exempt(subjects, clause, deed) {
                fulfilled = true;
                continue;
            }
            if best.as_ref().is_none_or(|best| (forbids, score) > (best.forbids, best.score)) {
                let program = || deed.called().unwrap_or_default().to_owned();
                let words = Some(met.words).filter(|words| !words.is_empty()).unwrap_or_else(program);
                best = Some(Verdict { forbids, score, words });
            }
        }
    }
    best.filter(|best| if best.forbids && best.score > BY_ACTIVITY { true } else { !fulfilled && !avoided })
}

/// A memory as a whole.
struct Whole {
    things: Vec<Vec<Thing>>,
    words: HashSet<String>,
    is_user: bool,
    is_feedback: bool,
    /// It names something that code would say, as code.
    has_code: bool,
    /// It names hosts, so that names of sites mean those.
    names_hosts: bool,
    /// It names paths, so that kinds of files mean those.
    names_paths: bool,
    /// A prohibition names something that code would say.
    forbids_names: bool,
    /// A prohibition names something, or something that is done.
    forbids_else: bool,
    /// Kinds of files that its name and description speak of.
    head_kinds: Vec<String>,
}

impl Whole {
    fn of(subjects: &Subjects, kind: Option<Type>) -> Whole {
        let things: Vec<Vec<Thing>> = subjects.clauses.iter().map(things).collect();
        let forbids = |named: fn(&What) -> bool| {
            let pairs = subjects.clauses.iter().zip(&things);
            pairs
                .filter(|(clause, _)| clause.stance == Stance::Forbids)
                .any(|(_, things)| things.iter().any(|thing| named(&thing.what)))
        };
        Whole {
            is_user: kind == Some(Type::User),
            is_feedback: kind == Some(Type::Feedback),
            has_code: things.iter().flatten().any(|thing| thing.coded && matches!(thing.what, What::Name)),
            names_hosts: things.iter().flatten().any(|thing| is_host(&thing.text)),
            names_paths: things.iter().flatten().any(|thing| matches!(thing.what, What::Path)),
            forbids_names: forbids(|what| matches!(what, What::Name | What::Command(_))),
            head_kinds: subjects
                .clauses
                .iter()
                .filter(|clause| clause.head)
                .flat_map(|clause| clause.files.iter().cloned())
                .collect(),
            forbids_else: subjects.clauses.iter().zip(&things).any(|(clause, things)| {
                clause.stance == Stance::Forbids && (first_activity(clause).is_some() || !things.is_empty())
            }),
            words: subjects
                .clauses
                .iter()
                .flat_map(|clause| clause.words.iter().map(|word| word.text.clone()))
                .collect(),
            things,
        }
    }
}

/// Whether a clause of the same sentence takes the deed out.
fn is_exempt(subjects: &Subjects, clause: &Clause, deed: &Deed) -> bool {
    let exceptions =
        subjects.clauses.iter().filter(|other| other.sentence == clause.sentence && other.stance == Stance::Exempts);
    exceptions.into_iter().any(|other| {
        let named = things(other);
        let met = meet(other, &named, deed);
        met.options.0
            || met.variables.0
            || met.command.is_some_and(|(_, whole)| whole)
            || met.path.is_some()
            || met.written
            || met.host.is_some()
    })
}

fn say(clause: &Clause, things: &[Thing], deed: &Deed, met: &Meeting, memory: &Whole) -> Say {
    let aim = aim(clause, deed);
    if aim == Aim::Other {
        return if clause.stance == Stance::Forbids && is_near(clause, deed, met) {
            Say::Avoided
        } else {
            Say::Nothing
        };
    }
    if clause.stance == Stance::Forbids && met.options == (false, true) && is_near(clause, deed, met) {
        return Say::Avoided;
    }
    match clause.stance {
        Stance::Forbids if forbidden(clause, deed, met, memory) => match aim {
            Aim::Unsaid => Say::Tells(0.8),
            _ => Say::Forbids(if met.is_concrete() { 1.0 } else { BY_ACTIVITY }),
        },
        Stance::Disfavours if forbidden(clause, deed, met, memory) => Say::Tells(0.9),
        Stance::Prescribes => advised(clause, things, deed, met, memory),
        Stance::When | Stance::Explains if memory.is_user => Say::Nothing,
        Stance::When if !deed.shows && !deed.wraps => explained(clause, deed, met, true, memory),
        Stance::Explains if !deed.shows && !deed.wraps => explained(clause, deed, met, clause.head, memory),
        _ => Say::Nothing,
    }
}

/// Whether a clause speaks of the program or of what it does.
fn is_near(clause: &Clause, deed: &Deed, met: &Meeting) -> bool {
    met.is_concrete() || met.activity.is_some() || names_program(clause, deed)
}

fn names_program(clause: &Clause, deed: &Deed) -> bool {
    clause.words.iter().any(|word| deed.programs.contains(&word.text))
}

/// Whether a prohibition means this deed.
fn forbidden(clause: &Clause, deed: &Deed, met: &Meeting, memory: &Whole) -> bool {
    if met.options == (false, true) && met.command.is_none() {
        return false;
    }
    // To look is not to change.
    if deed.shows
        && met.path.is_none()
        && clause.activities.iter().any(|activity| !matches!(activity.as_str(), "run" | "fetch"))
    {
        return false;
    }
    if met.command.is_some_and(|(_, whole)| whole) {
        return true;
    }
    if met.options.0 && (names_program(clause, deed) || met.words.starts_with("--")) {
        return true;
    }
    let specific = first_activity(clause);
    let same_activity = specific.is_none() || deed.activities.is_empty() || deed.wraps || met.activity.is_some();
    if met.program.is_some() {
        return same_activity || specific.is_some_and(|activity| activity == "install-package" && !deed.shows);
    }
    if let Some(place) = met.path {
        // What must not stand in a file is not there, as far as it is spelled out.
        let touches = clause
            .activities
            .iter()
            .any(|activity| matches!(activity.as_str(), "edit" | "delete-file" | "move-file" | "any-use"));
        return touches || place.how != How::Write || deed.written.is_none() || !memory.has_code || met.written;
    }
    if deed.shows {
        return met.host.is_some() || met.tool.is_some_and(|(_, own)| own) && says_read(clause);
    }
    if met.written {
        return places_fit(clause, deed, met);
    }
    if met.host.is_some() {
        return met.named_host || !memory.names_hosts;
    }
    if let Some((_, own)) = met.tool {
        return own || met.verb || specific.is_none() || met.activity.is_some();
    }
    let servers = || deed.tool.iter().flat_map(|tool| &tool.server);
    if met.verb && !met.names_other && servers().any(|name| memory.words.contains(name)) {
        return true;
    }
    if let Some(kind) = met.kind {
        return !is_generic(kind) && !met.names_other && !memory.names_paths;
    }
    // Named by what it does alone, and by nothing that it is not.
    met.activity.is_some_and(|activity| Some(activity) == specific)
        && !met.names_other
        && !met.names_path
        && clause_kinds(clause) == 0
}

/// What an advice has to say.
fn advised(clause: &Clause, things: &[Thing], deed: &Deed, met: &Meeting, memory: &Whole) -> Say {
    let behind = |at: usize| clause.marker.is_none_or(|marker| at >= usize::from(marker));
    if met.written_at.is_some_and(behind) || met.variables.0 {
        return Say::Fulfilled;
    }
    if let Some((at, whole)) = met.command {
        return match (behind(at), whole && met.options != (false, true)) {
            _ if deed.shows => Say::Nothing,
            (true, true) => Say::Fulfilled,
            _ => Say::Tells(0.9),
        };
    }
    if let Some(at) = met.program.or(met.host) {
        if deed.shows && met.host.is_none() {
            return Say::Nothing;
        }
        return if behind(at) && met.options != (false, true) { Say::Fulfilled } else { Say::Tells(0.8) };
    }
    if deed.shows || deed.wraps && !has_family(things, deed, clause) {
        return Say::Nothing;
    }
    if let Some((at, own)) = met.tool {
        let fits = own || met.activity.is_some() || first_activity(clause).is_none();
        // "Use Linear", and not "write pages in Notion in Spanish".
        let direct = clause
            .marker
            .is_some_and(|marker| at >= usize::from(marker) && (at <= usize::from(marker) + 2 || met.verb));
        return match (direct, fits) {
            (true, _) => Say::Fulfilled,
            (false, true) => Say::Tells(0.8),
            (false, false) => Say::Nothing,
        };
    }
    if has_family(things, deed, clause) {
        return Say::Tells(0.8);
    }
    let creates = clause.activities.iter().any(|activity| activity == "create");
    if let Some(place) = met.path.filter(|place| place.how != How::Read) {
        // What is to lie in a directory is put there.
        let location = !place.is_pattern && clause.marker.is_some() && behind(place.at);
        return if creates || location { Say::Fulfilled } else { Say::Tells(0.8) };
    }
    if let Some(kind) = met.kind.filter(|_| !memory.is_user) {
        return if tells_of_kind(kind, memory) { Say::Tells(0.6) } else { Say::Nothing };
    }
    // Beside something that is forbidden it says what to do instead.
    if met.activity.is_some() && !memory.is_user {
        return if memory.forbids_else { Say::Nothing } else { Say::Tells(0.6) };
    }
    if library(things, clause, deed) { Say::Tells(0.6) } else { Say::Nothing }
}

/// Whether a rule about a kind of files is told where one of them is written. Of kinds that projects are full of only where the memory
/// is called after them and what it asks for cannot be seen in the text.
fn tells_of_kind(kind: &str, memory: &Whole) -> bool {
    if memory.names_paths {
        return false;
    }
    !is_generic(kind)
        || memory.is_feedback && memory.head_kinds.iter().any(|head| head == kind) && !memory.forbids_names
}

/// What a case or an explanation has to say; `topic`: whether it is what the memory is about.
fn explained(clause: &Clause, deed: &Deed, met: &Meeting, topic: bool, memory: &Whole) -> Say {
    if met.variables.0 {
        return Say::Fulfilled;
    }
    if met.host.is_some() && !met.named_host && memory.names_hosts {
        return Say::Nothing;
    }
    let case = clause.stance == Stance::When;
    // Beside something that is forbidden it is what to do instead, or the reason.
    if (met.command.is_some() || met.program.is_some()) && memory.forbids_else && !case && met.host.is_none() {
        return Say::Nothing;
    }
    if met.command.is_some() || met.host.is_some() || met.options.0 {
        return Say::Tells(0.8);
    }
    if met.program.is_some() {
        let told = deed.told.first().is_some_and(|told| clause.words.iter().any(|word| word.text == *told));
        let generic = deed.programs.iter().any(|name| has_subcommands(name));
        return if !generic || told || case || met.activity.is_some() { Say::Tells(0.7) } else { Say::Nothing };
    }
    if met.path.is_some() {
        return Say::Tells(0.7);
    }
    if let Some((_, own)) = met.tool {
        return if own || met.activity.is_some() || topic && first_activity(clause).is_none() {
            Say::Tells(0.7)
        } else {
            Say::Nothing
        };
    }
    if met.kind.is_some_and(|kind| tells_of_kind(kind, memory)) && topic {
        return Say::Tells(0.5);
    }
    if met.activity.is_some() && topic && !met.names_other && (clause.stance == Stance::When || !memory.forbids_else) {
        Say::Tells(0.5)
    } else {
        Say::Nothing
    }
}

/// The first thing that a clause speaks of doing, how files are touched aside.
fn first_activity(clause: &Clause) -> Option<&str> {
    let plain = ["run", "edit", "create", "read", "fetch", "force", "write-tests"];
    clause.activities.iter().map(String::as_str).find(|activity| !plain.contains(activity))
}

fn says_read(clause: &Clause) -> bool {
    clause.activities.iter().any(|activity| matches!(activity.as_str(), "read" | "query-database" | "fetch"))
}

fn is_generic(kind: &str) -> bool {
    programs::GENERIC_KIND.binary_search(&kind).is_ok()
}

/// Kinds of files that a clause speaks of.
fn clause_kinds(clause: &Clause) -> usize {
    // "Migrations" are files and something that is done.
    let done = |kind: &String| {
        clause.activities.iter().any(|activity| kind.get(..5).is_some_and(|begin| activity.starts_with(begin)))
    };
    clause.files.iter().filter(|kind| *kind != "folder" && !done(kind)).count()
}

/// Whether a clause about what is written leaves out where, or means this file.
fn places_fit(clause: &Clause, deed: &Deed, met: &Meeting) -> bool {
    let kinds: Vec<&str> = deed.touches.iter().flat_map(|touch| touch.kinds.iter().copied()).collect();
    clause.files.is_empty()
        || met.kind.is_some()
        || clause.files.iter().any(|kind| kind == "folder" || kinds.contains(&kind.as_str()))
        || deed.written.is_none()
}

/// Whether an advice names a program that does the same job as the deed's.
fn has_family(things: &[Thing], deed: &Deed, clause: &Clause) -> bool {
    let specific = first_activity(clause);
    let same_job = specific.is_none_or(|activity| deed.activities.is_empty() || deed.activities.contains(activity));
    let advised = things.iter().filter(|thing| clause.marker.is_none_or(|marker| thing.at >= usize::from(marker)));
    let mut names = advised.flat_map(|thing| match &thing.what {
        What::Command(said) => said.programs.clone(),
        What::Name => vec![thing.text.to_lowercase()],
        _ => Vec::new(),
    });
    same_job
        && names.any(|name| {
            programs::FAMILY.iter().any(|(_, members)| {
                members.contains(&name.as_str())
                    && deed.programs.iter().any(|program| members.contains(&program.as_str()))
            })
        })
}

/// Whether an advice names a library that does the same job as one that is brought in.
fn library(things: &[Thing], clause: &Clause, deed: &Deed) -> bool {
    let packages =
        if deed.activities.contains("install-package") { deed.told.get(1..).unwrap_or_default() } else { &[] };
    let brings = |name: &str| {
        packages.iter().any(|told| told == name)
            || deed.written.as_ref().is_some_and(|written| written.modules.contains(name))
    };
    let says = |name: &str| {
        things.iter().any(|thing| thing.text.to_lowercase() == name)
            || clause.words.iter().any(|word| word.text == name)
    };
    programs::LIBRARY_FAMILY.iter().any(|(_, members)| {
        members.iter().any(|name| says(name))
            && members.iter().any(|name| brings(name) && !says(name))
            && !members.iter().any(|name| says(name) && brings(name))
    })
}
