//! Lays out the trunks that read two texts together, and their heads. The word table and the norm of the inputs are the encoder's.

use crate::blob::Blob;
use crate::json::Json;
use crate::quantise;
use crate::shape::{
    HEAD, HIDDEN, INNER, LAYERS, READER_POSITIONS, RELATION_INNER, RELATION_INPUT, RELATIONS, SENTENCE_INPUT, SENTENCES,
};
use crate::tensors::Tensors;

/// A list of labels: the constant that names them, their place in the description of the weights, and how many there must be.
type Labels = (&'static str, &'static str, usize);
/// A part of a head: its constant, its tensor and its shape.
type Part<'a> = (&'static str, &'static str, &'a [usize]);

/// The trunk that tells what a statement is to a known memory.
pub(crate) fn relation(blob: &mut Blob, trained: &Tensors, described: &Json) -> Result<(), String> {
    layers(blob, trained, "RELATION_LAYERS_AT")?;
    head(
        blob,
        trained,
        described,
        ("RELATION_NAMES", "relation", RELATIONS),
        &[
            ("RELATION_INNER_WEIGHTS", "relation.0.weight", &[RELATION_INNER, RELATION_INPUT]),
            ("RELATION_INNER_BIAS", "relation.0.bias", &[RELATION_INNER]),
            ("RELATION_WEIGHTS", "relation.3.weight", &[RELATIONS, RELATION_INNER]),
            ("RELATION_BIAS", "relation.3.bias", &[RELATIONS]),
        ],
    )
}

/// The trunk that tells what a sentence of a message is.
pub(crate) fn sentence(blob: &mut Blob, trained: &Tensors, described: &Json) -> Result<(), String> {
    layers(blob, trained, "SENTENCE_LAYERS_AT")?;
    head(
        blob,
        trained,
        described,
        ("SENTENCE_NAMES", "sentence", SENTENCES),
        &[
            ("SENTENCE_WEIGHTS", "sentence.weight", &[SENTENCES, SENTENCE_INPUT]),
            ("SENTENCE_BIAS", "sentence.bias", &[SENTENCES]),
            ("NEEDS_WEIGHTS", "needs.weight", &[1, SENTENCE_INPUT]),
            ("NEEDS_BIAS", "needs.bias", &[1]),
        ],
    )
}

fn head(
    blob: &mut Blob,
    trained: &Tensors,
    described: &Json,
    (name, key, count): Labels,
    parts: &[Part],
) -> Result<(), String> {
    let names = described.get(key)?.list()?.iter().map(Json::text).collect::<Result<Vec<_>, _>>()?;
    blob.constant(name, &format!("[&str; {count}]"), &format!("{names:?}"));
    for (name, tensor, shape) in parts {
        let section = blob.floats(&trained.get(tensor, shape)?);
        blob.section(name, &section);
    }
    Ok(())
}

/// Positions with the first text's token type added in, and what the second text's type adds to that.
pub(crate) fn inputs(blob: &mut Blob, encoder: &Tensors) -> Result<(), String> {
    let kinds = encoder.get("embeddings.token_type_embeddings.weight", &[2, HIDDEN])?;
    let (first, second) = kinds.split_at(HIDDEN);
    let places = encoder.get("embeddings.position_embeddings.weight", &[512, HIDDEN])?;
    let places: Vec<f32> = places.iter().zip(first.iter().cycle()).map(|(place, kind)| place + kind).collect();
    let section = blob.floats(&places[..READER_POSITIONS * HIDDEN]);
    blob.section("READER_PLACES", &section);
    let added: Vec<f32> = second.iter().zip(first).map(|(second, first)| second - first).collect();
    let section = blob.floats(&added);
    blob.section("READER_SECOND", &section);
    Ok(())
}

fn layers(blob: &mut Blob, tensors: &Tensors, constant: &str) -> Result<(), String> {
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
    blob.constant(constant, &format!("[LayerAt; {LAYERS}]"), &format!("[{}]", layers.join(", ")));
    Ok(())
}

/// One rounded matrix: its rows with their scales, and its bias, both times `factor`.
type Rounded = (Vec<(f32, Vec<i8>)>, Vec<f32>);

fn rounded(tensors: &Tensors, name: &str, outputs: usize, inputs: usize, factor: f32) -> Result<Rounded, String> {
    let weights = tensors.integers(&format!("{name}.weight"), &[outputs, inputs])?;
    let scales = tensors.get(&format!("{name}.scale"), &[outputs])?;
    let bias = tensors.get(&format!("{name}.bias"), &[outputs])?;
    let rows = weights.chunks_exact(inputs).zip(scales).map(|(row, scale)| (scale * factor, row.to_vec())).collect();
    Ok((rows, bias.into_iter().map(|bias| bias * factor).collect()))
}

/// Query, key and value as one matrix; the softmax's 1/√d is folded into the query.
fn attention(blob: &mut Blob, tensors: &Tensors, name: &str) -> Result<String, String> {
    let (mut rows, mut biases) = (Vec::new(), Vec::new());
    for (part, factor) in [("query", 1.0 / (HEAD as f32).sqrt()), ("key", 1.0), ("value", 1.0)] {
        let (more, bias) = rounded(tensors, &format!("{name}.{part}"), HIDDEN, HIDDEN, factor)?;
        rows.extend(more);
        biases.extend(bias);
    }
    Ok(quantise::packed(blob, &rows, &biases))
}

fn dense(blob: &mut Blob, tensors: &Tensors, name: &str, outputs: usize, inputs: usize) -> Result<String, String> {
    let (rows, bias) = rounded(tensors, name, outputs, inputs, 1.0)?;
    Ok(quantise::packed(blob, &rows, &bias))
}

fn norm(blob: &mut Blob, tensors: &Tensors, name: &str) -> Result<String, String> {
    let gain = blob.floats(&tensors.get(&format!("{name}.weight"), &[HIDDEN])?);
    let bias = blob.floats(&tensors.get(&format!("{name}.bias"), &[HIDDEN])?);
    Ok(format!("NormAt {{ gain: {gain}, bias: {bias} }}"))
}
