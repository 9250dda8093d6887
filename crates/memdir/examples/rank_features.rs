//! What the ranker sees of every labelled prompt, for fitting its weights (`training/fit_ranker.py`).
//!
//! Enters: stores in the format of `training/FORMAT.md`; vectors from encoders that have not seen them
//! (`training/folds.py`), or `shipped` for stores that the shipped encoder has not seen. With a file of
//! prompts instead, each is asked while one of the store's tools is in use; nobody trained on those, so the
//! shipped encoder makes the vectors. Leaves: one JSON line a prompt with its candidates' rows.
//!
//! `rank_features STORES_DIR FOLDS_DIR|PROMPTS_FILE|shipped`

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::path::Path;

use memdir::kind::{Scope, Type};
use memdir::search::experience::Experience;
use memdir::search::lexical::{DeletedDocs, DocFields, Searcher, Segment, SegmentBuilder};
use memdir::search::passages::passages;
use memdir::search::rank::{self, Corpus, Known, Prompt};
use memdir::search::semantic::{VectorPart, VectorRows, Vectors};
use memdir::search::tools::Tools;
use memdir_encoder::{DIMENSIONS, Embedding, Encoder};
use serde_json::{Value, json};

/// A labelled prompt.
struct Asked {
    kind: String,
    text: String,
    relevant: HashSet<String>,
    /// Neither right nor wrong when shown.
    acceptable: HashSet<String>,
    tool: Option<String>,
}

struct Memory {
    file: String,
    name: String,
    description: String,
    body: String,
    kind: Option<Type>,
    age_days: u32,
    universal: bool,
}

#[derive(Default)]
struct LabelledStore {
    memories: Vec<Memory>,
    asked: Vec<Asked>,
}

/// Vectors of one store: of its memories (whole, header) and of its prompts by text.
#[derive(Default)]
struct Folded {
    docs: Vec<u32>,
    wholes: (Vec<i8>, Vec<f32>),
    headers: (Vec<i8>, Vec<f32>),
    prompts: BTreeMap<String, Embedding>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [stores, other] = args.as_slice() else {
        return Err("usage: rank_features STORES_DIR FOLDS_DIR|PROMPTS_FILE|shipped".into());
    };
    let mut folded = BTreeMap::new();
    let mut followups = Vec::new();
    if Path::new(other).is_dir() {
        for entry in std::fs::read_dir(other)? {
            read_fold(&std::fs::read(entry?.path())?, &mut folded)?;
        }
    } else if other != "shipped" {
        followups.extend(std::fs::read_to_string(other)?.lines().map(str::to_owned));
    }
    let mut files: Vec<_> =
        std::fs::read_dir(stores)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.sort();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in files {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let mut store = read_store(&path)?;
        if !followups.is_empty() {
            store.asked = while_tools_work(&path, &followups)?;
            let vectors = encode(&store);
            dump(&name, &store, &vectors, &mut out)?;
        } else if other == "shipped" {
            dump(&name, &store, &encode(&store), &mut out)?;
        } else if let Some(vectors) = folded.remove(&name) {
            dump(&name, &store, &vectors, &mut out)?;
        }
    }
    Ok(())
}

/// What people type while a tool is at work: no note is needed, a warning about it does no harm.
fn while_tools_work(path: &Path, prompts: &[String]) -> Result<Vec<Asked>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let tools: Vec<Value> = lines.filter(|line| line.get("tool").is_some()).collect();
    let ask = |(place, prompt): (usize, &String)| {
        let tool = tools.get(place % tools.len().max(1))?;
        let fine = tool["gotcha"].as_str().unwrap_or_default().to_owned();
        Some(Asked {
            kind: "tool_followup".into(),
            text: prompt.clone(),
            relevant: HashSet::new(),
            acceptable: HashSet::from([fine]),
            tool: tool["tool"].as_str().map(str::to_owned),
        })
    };
    Ok(prompts.iter().enumerate().filter_map(ask).collect())
}

fn read_store(path: &Path) -> Result<LabelledStore, Box<dyn Error>> {
    let mut store = LabelledStore::default();
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let word = |value: &Value| value.as_str().unwrap_or_default().trim_end_matches(".md").to_owned();
    let list = |value: &Value| value.as_array().into_iter().flatten().map(word).collect::<HashSet<String>>();
    let mut ask =
        |kind: &str, text: &Value, relevant: HashSet<String>, tool: Option<String>, acceptable: HashSet<String>| {
            store.asked.push(Asked { kind: kind.to_owned(), text: word(text), relevant, acceptable, tool });
        };
    let tools: Vec<&Value> = lines.iter().filter(|line| line.get("tool").is_some()).collect();
    for line in &lines {
        if let Some(file) = line.get("m") {
            for query in line["q"].as_array().into_iter().flatten() {
                let mut relevant = list(&query[2]);
                relevant.insert(word(file));
                ask(query[0].as_str().unwrap_or_default(), &query[1], relevant.clone(), None, HashSet::new());
                // The same prompt while the tool is in use that its gotcha is about.
                if let Some(tool) = tools.iter().find(|tool| word(&tool["gotcha"]) == word(file)) {
                    relevant.remove(&word(&tool["usage"]));
                    ask("tool_warning", &query[1], relevant.clone(), Some(word(&tool["tool"])), HashSet::new());
                }
                // The same while the tool is in use that it tells how to use: that is known by now.
                if let Some(tool) = tools.iter().find(|tool| word(&tool["usage"]) == word(file)) {
                    relevant.remove(&word(file));
                    let fine = HashSet::from([word(&tool["gotcha"]), word(&tool["usage"])]);
                    ask("tool_usage", &query[1], relevant, Some(word(&tool["tool"])), fine);
                }
            }
        } else if let Some(multi) = line.get("multi") {
            ask("multi", &multi[0], list(&multi[1]), None, HashSet::new());
        } else if let Some(prompts) = line.get("nothing") {
            for (place, prompt) in prompts.as_array().into_iter().flatten().enumerate() {
                ask("nothing", prompt, HashSet::new(), None, HashSet::new());
                if let Some(tool) = tools.get(place % tools.len().max(1)) {
                    let fine = HashSet::from([word(&tool["gotcha"])]);
                    ask("tool_nothing", prompt, HashSet::new(), Some(word(&tool["tool"])), fine);
                }
            }
        }
    }
    for line in lines.iter().filter(|line| line.get("m").is_some()) {
        store.memories.push(Memory {
            file: word(&line["m"]),
            name: word(&line["name"]),
            description: word(&line["description"]),
            body: word(&line["body"]),
            kind: Type::parse(line["type"].as_str().unwrap_or_default()),
            age_days: line["age"].as_u64().unwrap_or(30) as u32,
            universal: line["u"].as_bool().unwrap_or(false),
        });
    }
    Ok(store)
}

fn read_fold(mut bytes: &[u8], out: &mut BTreeMap<String, Folded>) -> Result<(), Box<dyn Error>> {
    while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
        let head: Value = serde_json::from_slice(&bytes[..end])?;
        bytes = &bytes[end + 1..];
        let memories = head["memories"].as_array().map_or(0, Vec::len);
        let prompts: Vec<&str> = head["prompts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let rows = memories * 2 + prompts.len();
        let (values, rest) = bytes.split_at_checked(rows * DIMENSIONS).ok_or("fold file cut short")?;
        let (scales, rest) = rest.split_at_checked(rows * 4).ok_or("fold file cut short")?;
        bytes = rest;
        let values: Vec<i8> = values.iter().map(|byte| byte.cast_signed()).collect();
        let scales: Vec<f32> = scales.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let plane =
            |from: usize, to: usize| (values[from * DIMENSIONS..to * DIMENSIONS].to_vec(), scales[from..to].to_vec());
        let mut folded = Folded {
            docs: (0..memories as u32).collect(),
            wholes: plane(0, memories),
            headers: plane(memories, 2 * memories),
            prompts: BTreeMap::new(),
        };
        for (place, prompt) in prompts.into_iter().enumerate() {
            let row = 2 * memories + place;
            let mut vector = [0.0; DIMENSIONS];
            for (value, stored) in vector.iter_mut().zip(&values[row * DIMENSIONS..]) {
                *value = f32::from(*stored) * scales[row];
            }
            folded.prompts.insert(prompt.to_owned(), Embedding(vector));
        }
        out.insert(head["store"].as_str().unwrap_or_default().to_owned(), folded);
    }
    Ok(())
}

fn encode(store: &LabelledStore) -> Folded {
    let encoder = Encoder::new();
    let mut folded = Folded::default();
    for (number, memory) in (0..).zip(&store.memories) {
        let body = memory.body.as_str();
        let mut rows = vec![(memory.description.as_str(), body)];
        rows.extend(passages(body).into_iter().map(|passage| {
            let heading = passage.heading.map_or(memory.description.as_str(), |heading| &body[heading]);
            (heading, &body[passage.text])
        }));
        for (description, text) in rows {
            let [whole, header] =
                encoder.encode_memory(&memory.name, description, text).map(|vector| vector.quantise());
            folded.docs.push(number);
            for (plane, vector) in [(&mut folded.wholes, whole), (&mut folded.headers, header)] {
                plane.0.extend(vector.values);
                plane.1.push(vector.scale);
            }
        }
    }
    for asked in &store.asked {
        folded.prompts.entry(asked.text.clone()).or_insert_with(|| encoder.encode_query(&asked.text));
    }
    folded
}

fn dump(
    name: &str,
    store: &LabelledStore,
    vectors: &Folded,
    out: &mut impl std::io::Write,
) -> Result<(), Box<dyn Error>> {
    let mut builder = SegmentBuilder::default();
    for memory in &store.memories {
        let key = format!("{}.md", memory.file);
        builder.add(&DocFields { key: &key, name: &memory.name, description: &memory.description, body: &memory.body });
    }
    let bytes = builder.finish();
    let searcher = Searcher::new(&[Segment::open(&bytes)?], DeletedDocs::default());
    let corpus = Corpus {
        searcher: &searcher,
        vectors: Vectors::of(vec![VectorPart {
            docs: &vectors.docs,
            headers: VectorRows { rows: &vectors.headers.0, scales: &vectors.headers.1 },
            wholes: VectorRows { rows: &vectors.wholes.0, scales: &vectors.wholes.1 },
        }]),
        known: &|doc| {
            let memory = store.memories.get(doc as usize)?;
            Some(Known {
                file: &memory.file,
                name: &memory.name,
                description: &memory.description,
                kind: memory.kind,
                scope: Scope::Private,
                age_days: Some(memory.age_days),
                uses: 0,
                pinned: false,
                experience: Experience::default(),
            })
        },
        surfaced: &|_| false,
    };
    for asked in &store.asked {
        let Some(vector) = vectors.prompts.get(&asked.text) else { continue };
        let tools = Tools::new(asked.tool.as_slice());
        let prompt = Prompt { text: &asked.text, vector: Some(vector), tools: &tools, times: &[] };
        let candidates = rank::candidates(&prompt, &corpus)?;
        let rows: Vec<Value> = candidates
            .iter()
            .map(|candidate| {
                let memory = &store.memories[candidate.doc as usize];
                let label = if asked.relevant.contains(&memory.file) {
                    1
                } else {
                    -i32::from(memory.universal || asked.acceptable.contains(&memory.file))
                };
                let row: Vec<f32> = candidate.row.iter().map(|value| (value * 1e4).round() / 1e4).collect();
                json!([label, i32::from(candidate.held.is_some()), i32::from(candidate.warns), row, memory.file])
            })
            .collect();
        let vector: Vec<f32> = vector.0.iter().map(|value| (value * 1e3).round() / 1e3).collect();
        let line = json!({
            "store": name, "kind": asked.kind, "tool": asked.tool.is_some(), "relevant": asked.relevant.len(),
            "text": asked.text, "learned": prompt.in_fitted_language(), "rows": rows, "vector": vector,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
