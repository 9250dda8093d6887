//! `search`: words in memories, then in transcripts, as they are found.

use memdir::engine::{HitPlace, Memory};
use serde_json::json;

use super::Outcome;
use crate::failure::Failure;
use crate::ui::{Style, Ui, safe};

/// What to look for.
pub(super) struct Wanted<'a> {
    pub(super) term: &'a str,
    pub(super) transcripts: bool,
    pub(super) regex: bool,
    pub(super) limit: usize,
}

pub(super) fn run(memory: &Memory, wanted: &Wanted<'_>, ui: &mut Ui) -> Outcome {
    let mut hits = Vec::new();
    let mut failed = None;
    let mut count = 0;
    memory.recall().search(wanted.term, wanted.regex, wanted.transcripts, &mut |hit| {
        count += 1;
        if ui.json {
            hits.push(hit);
        } else {
            let scope = match (hit.place, hit.scope) {
                (HitPlace::Transcript, _) => "transcript",
                (_, Some(scope)) => scope.as_str(),
                (HitPlace::Memory, None) => "project",
            };
            let scope = match &hit.from {
                Some(from) => format!("{scope}, from {}", safe(from)),
                None => scope.to_owned(),
            };
            let place = format!("{}:{}", safe(&hit.file), hit.line);
            let line =
                format!("{} {} {}", ui.paint(Style::Bold, &place), ui.paint(Style::Dim, &scope), safe(hit.text.trim()));
            if let Err(error) = ui.line(line) {
                failed = Some(Failure::from(error));
                return false;
            }
        }
        count < wanted.limit
    })?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    if ui.json {
        return Ok(ui.print_json(&json!({ "hits": hits }))?);
    }
    if count == 0 {
        let more = if wanted.transcripts { "" } else { " in memory; --transcripts looks into past conversations too" };
        ui.say(format!("Nothing found{more}."));
    } else if count >= wanted.limit {
        ui.say(format!("Stopped after {count} hits; --limit shows more."));
    }
    Ok(())
}
