//! The old gate names as aliases of settings (Z3).
//!
//! Enters: the text of `MEMDIR_GATES`, `name=value,…`. Leaves: the keys it sets, what it says of
//! the mode, and warnings. Never knows where the text came from.

use serde_json::Value as Json;

use super::{
    keys::SettingKey,
    value::{Mode, SettingValue},
};
use crate::nearest::nearest;
use crate::surroundings::truth;
use crate::warning::{Warning, quoted};

/// The variable that holds the gates.
pub(super) const VARIABLE: &str = "MEMDIR_GATES";

/// Gates that are one key under another name.
const ALIASES: &[(&str, &str)] = &[
    ("tengu_coral_fern", "search.section"),
    ("tengu_passport_quail", "extract.enabled"),
    ("EXTRACT_MEMORIES", "extract.enabled"),
    ("tengu_slate_thimble", "extract.non_interactive"),
    ("tengu_bramble_lintel", "extract.every_turns"),
    ("tengu_session_memory", "notes.enabled"),
];

/// The members of `tengu_sm_config`.
const NOTES: &[(&str, &str)] = &[
    ("minimumMessageTokensToInit", "notes.first_tokens"),
    ("minimumTokensBetweenUpdate", "notes.every_tokens"),
    ("toolCallsBetweenUpdates", "notes.tool_calls"),
];

/// Recall on and index not required, or the other way round.
const RECALL: &str = "tengu_moth_copse";
const NOTES_CONFIG: &str = "tengu_sm_config";
const LOG: &str = "KAIROS";
const TEAM: &str = "TEAMMEM";

/// What the gates say.
#[derive(Debug, Default)]
pub(super) struct Gates {
    pub(super) set: Vec<(&'static SettingKey, SettingValue)>,
    pub(super) warnings: Vec<Warning>,
    log: Option<bool>,
    team: Option<bool>,
}

impl Gates {
    pub(super) fn parse(text: &str) -> Gates {
        let mut gates = Gates::default();
        for part in split(text) {
            let (name, value) = part.split_once('=').unwrap_or((part, "true"));
            if !name.trim().is_empty() {
                gates.open(name.trim(), value.trim());
            }
        }
        gates
    }

    /// The mode after the gates: log goes before team, team before normal.
    pub(super) fn mode(&self, now: Mode) -> Mode {
        match (now, self.log, self.team) {
            (_, Some(true), _) | (Mode::Log, None, _) => Mode::Log,
            (_, _, Some(true)) | (Mode::Team, _, None) => Mode::Team,
            _ => Mode::Normal,
        }
    }

    fn open(&mut self, name: &str, value: &str) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if let Some((_, key)) = ALIASES.iter().find(|(gate, _)| is(gate)) {
            self.assign(name, key, value);
        } else if is(NOTES_CONFIG) {
            self.notes(name, value);
        } else if is(RECALL) || is(LOG) || is(TEAM) {
            match truth(value) {
                None => self.warn("bad-value", name, format!("{} is neither true nor false; ignored", quoted(value))),
                Some(on) if is(LOG) => self.log = Some(on),
                Some(on) if is(TEAM) => self.team = Some(on),
                Some(on) => {
                    self.assign(name, "recall.enabled", if on { "true" } else { "false" });
                    self.assign(name, "index.required", if on { "false" } else { "true" });
                }
            }
        } else {
            let known = ALIASES.iter().map(|(gate, _)| *gate).chain([RECALL, NOTES_CONFIG, LOG, TEAM]);
            let hint = nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            self.warn("unknown-gate", name, format!("no gate has this name{hint}"));
        }
    }

    fn notes(&mut self, name: &str, value: &str) {
        let Ok(Json::Object(members)) = serde_json::from_str(value) else {
            return self.warn("bad-value", name, format!("{} is not a JSON object; ignored", quoted(value)));
        };
        for (member, value) in &members {
            match NOTES.iter().find(|(known, _)| known == member) {
                Some((_, key)) => self.assign(name, key, &value.to_string()),
                None => self.warn("unknown-key", name, format!("{} is not a member of it; ignored", quoted(member))),
            }
        }
    }

    fn assign(&mut self, gate: &str, key: &str, text: &str) {
        let Some(key) = SettingKey::named(key) else { return };
        match key.kind.parse(text) {
            Some(value) => self.set.push((key, value)),
            None => self.warn(
                "bad-value",
                gate,
                format!("{} is not {} (`{}`); ignored", quoted(text), key.kind.accepts(), key.name),
            ),
        }
    }

    fn warn(&mut self, id: &'static str, gate: &str, message: String) {
        self.warnings.push(Warning::new(id, format!("{VARIABLE}, {}", quoted(gate)), message));
    }
}

/// Cuts at the commas that are not inside braces or quotes: one value is JSON.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut in_quotes, mut escaped) = (0_usize, false, false);
    text.split(move |ch| {
        match ch {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '"' => in_quotes = !in_quotes,
            '{' | '[' if !in_quotes => depth += 1,
            '}' | ']' if !in_quotes => depth = depth.saturating_sub(1),
            ',' => return depth == 0 && !in_quotes,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        Gates::parse(text).set.iter().map(|(key, value)| format!("{}={value}", key.name)).collect()
    }

    #[test]
    fn z3_each_gate_sets_its_keys() {
        for (text, want) in [
            ("tengu_moth_copse=true", vec!["recall.enabled=true", "index.required=false"]),
            ("tengu_moth_copse=0", vec!["recall.enabled=false", "index.required=true"]),
            ("tengu_coral_fern=false", vec!["search.section=false"]),
            ("tengu_passport_quail=off", vec!["extract.enabled=false"]),
            ("EXTRACT_MEMORIES", vec!["extract.enabled=true"]),
            ("tengu_slate_thimble=false", vec!["extract.non_interactive=false"]),
            ("tengu_bramble_lintel=4", vec!["extract.every_turns=4"]),
            ("tengu_session_memory=false", vec!["notes.enabled=false"]),
            (
                r#"tengu_sm_config={"minimumMessageTokensToInit":20000,"minimumTokensBetweenUpdate":9,"toolCallsBetweenUpdates":7}"#,
                vec!["notes.first_tokens=20000", "notes.every_tokens=9", "notes.tool_calls=7"],
            ),
            (
                " tengu_coral_fern = no , , tengu_bramble_lintel=2,",
                vec!["search.section=false", "extract.every_turns=2"],
            ),
        ] {
            assert_eq!(keys(text), want, "{text}");
            assert_eq!(Gates::parse(text).warnings, [], "{text}");
        }
    }

    #[test]
    fn z3_log_goes_before_team_and_team_before_normal() {
        for (text, now, want) in [
            ("KAIROS=true,TEAMMEM=true", Mode::Normal, Mode::Log),
            ("TEAMMEM=true", Mode::Normal, Mode::Team),
            ("TEAMMEM=true", Mode::Log, Mode::Log),
            ("KAIROS=true", Mode::Team, Mode::Log),
            ("KAIROS=false", Mode::Log, Mode::Normal),
            ("KAIROS=false,TEAMMEM", Mode::Log, Mode::Team),
            ("TEAMMEM=false", Mode::Team, Mode::Normal),
            ("TEAMMEM=false", Mode::Log, Mode::Log),
            ("KAIROS=false", Mode::Team, Mode::Team),
            ("tengu_coral_fern", Mode::Team, Mode::Team),
        ] {
            assert_eq!(Gates::parse(text).mode(now), want, "{text} on {now:?}");
        }
    }

    #[test]
    fn z3_what_is_wrong_is_named_and_changes_nothing() {
        for (text, id, hint) in [
            ("tengu_moth_corpse=true", "unknown-gate", "tengu_moth_copse"),
            ("tengu_bramble_lintel=often", "bad-value", "whole number from 1"),
            ("KAIROS=perhaps", "bad-value", "neither"),
            ("tengu_sm_config=[1]", "bad-value", "JSON object"),
            (r#"tengu_sm_config={"x":1}"#, "unknown-key", "x"),
            (r#"tengu_sm_config={"toolCallsBetweenUpdates":"no"}"#, "bad-value", "notes.tool_calls"),
        ] {
            let gates = Gates::parse(text);
            assert_eq!(gates.set.len(), 0, "{text}");
            assert_eq!(gates.warnings.len(), 1, "{text}");
            assert_eq!(gates.warnings[0].id, id, "{text}");
            assert!(gates.warnings[0].message.contains(hint), "{}", gates.warnings[0]);
        }
    }
}
