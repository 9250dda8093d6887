//! How fast a long Claude Code transcript is read: only its end, and all of it.
//!
//! `cargo run --release -p memdir --example bench_transcript [MEGABYTES]` makes such a file in the temporary directory
//! and removes it afterwards.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a command-line program")]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use memdir::hosts::Host;
use memdir::hosts::transcript::read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let megabytes: usize = std::env::args().nth(1).map_or(Ok(500), |given| given.parse())?;
    let path = std::env::temp_dir().join(format!("memdir-bench-{}.jsonl", std::process::id()));
    let turns = write(&path, megabytes * 1_000_000)?;
    let measured = measure(&path, turns);
    std::fs::remove_file(&path)?;
    measured
}

fn measure(path: &Path, turns: usize) -> Result<(), Box<dyn std::error::Error>> {
    let megabytes = std::fs::metadata(path)?.len() as f64 / 1e6;
    // Once for the cache of the system.
    run(path, None)?;
    for (what, since) in [
        ("the last turn", Some(format!("a{:08}", turns - 2))),
        ("the last 100 turns", Some(format!("a{:08}", turns - 101))),
        ("the second half", Some(format!("a{:08}", turns / 2))),
        ("all, the cursor is lost", Some("gone".to_owned())),
    ] {
        let start = Instant::now();
        let messages = run(path, since.as_deref())?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{what:<24} {messages:>8} messages {:>9.1} ms {:>10.0} MB/s of the file, {} MB resident",
            seconds * 1e3,
            megabytes / seconds,
            resident()
        );
    }
    Ok(())
}

fn run(path: &Path, since: Option<&str>) -> Result<usize, Box<dyn std::error::Error>> {
    let mut count = 0;
    read(path, Host::ClaudeCode, since, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    })?;
    Ok(count)
}

/// Turns of a prompt, a call with a large result, and an answer.
fn write(path: &Path, bytes: usize) -> std::io::Result<usize> {
    let mut out = BufWriter::new(File::create(path)?);
    let result = "let total = lines.iter().map(|line| line.amount).sum::<u64>();\\n".repeat(120);
    let (mut written, mut turn, mut parent) = (0, 0, "null".to_owned());
    while written < bytes {
        let common = "\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/w\",\"sessionId\":\"s\",\"timestamp\":\"2026-11-15T06:27:29.373Z\"";
        let lines = [
            format!(
                "{{\"parentUuid\":{parent},{common},\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"please look at number {turn}\"}},\"uuid\":\"u{turn:08}\"}}\n"
            ),
            format!(
                "{{\"parentUuid\":\"u{turn:08}\",{common},\"type\":\"assistant\",\"message\":{{\"id\":\"m{turn}\",\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"name\":\"Read\",\"input\":{{\"file_path\":\"src/a.rs\"}}}}]}},\"uuid\":\"t{turn:08}\"}}\n"
            ),
            format!(
                "{{\"parentUuid\":\"t{turn:08}\",{common},\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"content\":\"{result}\"}}]}},\"toolUseResult\":{{\"stdout\":\"{result}\"}},\"uuid\":\"r{turn:08}\"}}\n"
            ),
            format!(
                "{{\"parentUuid\":\"r{turn:08}\",{common},\"type\":\"assistant\",\"message\":{{\"id\":\"n{turn}\",\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"done\"}}]}},\"uuid\":\"a{turn:08}\"}}\n"
            ),
        ];
        for line in &lines {
            out.write_all(line.as_bytes())?;
            written += line.len();
        }
        parent = format!("\"a{turn:08}\"");
        turn += 1;
    }
    out.flush()?;
    Ok(turn)
}

/// Memory of this process, in megabytes; 0 where the system does not say.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096 / 1_000_000
}
