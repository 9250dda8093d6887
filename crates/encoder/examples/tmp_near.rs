use std::io::BufRead;
fn main() {
    let e = memdir_encoder::Encoder::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let f: Vec<&str> = line.split('\t').collect();
        let [w, _] = e.encode_memory("", "", f[1]);
        println!("{}\t{:.3}\t{}\t{}", f[0], e.encode_query(f[2]).cosine(&w), f[1], f[2]);
    }
}
