//! What a host's hook reads from stdin: an event for every host, and an answer in its words; and the permission check
//! of an agent on an errand.
//!
//! Input: the JSON.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use memdir::hosts::{Host, wire};
use memdir::model::command::Agent;
use memdir::model::command::gate::GateTerms;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    for host in Host::ALL {
        let call = wire::read(host, data, None);
        assert_eq!(wire::read(host, data, None), call, "the same twice");
    }
    let gate = GateTerms { roots: vec!["/home/me/m".into()], only_edit: None, mark: None };
    for agent in Agent::ALL {
        let answer = gate.judge(agent, data, Path::new("/home/me/m"), None);
        let words = answer.in_words_of(agent);
        assert!(words.is_empty() || serde_json::from_str::<Value>(&words).is_ok(), "the agent understands it");
        let Ok(call) = serde_json::from_slice::<Value>(data) else {
            assert!(answer.denied.is_some(), "what is no JSON may not be");
            continue;
        };
        let writes = matches!(call["tool_name"].as_str(), Some("write_file" | "Write"));
        if let (true, None, Some(path)) = (writes, &answer.denied, call["tool_input"]["file_path"].as_str()) {
            assert!(!path.split('/').any(|part| part == ".."), "{path} goes up");
            assert!(path.ends_with(".md"), "{path} is no memory");
        }
    }
});
