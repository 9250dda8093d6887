//! Whether a job would run now.
//!
//! Enters and leaves: nothing; the word that dreaming, learning, sync and `status` share.

use serde::Serialize;

/// Whether a job would run now, and why or why not.
#[derive(Clone, Debug, Serialize)]
pub struct JobGate {
    /// Whether it would.
    pub run: bool,
    /// The name of the reason.
    pub reason: String,
}

impl JobGate {
    /// The reason in words that a person reads.
    pub fn words(&self) -> String {
        let (name, detail) = self.reason.split_once(':').unwrap_or((&self.reason, ""));
        let (have, need) = detail.split_once("-of-").unwrap_or((detail, ""));
        let number = |text: &str| text.trim_end_matches('h').parse::<u64>().unwrap_or(0);
        let missing = number(need).saturating_sub(number(have));
        let counted = |one: &str, many: &str| format!("{missing} more {}", if missing == 1 { one } else { many });
        match name {
            "few-sessions" => format!("{} until the next dream", counted("session", "sessions")),
            "too-soon" => format!("{} until the next dream", counted("hour", "hours")),
            "running" => format!("process {detail} is already doing it"),
            "no-memories" => "there are no memories yet".to_owned(),
            "no-directory" => format!("there is no directory for it: {}", spaced(detail)),
            "off" => format!("memory is off: {}", spaced(detail)),
            "setting" => format!("the setting `{detail}` says so"),
            "no-model" => format!("no model: {}", spaced(detail)),
            "due" => "it is time".to_owned(),
            "offline" | "local" => "by the built-in engine".to_owned(),
            "model" => "by a model".to_owned(),
            _ => spaced(&self.reason),
        }
    }
}

/// A name of several words, as words.
fn spaced(name: &str) -> String {
    name.replace('-', " ")
}

#[cfg(test)]
mod tests {
    use super::JobGate;

    #[test]
    fn no_code_is_left_where_a_person_reads() {
        for (reason, want) in [
            ("few-sessions:0-of-5", "5 more sessions until the next dream"),
            ("few-sessions:4-of-5", "1 more session until the next dream"),
            ("too-soon:3h-of-24h", "21 more hours until the next dream"),
            ("setting:dream.enabled", "the setting `dream.enabled` says so"),
            ("no-memories", "there are no memories yet"),
            ("nothing-new", "nothing new"),
        ] {
            assert_eq!(JobGate { run: false, reason: reason.to_owned() }.words(), want);
        }
    }
}
