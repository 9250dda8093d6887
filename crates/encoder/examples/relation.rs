//! `relation`: lines of a new statement, a tab and a known memory in; how the reader takes the one beside the other out.
use std::io::BufRead as _;

use memdir_encoder::{Encoder, Reader, Relation};

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Some((new, known)) = line.split_once('\t') else { continue };
        let scores = Reader::new().relation(new, known);
        let shown: Vec<String> =
            Relation::ALL.iter().map(|one| format!("{} {:.3}", one.name(), scores.of(*one))).collect();
        let [whole, _] = Encoder::new().encode_memory("", "", known);
        println!("{} cosine {:.3}", shown.join(" "), Encoder::new().encode_query(new).cosine(&whole));
    }
    Ok(())
}
