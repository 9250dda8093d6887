//! The tools as a model is told of them. Names and parameters are those of Claude Code, whose
//! models know them; the words are in `prompts/tools.md`.

use serde_json::{Map, Value, json};

use crate::ToolSpec;
use memdir_context::prompts::PromptTemplate;

const WORDS: &str = PromptTemplate::Tools.built_in();

/// Each tool with its parameters: name, JSON type, whether it must be given.
const TOOLS: [(&str, &[(&str, &str, bool)]); 6] = [
    ("Read", &[("file_path", "string", true), ("offset", "integer", false), ("limit", "integer", false)]),
    (
        "Grep",
        &[
            ("pattern", "string", true),
            ("path", "string", false),
            ("glob", "string", false),
            ("output_mode", "string", false),
            ("-i", "boolean", false),
            ("head_limit", "integer", false),
        ],
    ),
    ("Glob", &[("pattern", "string", true), ("path", "string", false)]),
    (
        "Edit",
        &[
            ("file_path", "string", true),
            ("old_string", "string", true),
            ("new_string", "string", true),
            ("replace_all", "boolean", false),
        ],
    ),
    ("Write", &[("file_path", "string", true), ("content", "string", true)]),
    ("Bash", &[("command", "string", true)]),
];

/// All six, in a fixed order: they come before everything else in a request, and its bytes must not change.
pub fn specs() -> Vec<ToolSpec> {
    specs_in("")
}

/// The same in a user's own words, where those have a line for a tool or parameter.
pub fn specs_in(own: &str) -> Vec<ToolSpec> {
    let words = |key: &str| line_of(own, key).or_else(|| line_of(WORDS, key)).unwrap_or_default();
    TOOLS
        .iter()
        .map(|(name, parameters)| {
            let properties: Map<String, Value> = parameters
                .iter()
                .map(|(parameter, kind, _)| {
                    let mut property = json!({ "type": kind, "description": words(&format!("{name}.{parameter}")) });
                    if *parameter == "output_mode" {
                        property["enum"] = json!(["files_with_matches", "content", "count"]);
                    }
                    ((*parameter).to_owned(), property)
                })
                .collect();
            let required: Vec<&str> =
                parameters.iter().filter(|(_, _, required)| *required).map(|(parameter, _, _)| *parameter).collect();
            ToolSpec {
                name: (*name).to_owned(),
                description: words(name).to_owned(),
                input_schema: json!({
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                }),
                own: None,
            }
        })
        .collect()
}

fn line_of<'w>(words: &'w str, key: &str) -> Option<&'w str> {
    words.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_and_parameter_is_described_and_no_word_is_left_over() {
        let mut keys = 0;
        for spec in specs() {
            assert!(!spec.description.is_empty(), "{}", spec.name);
            keys += 1;
            for (parameter, schema) in spec.input_schema["properties"].as_object().unwrap() {
                assert!(!schema["description"].as_str().unwrap().is_empty(), "{}.{parameter}", spec.name);
                keys += 1;
            }
        }
        assert_eq!(keys, WORDS.lines().count());
    }

    #[test]
    fn own_words_replace_line_by_line() {
        let own = specs_in("Read: Shows it.\n");
        assert_eq!((own[0].description.as_str(), &own[1]), ("Shows it.", &specs()[1]));
    }

    #[test]
    fn the_same_bytes_every_time() {
        let bytes = || serde_json::to_string(&specs()).unwrap();
        assert_eq!(bytes(), bytes());
    }
}
