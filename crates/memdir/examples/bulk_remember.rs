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
use memdir::engine::{Memory, Remember, RememberOutcome, Signature};
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
const PLACES: [&str; 9] =
    ["in Oslo", "in Lima", "in Kyoto", "in Accra", "in Turin", "in Perth", "in Quito", "in Lyon", "in Cork"];

/// Of these the words are made that only one sentence has.
const SYLLABLES: [&str; 16] =
    ["ka", "ro", "mi", "tu", "len", "sor", "ve", "dan", "pil", "go", "shu", "bra", "nex", "ti", "mo", "rel"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let saves: usize = arguments.next().map_or(Ok(2_000), |given| given.parse())?;
    let already: usize = arguments.next().map_or(Ok(0), |given| given.parse())?;
    let home = tempfile::Builder::new().prefix("memdir-bulk-").tempdir()?;
    let memory = open(&home.path().canonicalize()?)?;
    fill(&memory.private_dir()?, already)?;
    assert_eq!(memory.files().list()?.len(), already, "the store is not what it should be");
    let start = Instant::now();
    for at in 0..saves {
        let done = memory.files().remember(&wanted(already + at))?;
        assert_eq!(done.action, RememberOutcome::Created, "{} was taken for something known", done.file);
    }
    let took = start.elapsed();
    assert_eq!(memory.files().list()?.len(), already + saves, "a save is missing");
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

/// A sentence of its own for every number: it shares a few words with many others, and most with none,
/// so no two of them are about the same thing.
fn sentence(at: usize) -> String {
    let (subject, place) = (SUBJECTS[at % 16], PLACES[at / 16 % 9]);
    let hash = blake3::hash(&at.to_le_bytes());
    let word = |bytes: &[u8]| bytes.iter().map(|byte| SYLLABLES[usize::from(byte % 16)]).collect::<String>();
    let own: Vec<String> = hash.as_bytes().chunks_exact(4).map(word).collect();
    let [first, rest @ ..] = own.as_slice() else { return String::new() };
    format!("{first} of the {subject} service {place} is {}", rest.join(" "))
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
