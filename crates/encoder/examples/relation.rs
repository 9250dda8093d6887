//! `relation NEW KNOWN`: how the reader takes a new statement beside a known memory.
use memdir_encoder::{Reader, Relation};

fn main() {
    let texts: Vec<String> = std::env::args().skip(1).collect();
    for pair in texts.chunks_exact(2) {
        let scores = Reader::new().relation(&pair[0], &pair[1]);
        let shown: Vec<String> =
            Relation::ALL.iter().map(|one| format!("{} {:.2}", one.name(), scores.of(*one))).collect();
        println!("{}  | {} | {}", shown.join(", "), pair[0], pair[1]);
    }
}
