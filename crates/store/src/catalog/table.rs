//! Finding a path among many without a copy of it: a table of numbers.
//!
//! Enters: paths by number, from whoever owns them. Leaves: the number of a path. Hashes are keyed
//! again in every process, so nobody can name files in a way that makes them all collide.

use std::hash::{BuildHasher as _, RandomState};

/// A place in the table that nobody has.
const FREE: u32 = u32::MAX;

/// Numbers by path, open addressing.
#[derive(Clone, Debug)]
pub(super) struct PathTable {
    places: Vec<u32>,
    taken: usize,
    keys: RandomState,
}

impl PathTable {
    /// A table of the first `count` numbers.
    pub(super) fn of<'p>(count: usize, path: impl Fn(u32) -> &'p str) -> PathTable {
        let places = vec![FREE; (count * 2).next_power_of_two().max(16)];
        let mut table = PathTable { places, taken: 0, keys: RandomState::new() };
        for number in 0..count as u32 {
            table.put(number, &path);
        }
        table
    }

    /// The number of a path.
    pub(super) fn find<'p>(&self, wanted: &str, path: impl Fn(u32) -> &'p str) -> Option<u32> {
        self.probe(wanted).find(|&number| path(number) == wanted)
    }

    /// Takes in one more number, whose path is in nobody's way.
    pub(super) fn add<'p>(&mut self, number: u32, path: impl Fn(u32) -> &'p str) {
        if (self.taken + 1) * 2 > self.places.len() {
            *self = PathTable::of(number as usize, &path);
        }
        self.put(number, &path);
    }

    fn put<'p>(&mut self, number: u32, path: &impl Fn(u32) -> &'p str) {
        let mask = self.places.len() - 1;
        let mut at = self.keys.hash_one(path(number)) as usize & mask;
        while self.places[at] != FREE {
            at = (at + 1) & mask;
        }
        self.places[at] = number;
        self.taken += 1;
    }

    /// The numbers that a path may have, up to the first free place.
    fn probe(&self, wanted: &str) -> impl Iterator<Item = u32> {
        let mask = self.places.len() - 1;
        let start = self.keys.hash_one(wanted) as usize;
        (0..self.places.len()).map(move |step| self.places[(start + step) & mask]).take_while(|&number| number != FREE)
    }
}
