//! What the encoder costs.
//!
//! `encode` alone times each kernel; `encode query TEXT [TIMES [KERNEL]]` and `encode memory TEXT [TIMES [KERNEL]]` encode a
//! text and end, for measuring a whole process from outside. `encode vectors` writes the vector of every line that it reads, as
//! 32-bit numbers; `training/train_languages.py` learns from them.
#![allow(clippy::print_stdout, reason = "a command-line program")]

use memdir_encoder::{DIMENSIONS, Encoder, Kernel, QuantVector};
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

const PROMPT: &str = "can I stub out postgres in this integration test or do we need the real thing";
const BODY: &str = "Integration tests run against a real Postgres started by compose.\n\n**Why:** a mock hid a broken migration \
    in March and the release had to be rolled back twice before anybody saw that the column was never created.\n\
    **How to apply:** when a test touches the ledger or the refund tables, use the fixture in tests/support/db.rs, \
    never a fake repository; unit tests of pure functions need no database at all. Ask before adding a new container, \
    because the build machines have little memory and the compose file is shared with the staging environment.";

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["vectors"] {
        return vectors().map_err(|error| error.to_string());
    }
    let [what, text, rest @ ..] = arguments.as_slice() else {
        Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()).for_each(measure);
        return Ok(());
    };
    let times = rest.first().map_or(Ok(1), |times| times.parse()).map_err(|_| "TIMES is no number")?;
    let encoder = match rest.get(1) {
        None => Encoder::new(),
        Some(name) => {
            let kernel = Kernel::ALL.into_iter().find(|kernel| format!("{kernel:?}") == *name);
            kernel.and_then(Encoder::with_kernel).ok_or("this kernel does not run here")?
        }
    };
    for _ in 0..times {
        match what.as_str() {
            "query" => {
                black_box(encoder.encode_query(text));
            }
            "memory" => {
                black_box(encoder.encode_memory("", "", text));
            }
            _ => return Err(format!("`{what}` is neither query nor memory")),
        }
    }
    println!("{} tokens", memdir_encoder::tokens(text).len());
    Ok(())
}

fn vectors() -> std::io::Result<()> {
    let encoder = Encoder::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        for value in encoder.encode_query(&line?).0 {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    out.flush()
}

fn measure(kernel: Kernel) {
    let Some(encoder) = Encoder::with_kernel(kernel) else {
        return;
    };
    println!("{kernel:?}");
    let query = fastest(30, || {
        black_box(encoder.encode_query(PROMPT));
    });
    println!("  prompt of {} tokens: {query:?}", memdir_encoder::tokens(PROMPT).len());
    let memory = fastest(10, || {
        black_box(encoder.encode_memory("No database mocks", "Integration tests hit a real Postgres", BODY));
    });
    println!("  memory, both vectors: {memory:?}");
    scan(kernel);
}

fn scan(kernel: Kernel) {
    const ROWS: usize = 100_000;
    let rows: Vec<i8> = (0..ROWS * DIMENSIONS).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as i8).collect();
    let scales = vec![0.001; ROWS];
    let query = QuantVector { values: std::array::from_fn(|at| at as i8), scale: 0.001 };
    let mut cosines = Vec::new();
    let time = fastest(20, || kernel.dot_scan(&query, &rows, &scales, &mut cosines));
    println!("  scan of {ROWS} rows: {time:?}");
}

fn fastest(times: usize, mut work: impl FnMut()) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_with(once).take(times).min().unwrap_or_default()
}
