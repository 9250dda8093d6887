use std::io::BufRead;
fn main() {
    let reader = memdir_encoder::Reader::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let f: Vec<&str> = line.split('\t').collect();
        let (start, end): (usize, usize) = (f[2].parse().unwrap(), f[3].parse().unwrap());
        let s = reader.sentence(f[0], f[1], start..end);
        let best = s.best();
        println!("{}\t{:.3}\t{:.3}\t{:.3}\t{}", best.name(), s.of(best), s.worth_keeping(), s.needs_context(), f[4]);
    }
}
