//! Readings of pairs: `pairs < IN > OUT`. A line in is `{"known": [{"name","description","text"}…], "said": […], "take": N, "own": [at…]}`;
//! a line out is, for every statement, its nearest known texts with the cosine and what the reader makes of the pair, both ways round.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use memdir_encoder::{Encoder, Reader, Relation};
use std::io::BufRead;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (encoder, reader) = (Encoder::new(), Reader::new());
    for line in std::io::stdin().lock().lines() {
        let case: serde_json::Value = serde_json::from_str(&line?)?;
        let known = case["known"].as_array().ok_or("known")?;
        let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let vectors: Vec<_> = known
            .iter()
            .map(|one| encoder.encode_memory(&text(one, "name"), &text(one, "description"), &text(one, "text")))
            .collect();
        for (at, said) in case["said"].as_array().ok_or("said")?.iter().enumerate() {
            let said = said.as_str().ok_or("said")?;
            let query = encoder.encode_query(said);
            let own = case["own"][at].as_u64().map(|own| own as usize);
            let mut near: Vec<(f32, usize)> = vectors
                .iter()
                .enumerate()
                .map(|(at, both)| (both.iter().map(|one| one.cosine(&query)).fold(0.0, f32::max), at))
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0));
            let take = case["take"].as_u64().unwrap_or(3) as usize;
            let picked: Vec<_> =
                near.iter().enumerate().filter(|(rank, (_, at))| *rank < take || Some(*at) == own).collect();
            let pairs: Vec<_> = picked
                .into_iter()
                .map(|(rank, (cosine, at))| {
                    let told = text(&known[*at], "read");
                    let there = reader.relation(said, &told);
                    let back = reader.relation(&told, said);
                    let all = |scores: &memdir_encoder::RelationScores| Relation::ALL.map(|one| scores.of(one));
                    serde_json::json!({ "at": at, "rank": rank, "cosine": cosine, "there": all(&there), "back": all(&back) })
                })
                .collect();
            println!("{}", serde_json::json!({ "case": case["case"], "said": at, "own": own, "pairs": pairs }));
        }
    }
    Ok(())
}
