//! Lays the trained weights in `models/encoder` (rounded to 8-bit integers here; the rows of its languages are stored that way), `models/relation` and `models/reader`
//! (stored that way) out, with the vocabulary, as one block that all are used from in place. Writes `model.bin` and `layout.rs`; the same inputs always give the
//! same bytes.
#![allow(
    clippy::disallowed_methods,
    reason = "a build script is told its surroundings by variables and writes below OUT_DIR"
)]

#[path = "build/blob.rs"]
mod blob;
#[path = "build/json.rs"]
mod json;
#[path = "build/quantise.rs"]
mod quantise;
#[path = "build/reader.rs"]
mod reader;
#[allow(dead_code, reason = "the encoder uses the rest")]
#[path = "src/shape.rs"]
mod shape;
#[path = "build/tensors.rs"]
mod tensors;
#[path = "build/vocabulary.rs"]
mod vocabulary;

use blob::Blob;
use json::Json;
use shape::{CLASSES, HEAD, HIDDEN, INNER, LANGUAGE_PIECES, LAYERS, POSITIONS, ROWS, VOCABULARY};
use std::path::{Path, PathBuf};
use tensors::Tensors;

/// Raise it when the arithmetic or the tokenizer changes what a text's vector is.
const REVISION: u32 = 1;

fn main() -> Result<(), String> {
    let variable = |name: &str| std::env::var(name).map_err(|_| format!("{name} is not set"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let model = root.join("../../models/encoder");
    for path in ["build.rs", "build", "src/shape.rs"] {
        println!("cargo:rerun-if-changed={path}");
    }
    for name in [
        "model.fp16.safetensors",
        "vocab.txt",
        "languages.int8.safetensors",
        "languages.txt",
        "characters.txt",
        "head.json",
    ] {
        println!("cargo:rerun-if-changed={}", model.join(name).display());
    }
    let (sentences, relations) = (root.join("../../models/reader"), root.join("../../models/relation"));
    for (folder, model) in [(&sentences, "reader"), (&relations, "relation")] {
        for kind in ["int8.safetensors", "json"] {
            println!("cargo:rerun-if-changed={}", folder.join(format!("{model}.{kind}")).display());
        }
    }
    let mut blob = Blob::new(variable("CARGO_CFG_TARGET_ENDIAN")? == "big");
    vocabulary::pieces(&mut blob, &read(&model.join("vocab.txt"))?, &read(&model.join("languages.txt"))?)?;
    vocabulary::characters(&mut blob, &read(&model.join("characters.txt"))?)?;
    let tensors = Tensors::read(&model.join("model.fp16.safetensors"))?;
    embeddings(&mut blob, &tensors, &Tensors::read(&model.join("languages.int8.safetensors"))?)?;
    layers(&mut blob, &tensors)?;
    head(&mut blob, &json::parse(read(&model.join("head.json"))?.as_bytes())?)?;

    // What stored vectors depend on ends here.
    let identity = blob.identity(REVISION);
    blob.constant("IDENTITY", "[u8; 16]", &format!("{identity:?}"));
    let labels = |path: &Path| json::parse(read(path)?.as_bytes());
    reader::inputs(&mut blob, &tensors)?;
    let trained = Tensors::read(&relations.join("relation.int8.safetensors"))?;
    reader::relation(&mut blob, &trained, &labels(&relations.join("relation.json"))?)?;
    let identity = blob.identity(REVISION);
    blob.constant("RELATION_IDENTITY", "[u8; 16]", &format!("{identity:?}"));
    let trained = Tensors::read(&sentences.join("reader.int8.safetensors"))?;
    reader::sentence(&mut blob, &trained, &labels(&sentences.join("reader.json"))?)?;
    blob.constant("BLOB_BYTES", "usize", &blob.bytes.len().to_string());
    let out = PathBuf::from(variable("OUT_DIR")?);
    write(&out.join("model.bin"), &blob.bytes)?;
    write(&out.join("layout.rs"), blob.constants.as_bytes())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Words as integers, those of the languages behind the others; positions stay as they are, with the one token type that is used
/// added in. Beside them, how much each piece speaks for one of the languages.
fn embeddings(blob: &mut Blob, tensors: &Tensors, languages: &Tensors) -> Result<(), String> {
    let words = tensors.get("embeddings.word_embeddings.weight", &[VOCABULARY, HIDDEN])?;
    let mut table = quantise::table(blob, &words, HIDDEN);
    let rows = languages.integers("rows.weight", &[LANGUAGE_PIECES, HIDDEN])?;
    let scales = languages.get("rows.scale", &[LANGUAGE_PIECES])?;
    for (row, scale) in rows.chunks_exact(HIDDEN).zip(scales) {
        quantise::table_row(blob, &mut table, scale, row);
    }
    let signs: Vec<u8> = languages.integers("signs", &[ROWS])?.into_iter().map(i8::cast_unsigned).collect();
    let section = blob.bytes(&signs);
    blob.section("SIGNS", &section);
    let section = blob.bytes(&table);
    blob.section("WORDS", &section);
    let kind = tensors.get("embeddings.token_type_embeddings.weight", &[2, HIDDEN])?;
    let positions = tensors.get("embeddings.position_embeddings.weight", &[512, HIDDEN])?;
    let positions: Vec<f32> =
        positions.iter().zip(kind[..HIDDEN].iter().cycle()).map(|(place, kind)| place + kind).collect();
    let section = blob.floats(&positions[..POSITIONS * HIDDEN]);
    blob.section("PLACES", &section);
    let norm = norm(blob, tensors, "embeddings.LayerNorm")?;
    blob.constant("INPUT_NORM", "NormAt", &norm);
    Ok(())
}

fn layers(blob: &mut Blob, tensors: &Tensors) -> Result<(), String> {
    let mut layers = Vec::new();
    for layer in 0..LAYERS {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let attention = attention(blob, tensors, &name("attention.self"))?;
        let mixed = dense(blob, tensors, &name("attention.output.dense"), HIDDEN, HIDDEN)?;
        let mixed_norm = norm(blob, tensors, &name("attention.output.LayerNorm"))?;
        let widened = dense(blob, tensors, &name("intermediate.dense"), INNER, HIDDEN)?;
        let narrowed = dense(blob, tensors, &name("output.dense"), HIDDEN, INNER)?;
        let output_norm = norm(blob, tensors, &name("output.LayerNorm"))?;
        layers.push(format!(
            "LayerAt {{ attention: {attention}, mixed: {mixed}, mixed_norm: {mixed_norm}, widened: {widened}, narrowed: {narrowed}, output_norm: {output_norm} }}"
        ));
    }
    blob.constant("LAYERS_AT", &format!("[LayerAt; {LAYERS}]"), &format!("[{}]", layers.join(", ")));
    Ok(())
}

/// Query, key and value as one matrix; the softmax's 1/√d is folded into the query.
fn attention(blob: &mut Blob, tensors: &Tensors, name: &str) -> Result<String, String> {
    let (mut weights, mut bias) = (Vec::new(), Vec::new());
    for (part, factor) in [("query", 1.0 / (HEAD as f32).sqrt()), ("key", 1.0), ("value", 1.0)] {
        let part_weights = tensors.get(&format!("{name}.{part}.weight"), &[HIDDEN, HIDDEN])?;
        weights.extend(part_weights.iter().map(|weight| weight * factor));
        bias.extend(tensors.get(&format!("{name}.{part}.bias"), &[HIDDEN])?.iter().map(|bias| bias * factor));
    }
    Ok(quantise::matrix(blob, &weights, &bias))
}

fn dense(blob: &mut Blob, tensors: &Tensors, name: &str, outputs: usize, inputs: usize) -> Result<String, String> {
    let weights = tensors.get(&format!("{name}.weight"), &[outputs, inputs])?;
    let bias = tensors.get(&format!("{name}.bias"), &[outputs])?;
    Ok(quantise::matrix(blob, &weights, &bias))
}

fn norm(blob: &mut Blob, tensors: &Tensors, name: &str) -> Result<String, String> {
    let gain = blob.floats(&tensors.get(&format!("{name}.weight"), &[HIDDEN])?);
    let bias = blob.floats(&tensors.get(&format!("{name}.bias"), &[HIDDEN])?);
    Ok(format!("NormAt {{ gain: {gain}, bias: {bias} }}"))
}

/// The two numbers that turn a cosine into a probability, and the linear head for user messages.
fn head(blob: &mut Blob, head: &Json) -> Result<(), String> {
    for (name, key) in [("RELEVANCE_SCALE", "scale"), ("RELEVANCE_BIAS", "bias")] {
        let value = head.get(key)?.number()? as f32;
        blob.constant(name, "f32", &format!("{value:?}"));
    }
    let labels = head.get("labels")?.list()?.iter().map(Json::text).collect::<Result<Vec<_>, _>>()?;
    blob.constant("CLASS_NAMES", &format!("[&str; {CLASSES}]"), &format!("{labels:?}"));
    let linear = head.get("utterance_head")?;
    let rows = linear.get("weight")?.list()?.iter().map(Json::numbers).collect::<Result<Vec<_>, _>>()?;
    if rows.len() != CLASSES || rows.iter().any(|row| row.len() != HIDDEN) {
        return Err(format!("the head should be {CLASSES} rows of {HIDDEN}"));
    }
    let section = blob.floats(&rows.concat());
    blob.section("CLASS_WEIGHTS", &section);
    let section = blob.floats(&linear.get("bias")?.numbers()?);
    blob.section("CLASS_BIAS", &section);
    Ok(())
}
