//! The bytes of a segment: numbers in, numbers out, never past the end.
//!
//! Enters: a byte slice that may be torn, rotten or forged. Leaves: values, or [`BadSegment`]. Never
//! indexes without a check, so the worst a bad file can do is to be rebuilt.

use super::BadSegment;

/// Reads forward through a slice.
#[derive(Clone, Copy)]
pub(super) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        ByteReader { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], BadSegment> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or(BadSegment::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    pub(super) fn u32(&mut self) -> Result<u32, BadSegment> {
        let (head, rest) = self.rest.split_first_chunk::<4>().ok_or(BadSegment::Truncated)?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*head))
    }

    pub(super) fn u64(&mut self) -> Result<u64, BadSegment> {
        let (head, rest) = self.rest.split_first_chunk::<8>().ok_or(BadSegment::Truncated)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*head))
    }

    pub(super) fn byte(&mut self) -> Result<u8, BadSegment> {
        let (&first, rest) = self.rest.split_first().ok_or(BadSegment::Truncated)?;
        self.rest = rest;
        Ok(first)
    }

    /// A little-endian base-128 number of at most 35 bits.
    pub(super) fn varint(&mut self) -> Result<u32, BadSegment> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u32::from(first));
        }
        let mut value = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(BadSegment::Damaged("number"))
    }
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Tells rot from content. Eight bytes a step, so that checking what a query touches costs less than
/// decoding it. It guards against accidents, not against forgers: those are held by the bounds checks.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let (mut a, mut b) = (bytes.len() as u64 ^ STEP, !STEP);
    let (pairs, rest) = bytes.as_chunks::<16>();
    for pair in pairs {
        let (low, high) = pair.split_at(8);
        a = (a ^ word(low)).wrapping_mul(STEP).rotate_left(29);
        b = (b ^ word(high)).wrapping_mul(STEP).rotate_left(31);
    }
    let (low, high) = rest.split_at(rest.len().min(8));
    a = (a ^ word(low)).wrapping_mul(STEP).rotate_left(29);
    b = (b ^ word(high)).wrapping_mul(STEP).rotate_left(31);
    let mixed = (a ^ b.rotate_left(17)).wrapping_mul(STEP);
    (mixed ^ (mixed >> 32)) as u32
}

fn word(bytes: &[u8]) -> u64 {
    let mut full = [0u8; 8];
    for (to, from) in full.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(full)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(value in any::<u32>()) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            let mut reader = ByteReader::new(&bytes);
            prop_assert_eq!(reader.varint().unwrap(), value);
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_changed_bit_changes_the_checksum(bytes in prop::collection::vec(any::<u8>(), 1..80), at in any::<prop::sample::Index>(), bit in 0..8u8) {
            let mut other = bytes.clone();
            other[at.index(bytes.len())] ^= 1 << bit;
            prop_assert_ne!(checksum(&bytes), checksum(&other));
        }
    }

    #[test]
    fn a_number_that_never_ends_is_refused() {
        assert!(ByteReader::new(&[0xff; 20]).varint().is_err());
        assert!(ByteReader::new(&[0x80]).varint().is_err());
    }
}
