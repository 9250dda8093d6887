//! Bech32: how age writes keys (BIP 173, without its limit of length).

const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Writes bytes under a name.
pub(super) fn encode(name: &str, bytes: &[u8]) -> String {
    let mut data = regroup(bytes, 8, 5, true).unwrap_or_default();
    let sum = checksum(name, &[&data[..], &[0; 6]].concat()) ^ 1;
    data.extend((0..6).map(|at| (sum >> (5 * (5 - at)) & 31) as u8));
    let letters: String = data.iter().map(|value| LETTERS[usize::from(*value & 31)] as char).collect();
    format!("{name}1{letters}")
}

/// Reads what stands under a name; nothing if it is another, or mistyped.
pub(super) fn decode(name: &str, text: &str) -> Option<Vec<u8>> {
    if text.chars().any(|letter| letter.is_ascii_lowercase()) && text.chars().any(|letter| letter.is_ascii_uppercase())
    {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let letters = text.strip_prefix(name)?.strip_prefix('1')?;
    let data: Option<Vec<u8>> =
        letters.bytes().map(|letter| LETTERS.iter().position(|known| *known == letter).map(|at| at as u8)).collect();
    let data = data.filter(|data| data.len() > 6 && checksum(name, data) == 1)?;
    regroup(&data[..data.len() - 6], 5, 8, false)
}

fn checksum(name: &str, data: &[u8]) -> u32 {
    const STEPS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let high = name.bytes().map(|byte| byte >> 5);
    let low = name.bytes().map(|byte| byte & 31);
    high.chain(std::iter::once(0)).chain(low).chain(data.iter().copied()).fold(1_u32, |sum, value| {
        let top = sum >> 25;
        let mut sum = (sum & 0x01ff_ffff) << 5 ^ u32::from(value);
        for (bit, step) in STEPS.iter().enumerate() {
            if top >> bit & 1 == 1 {
                sum ^= step;
            }
        }
        sum
    })
}

/// Groups bits again; what is left over must be nothing, unless it may be filled up.
fn regroup(values: &[u8], from: u32, to: u32, fill: bool) -> Option<Vec<u8>> {
    let (mut bits, mut count, mut out) = (0_u32, 0, Vec::new());
    for value in values {
        bits = bits << from | u32::from(*value);
        count += from;
        while count >= to {
            count -= to;
            out.push((bits >> count & ((1 << to) - 1)) as u8);
        }
        bits &= (1 << count) - 1;
    }
    if fill && count > 0 {
        out.push((bits << (to - count) & ((1 << to) - 1)) as u8);
    } else if !fill && (count >= from || bits != 0) {
        return None;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_and_a_slip_is_seen() {
        let text = encode("age", &[9; 32]);
        assert!(text.starts_with("age1") && decode("age", &text).unwrap() == [9; 32]);
        assert_eq!(decode("age", &text.to_ascii_uppercase()).unwrap(), [9; 32]);
        for at in 4..text.len() {
            let mut slip = text.clone().into_bytes();
            slip[at] = if slip[at] == b'q' { b'p' } else { b'q' };
            assert!(decode("age", std::str::from_utf8(&slip).unwrap()).is_none(), "{at}");
        }
        assert!(decode("other", &text).is_none());
    }
}
