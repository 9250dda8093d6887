//! `search`: words in memories, then in transcripts, as they are found. A memory is shown once.

use std::collections::HashSet;

use memdir::engine::{HitPlace, MatchingLine, Memory};
use serde_json::json;

use super::CommandResult;
use crate::failure::Failure;
use crate::ui::{Style, Ui, counted, safe};

/// What to look for.
pub(super) struct SearchQuery<'a> {
    pub(super) term: &'a str,
    pub(super) transcripts: bool,
    pub(super) regex: bool,
    pub(super) limit: usize,
}

pub(super) fn run(memory: &Memory, wanted: &SearchQuery<'_>, ui: &mut Ui) -> CommandResult {
    let mut hits = Vec::new();
    let mut shown = ShownHits::default();
    let mut failed = None;
    let mut count = 0;
    memory.recall().search(wanted.term, wanted.regex, wanted.transcripts, &mut |hit| {
        if ui.json {
            count += 1;
            hits.push(hit);
        } else {
            match shown.take(hit, ui) {
                Ok(new) => count += usize::from(new),
                Err(error) => {
                    failed = Some(Failure::from(error));
                    return false;
                }
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
    count += shown.finish(ui)?;
    if count == 0 {
        let more = if wanted.transcripts { "" } else { " in memory; --transcripts looks into past conversations too" };
        ui.say(format!("Nothing found{more}."));
        if !wanted.regex && wanted.term.split_whitespace().count() > 1 {
            let words = safe(wanted.term);
            ui.say(format!("These words occur nowhere side by side; `memdir recall {words}` searches by meaning."));
        }
    } else if count >= wanted.limit {
        ui.say(format!("Stopped after {count} hits; --limit shows more."));
    }
    Ok(())
}

/// What was found, each memory once: by the line of its text that matches, else by what stands above the text. The line of an
/// index that leads to a memory says nothing that the memory does not.
#[derive(Default)]
struct ShownHits {
    /// The best line of the memory that is looked at, and how many others match.
    best: Option<(MatchingLine, usize)>,
    /// Lines of indexes, until it is known whether their memories match too.
    pointers: Vec<MatchingLine>,
    files: HashSet<String>,
}

impl ShownHits {
    /// Takes a line; true when it is the first of a memory, or of a transcript.
    fn take(&mut self, hit: MatchingLine, ui: &mut Ui) -> std::io::Result<bool> {
        if hit.place == HitPlace::Transcript {
            self.flush(ui)?;
            print(&hit, 0, ui)?;
            return Ok(true);
        }
        if hit.title.is_none() && hit.file.ends_with("MEMORY.md") {
            self.pointers.push(hit);
            return Ok(false);
        }
        match &mut self.best {
            Some((best, more)) if best.file == hit.file && best.scope == hit.scope => {
                *more += 1;
                if is_head(&best.text) {
                    *best = hit;
                }
                Ok(false)
            }
            _ => {
                self.flush(ui)?;
                self.files.insert(hit.file.clone());
                self.best = Some((hit, 0));
                Ok(true)
            }
        }
    }

    fn flush(&mut self, ui: &mut Ui) -> std::io::Result<()> {
        match self.best.take() {
            Some((hit, more)) => print(&hit, more, ui),
            None => Ok(()),
        }
    }

    /// Prints what is left; how many lines of indexes those are.
    fn finish(mut self, ui: &mut Ui) -> std::io::Result<usize> {
        self.flush(ui)?;
        let leads = |hit: &&MatchingLine| {
            let name = |file: &String| file.rsplit('/').next().unwrap_or(file).to_owned();
            !self.files.iter().any(|file| hit.text.contains(&format!("{})", name(file))))
        };
        let alone: Vec<&MatchingLine> = self.pointers.iter().filter(leads).collect();
        alone.iter().try_for_each(|hit| print(hit, 0, ui))?;
        Ok(alone.len())
    }
}

/// Whether a line is one of the frontmatter that repeats what the text says.
fn is_head(text: &str) -> bool {
    ["name:", "description:"].iter().any(|key| text.starts_with(key))
}

fn print(hit: &MatchingLine, more: usize, ui: &mut Ui) -> std::io::Result<()> {
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
    let more = if more == 0 { String::new() } else { format!("  (+{})", counted(more, "line", "lines")) };
    let line = format!(
        "{} {} {}{}",
        ui.paint(Style::Bold, &place),
        ui.paint(Style::Dim, &scope),
        safe(hit.text.trim()),
        ui.paint(Style::Dim, &more)
    );
    ui.line(line)
}
