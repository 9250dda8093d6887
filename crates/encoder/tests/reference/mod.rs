//! The model as a textbook would compute it: half-precision weights read from `models/encoder`, plain `f32` loops, one token vector
//! after the other. Slow, and only there to be compared with.
#![allow(clippy::unwrap_used, reason = "only tests use it")]

use serde_json::Value;
use std::collections::HashMap;
use std::fs;

const HIDDEN: usize = 384;
const HEAD: usize = 32;

pub(crate) struct Reference {
    tensors: HashMap<String, Vec<f32>>,
}

type Rows = Vec<Vec<f32>>;

impl Reference {
    pub(crate) fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/encoder/model.fp16.safetensors");
        let file = fs::read(path).unwrap();
        let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        let header: HashMap<String, Value> = serde_json::from_slice(&file[8..8 + length]).unwrap();
        let numbers = |entry: &Value| {
            let offset = |at: usize| 8 + length + entry["data_offsets"][at].as_u64().unwrap() as usize;
            let halves = file[offset(0)..offset(1)].as_chunks().0;
            halves.iter().map(|half| from_half(u16::from_le_bytes(*half))).collect()
        };
        let entries = header.iter().filter(|(_, entry)| entry["dtype"] == "F16");
        Self { tensors: entries.map(|(name, entry)| (name.clone(), numbers(entry))).collect() }
    }

    /// Computes the mean of the last layer.
    pub(crate) fn mean(&self, tokens: &[u32]) -> Vec<f32> {
        let words = self.tensor("embeddings.word_embeddings.weight");
        let places = self.tensor("embeddings.position_embeddings.weight");
        let kinds = self.tensor("embeddings.token_type_embeddings.weight");
        let row = |place: usize, token: u32| {
            let word = &words[token as usize * HIDDEN..];
            (0..HIDDEN).map(|at| word[at] + places[place * HIDDEN + at] + kinds[at]).collect()
        };
        let mut rows: Rows = tokens.iter().enumerate().map(|(place, &token)| row(place, token)).collect();
        self.norm(&mut rows, "embeddings.LayerNorm");
        for layer in 0..6 {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            let mixed = self.attend(&rows, &name("attention.self"));
            add(&mut rows, &self.dense(&mixed, &name("attention.output.dense")));
            self.norm(&mut rows, &name("attention.output.LayerNorm"));
            let mut inner = self.dense(&rows, &name("intermediate.dense"));
            inner.iter_mut().flatten().for_each(|value| *value = gelu(*value));
            add(&mut rows, &self.dense(&inner, &name("output.dense")));
            self.norm(&mut rows, &name("output.LayerNorm"));
        }
        let count = rows.len() as f32;
        (0..HIDDEN).map(|at| rows.iter().map(|row| row[at]).sum::<f32>() / count).collect()
    }

    fn attend(&self, rows: &Rows, name: &str) -> Rows {
        let [queries, keys, values] = ["query", "key", "value"].map(|part| self.dense(rows, &format!("{name}.{part}")));
        let mut mixed = vec![vec![0.0; HIDDEN]; rows.len()];
        for head in (0..HIDDEN).step_by(HEAD) {
            let part = head..head + HEAD;
            for (query, mixed) in queries.iter().zip(&mut mixed) {
                let scores =
                    keys.iter().map(|key| dot(&query[part.clone()], &key[part.clone()]) / (HEAD as f32).sqrt());
                let powers: Vec<f32> = scores.map(f32::exp).collect();
                let sum: f32 = powers.iter().sum();
                for (power, value) in powers.iter().zip(&values) {
                    for at in part.clone() {
                        mixed[at] += power / sum * value[at];
                    }
                }
            }
        }
        mixed
    }

    fn dense(&self, rows: &Rows, name: &str) -> Rows {
        let weights = self.tensor(&format!("{name}.weight"));
        let bias = self.tensor(&format!("{name}.bias"));
        let width = weights.len() / bias.len();
        let output = |row: &Vec<f32>| {
            weights.chunks_exact(width).zip(bias).map(|(weights, bias)| dot(row, weights) + bias).collect()
        };
        rows.iter().map(output).collect()
    }

    fn norm(&self, rows: &mut Rows, name: &str) {
        let gain = self.tensor(&format!("{name}.weight"));
        let bias = self.tensor(&format!("{name}.bias"));
        for row in rows {
            let mean = row.iter().sum::<f32>() / HIDDEN as f32;
            let variance = row.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / HIDDEN as f32;
            for (at, value) in row.iter_mut().enumerate() {
                *value = (*value - mean) / (variance + 1e-12).sqrt() * gain[at] + bias[at];
            }
        }
    }

    fn tensor(&self, name: &str) -> &[f32] {
        &self.tensors[name]
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0; 8];
    for (left, right) in left.as_chunks::<8>().0.iter().zip(right.as_chunks::<8>().0) {
        for lane in 0..8 {
            lanes[lane] += left[lane] * right[lane];
        }
    }
    lanes.iter().sum()
}

fn add(rows: &mut Rows, change: &Rows) {
    for (value, change) in rows.iter_mut().flatten().zip(change.iter().flatten()) {
        *value += change;
    }
}

/// x · Φ(x), with Φ(x) - ½ as the density times x + x³/3 + x⁵/15 + …
fn gelu(x: f32) -> f32 {
    let at = f64::from(x).clamp(-8.0, 8.0);
    let (mut term, mut sum) = (at, at);
    for step in 1..100 {
        term *= at * at / f64::from(2 * step + 1);
        sum += term;
    }
    let density = (-at * at / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (f64::from(x) * (0.5 + density * sum)) as f32
}

fn from_half(half: u16) -> f32 {
    let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff) / 1024.0);
    match exponent {
        0 => sign * fraction / 16384.0,
        _ => sign * (1.0 + fraction) * f32::from_bits((exponent + 112) << 23),
    }
}
