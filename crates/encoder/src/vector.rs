//! The vectors of texts: as the encoder makes them, and rounded for storage.

use crate::kernel::{Kernel, LANES, Proof};
use crate::math;
use crate::shape::HIDDEN;

/// The length of every vector.
pub const DIMENSIONS: usize = HIDDEN;

/// The vector of a text, of length one.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(pub [f32; DIMENSIONS]);

impl Embedding {
    /// Scales a vector to length one; a vector without direction stays as it is.
    pub(crate) fn from_direction(mut values: [f32; DIMENSIONS]) -> Self {
        let length = dot(&values, &values).sqrt();
        if length > 0.0 {
            values = values.map(|value| value / length);
        }
        Self(values)
    }

    /// Returns the cosine of the angle to another vector: 1 for the same meaning, about 0 for none in common.
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(&self.0, &other.0)
    }

    /// Rounds the vector to 8-bit integers.
    pub fn quantise(&self) -> QuantVector {
        let largest = self.0.iter().fold(0f32, |largest, value| largest.max(value.abs()));
        let factor = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        QuantVector { values: self.0.map(|value| (value * factor).round_ties_even() as i8), scale: largest / 127.0 }
    }
}

/// Computes the scalar product, in the same order on every processor.
pub(crate) fn dot(left: &[f32; DIMENSIONS], right: &[f32; DIMENSIONS]) -> f32 {
    let mut lanes = [0.0; LANES];
    let blocks = left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0);
    for (left, right) in blocks {
        for lane in 0..LANES {
            lanes[lane] += left[lane] * right[lane];
        }
    }
    math::join(lanes, |left, right| left + right)
}

/// A vector rounded to 8-bit integers: `value ≈ scale * integer`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantVector {
    /// The integers, from -127 to 127.
    pub values: [i8; DIMENSIONS],
    /// What one integer step is worth.
    pub scale: f32,
}

/// Computes the cosine of a query with every row of a flat matrix of stored vectors, on the fastest kernel.
///
/// Row `i` is `rows[i * DIMENSIONS..]` with `scales[i]`. `out` is cleared, then holds one cosine per row. When one of
/// the two inputs is longer than the other, the surplus is ignored.
pub fn dot_scan(query: &QuantVector, rows: &[i8], scales: &[f32], out: &mut Vec<f32>) {
    scan_with(Proof::best(), query, rows, scales, out);
}

impl Kernel {
    /// Does the same as [`dot_scan`] on this kernel, or on the scalar one where it cannot run.
    pub fn dot_scan(self, query: &QuantVector, rows: &[i8], scales: &[f32], out: &mut Vec<f32>) {
        scan_with(self.proof().unwrap_or_default(), query, rows, scales, out);
    }
}

fn scan_with(kernel: Proof, query: &QuantVector, rows: &[i8], scales: &[f32], out: &mut Vec<f32>) {
    /// Rows per call: their sums stay in the first-level cache.
    const BLOCK: usize = 1024;
    let mut sums = [0; BLOCK];
    out.clear();
    out.reserve(scales.len());
    let rows = rows.as_chunks::<DIMENSIONS>().0;
    for (rows, scales) in rows.chunks(BLOCK).zip(scales.chunks(BLOCK)) {
        kernel.scan(&query.values, rows, &mut sums);
        let cosines = sums.iter().zip(scales).take(rows.len());
        out.extend(cosines.map(|(&sum, scale)| sum as f32 * (scale * query.scale)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn embedding() -> impl Strategy<Value = Embedding> {
        let values = prop::collection::vec(-1.0f32..1.0, DIMENSIONS);
        values.prop_map(|values| Embedding::from_direction(std::array::from_fn(|at| values[at])))
    }

    proptest! {
        #[test]
        fn a_stored_vector_is_near_the_exact_one(left in embedding(), right in embedding()) {
            let (stored_left, stored_right) = (left.quantise(), right.quantise());
            let mut cosines = Vec::new();
            dot_scan(&stored_left, &stored_right.values, &[stored_right.scale], &mut cosines);
            prop_assert!((cosines[0] - left.cosine(&right)).abs() < 5e-3);
            prop_assert!((left.cosine(&left) - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_scan_goes_over_many_rows_and_clears_what_was_there() {
        let row = |seed: usize| -> [i8; DIMENSIONS] { std::array::from_fn(|at| (seed * 31 + at * 7) as i8) };
        let rows: Vec<i8> = (0..3000).flat_map(row).collect();
        let scales = vec![0.5; 3000];
        let query = QuantVector { values: row(5), scale: 0.25 };
        let mut expected = vec![9.0];
        Kernel::Scalar.dot_scan(&query, &rows, &scales, &mut expected);
        assert_eq!(expected.len(), 3000);
        let squares: i32 = row(5).iter().map(|&value| i32::from(value).pow(2)).sum();
        assert!((expected[5] - squares as f32 * 0.125).abs() < 1e-3);
        for kernel in Kernel::ALL {
            let mut cosines = Vec::new();
            kernel.dot_scan(&query, &rows, &scales, &mut cosines);
            assert_eq!(cosines, expected, "{kernel:?}");
        }
    }

    #[test]
    fn lengths_that_do_not_match_are_cut() {
        let query = QuantVector { values: [1; DIMENSIONS], scale: 1.0 };
        let mut cosines = Vec::new();
        for (bytes, scales, found) in
            [(0, 3, 0), (DIMENSIONS - 1, 1, 0), (3 * DIMENSIONS, 2, 2), (2 * DIMENSIONS, 5, 2)]
        {
            dot_scan(&query, &vec![1; bytes], &vec![1.0; scales], &mut cosines);
            assert_eq!(cosines.len(), found);
        }
    }

    #[test]
    fn a_vector_without_direction_stays_nothing() {
        let nothing = Embedding::from_direction([0.0; DIMENSIONS]);
        assert_eq!(nothing.quantise(), QuantVector { values: [0; DIMENSIONS], scale: 0.0 });
        assert!(nothing.cosine(&nothing).abs() < f32::EPSILON);
    }
}
