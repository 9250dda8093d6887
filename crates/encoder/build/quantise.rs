//! Rounds weights to 8-bit integers, one scale per output row, and packs them for the kernels.

use crate::blob::Blob;
use crate::shape::{EMBEDDING_ROW, packed_index};

/// One row as integers: `row[i] ≈ scale * integers[i]`, with integers in -127..=127.
pub(crate) fn row(values: &[f32]) -> (f32, Vec<i8>) {
    let largest = values.iter().fold(0f32, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return (0.0, vec![0; values.len()]);
    }
    let scale = largest / 127.0;
    (scale, values.iter().map(|value| (value / scale).round_ties_even() as i8).collect())
}

/// Appends a matrix given by output rows and returns the expression that describes it.
pub(crate) fn matrix(blob: &mut Blob, weights: &[f32], bias: &[f32]) -> String {
    let rows: Vec<_> = weights.chunks_exact(weights.len() / bias.len()).map(row).collect();
    packed(blob, &rows, bias)
}

/// Appends a matrix whose output rows are rounded already.
///
/// Inputs are unsigned at run time, `input = low + step * integer`, so the encoder also needs the sum of each row.
pub(crate) fn packed(blob: &mut Blob, rows: &[(f32, Vec<i8>)], bias: &[f32]) -> String {
    let width = rows.first().map_or(0, |(_, integers)| integers.len());
    let mut packed = vec![0u8; width * rows.len()];
    let (mut scales, mut sums) = (Vec::new(), Vec::new());
    for (output, (scale, integers)) in rows.iter().enumerate() {
        scales.push(*scale);
        sums.push(scale * integers.iter().map(|&value| i32::from(value)).sum::<i32>() as f32);
        for (input, &value) in integers.iter().enumerate() {
            packed[packed_index(width, output, input)] = value.cast_unsigned();
        }
    }
    let weights = blob.bytes(&packed);
    let [scales, sums, bias] = [&scales, &sums, &bias.to_vec()].map(|values| blob.floats(values));
    format!("MatrixAt {{ width: {width}, weights: {weights}, scales: {scales}, sums: {sums}, bias: {bias} }}")
}

/// Lays out a table of rows, each with its scale in front, so that one lookup touches one place.
pub(crate) fn table(blob: &Blob, values: &[f32], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() / width * EMBEDDING_ROW);
    for values in values.chunks_exact(width) {
        let (scale, integers) = row(values);
        table_row(blob, &mut bytes, scale, &integers);
    }
    bytes
}

/// Appends one row of such a table.
pub(crate) fn table_row(blob: &Blob, bytes: &mut Vec<u8>, scale: f32, integers: &[i8]) {
    bytes.extend_from_slice(&blob.word(scale.to_bits()));
    bytes.extend(integers.iter().map(|value| value.cast_unsigned()));
}
