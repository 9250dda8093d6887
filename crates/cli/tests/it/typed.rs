//! What a person typed, and what only stands under their name: the table in `tests/attacks/typed`, run as an agent would.

use std::path::Path;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::env;
use super::extracting::Transcript;

/// What every row says, typed or not.
const RULE: &str = "frost check";

/// Whether a message made a memory of the rule.
fn saved(env: &TestEnv, row: &Value) -> bool {
    let mut talk = Transcript::new(env, "s1");
    talk.line("user", &row["content"], row.get("line").unwrap_or(&json!({})));
    talk.assistant("Fine.");
    env.run(&["extract", talk.path()]).ok();
    env.memory_files().iter().any(|file| env.read_memory(file).contains(RULE))
}

/// Runs a table and names the rows that went wrong.
fn play(name: &str, typed: bool) {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/attacks/typed");
    for half in ["known", "held", "third"] {
        let file = tables.join(format!("{name}.{half}.jsonl"));
        let text = std::fs::read_to_string(&file).unwrap();
        let mut wrong = Vec::new();
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            assert!(row["content"].to_string().contains(RULE), "{line}");
            if saved(&env(), &row) != (typed ^ row.get("gap").is_some()) {
                wrong.push(row["id"].to_string());
            }
        }
        assert!(wrong.is_empty(), "{}: {}", file.display(), wrong.join(", "));
    }
}

#[test]
fn x_untrusted_nothing_in_disguise_counts_as_typed() {
    play("disguises", false);
}

#[test]
fn what_was_typed_counts_whatever_stands_beside_it() {
    play("near-misses", true);
}
