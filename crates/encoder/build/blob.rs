//! Collects the sections of the embedded model and writes, beside the bytes, Rust constants that say where each one lies.
//! Numbers are stored in the byte order of the target, so that the encoder can use them in place.

use std::fmt::Write;

pub(crate) struct Blob {
    pub(crate) bytes: Vec<u8>,
    pub(crate) constants: String,
    big_endian: bool,
}

impl Blob {
    pub(crate) fn new(big_endian: bool) -> Self {
        Self { bytes: Vec::with_capacity(24 << 20), constants: String::new(), big_endian }
    }

    /// Appends bytes at the next cache line and returns the expression that finds them.
    pub(crate) fn bytes(&mut self, data: &[u8]) -> String {
        self.bytes.resize(self.bytes.len().next_multiple_of(64), 0);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(data);
        format!("Section {{ start: {start}, bytes: {} }}", data.len())
    }

    pub(crate) fn words(&mut self, data: impl IntoIterator<Item = u32>) -> String {
        let bytes: Vec<u8> = data.into_iter().flat_map(|word| self.word(word)).collect();
        self.bytes(&bytes)
    }

    pub(crate) fn floats(&mut self, data: &[f32]) -> String {
        self.words(data.iter().map(|value| value.to_bits()))
    }

    pub(crate) fn word(&self, word: u32) -> [u8; 4] {
        if self.big_endian { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    /// Adds a constant to the generated source.
    pub(crate) fn constant(&mut self, name: &str, kind: &str, value: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.constants, "pub(crate) const {name}: {kind} = {value};");
    }

    pub(crate) fn section(&mut self, name: &str, section: &str) {
        self.constant(name, "Section", section);
    }

    /// A 128-bit name for everything the vectors depend on: the bytes and the revision of the arithmetic.
    pub(crate) fn identity(&self, revision: u32) -> [u8; 16] {
        const PRIME: u128 = (1 << 88) + 0x13b;
        let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128 ^ u128::from(revision);
        let (chunks, rest) = self.bytes.as_chunks::<8>();
        let step = |hash: u128, word: u64| {
            let mixed = (hash ^ u128::from(word)).wrapping_mul(PRIME);
            mixed ^ mixed >> 64
        };
        let hash = chunks.iter().fold(start, |hash, chunk| step(hash, u64::from_le_bytes(*chunk)));
        rest.iter().fold(hash, |hash, &byte| step(hash, u64::from(byte))).to_be_bytes()
    }
}
