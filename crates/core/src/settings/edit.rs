//! One setting changed in the text of a `config.toml`.
//!
//! Enters: the text, a key, a value. Leaves: the new text, in which comments, order and spacing of
//! everything else are as they were. Never writes: the caller does.

use toml_edit::{DocumentMut, Item, Table, value};

use super::{
    keys::{KEYS, SettingKey},
    value::SettingValue,
};
use crate::nearest::nearest;
use crate::warning::quoted;

/// Why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// No such key.
    #[error("{} is not a setting{}", quoted(.0), .1.map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
    UnknownKey(String, Option<&'static str>),
    /// The key takes something else.
    #[error("`{key}` takes {accepts}, not {}", quoted(.given))]
    BadValue {
        /// The key.
        key: &'static str,
        /// What was given.
        given: String,
        /// What it takes.
        accepts: String,
    },
    /// The file is not TOML, so it cannot be changed without losing something.
    #[error("the settings file is not valid TOML ({0}); correct it by hand first")]
    Broken(String),
    /// The section's name is taken by a plain value.
    #[error("the settings file has a plain value where the section [{0}] belongs; correct it by hand first")]
    NotASection(&'static str),
}

impl SetError {
    /// A key that does not exist, with the nearest one that does.
    pub fn unknown(key: &str) -> SetError {
        SetError::UnknownKey(key.to_owned(), nearest(key, KEYS.iter().map(|key| key.name)))
    }
}

/// The text with one key set.
pub fn set(text: &str, key: &str, given: &str) -> Result<String, SetError> {
    let known = SettingKey::named(key).ok_or_else(|| SetError::unknown(key))?;
    let new = known.kind.parse(given).ok_or_else(|| SetError::BadValue {
        key: known.name,
        given: given.to_owned(),
        accepts: known.kind.accepts(),
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let mut document: DocumentMut =
        text.parse().map_err(|why: toml_edit::TomlError| SetError::Broken(why.message().to_owned()))?;
    // A file of comments only would otherwise have its first setting put above them.
    let mut comments = String::new();
    if document.is_empty() && !text.is_empty() {
        document = DocumentMut::new();
        comments.push_str(text.trim_end_matches(['\r', '\n']));
        comments.push('\n');
    }
    let (section, name) = known.name.split_once('.').unwrap_or(("", known.name));
    let table = if section.is_empty() {
        document.as_table_mut()
    } else {
        document
            .entry(section)
            .or_insert_with(|| Item::Table(Table::new()))
            .as_table_like_mut()
            .ok_or(SetError::NotASection(section))?
    };
    match table.get_mut(name) {
        Some(Item::Value(old)) => {
            // The comment behind the old value belongs to the line, not to the value.
            let decor = old.decor().clone();
            *old = toml_value(new);
            *old.decor_mut() = decor;
        }
        _ => drop(table.insert(name, value(toml_value(new)))),
    }
    Ok(comments + &document.to_string())
}

fn toml_value(value: SettingValue) -> toml_edit::Value {
    match value {
        SettingValue::Bool(on) => on.into(),
        // Ranges end far below the largest TOML integer.
        SettingValue::Integer(number) => i64::try_from(number).unwrap_or(i64::MAX).into(),
        SettingValue::Fraction(share) => share.into(),
        SettingValue::Word(word) => word.into(),
        SettingValue::Text(text) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z1_setting_a_key_keeps_everything_else() {
        for (text, key, given, want) in [
            ("", "recall.enabled", "false", "[recall]\nenabled = false\n"),
            ("", "mode", "team", "mode = \"team\"\n"),
            (
                "# mine\n[recall] # r\n  enabled   =  true  # why\nselector = 'local'\n",
                "recall.enabled",
                "off",
                "# mine\n[recall] # r\n  enabled   =  false  # why\nselector = 'local'\n",
            ),
            ("recall.enabled = true\n", "recall.enabled", "no", "recall.enabled = false\n"),
            ("recall = { enabled = true }\n", "recall.enabled", "no", "recall = { enabled = false }\n"),
            ("[dream]\nmin_hours = 1\n", "review", "yes", "review = true\n[dream]\nmin_hours = 1\n"),
            ("[dream]\nmin_hours = 1\n", "dream.max_loss", "0.05", "[dream]\nmin_hours = 1\nmax_loss = 0.05\n"),
            ("strange = 1\n[x]\ny=2\n", "dream.min_hours", "48", "strange = 1\n[x]\ny=2\n\n[dream]\nmin_hours = 48\n"),
            (
                "a = 1\r\n[dream]\r\nmin_hours = 1 # é\r\n",
                "dream.min_hours",
                "2",
                "a = 1\n[dream]\nmin_hours = 2 # é\n",
            ),
        ] {
            assert_eq!(set(text, key, given).as_deref(), Ok(want), "{text:?} {key}={given}");
        }
    }

    #[test]
    fn z1_a_wrong_key_or_value_says_what_would_be_right() {
        let message = |text, key, given| set(text, key, given).unwrap_err().to_string();
        assert!(message("", "recal.enabled", "true").contains("did you mean `recall.enabled`?"));
        assert!(message("", "mode", "fast").contains("one of normal, team, log"));
        assert!(message("", "dream.min_hours", "-1").contains("whole number from 0"));
        assert!(message("= broken", "mode", "log").contains("not valid TOML"));
        assert!(message("recall = 1", "recall.enabled", "true").contains("[recall]"));
    }

    #[test]
    fn z1_byte_order_marks_are_no_part_of_the_settings() {
        for text in ["\u{feff}", "\u{feff}\u{feff}", "\u{feff}\u{feff}# mine\nreview = true\n"] {
            let once = set(text, "mode", "log").unwrap();
            assert!(!once.contains('\u{feff}'), "{once:?}");
            assert_eq!(set(&once, "mode", "log").as_deref(), Ok(&*once));
        }
    }

    #[test]
    fn z1_every_key_can_be_set_and_set_again() {
        let mut text = String::from("# top\n");
        for _ in 0..2 {
            for key in KEYS {
                text = set(&text, key.name, &key.default().to_string()).unwrap();
            }
        }
        assert_eq!(text.matches("every_turns").count(), 1);
        assert!(text.starts_with("# top\n"));
    }
}
