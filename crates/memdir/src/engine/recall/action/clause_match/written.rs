//! What a clause means in a text that is about to be written, or among packages that are about to be installed.
//!
//! Enters: a clause with its things, and an operation. Leaves: in the match, whether something of it is written, and where the clause
//! names it.

use memdir_reader::subjects::{Clause, ClauseWord};

use super::super::operation::Operation;
use super::super::things::{NamedThing, ThingKind};
use super::{ClauseMatch, say};

/// Names that are about to be written, and packages that are about to be installed.
pub(super) fn written(clause: &Clause, things: &[NamedThing], operation: &Operation, matched: &mut ClauseMatch) {
    let packages: &[String] = if operation.activities.contains("install-package") {
        operation.told.get(1..).unwrap_or_default()
    } else {
        &[]
    };
    let package = |name: &str| {
        let name = name.to_lowercase();
        packages.iter().any(|told| {
            *told == name
                || told.split(['@', '=', '<', '>', '[']).next() == Some(name.as_str())
                || told.rsplit('/').next() == Some(name.as_str())
        })
    };
    if let Some(word) = clause.words.iter().find(|word| word.text.len() > 2 && package(word.as_written())) {
        matched.written = true;
        say(matched, word.as_written());
        return;
    }
    let Some(text) = &operation.written else { return };
    let code = things.iter().find(|thing| {
        let said = match thing.what {
            ThingKind::Name | ThingKind::Path | ThingKind::Variable | ThingKind::Option => {
                thing.text.len() > 1 && text.says(&thing.text)
            }
            ThingKind::Command(_) => thing.coded && text.says(&thing.text),
            ThingKind::Host => text.says(&thing.text),
        };
        said && (thing.coded || thing.text.len() > 3)
    });
    if let Some(thing) = code {
        matched.written = true;
        matched.written_at = Some(thing.at);
        say(matched, &thing.text);
        return;
    }
    let single = |word: &ClauseWord| word.text.strip_suffix('s').unwrap_or(&word.text).to_owned();
    let prose = || clause.words.iter().filter(|word| word.code == 0 && word.text.is_ascii() && word.text.len() > 3);
    let named = prose().find(|word| {
        text.modules.contains(&word.text) || text.called.contains(&single(word)) && text.names.contains(&single(word))
    });
    let side_by_side = || {
        clause.words.windows(2).find(|pair| {
            pair.iter().all(|word| word.code == 0 && word.text.len() > 3 && word.text.is_ascii())
                && text.joins(&pair[0].text, &pair[1].text)
        })
    };
    if let Some(word) = named.or_else(|| side_by_side().map(|pair| &pair[0])) {
        matched.written_at = clause.words.iter().position(|other| std::ptr::eq(other, word));
        matched.written = true;
        say(matched, word.as_written());
    }
}
