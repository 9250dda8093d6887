//! How well cosines alone find the right memories: `recall_eval DIR`, where DIR holds `stores/` and `queries.jsonl`.
//!
//! Prints recall@5 over all queries that have an answer, per kind, for exact and for stored (8-bit) vectors, and how much recall is
//! left at the floor where "nothing" is right for 75, 85 and 92 % of the prompts that need nothing.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use memdir_encoder::{DIMENSIONS, Embedding, Encoder, Kernel, dot_scan};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::Path;

struct Store {
    files: Vec<String>,
    vectors: Vec<[Embedding; 2]>,
}

struct Outcome {
    kind: String,
    relevant: HashSet<String>,
    acceptable: HashSet<String>,
    best: Vec<(String, f32)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: recall_eval DIR [KERNEL]")?;
    let encoder = match std::env::args().nth(2) {
        None => Encoder::new(),
        Some(name) => {
            let kernel = Kernel::ALL.into_iter().find(|kernel| format!("{kernel:?}") == name);
            kernel.and_then(Encoder::with_kernel).ok_or("this kernel does not run here")?
        }
    };
    let directory = Path::new(&directory);
    let mut stores = BTreeMap::new();
    for entry in fs::read_dir(directory.join("stores"))? {
        let entry = entry?;
        stores.insert(entry.file_name().to_string_lossy().into_owned(), read_store(encoder, &entry.path())?);
    }
    let queries = fs::read_to_string(directory.join("queries.jsonl"))?;
    let queries: Vec<Value> = queries.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    for stored in [false, true] {
        let outcomes: Vec<Outcome> =
            queries.iter().filter_map(|query| answer(encoder, &stores, query, stored)).collect();
        report(if stored { "stored vectors" } else { "exact vectors" }, &outcomes);
    }
    Ok(())
}

fn read_store(encoder: Encoder, path: &Path) -> Result<Store, Box<dyn Error>> {
    let mut store = Store { files: Vec::new(), vectors: Vec::new() };
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        let is_topic = Path::new(&file).extension().is_some_and(|name| name == "md");
        if !is_topic || file == "MEMORY.md" {
            continue;
        }
        let text = fs::read_to_string(entry.path())?;
        let rest = text.strip_prefix("---\n").ok_or("a topic file without frontmatter")?;
        let (front, body) = rest.split_once("\n---\n").ok_or("frontmatter without an end")?;
        let field = |name: &str| {
            let value = front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            value.unwrap_or_default().trim_matches('"')
        };
        store.vectors.push(encoder.encode_memory(field("name"), field("description"), body));
        store.files.push(file);
    }
    Ok(store)
}

fn names(query: &Value, key: &str) -> HashSet<String> {
    let list = query[key].as_array().into_iter().flatten();
    list.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn answer(encoder: Encoder, stores: &BTreeMap<String, Store>, query: &Value, stored: bool) -> Option<Outcome> {
    let store = stores.get(query["store"].as_str()?)?;
    let vector = encoder.encode_query(query["query"].as_str()?);
    let cosines = if stored { stored_cosines(&vector, store) } else { exact_cosines(&vector, store) };
    let shown = names(query, "already_surfaced");
    let mut best: Vec<(String, f32)> =
        store.files.iter().cloned().zip(cosines).filter(|(file, _)| !shown.contains(file)).collect();
    best.sort_by(|left, right| right.1.total_cmp(&left.1));
    best.truncate(5);
    let kind = query["kind"].as_str()?.to_owned();
    Some(Outcome { kind, relevant: names(query, "relevant"), acceptable: names(query, "acceptable"), best })
}

fn exact_cosines(query: &Embedding, store: &Store) -> Vec<f32> {
    store.vectors.iter().map(|[whole, head]| query.cosine(whole).max(query.cosine(head))).collect()
}

fn stored_cosines(query: &Embedding, store: &Store) -> Vec<f32> {
    let stored: Vec<_> = store.vectors.iter().flatten().map(Embedding::quantise).collect();
    let rows: Vec<i8> = stored.iter().flat_map(|vector| vector.values).collect();
    assert_eq!(rows.len(), stored.len() * DIMENSIONS);
    let scales: Vec<f32> = stored.iter().map(|vector| vector.scale).collect();
    let mut cosines = Vec::new();
    dot_scan(&query.quantise(), &rows, &scales, &mut cosines);
    cosines.chunks_exact(2).map(|pair| pair[0].max(pair[1])).collect()
}

/// Share of the relevant files among the five best that lie above the floor.
fn recall(outcome: &Outcome, floor: f32) -> f32 {
    let found = outcome.best.iter().filter(|(file, cosine)| *cosine > floor && outcome.relevant.contains(file));
    found.count() as f32 / outcome.relevant.len() as f32
}

fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count as f32
}

fn report(title: &str, outcomes: &[Outcome]) {
    let asked: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.relevant.is_empty()).collect();
    println!("{title}: recall@5 {:.3} over {} queries", mean(asked.iter().map(|o| recall(o, -1.0))), asked.len());
    let mut kinds = BTreeMap::<&str, Vec<f32>>::new();
    for outcome in &asked {
        kinds.entry(&outcome.kind).or_default().push(recall(outcome, -1.0));
    }
    for (kind, values) in kinds {
        println!("  {kind:16} {:.3} of {}", mean(values.iter().copied()), values.len());
    }
    for wanted in [0.75, 0.85, 0.92] {
        let quiet = |floor: f32| {
            let empty = outcomes.iter().filter(|outcome| outcome.kind == "nothing");
            mean(empty.map(|outcome| {
                let silent =
                    outcome.best.iter().all(|(file, cosine)| *cosine <= floor || outcome.acceptable.contains(file));
                f32::from(u8::from(silent))
            }))
        };
        let mut floors: Vec<f32> = outcomes.iter().flat_map(|o| o.best.iter().map(|(_, cosine)| *cosine)).collect();
        floors.sort_by(f32::total_cmp);
        if let Some(floor) = floors.into_iter().find(|floor| quiet(*floor) >= wanted) {
            println!(
                "  nothing right {wanted:.2}: recall {:.3} at floor {floor:.3}",
                mean(asked.iter().map(|o| recall(o, floor)))
            );
        }
    }
}
