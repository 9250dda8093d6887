//! The model inside the binary: where each part lies in, the part as a slice out. Nothing is copied or parsed; a part that is
//! never asked for is never read from disk.
#![allow(unsafe_code, reason = "numbers are used where they lie in the embedded bytes")]

/// A run of bytes in the embedded model.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    start: usize,
    bytes: usize,
}

/// Where a packed matrix lies.
pub(crate) struct MatrixAt {
    pub(crate) width: usize,
    pub(crate) weights: Section,
    pub(crate) scales: Section,
    pub(crate) sums: Section,
    pub(crate) bias: Section,
}

/// Where the two vectors of a layer norm lie.
pub(crate) struct NormAt {
    pub(crate) gain: Section,
    pub(crate) bias: Section,
}

/// Where the parts of one transformer layer lie.
pub(crate) struct LayerAt {
    pub(crate) attention: MatrixAt,
    pub(crate) mixed: MatrixAt,
    pub(crate) mixed_norm: NormAt,
    pub(crate) widened: MatrixAt,
    pub(crate) narrowed: MatrixAt,
    pub(crate) output_norm: NormAt,
}

#[allow(clippy::unreadable_literal, reason = "written by the build script")]
mod layout {
    use super::{LayerAt, MatrixAt, NormAt, Section};
    include!(concat!(env!("OUT_DIR"), "/layout.rs"));
}

pub(crate) use layout::*;

#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static BLOB: &Aligned<[u8; BLOB_BYTES]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/model.bin")));

impl Section {
    pub(crate) fn bytes(self) -> &'static [u8] {
        &BLOB.0[self.start..self.start + self.bytes]
    }

    pub(crate) fn integers(self) -> &'static [i8] {
        // SAFETY: `i8` has the size and alignment of `u8` and every bit pattern is a value.
        unsafe { self.bytes().align_to().1 }
    }

    pub(crate) fn words(self) -> &'static [u32] {
        // SAFETY: every bit pattern is a `u32`; sections start on multiples of 64, so nothing is cut off.
        unsafe { self.bytes().align_to().1 }
    }

    pub(crate) fn floats(self) -> &'static [f32] {
        // SAFETY: every bit pattern is an `f32`; sections start on multiples of 64, so nothing is cut off.
        unsafe { self.bytes().align_to().1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{CLASSES, EMBEDDING_ROW, HIDDEN, INNER, LANGUAGE_SLOTS, POSITIONS, ROWS, SLOTS};

    #[test]
    fn every_section_is_whole_and_aligned() {
        assert_eq!(PIECE_SLOTS.words().len(), SLOTS);
        assert_eq!(LANGUAGE_SLOTS_AT.words().len(), LANGUAGE_SLOTS);
        assert_eq!(PIECE_OFFSETS.words().len(), ROWS + 1);
        assert_eq!(SIGNS.integers().len(), ROWS);
        assert_eq!(WORDS.bytes().len(), ROWS * EMBEDDING_ROW);
        assert_eq!(PLACES.floats().len(), POSITIONS * HIDDEN);
        assert_eq!(CLASS_WEIGHTS.floats().len(), CLASSES * HIDDEN);
        assert_eq!(CLASS_BIAS.floats().len(), CLASSES);
        for layer in &LAYERS_AT {
            assert_eq!(layer.widened.weights.integers().len(), INNER * HIDDEN);
            assert_eq!(layer.narrowed.bias.floats().len(), HIDDEN);
            assert_eq!(layer.attention.scales.floats().len(), 3 * HIDDEN);
            assert_eq!(layer.mixed_norm.gain.floats().len(), HIDDEN);
        }
    }

    #[test]
    fn numbers_survive_the_build() {
        let scales = LAYERS_AT[0].mixed.scales.floats();
        assert!(scales.iter().all(|scale| (1e-5..0.1).contains(scale)), "{scales:?}");
    }

    #[test]
    fn the_binary_stays_small() {
        assert!(BLOB.0.len() <= 51_000_000, "{} bytes", BLOB.0.len());
    }
}
