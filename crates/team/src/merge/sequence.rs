//! Sequences: what two have in common, and both of them in one.
//!
//! Pure, and the same whichever of two comes first as long as the caller orders them.

/// More cells than this are not compared; two texts that large have nothing in common but their ends.
const CELLS: usize = 16 * 1024 * 1024;

/// What decides where two things have no order: their content.
pub(super) fn digest(text: &str) -> [u8; 32] {
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// Pairs of positions that are equal in both, ascending: a longest common subsequence.
pub(super) fn common<T: PartialEq>(one: &[T], other: &[T]) -> Vec<(usize, usize)> {
    let head = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (rest_one, rest_other) = (&one[head..], &other[head..]);
    let tail = rest_one.iter().rev().zip(rest_other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&rest_one[..rest_one.len() - tail], &rest_other[..rest_other.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    if !a.is_empty() && !b.is_empty() && a.len().saturating_mul(b.len()) <= CELLS {
        let width = b.len() + 1;
        let mut longest = vec![0_u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                longest[i * width + j] = if a[i] == b[j] {
                    longest[(i + 1) * width + j + 1] + 1
                } else {
                    longest[(i + 1) * width + j].max(longest[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                pairs.push((head + i, head + j));
                (i, j) = (i + 1, j + 1);
            } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pairs.extend((0..tail).map(|at| (one.len() - tail + at, other.len() - tail + at)));
    pairs
}

/// Both sequences in one: what they share stays once and in order, between it first the run with the smaller digest.
pub(super) fn unite(one: &[String], other: &[String]) -> Vec<String> {
    let mut out = Vec::with_capacity(one.len().max(other.len()));
    let (mut i, mut j) = (0, 0);
    let ends = std::iter::once((one.len(), other.len()));
    for (to_i, to_j) in common(one, other).into_iter().chain(ends) {
        let (a, b) = (&one[i..to_i], &other[j..to_j]);
        let (first, second) = if digest(&a.join("\n")) <= digest(&b.join("\n")) { (a, b) } else { (b, a) };
        out.extend_from_slice(first);
        out.extend_from_slice(second);
        if to_i < one.len() {
            out.push(one[to_i].clone());
        }
        (i, j) = (to_i + 1, to_j + 1);
    }
    out
}

/// The same where nothing may be there twice: what the two have in another order stands where it comes first.
pub(super) fn unite_unique(one: &[String], other: &[String]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let mut all = unite(one, other);
    all.retain(|text| seen.insert(text.clone()));
    all
}

/// What becomes of a value that has alternatives: what either side put in is there, what either side took out is not.
///
/// `None`: it is not there on that side.
pub(super) fn settle(
    base: Option<&Vec<String>>,
    one: Option<&Vec<String>>,
    other: Option<&Vec<String>>,
) -> Option<Vec<String>> {
    if one == other || base == other {
        return one.cloned();
    }
    if base == one {
        return other.cloned();
    }
    let (Some(a), Some(b)) = (one, other) else {
        // One side took it away, the other changed it: what was written stays.
        return one.or(other).cloned();
    };
    let mut all: Vec<String> = a.iter().chain(b).cloned().collect();
    all.sort_by_key(|text| digest(text));
    all.dedup();
    let dropped =
        |text: &String| base.is_some_and(|base| base.contains(text)) && !(a.contains(text) && b.contains(text));
    let kept: Vec<String> = all.iter().filter(|text| !dropped(text)).cloned().collect();
    Some(if kept.is_empty() { all } else { kept })
}
