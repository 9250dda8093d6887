//! Vectors of a store in flat files: which memory each row belongs to, and two vectors a row.
//!
//! Rows are in the order of the memories, each file for itself. A memory without a row is found by its words
//! alone until the background has made its vectors.

use memdir_encoder::{DIMENSIONS, MODEL_ID, QuantVector};

use memdir_search::semantic::{VectorPart, VectorRows, Vectors};

/// Sections begin at multiples of this, so that they can be used in place.
const ALIGN: usize = 64;
const HEAD: usize = 64;

/// The two vectors of a memory or of one of its passages: name and description, and all of it.
#[derive(Clone)]
pub(crate) struct VectorPair {
    pub(crate) header: QuantVector,
    pub(crate) whole: QuantVector,
}

/// Writes rows in ascending order of their memories.
pub(crate) fn encode(rows: &[(u32, VectorPair)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD + rows.len() * (2 * DIMENSIONS + 16) + 5 * ALIGN);
    out.extend_from_slice(&MODEL_ID);
    out.extend_from_slice(&(rows.len() as u64).to_le_bytes());
    pad(&mut out);
    for (doc, _) in rows {
        out.extend_from_slice(&doc.to_le_bytes());
    }
    pad(&mut out);
    for pick in
        [|pair: &VectorPair| &pair.header, |pair: &VectorPair| &pair.whole] as [fn(&VectorPair) -> &QuantVector; 2]
    {
        for (_, pair) in rows {
            out.extend_from_slice(bytemuck::cast_slice(&pick(pair).values));
        }
        pad(&mut out);
        for (_, pair) in rows {
            out.extend_from_slice(&pick(pair).scale.to_le_bytes());
        }
        pad(&mut out);
    }
    out
}

/// Opens a file in place; `None` when it is damaged, or made by another encoder.
pub(crate) fn open(bytes: &[u8]) -> Option<VectorPart<'_>> {
    if cfg!(target_endian = "big") || bytes.get(..16)? != MODEL_ID {
        return None;
    }
    let count = usize::try_from(u64::from_le_bytes(bytes.get(16..24)?.try_into().ok()?)).ok()?;
    let mut at = HEAD;
    let mut section = |length: usize| {
        let section = bytes.get(at..at.checked_add(length)?)?;
        at = (at + length).next_multiple_of(ALIGN);
        Some(section)
    };
    let docs = bytemuck::try_cast_slice(section(count.checked_mul(4)?)?).ok()?;
    let mut plane = || {
        let rows = bytemuck::try_cast_slice(section(count.checked_mul(DIMENSIONS)?)?).ok()?;
        let scales = bytemuck::try_cast_slice(section(count.checked_mul(4)?)?).ok()?;
        Some(VectorRows { rows, scales })
    };
    let (headers, wholes) = (plane()?, plane()?);
    Some(VectorPart { docs, headers, wholes })
}

/// One memory's pair again, to be carried over into a new file.
pub(crate) fn pair(vectors: &Vectors<'_>, place: usize) -> Option<VectorPair> {
    let vector = |(row, scale): (&[i8], f32)| Some(QuantVector { values: row.try_into().ok()?, scale });
    let [header, whole] = vectors.row(place)?;
    Some(VectorPair { header: vector(header)?, whole: vector(whole)? })
}

fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(ALIGN), 0);
}
