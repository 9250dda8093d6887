//! Brings the search cache of a home up to date with made-up vectors: `made_up_vectors HOME PROJECT [TIME]`.
//!
//! For measuring with 20,000 and 100,000 memories: encoding those takes from minutes to an hour, and
//! what a vector says does not change how long it takes to read it. An hour after the last time, every
//! file is looked at.
#![allow(clippy::print_stdout, reason = "a measuring tool")]

use std::error::Error;
use std::path::PathBuf;

use memdir::engine::{Memory, Signature};
use memdir::store::history::Actor;
use memdir::surroundings::Surroundings;
use memdir_encoder::{DIMENSIONS, Embedding};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [home, project, time @ ..] = args.as_slice() else {
        return Err("usage: made_up_vectors HOME PROJECT [TIME]".into());
    };
    let time = time.first().map(|time| time.to_string_lossy().parse::<jiff::Timestamp>()).transpose()?;
    let now = time.map_or_else(jiff::Zoned::now, |time| time.to_zoned(jiff::tz::TimeZone::UTC));
    let around = Surroundings {
        cwd: project.clone(),
        home: Some(home.clone()),
        config_dir: Some(home.join(".config")),
        state_dir: Some(home.join(".local/state")),
        cache_dir: Some(home.join(".cache")),
        ..Surroundings::default()
    };
    let signature = Signature { actor: Actor::User, session: None, message: None };
    let memory = Memory::open(around, |_, _| None, now, signature)?;
    let missing = memory.recall().refresh_with(
        &|name, description, body| [made_up(&[name, description, body]), made_up(&[name, description])],
        usize::MAX,
        &|| false,
    )?;
    println!("{missing} memories are without vectors");
    Ok(())
}

/// A direction that depends on the text alone.
fn made_up(texts: &[&str]) -> Embedding {
    let mut bytes = vec![0; DIMENSIONS];
    let mut hash = blake3::Hasher::new();
    for text in texts {
        hash.update(text.as_bytes());
    }
    hash.finalize_xof().fill(&mut bytes);
    let mut vector = [0.0; DIMENSIONS];
    for (value, byte) in vector.iter_mut().zip(bytes) {
        *value = (f32::from(byte) - 127.5) / (74.0 * (DIMENSIONS as f32).sqrt());
    }
    Embedding(vector)
}
