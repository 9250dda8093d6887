//! What keeps a host from running what is wired into it (B4).
//!
//! Enters: the host's files, as they are or as a plan will leave them. Leaves: each thing that stands in the way, with what
//! to do about it. Never writes, and never repairs, trusts or switches on for the user: it is their configuration.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use serde_json::Value;

use super::json::{HOOKS, OwnEntries, our_places};
use super::recipe::{FileEdit, Target};
use super::{PlannedFile, current};
use crate::Host;

/// A byte order mark.
pub(crate) const BOM: &str = "\u{feff}";

/// One thing that stands in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What it is, and what it does.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl Obstacle {
    pub(crate) fn new(message: impl Into<String>, remedy: impl Into<String>) -> Obstacle {
        Obstacle { message: message.into(), remedy: remedy.into() }
    }
}

/// A host's files as they will be when a plan is carried out.
pub(crate) struct PlannedFiles<'p> {
    planned: &'p [PlannedFile],
}

impl PlannedFiles<'_> {
    /// The text of a file without a byte order mark. One that is missing or cannot be read says nothing.
    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        let text = self.text_with_mark(path)?;
        Some(text.strip_prefix(BOM).map(str::to_owned).unwrap_or(text))
    }

    /// The text of a file as it stands there.
    pub(crate) fn text_with_mark(&self, path: &Path) -> Option<String> {
        let planned = self.planned.iter().find(|change| change.path == path);
        let bytes = match planned {
            Some(change) => change.after.clone(),
            None => current(path).ok()?,
        };
        String::from_utf8(bytes?).ok()
    }

    /// A file as a host reads it that passes over comments. One that cannot be read says nothing.
    pub(crate) fn json_with_comments(&self, path: &Path) -> Option<Value> {
        with_comments(&self.text(path)?)
    }

    /// What is wrong with a file for a host that passes over comments and nothing else, and does not start with it otherwise.
    pub(crate) fn not_json_but_for_comments(&self, path: &Path, host: Host) -> Option<Obstacle> {
        let text = self.text(path).filter(|text| !text.trim().is_empty())?;
        let error = CstRootNode::parse(&text, &ONLY_COMMENTS).err()?;
        let (title, file, line) = (host.profile().title, path.display(), error.line_display());
        let message = format!(
            "{title} reads {file} as JSON with comments and does not start with it as it is: line {line} is not valid"
        );
        Some(Obstacle::new(message, format!("correct line {line}; a comma before a closing bracket goes")))
    }

    /// A file as a host reads it that knows neither comments nor a comma before a closing bracket.
    pub(crate) fn plain_json(&self, path: &Path, host: Host) -> Result<Option<Value>, Obstacle> {
        let Some(text) = self.text(path).filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|error| {
            let (title, file, line) = (host.profile().title, path.display(), error.line());
            let message = if with_comments(&text).is_some() {
                format!(
                    "{title} reads {file} as JSON without comments or trailing commas, and there is one at line {line}; \
                     it leaves the whole file out, with the hooks in it"
                )
            } else {
                format!("{file} is not valid JSON at line {line}; {title} leaves the whole file out, with the hooks in it")
            };
            Obstacle::new(message, format!("take it out of line {line}"))
        })
    }
}

/// JSON with comments, without all else that people write by hand.
const ONLY_COMMENTS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn with_comments(text: &str) -> Option<Value> {
    CstRootNode::parse(text, &ParseOptions::default()).ok()?.to_serde_value()
}

/// Everything that stands in the way of a host, once `planned` is done.
pub(super) fn find(target: &Target<'_>, host: Host, changes: &[FileEdit], planned: &[PlannedFile]) -> Vec<Obstacle> {
    let files = PlannedFiles { planned };
    let mut found: Vec<Obstacle> = changes.iter().filter_map(|change| unread(change, &files, host)).collect();
    if let Some(look) = host.definition().install.obstacles {
        found.extend(look(target, &files));
    }
    found
}

/// A key that stands there twice: of two, every host takes the last, which need not be the one our hooks are in.
fn unread(change: &FileEdit, files: &PlannedFiles<'_>, host: Host) -> Option<Obstacle> {
    let FileEdit::Json { path, ours: OwnEntries { hooks, host: word, .. } } = change else { return None };
    let read = with_comments(&files.text(path)?)?;
    let there = our_places(&read, word);
    let is_lost = |event: &&str| !there.iter().any(|place| place.event == *event);
    let lost: Vec<&str> = hooks.iter().map(|(event, _)| *event).filter(is_lost).collect();
    let first = lost.first()?;
    let key = if lost.len() == hooks.len() { HOOKS.to_owned() } else { format!("{HOOKS}.{first}") };
    let (title, file) = (host.profile().title, path.display());
    Some(Obstacle::new(
        format!(
            "`{key}` stands more than once in {file}, and {title} reads only the last, where memdir's hooks are not"
        ),
        format!("make one `{key}` of them"),
    ))
}
