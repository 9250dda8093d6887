//! Prints how many entries each language has: `cargo run -p memdir-lexicon --example count`.
#![allow(clippy::print_stdout, reason = "it prints")]

use memdir_lexicon::{Lang, SIZES};

fn main() {
    for lang in Lang::ALL {
        let own = SIZES.iter().filter(|(of, ..)| of == lang);
        let (lists, entries) = own.fold((0, 0), |(lists, entries), (_, _, size)| (lists + 1, entries + size));
        println!("{}  {entries:5} entries in {lists} lists", lang.code());
    }
    println!("all {:5} entries", SIZES.iter().map(|(_, _, size)| size).sum::<usize>());
}
