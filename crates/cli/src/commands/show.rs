//! `show`: print a memory as it is.

use std::io::IsTerminal as _;

use memdir::engine::Memory;
use memdir::store::topic::Flag;
use serde_json::json;

use super::{CommandResult, naming};
use crate::ui::{Ui, safe};

pub(super) fn run(memory: &Memory, words: &[String], ui: &mut Ui) -> CommandResult {
    let opened = memory.files().open(&naming::to_read(memory, words, ui)?)?;
    let text = opened.text();
    if !ui.json {
        if let Some(origin) = &opened.origin {
            ui.say(format!("from {}", safe(&origin.shown())));
        }
        return Ok(ui.raw(&if std::io::stdout().is_terminal() { safe(&text) } else { text })?);
    }
    // An index has no frontmatter to be flagged.
    let flags: Vec<_> = if opened.memory_ref.file.is_index() {
        Vec::new()
    } else {
        opened.topic.flags().iter().map(Flag::id).collect()
    };
    let mut card = opened.card();
    card.insert("flags".into(), json!(flags));
    card.insert("from".into(), json!(opened.origin));
    card.insert("text".into(), json!(text));
    Ok(ui.print_json(&card)?)
}
