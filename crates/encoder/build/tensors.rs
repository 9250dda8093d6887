//! Reads a safetensors file: a name in, its numbers out, as `f32` or as the integers they are.

use crate::json::{self, Json};
use std::path::Path;

pub(crate) struct Tensors {
    header: Json,
    data: Vec<u8>,
}

impl Tensors {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let mut file = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (length, rest) = file.split_first_chunk::<8>().ok_or("weights are cut short")?;
        let length = u64::from_le_bytes(*length) as usize;
        let header = rest.get(..length).ok_or("the weights' header is cut short")?;
        let header = json::parse(header)?;
        let data = file.split_off(8 + length);
        Ok(Self { header, data })
    }

    /// Returns a tensor whose shape must be `shape`, row after row.
    pub(crate) fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        match self.bytes(name, shape)? {
            ("F16", bytes) => {
                Ok(bytes.as_chunks::<2>().0.iter().map(|&half| from_half(u16::from_le_bytes(half))).collect())
            }
            ("F32", bytes) => Ok(bytes.as_chunks::<4>().0.iter().map(|&word| f32::from_le_bytes(word)).collect()),
            (other, _) => Err(format!("{name} is {other}, not F16 or F32")),
        }
    }

    /// Returns a tensor of integers whose shape must be `shape`.
    pub(crate) fn integers(&self, name: &str, shape: &[usize]) -> Result<Vec<i8>, String> {
        match self.bytes(name, shape)? {
            ("I8", bytes) => Ok(bytes.iter().map(|byte| byte.cast_signed()).collect()),
            (other, _) => Err(format!("{name} is {other}, not I8")),
        }
    }

    fn bytes(&self, name: &str, shape: &[usize]) -> Result<(&str, &[u8]), String> {
        let entry = self.header.get(name)?;
        let stored = entry.get("shape")?.numbers()?;
        if !stored.iter().map(|&size| size as usize).eq(shape.iter().copied()) {
            return Err(format!("{name} should be {shape:?}, not {stored:?}"));
        }
        let offsets = entry.get("data_offsets")?.list()?;
        let [start, end] = [&offsets[0], &offsets[1]].map(Json::number);
        let bytes =
            self.data.get(start? as usize..end? as usize).ok_or_else(|| format!("{name} lies outside the file"))?;
        Ok((entry.get("dtype")?.text()?, bytes))
    }
}

/// Widens a half-precision number; exact.
fn from_half(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10) & 0x1f;
    let fraction = u32::from(half) & 0x3ff;
    match exponent {
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}
