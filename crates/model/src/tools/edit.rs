//! Edit and Write, in the copy.

use super::input::EditInput;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_store::staging::Staging;

pub(super) fn edit(staging: &Staging, file: &RelPath, ask: &EditInput) -> Result<String, String> {
    check(staging, file)?;
    let Some(bytes) = staging.read(file).map_err(|error| error.to_string())? else {
        // Editing nothing into a file that is not there is how some models write one.
        return if ask.old.is_empty() { write(staging, file, &ask.new) } else { Err(format!("{file} does not exist")) };
    };
    let text = String::from_utf8(bytes).map_err(|_| format!("{file} is not valid UTF-8 and cannot be edited"))?;
    let (changed, count) = ask.apply(file, &text)?;
    put(staging, file, &changed)?;
    Ok(format!("replaced {} in {file}", if count > 1 { format!("{count} pieces") } else { "the text".to_owned() }))
}

pub(super) fn write(staging: &Staging, file: &RelPath, content: &str) -> Result<String, String> {
    check(staging, file)?;
    put(staging, file, content)?;
    Ok(if content.trim().is_empty() {
        format!("{file} is to be forgotten")
    } else {
        format!("wrote {} bytes to {file}", content.len())
    })
}

fn check(staging: &Staging, file: &RelPath) -> Result<(), String> {
    if staging.is_left_out(file) {
        return Err(format!("{file} is too large to be changed here"));
    }
    Ok(())
}

fn put(staging: &Staging, file: &RelPath, content: &str) -> Result<(), String> {
    if content.len() > limits::TOPIC_BYTES {
        return Err(format!("{file} would have {} bytes, more than a memory may have", content.len()));
    }
    staging.write(file, content.as_bytes()).map_err(|error| error.to_string())
}
