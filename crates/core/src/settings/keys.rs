//! Every key of memdir's settings in one table (Z2).
//!
//! Enters: nothing. Leaves: for each key its name, kind, default, meaning and how far a committed
//! file may go with it, and a struct with one typed field a key. Never reads anything: merging is
//! in the modules beside this one.

use super::value::{
    AgentChoice, BeforeAction, Driver, IndexUnit, Mode, Selector, SettingField, SettingValue, ValueKind, WireChoice,
};
use crate::limits;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct SettingKey {
    /// As in `config.toml`: `recall.enabled`.
    pub name: &'static str,
    /// What it takes.
    pub kind: ValueKind,
    /// What it is for, in one sentence.
    pub doc: &'static str,
    /// What a file committed in a project may do with it.
    pub tighten: Tighten,
    pub(super) get: fn(&SettingValues) -> SettingValue,
    pub(super) put: fn(&mut SettingValues, SettingValue) -> bool,
}

/// The direction in which a committed project file may move a value (Z1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tighten {
    /// Not at all.
    Never,
    /// From on to off.
    Off,
    /// From off to on.
    On,
    /// To a larger number.
    Larger,
    /// To a smaller number.
    Smaller,
}

impl Tighten {
    /// What is allowed, for a message.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Tighten::Never => "a committed file has no say in it",
            Tighten::Off => "a committed file may only switch it off",
            Tighten::On => "a committed file may only switch it on",
            Tighten::Larger => "a committed file may only raise it",
            Tighten::Smaller => "a committed file may only lower it",
        }
    }

    pub(super) fn allows(self, now: &SettingValue, wanted: &SettingValue) -> bool {
        match (self, now, wanted) {
            (Tighten::Off, _, SettingValue::Bool(on)) => !*on,
            (Tighten::On, _, SettingValue::Bool(on)) => *on,
            (Tighten::Larger, SettingValue::Integer(now), SettingValue::Integer(wanted)) => wanted > now,
            (Tighten::Smaller, SettingValue::Fraction(now), SettingValue::Fraction(wanted)) => wanted < now,
            (Tighten::Smaller, SettingValue::Integer(now), SettingValue::Integer(wanted)) => wanted < now,
            _ => false,
        }
    }
}

impl SettingKey {
    /// The key of this name.
    pub fn named(name: &str) -> Option<&'static SettingKey> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The key of this variable: `MEMDIR_RECALL_ENABLED`.
    pub(super) fn of_variable(variable: &str) -> Option<&'static SettingKey> {
        let tail = variable.strip_prefix(PREFIX)?;
        KEYS.iter()
            .find(|key| tail.len() == key.name.len() && tail.bytes().zip(key.name.bytes()).all(|(a, b)| a == upper(b)))
    }

    /// The variable that sets this key.
    pub fn variable(&self) -> String {
        PREFIX.chars().chain(self.name.bytes().map(|byte| char::from(upper(byte)))).collect()
    }

    /// The value nobody has to set.
    pub fn default(&self) -> SettingValue {
        (self.get)(&SettingValues::default())
    }
}

/// Every variable of memdir starts with this.
pub(super) const PREFIX: &str = "MEMDIR_";

/// The variables of memdir that are not settings keys.
pub const OTHER_VARIABLES: &[&str] = &[
    "MEMDIR_GATES",
    "MEMDIR_NOW",
    "MEMDIR_OFFLINE",
    "MEMDIR_SESSION",
    "MEMDIR_NO_BACKGROUND",
    "MEMDIR_INSIDE",
    "MEMDIR_ERRAND",
];

const fn upper(byte: u8) -> u8 {
    if byte == b'.' { b'_' } else { byte.to_ascii_uppercase() }
}

macro_rules! keys {
    ($( $name:literal $field:ident: $type:ty = $default:expr, $kind:expr, $tighten:ident, $doc:literal; )+) => {
        /// The value of every key.
        #[derive(Clone, Debug, PartialEq)]
        pub struct SettingValues { $( #[doc = $doc] pub $field: $type, )+ }

        impl Default for SettingValues {
            fn default() -> Self {
                SettingValues { $( $field: $default, )+ }
            }
        }

        /// Every key, in the order of listings.
        pub static KEYS: &[SettingKey] = &[$( SettingKey {
            name: $name,
            kind: $kind,
            doc: $doc,
            tighten: Tighten::$tighten,
            get: |values| values.$field.value(),
            put: |values, value| SettingField::from_value(value).map(|value| values.$field = value).is_some(),
        }, )+];
    };
}

keys! {
    "mode" mode: Mode = Mode::Normal, ValueKind::Choice(Mode::WORDS), Never,
        "How memory is kept: topic files, the same with a team directory, or daily logs.";
    "review" review: bool = false, ValueKind::Bool, On,
        "Whether everything a model proposes waits in the inbox for a yes.";
    "index.required" index_required: bool = true, ValueKind::Bool, Never,
        "Whether each memory needs a line in MEMORY.md.";
    "index.unit" index_unit: IndexUnit = IndexUnit::Bytes, ValueKind::Choice(IndexUnit::WORDS), Never,
        "What the size limit of MEMORY.md counts.";
    "recall.enabled" recall_enabled: bool = true, ValueKind::Bool, Off,
        "Whether memories that fit a prompt are put beside it.";
    "recall.selector" recall_selector: Selector = Selector::Auto, ValueKind::Choice(Selector::WORDS), Never,
        "Who picks the memories for a prompt: the built-in ranking, a model, or whichever is there.";
    "recall.actions" recall_actions: bool = true, ValueKind::Bool, Off,
        "Whether memories that speak about what a tool is about to do are shown then.";
    "recall.before_action" recall_before_action: BeforeAction = BeforeAction::Hold, ValueKind::Choice(BeforeAction::WORDS), Never,
        "What a memory does before a tool is called: hold the call once where it forbids it, only be told, or nothing.";
    "search.section" search_section: bool = true, ValueKind::Bool, Off,
        "Whether the model is taught to search its memory and past conversations.";
    "extract.enabled" extract_enabled: bool = true, ValueKind::Bool, Off,
        "Whether memories are learned from a conversation after a turn.";
    "extract.every_turns" extract_every_turns: u64 = limits::EXTRACT_EVERY_TURNS, ValueKind::Integer(1, 1000), Larger,
        "After how many turns memories are learned.";
    "extract.non_interactive" extract_non_interactive: bool = true, ValueKind::Bool, Off,
        "Whether memories are learned in runs without a person as well.";
    "dream.enabled" dream_enabled: bool = true, ValueKind::Bool, Off,
        "Whether memory is consolidated from time to time.";
    "dream.min_hours" dream_min_hours: u64 = limits::DREAM_HOURS, ValueKind::Integer(0, 87_600), Larger,
        "Hours between two dreams, at least.";
    "dream.min_sessions" dream_min_sessions: u64 = limits::DREAM_SESSIONS, ValueKind::Integer(0, 10_000), Larger,
        "Other sessions since the last dream, at least.";
    "dream.max_loss" dream_max_loss: f64 = limits::DREAM_LOSS, ValueKind::Fraction, Smaller,
        "The share of memory content one dream may drop without a yes.";
    "dream.max_changes" dream_max_changes: u64 = limits::DREAM_MAX_CHANGES, ValueKind::Integer(0, 10_000), Smaller,
        "Memories that one dream may change or remove by itself; the rest waits in the inbox.";
    "notes.enabled" notes_enabled: bool = true, ValueKind::Bool, Off,
        "Whether notes are kept of a long session.";
    "notes.first_tokens" notes_first_tokens: u64 = limits::NOTES_FIRST_TOKENS, ValueKind::Integer(1, 10_000_000), Larger,
        "Tokens of conversation before the first notes.";
    "notes.every_tokens" notes_every_tokens: u64 = limits::NOTES_EVERY_TOKENS, ValueKind::Integer(1, 10_000_000), Larger,
        "Tokens of growth between two updates of the notes.";
    "notes.tool_calls" notes_tool_calls: u64 = limits::NOTES_TOOL_CALLS, ValueKind::Integer(0, 10_000), Larger,
        "Tool calls between two updates of the notes.";
    "chat.memory_tool" chat_memory_tool: bool = false, ValueKind::Bool, Off,
        "Whether `chat` offers Anthropic's own memory tool beside its files; only that provider knows it.";
    "team.background" team_background: bool = true, ValueKind::Bool, Off,
        "Whether team memory is synced in the background, once a first sync was agreed to.";
    "model.driver" model_driver: Driver = Driver::Auto, ValueKind::Choice(Driver::WORDS), Never,
        "Which model does the thinking in the background.";
    "model.name" model_name: String = String::new(), ValueKind::Name, Never,
        "The model's name at its provider; empty: `ANTHROPIC_MODEL` or `OPENAI_MODEL`, else a small model of the provider.";
    "model.base_url" model_base_url: String = String::new(), ValueKind::Url, Never,
        "Where the provider is; empty: `ANTHROPIC_BASE_URL` or `OPENAI_BASE_URL`, else the provider's own address.";
    "model.key_file" model_key_file: String = String::new(), ValueKind::File, Never,
        "A file that holds the provider's key and nothing else, for agents that hide keys from what they start; a variable takes precedence.";
    "model.wire" model_wire: WireChoice = WireChoice::Auto, ValueKind::Choice(WireChoice::WORDS), Never,
        "Which API an OpenAI-compatible server is asked through.";
    "model.agent" model_agent: AgentChoice = AgentChoice::Auto, ValueKind::Choice(AgentChoice::WORDS), Never,
        "Which agent of the command line thinks, with the driver `command`.";
    "model.consent" model_consent: bool = false, ValueKind::Bool, Never,
        "Whether the user agreed that conversations go to that model.";
    "model.tokens_per_day" model_tokens_per_day: u64 = limits::MODEL_TOKENS_PER_DAY, ValueKind::Integer(0, 1_000_000_000), Never,
        "Tokens all background work of a day may use; 0 means none.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The defaults as the specification lists them, spelled out again.
    #[test]
    fn z2_keys_and_defaults() {
        let listed: Vec<String> = KEYS.iter().map(|key| format!("{} {}", key.name, key.default())).collect();
        assert_eq!(
            listed,
            [
                "mode normal",
                "review false",
                "index.required true",
                "index.unit bytes",
                "recall.enabled true",
                "recall.selector auto",
                "recall.actions true",
                "recall.before_action hold",
                "search.section true",
                "extract.enabled true",
                "extract.every_turns 1",
                "extract.non_interactive true",
                "dream.enabled true",
                "dream.min_hours 24",
                "dream.min_sessions 5",
                "dream.max_loss 0.1",
                "dream.max_changes 5",
                "notes.enabled true",
                "notes.first_tokens 10000",
                "notes.every_tokens 5000",
                "notes.tool_calls 3",
                "chat.memory_tool false",
                "team.background true",
                "model.driver auto",
                "model.name ",
                "model.base_url ",
                "model.key_file ",
                "model.wire auto",
                "model.agent auto",
                "model.consent false",
                "model.tokens_per_day 2000000",
            ]
        );
    }

    #[test]
    fn every_key_takes_its_own_default_and_has_its_own_variable() {
        let mut variables = BTreeSet::new();
        for key in KEYS {
            let text = key.default().to_string();
            assert_eq!(key.kind.parse(&text), Some(key.default()), "{}", key.name);
            assert!((key.put)(&mut SettingValues::default(), key.default()), "{}", key.name);
            assert!(variables.insert(key.variable()), "{}", key.name);
            assert_eq!(SettingKey::of_variable(&key.variable()).map(|found| found.name), Some(key.name));
            assert!(key.doc.ends_with('.') && !key.doc.contains('\n'), "{}", key.name);
        }
        assert!(OTHER_VARIABLES.iter().all(|name| !variables.contains(*name)));
        assert!(variables.contains("MEMDIR_EXTRACT_EVERY_TURNS"));
    }
}
