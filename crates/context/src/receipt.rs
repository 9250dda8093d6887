//! What went into a context and what did not.
//!
//! Enters: finished blocks and the names of things. Leaves: the `blocks` and `receipt` of
//! `memdir context --json`. Never decides anything: whoever cuts or drops says so here.

use serde::{Deserialize, Serialize};

/// One piece of context, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextBlock {
    /// `manual`, `rules`, `project-index`, `index`, `team-index`, `user-index` or `agent-index`.
    pub name: String,
    /// Length of `text`.
    pub bytes: usize,
    /// Whether something of it was left out.
    pub cut: bool,
    /// What the model reads.
    pub text: String,
}

impl ContextBlock {
    /// A block of this text.
    pub fn new(name: &str, text: String, cut: bool) -> ContextBlock {
        ContextBlock { name: name.to_owned(), bytes: text.len(), cut, text }
    }
}

/// What was loaded whole, loaded in part, and not loaded, each with its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Names or paths of what was loaded.
    pub loaded: Vec<String>,
    /// `<name>: <why>` for what was loaded in part.
    pub cut: Vec<String>,
    /// `<name>: <why>` for what was left out.
    pub dropped: Vec<String>,
}

impl Receipt {
    /// Notes something that is in the context whole.
    pub fn loaded(&mut self, name: &str) {
        self.loaded.push(name.to_owned());
    }

    /// Notes something of which only a part is in the context.
    pub fn cut(&mut self, name: &str, why: &str) {
        self.cut.push(format!("{name}: {why}"));
    }

    /// Notes something that is not in the context.
    pub fn dropped(&mut self, name: &str, why: &str) {
        self.dropped.push(format!("{name}: {why}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_fields_of_the_contract() {
        let block = ContextBlock::new("index", "- é".to_owned(), true);
        assert_eq!(serde_json::to_string(&block).unwrap(), r#"{"name":"index","bytes":4,"cut":true,"text":"- é"}"#);
        let mut receipt = Receipt::default();
        receipt.loaded("manual");
        receipt.cut("index", "over 200 lines");
        receipt.dropped("team-index", "no such file");
        assert_eq!(
            serde_json::to_string(&receipt).unwrap(),
            r#"{"loaded":["manual"],"cut":["index: over 200 lines"],"dropped":["team-index: no such file"]}"#
        );
    }
}
