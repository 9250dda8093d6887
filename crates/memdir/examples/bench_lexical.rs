//! Times the lexical engine on a directory of memories: `bench_lexical DIR QUERIES.jsonl [SEGMENT]`.
//!
//! QUERIES has lines `{"q": "words", "gold": "file.md"}`. With SEGMENT the index is kept there, and a
//! second run measures a cold open instead of a build.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, reason = "a measuring tool")]

use memdir::search::lexical::{Dead, DocFields, Searcher, Segment, SegmentBuilder};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let kept = args.get(3).filter(|path| std::fs::exists(path).unwrap());
    let bytes = if let Some(path) = kept {
        let start = Instant::now();
        let bytes = std::fs::read(path).unwrap();
        println!("read {:?}", start.elapsed());
        bytes
    } else {
        build(&args[1], args.get(3))
    };
    let queries: Vec<serde_json::Value> =
        std::fs::read_to_string(&args[2]).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let start = Instant::now();
    let segment = Segment::open(&bytes).unwrap();
    let searcher = Searcher::new(&[segment], Dead::default());
    println!("open {:?}", start.elapsed());
    for (label, tail) in [
        ("4 words", ""),
        ("15 words", " please check how the release branch should run before we merge new code"),
        ("2 typos", " kuberntes deploymnt"),
    ] {
        let (mut times, mut hits) = (Vec::new(), 0);
        for query in &queries {
            let prompt = format!("{}{tail}", query["q"].as_str().unwrap());
            let mut best = Duration::MAX;
            // The least of several runs: the machine may be busy with other things.
            for _ in 0..9 {
                let start = Instant::now();
                let lookup = searcher.lookup(&prompt, &|_| false).unwrap();
                let top = lookup.top(64);
                let docs: Vec<u32> = top.iter().map(|found| found.doc).collect();
                std::hint::black_box(lookup.evidence(&docs));
                best = best.min(start.elapsed());
            }
            times.push(best);
            let best = searcher.lookup(&prompt, &|_| false).unwrap().top(1);
            hits += usize::from(searcher.key(best[0].doc).unwrap() == query["gold"].as_str().unwrap());
        }
        times.sort();
        println!(
            "{label}: p50 {:?} p95 {:?} hit@1 {hits}/{}",
            times[times.len() / 2],
            times[times.len() * 95 / 100],
            queries.len()
        );
    }
}

fn build(dir: &str, out: Option<&String>) -> Vec<u8> {
    let mut docs = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        docs.push((path.file_name().unwrap().to_string_lossy().to_string(), text));
    }
    let size: usize = docs.iter().map(|(_, text)| text.len()).sum();
    let start = Instant::now();
    let mut builder = SegmentBuilder::default();
    for (key, text) in &docs {
        let mut parts = text.splitn(3, "---\n").skip(1);
        let (head, body) = (parts.next().unwrap_or(""), parts.next().unwrap_or(text));
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("");
        builder.add(&DocFields { key, name: field("name: "), description: field("description: "), body });
    }
    let bytes = builder.finish();
    let took = start.elapsed();
    println!(
        "build {took:?}: {:.0} memories/s, {:.0} MB/s, {} bytes",
        docs.len() as f64 / took.as_secs_f64(),
        size as f64 / took.as_secs_f64() / 1e6,
        bytes.len()
    );
    if let Some(path) = out {
        std::fs::write(path, &bytes).unwrap();
    }
    bytes
}
