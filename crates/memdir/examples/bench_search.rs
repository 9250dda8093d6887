//! Times searching in one warm process: `bench_search DIR`, a directory of memories (`benches/gen_corpus.py` makes one).
//!
//! Ingest is reading fields into a search index, files already in memory. Vectors are made up from a hash of
//! the text: as many and as large as real ones, without an hour of encoding. Prints milliseconds.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a measuring tool")]

use std::error::Error;
use std::time::{Duration, Instant};

use memdir::kind::Scope;
use memdir::search::experience::Experience;
use memdir::search::lexical::{DeletedDocs, DocFields, Searcher, Segment, SegmentBuilder};
use memdir::search::rank::{self, Corpus, Known, Prompt};
use memdir::search::semantic::{VectorPart, VectorRows, Vectors};
use memdir::search::tools::Tools;
use memdir::store::topic::Topic;
use memdir_encoder::{DIMENSIONS, Embedding, Encoder};

/// How many prompts are asked.
const PROMPTS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("usage: bench_search DIR")?;
    let mut memories = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if !file.ends_with(".md") || file == "MEMORY.md" {
            continue;
        }
        let topic = Topic::parse(std::fs::read(entry.path())?);
        let field = |field: Option<std::borrow::Cow<'_, str>>| field.unwrap_or_default().into_owned();
        memories.push((file, field(topic.name()), field(topic.description()), topic.body().into_owned()));
    }
    let start = Instant::now();
    let mut builder = SegmentBuilder::default();
    for (file, name, description, body) in &memories {
        builder.add(&DocFields { key: file, name, description, body });
    }
    let bytes = builder.finish();
    let rate = memories.len() as f64 / start.elapsed().as_secs_f64();
    println!("{} memories, ingest {rate:.0} a second", memories.len());

    let (rows, scales): (Vec<i8>, Vec<f32>) = made_up(memories.len());
    let docs: Vec<u32> = (0..memories.len() as u32).collect();
    let plane = VectorRows { rows: &rows, scales: &scales };
    let searcher = Searcher::new(&[Segment::open(&bytes)?], DeletedDocs::default());
    let corpus = Corpus {
        searcher: &searcher,
        vectors: Vectors::of(vec![VectorPart { docs: &docs, headers: plane, wholes: plane }]),
        known: &|doc| {
            let (file, name, description, _) = memories.get(doc as usize)?;
            Some(Known {
                file,
                name,
                description,
                kind: None,
                scope: Scope::Private,
                age_days: Some(9),
                uses: 0,
                pinned: false,
                experience: Experience::default(),
            })
        },
        surfaced: &|_| false,
    };
    let prompts: Vec<String> = memories
        .iter()
        .step_by((memories.len() / PROMPTS).max(1))
        .map(|(_, name, description, _)| {
            format!("{name} {description}").split(' ').take(4).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let tools = Tools::default();
    report("lexical, 4 words", &prompts, |prompt| {
        std::hint::black_box(searcher.lookup(prompt, &|_| false)?.top(5));
        Ok(())
    })?;
    let encoder = Encoder::new();
    let vectors: Vec<Embedding> = prompts.iter().map(|prompt| encoder.encode_query(prompt)).collect();
    let mut next = vectors.iter().cycle();
    report("whole ranking without encoding", &prompts, |prompt| {
        std::hint::black_box(rank::rank(
            &Prompt { text: prompt, vector: next.next(), tools: &tools, times: &[] },
            &corpus,
        )?);
        Ok(())
    })?;
    report("encoding a prompt", &prompts, |prompt| {
        std::hint::black_box(encoder.encode_query(prompt));
        Ok(())
    })
}

/// Rows of noise with a usual scale.
fn made_up(count: usize) -> (Vec<i8>, Vec<f32>) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as i8
    };
    ((0..count * DIMENSIONS).map(|_| noise()).collect(), vec![0.0007; count])
}

fn report(
    what: &str,
    prompts: &[String],
    mut ask: impl FnMut(&str) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::with_capacity(prompts.len());
    for prompt in prompts {
        let start = Instant::now();
        ask(prompt)?;
        times.push(start.elapsed());
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{what}: p50 {:.3} ms, p95 {:.3} ms", ms(times[times.len() / 2]), ms(times[times.len() * 95 / 100]));
    Ok(())
}
