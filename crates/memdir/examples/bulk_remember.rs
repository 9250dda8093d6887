//! How many memories one process saves in a second, each of them on disk before the next begins.
//!
//! usage: `bulk_remember [SAVES [ALREADY_THERE]]` (2000 and 0 when not given)
//!
//! Works in a temporary home, which is removed afterwards. Prints saves a second and what they
//! took. Looking at the directory for the first time is not counted: it happens once.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)] // it is a measurement

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use jiff::Zoned;
use memdir::engine::{Action, Memory, Remember, Signature};
use memdir::kind::Type;
use memdir::store::history::Actor;
use memdir::surroundings::Surroundings;

const SUBJECTS: [&str; 16] = [
    "billing",
    "checkout",
    "search",
    "gateway",
    "ledger",
    "scheduler",
    "importer",
    "mailer",
    "catalog",
    "session",
    "webhook",
    "reports",
    "archive",
    "sandbox",
    "payments",
    "inventory",
];
const FACTS: [&str; 12] = [
    "is deployed by hand because the pipeline dropped a migration",
    "keeps its fixtures in a bucket that only the night job may write",
    "answers slowly on Mondays, when the warehouse export runs",
    "must not be retried: the provider counts every attempt",
    "was moved to the second cluster after the outage in spring",
    "has an owner on leave, so ask the platform group first",
    "uses a fork of the client until the timeout fix is released",
    "writes times in local zones, which the auditors insisted on",
    "shares its queue with the nightly jobs and waits behind them",
    "returns stale rows for a minute after a failover",
    "needs the feature flag in both regions before a release",
    "is frozen for the tax season and takes security fixes only",
];
const PLACES: [&str; 9] =
    ["in Oslo", "in Lima", "in Kyoto", "in Accra", "in Turin", "in Perth", "in Quito", "in Lyon", "in Cork"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let saves: usize = arguments.next().map_or(Ok(2_000), |given| given.parse())?;
    let already: usize = arguments.next().map_or(Ok(0), |given| given.parse())?;
    let home = tempfile::Builder::new().prefix("memdir-bulk-").tempdir()?;
    let memory = open(&home.path().canonicalize()?)?;
    fill(&memory.private_dir()?, already)?;
    assert_eq!(memory.list()?.len(), already, "the store is not what it should be");
    let start = Instant::now();
    for at in 0..saves {
        let done = memory.remember(&wanted(already + at))?;
        assert_eq!(done.action, Action::Created, "{} was taken for something known", done.file);
    }
    let took = start.elapsed();
    assert_eq!(memory.list()?.len(), already + saves, "a save is missing");
    println!(
        "{:.0} saves a second: {saves} into a store of {already} in {took:.2?}",
        saves as f64 / took.as_secs_f64()
    );
    Ok(())
}

fn open(home: &Path) -> Result<Memory, Box<dyn Error>> {
    let project = home.join("work/app");
    std::fs::create_dir_all(&project)?;
    let around = Surroundings {
        cwd: project,
        home: Some(home.to_path_buf()),
        config_dir: Some(home.join(".config")),
        state_dir: Some(home.join(".local/state")),
        cache_dir: Some(home.join(".cache")),
        ..Surroundings::default()
    };
    let signature = Signature { actor: Actor::User, session: None, message: None };
    Ok(Memory::open(around, |_, _| None, Zoned::now(), signature)?)
}

fn wanted(at: usize) -> Remember {
    Remember { text: sentence(at), kind: Some(Type::Project), ..Remember::default() }
}

/// A sentence of its own for every number: no two of them are about the same thing.
fn sentence(at: usize) -> String {
    let (subject, fact, place) = (SUBJECTS[at % 16], FACTS[at / 16 % 12], PLACES[at / 192 % 9]);
    let code = blake3::hash(&at.to_le_bytes()).to_hex();
    format!("{} {} of the {subject} service {place} {fact} ({})", &code[..6], &code[6..12], &code[12..18])
}

/// Puts memories there as an editor would.
fn fill(dir: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir)?;
    for at in 0..count {
        let text = sentence(at);
        let name: String = text.chars().take(40).collect();
        let content = format!("---\nname: {name}\ndescription: {text}\ntype: project\n---\n\n{text}\n");
        std::fs::write(dir.join(format!("project_{at:06}.md")), content)?;
    }
    Ok(())
}
