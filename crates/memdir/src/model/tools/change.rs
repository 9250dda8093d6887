//! Edit and Write, in the copy.

use super::ask::Edit;
use crate::guard::confine::RelPath;
use crate::limits;
use crate::store::staging::Staging;

pub(super) fn edit(staging: &Staging, file: &RelPath, ask: &Edit) -> Result<String, String> {
    check(staging, file)?;
    let Some(bytes) = staging.read(file).map_err(|error| error.to_string())? else {
        // Editing nothing into a file that is not there is how some models write one.
        return if ask.old.is_empty() { write(staging, file, &ask.new) } else { Err(format!("{file} does not exist")) };
    };
    let text = String::from_utf8(bytes).map_err(|_| format!("{file} is not valid UTF-8 and cannot be edited"))?;
    if ask.old.is_empty() {
        return Err("old_string is empty, and the file is not; say what to replace".to_owned());
    }
    if ask.old == ask.new {
        return Err("old_string and new_string are the same".to_owned());
    }
    // A model sees and writes plain line feeds, whatever the file has.
    let windows = !text.contains(&ask.old) && text.contains("\r\n");
    let spelled = |text: &str| if windows { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text.to_owned() };
    let (old, new) = (spelled(&ask.old), spelled(&ask.new));
    let count = text.matches(&old).count();
    match count {
        0 => return Err(format!("old_string does not stand in {file}; read it and give the text exactly")),
        1 => {}
        _ if ask.all => {}
        _ => {
            return Err(format!(
                "old_string stands in {file} {count} times; give more of the text, or set replace_all"
            ));
        }
    }
    let changed = if ask.all { text.replace(&old, &new) } else { text.replacen(&old, &new, 1) };
    put(staging, file, &changed)?;
    Ok(format!(
        "replaced {} in {file}",
        if ask.all && count > 1 { format!("{count} pieces") } else { "the text".to_owned() }
    ))
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
