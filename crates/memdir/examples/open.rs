//! The memory of the working directory: `cargo run -p memdir --example open`
#![allow(clippy::print_stdout)]
use memdir::engine::{RecallRequest, Remember};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let memory = memdir::open_here()?;
    let text = "Run the tests with `just check`, because plain cargo test skips the fixtures.".into();
    memory.files().remember(&Remember { text, ..Remember::default() })?;
    let recalled = memory.recall().for_prompt(RecallRequest::new("How do I run the tests?"))?;
    println!("{}", recalled.reminder);
    Ok(())
}
