//! "Releases are cut on Thursday": work that comes again and again, told in the present.
//!
//! Enters: a weekday and its clause. Leaves: whether the clause speaks of regular work in general. That takes
//! three signs at once: a plural of such work that nothing singles out ("releases", not "the releases" or "two
//! releases"), a verb in the present, and no word that makes it happen once ("frozen", "will", "next"). Never
//! takes one sign for three: with fewer it is a point in time, and the memory gets its date (F4).

use super::{Gap, Page, names, one_of, sense};

/// Work that teams do over and over, by its plural.
const WORK: &[&str] = &[
    "releases",
    "hotfixes",
    "deploys",
    "deployments",
    "rollouts",
    "roll-outs",
    "builds",
    "nightlies",
    "tags",
    "branches",
    "merges",
    "backups",
    "snapshots",
    "dumps",
    "reviews",
    "retros",
    "retrospectives",
    "demos",
    "meetings",
    "standups",
    "stand-ups",
    "syncs",
    "one-on-ones",
    "handovers",
    "handoffs",
    "hand-offs",
    "hand-overs",
    "rotations",
    "sprints",
    "reports",
    "newsletters",
    "changelogs",
    "invoices",
    "payouts",
    "payments",
    "salaries",
    "timesheets",
    "deliveries",
    "shipments",
    "upgrades",
    "updates",
    "patches",
    "exports",
    "imports",
    "reindexes",
];

/// Verbs in the present that say when such work is done.
const PRESENT: &[&str] =
    &["are", "get", "go", "happen", "run", "leave", "ship", "land", "come", "take", "follow", "fall", "reach", "roll"];

/// What makes it happen once, or changes what was usual.
const ONCE: &[&str] = &[
    "will",
    "ll",
    "won",
    "shall",
    "going",
    "gonna",
    "being",
    "planned",
    "scheduled",
    "promised",
    "expected",
    "due",
    "deadline",
    "upcoming",
    "postponed",
    "delayed",
    "moved",
    "cancelled",
    "canceled",
    "skipped",
    "skip",
    "start",
    "starts",
    "begin",
    "begins",
    "end",
    "ends",
    "resume",
    "resumes",
    "stop",
    "stops",
    "stopped",
    "freeze",
    "freezes",
    "frozen",
    "pause",
    "pauses",
    "paused",
    "block",
    "blocked",
    "back",
    "off",
    "next",
    "this",
    "now",
    "again",
    "first",
    "until",
    "instead",
];

/// What singles out the work it stands before.
const SINGLED: &[&str] = &[
    "the",
    "a",
    "an",
    "that",
    "these",
    "those",
    "both",
    "no",
    "few",
    "several",
    "some",
    "more",
    "other",
    "last",
    "remaining",
    "my",
    "your",
    "his",
    "her",
];

/// Who does it: "*we* cut releases on Thursday".
const DOERS: &[&str] = &["we", "they", "i"];

/// A wish or a duty of the one who does it, which is often for one day only.
const MODAL: &[&str] = &["must", "should", "can", "may", "could", "would", "might", "have", "want", "don"];

/// Words that a noun phrase does not reach back over.
const OPENERS: &[&str] = &["and", "or", "but", "so", "because", "since", "when"];

/// Words that may stand between the doer, or what singles out, and the work: "cut all our hotfix releases".
const BETWEEN: usize = 4;

/// Whether the weekday at `from` is the day on which regular work is done.
pub(super) fn routine(page: &Page, from: usize) -> bool {
    let clause = sense::clause(&page.words, from);
    if clause.clone().any(|at| page.is(at, ONCE)) {
        return false;
    }
    (clause.start..from).filter(|noun| one_of(page.words[*noun].text, WORK)).any(|noun| {
        let before = phrase_before(page, clause.start, noun);
        let bare = before.iter().all(|word| !one_of(word, SINGLED) && names::count(word).is_none());
        bare && (is_done(page, noun, from) || somebody_does(page, noun, from, before.len()))
    })
}

/// The words that belong to the one at `noun`, nearest first.
fn phrase_before<'t>(page: &Page<'t>, start: usize, noun: usize) -> Vec<&'t str> {
    let near = (start..noun).rev().take(BETWEEN);
    near.take_while(|at| page.words[at + 1].gap == Gap::Space && !page.is(*at, OPENERS))
        .map(|at| page.words[at].text)
        .collect()
}

/// "releases are cut on Thursday".
fn is_done(page: &Page, noun: usize, weekday: usize) -> bool {
    (noun + 1..weekday).any(|at| page.is(at, PRESENT))
}

/// "we cut releases on Thursday": nothing of the past and no duty between the doer and the work.
fn somebody_does(page: &Page, noun: usize, weekday: usize, words: usize) -> bool {
    let before = noun - words..noun;
    let Some(doer) = before.clone().find(|at| page.is(*at, DOERS)) else {
        return false;
    };
    let on = noun + 2 == weekday && page.is(noun + 1, &["on"]);
    on && doer + 1 < noun && (doer + 1..noun).all(|at| !page.is(at, MODAL) && !sense::is_past(page, at))
}
