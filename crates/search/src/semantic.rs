//! Finding memories by their meaning.
//!
//! Enters: stored vectors as flat bytes, two a memory (its name and description; all of it), and a
//! prompt's vector. Leaves: how near each memory is to the prompt, and the nearest ones. Never makes a
//! vector: whoever calls it has an encoder.

use memdir_encoder::{DIMENSIONS, QuantVector, dot_scan};

/// Above this many memories only headers are compared with all, and whole memories with the nearest:
/// half the bytes to read, and reading them is what costs.
const EXACT: usize = 5_000;
/// How many are then compared whole.
const SECOND_LOOK: usize = 1_000;

/// Vectors of one sort, row after row.
#[derive(Clone, Copy, Debug, Default)]
pub struct VectorRows<'a> {
    /// [`DIMENSIONS`] integers a row.
    pub rows: &'a [i8],
    /// What one integer step is worth, a number a row.
    pub scales: &'a [f32],
}

impl<'a> VectorRows<'a> {
    /// One stored vector.
    pub(crate) fn row(&self, place: usize) -> Option<(&'a [i8], f32)> {
        let start = place.checked_mul(DIMENSIONS)?;
        let row = self.rows.get(start..start.checked_add(DIMENSIONS)?)?;
        Some((row, *self.scales.get(place)?))
    }
}

/// The vectors of some memories: a row for each, and where it is long, one more for each of its passages.
#[derive(Clone, Copy, Debug, Default)]
pub struct VectorPart<'a> {
    /// The document each row belongs to, ascending; the rows of one document follow each other, the first stands for all of it.
    pub docs: &'a [u32],
    /// Name and description of each; of a passage, name and heading.
    pub headers: VectorRows<'a>,
    /// All of each, as far as the encoder reads.
    pub wholes: VectorRows<'a>,
}

/// The vectors of a store, in parts, since new ones are put beside the old. A memory without vectors is in none
/// of them, every other in one. Rows are counted through all parts: that is their place.
#[derive(Clone, Debug, Default)]
pub struct Vectors<'a> {
    parts: Vec<VectorPart<'a>>,
}

/// How near a memory is to the prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearness {
    /// Cosine with name and description.
    pub header: f32,
    /// Cosine with the whole memory, or with the passage of it that is nearest.
    pub whole: f32,
    /// Which passage that is, counted from one; zero where it is the memory as a whole.
    pub passage: usize,
}

impl Nearness {
    /// The larger cosine, which is what counts.
    pub(crate) fn best(self) -> f32 {
        self.header.max(self.whole)
    }
}

/// A prompt compared with every memory.
pub(crate) struct Compared<'a> {
    vectors: Vectors<'a>,
    /// Header and whole, a pair a row.
    near: Vec<(f32, f32)>,
}

impl<'a> Vectors<'a> {
    /// Vectors in these parts.
    pub fn of(parts: Vec<VectorPart<'a>>) -> Vectors<'a> {
        Vectors { parts }
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[VectorPart<'a>] {
        &self.parts
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.docs.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document of every row.
    pub fn docs(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().flat_map(|part| part.docs.iter().copied())
    }

    /// The row of a document: the one for all of it.
    pub fn place(&self, doc: u32) -> Option<usize> {
        self.places(doc).next()
    }

    /// All rows of a document.
    pub fn places(&self, doc: u32) -> std::ops::Range<usize> {
        let mut first = 0;
        for part in &self.parts {
            let from = part.docs.partition_point(|other| *other < doc);
            let rows = part.docs[from..].iter().take_while(|other| **other == doc).count();
            if rows > 0 {
                return first + from..first + from + rows;
            }
            first += part.docs.len();
        }
        0..0
    }

    /// Both vectors of a row: name and description, and all of it.
    pub fn row(&self, place: usize) -> Option<[(&'a [i8], f32); 2]> {
        let mut at = place;
        for part in &self.parts {
            if at < part.docs.len() {
                return Some([part.headers.row(at)?, part.wholes.row(at)?]);
            }
            at -= part.docs.len();
        }
        None
    }

    /// The documents nearest to a text that `wanted` lets through, with the larger of their two cosines, nearest first.
    pub fn nearest(&self, text: &QuantVector, limit: usize, wanted: impl Fn(u32) -> bool) -> Vec<(u32, f32)> {
        let compared = self.compare(text);
        let near = |doc| compared.of(doc).map_or(0.0, Nearness::best);
        compared.top(limit, wanted).into_iter().map(|doc| (doc, near(doc))).collect()
    }

    /// The larger cosine of a text with all of a document, if that has vectors; its passages are left out.
    pub fn cosine(&self, text: &QuantVector, doc: u32) -> Option<f32> {
        let mut one = Vec::new();
        let cosine = |(row, scale): (&[i8], f32)| {
            dot_scan(text, row, &[scale], &mut one);
            one.first().copied()
        };
        self.row(self.place(doc)?)?.into_iter().filter_map(cosine).reduce(f32::max)
    }

    /// Compares a prompt with every memory.
    pub(crate) fn compare(&self, prompt: &QuantVector) -> Compared<'a> {
        let mut header = self.scan(prompt, |part| part.headers);
        let whole = if header.len() <= EXACT {
            self.scan(prompt, |part| part.wholes)
        } else {
            self.second_look(prompt, &header)
        };
        header.truncate(whole.len());
        let near = header.into_iter().zip(whole).collect();
        Compared { vectors: self.clone(), near }
    }

    /// The cosine of a prompt with every row of one sort.
    fn scan(&self, prompt: &QuantVector, plane: impl Fn(&VectorPart<'a>) -> VectorRows<'a>) -> Vec<f32> {
        let (mut all, mut some) = (Vec::new(), Vec::new());
        for (number, part) in self.parts.iter().enumerate() {
            let VectorRows { rows, scales } = plane(part);
            let out = if number == 0 { &mut all } else { &mut some };
            dot_scan(prompt, rows, scales, out);
            // A row a document, whatever the bytes say: the next part's rows begin behind them.
            out.resize(part.docs.len(), 0.0);
            all.append(&mut some);
        }
        all
    }

    /// The cosine of a prompt with the whole of those memories whose headers are nearest.
    fn second_look(&self, prompt: &QuantVector, header: &[f32]) -> Vec<f32> {
        let mut whole = header.to_vec();
        let mut order: Vec<usize> = (0..header.len()).collect();
        order.select_nth_unstable_by(SECOND_LOOK, |a, b| header[*b].total_cmp(&header[*a]));
        let mut one = Vec::new();
        for &place in &order[..SECOND_LOOK] {
            if let Some([_, (row, scale)]) = self.row(place) {
                dot_scan(prompt, row, &[scale], &mut one);
                whole[place] = one.first().copied().unwrap_or(header[place]);
            }
        }
        whole
    }

    /// How alike some memories are, each with each, as a square of numbers: the larger cosine of both sorts. One without vectors is like
    /// nothing, and none is compared with itself.
    pub(crate) fn likenesses(&self, places: &[Option<usize>]) -> Vec<f32> {
        let count = places.len();
        let mut alike = vec![0.0f32; count * count];
        let rows: Vec<_> = places.iter().map(|place| self.row((*place)?)).collect();
        let mut cosines = Vec::new();
        for sort in 0..2 {
            let missing: (&[i8], f32) = (&[0; DIMENSIONS], 0.0);
            let sorted: Vec<_> = rows.iter().map(|row| row.map_or(missing, |both| both[sort])).collect();
            let flat: Vec<i8> = sorted.iter().flat_map(|(row, _)| *row).copied().collect();
            let scales: Vec<f32> = sorted.iter().map(|(_, scale)| *scale).collect();
            for (one, (row, scale)) in sorted.iter().enumerate() {
                let Ok(values) = (*row).try_into() else { continue };
                let one_row = QuantVector { values, scale: *scale };
                dot_scan(&one_row, &flat[..one * DIMENSIONS], &scales[..one], &mut cosines);
                for (other, cosine) in cosines.iter().enumerate() {
                    let likeness = alike[one * count + other].max(*cosine);
                    (alike[one * count + other], alike[other * count + one]) = (likeness, likeness);
                }
            }
        }
        alike
    }
}

impl Compared<'_> {
    /// How near one memory is, if it has vectors.
    pub(crate) fn of(&self, doc: u32) -> Option<Nearness> {
        let rows = self.near.get(self.vectors.places(doc))?;
        let (header, whole) = *rows.first()?;
        let mut near = Nearness { header, whole, passage: 0 };
        for (passage, (header, whole)) in rows.iter().enumerate().skip(1) {
            near.header = near.header.max(*header);
            if *whole > near.whole {
                (near.whole, near.passage) = (*whole, passage);
            }
        }
        Some(near)
    }

    /// The nearest documents that `wanted` lets through, nearest first.
    pub(crate) fn top(&self, limit: usize, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut order: Vec<(f32, u32)> = Vec::with_capacity(self.near.len());
        for ((header, whole), doc) in self.near.iter().zip(self.vectors.docs()) {
            let best = header.max(*whole);
            match order.last_mut() {
                Some((most, last)) if *last == doc => *most = most.max(best),
                _ => order.push((best, doc)),
            }
        }
        let nearest = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        // Twice as many as asked for, since some will not be wanted.
        let enough = (limit * 2).min(order.len());
        if enough < order.len() {
            order.select_nth_unstable_by(enough, nearest);
            if order[..enough].iter().filter(|(_, doc)| wanted(*doc)).count() >= limit {
                order.truncate(enough);
            }
        }
        order.sort_unstable_by(nearest);
        order.into_iter().map(|(_, doc)| doc).filter(|doc| wanted(*doc)).take(limit).collect()
    }
}
