//! Screens the texts on standard input, each ended by a zero byte, and says what is found in each; `--time` says what one
//! look at the first of them costs.

#![expect(clippy::print_stdout, reason = "an example talks to a terminal")]

use std::io::Read as _;
use std::time::Instant;

use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;

fn main() -> std::io::Result<()> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let mut texts = input.split_terminator('\0');
    if std::env::args().any(|argument| argument == "--time") {
        let text = texts.next().unwrap_or_default();
        time("secrets", || secrets::scan(text).len());
        time("orders", || usize::from(PromptInjection::read(text).is_planted()));
        return Ok(());
    }
    for text in texts {
        let place = |found: &secrets::Finding| format!("{}@{}-{}", found.rule, found.start, found.end);
        let found: Vec<String> = secrets::scan(text).iter().map(place).collect();
        let orders = PromptInjection::read(text);
        println!("{} | {} | {}", found.join(","), if orders.is_planted() { "planted" } else { "" }, orders.reasons());
    }
    Ok(())
}

/// The first look, which compiles patterns, and the median of many.
fn time(what: &str, look: impl Fn() -> usize) {
    let mut took: Vec<_> = (0..501)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(look());
            start.elapsed()
        })
        .collect();
    let first = took[0];
    took.sort();
    println!("{what}: first {first:?}, then {:?}", took[took.len() / 2]);
}
