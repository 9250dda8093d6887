//! `search`: memories first, then transcripts (Q1).

use super::env;

#[test]
fn q1_memories_are_searched_in_every_scope() {
    let env = env();
    env.run(&["remember", "Grafana is at grafana.internal", "--type", "reference"]).ok();
    env.run(&["remember", "Ask Mara about Grafana access", "--type", "project", "--scope", "team"]).ok();
    let hits = env.json(&["search", "GRAFANA"])["hits"].clone();
    let scopes: Vec<&str> = hits.as_array().unwrap().iter().map(|hit| hit["scope"].as_str().unwrap()).collect();
    assert!(scopes.contains(&"private") && scopes.contains(&"team"), "{hits}");
    assert!(hits[0]["line"].as_u64().unwrap() > 0);
    env.run(&["search", "a.c("]).ok();
    env.run(&["search", "a.c(", "--regex"]).fails(1).says("pattern");
    let regex = env.json(&["search", r"graf\w+\.internal", "--regex"]);
    assert!(!regex["hits"].as_array().unwrap().is_empty());
}

#[test]
fn q1_transcripts_come_last_and_only_when_asked_for() {
    let env = env();
    env.run(&["remember", "The wombat service is retired", "--type", "project"]).ok();
    let dir = env.memory().parent().unwrap().to_path_buf();
    let line = serde_json::json!({ "type": "user", "uuid": "wombat-id", "message": { "content": [{ "type": "text", "text": "where is the wombat\nnow?" }] } });
    std::fs::write(dir.join("session.jsonl"), format!("{line}\nnot json but wombat\n{{\"uuid\":\"wombat\"}}\n"))
        .unwrap();
    let plain = env.json(&["search", "wombat"])["hits"].clone();
    assert!(plain.as_array().unwrap().iter().all(|hit| hit["place"] == "memory"));
    let all = env.json(&["search", "wombat", "--transcripts"])["hits"].clone();
    let transcript: Vec<_> = all.as_array().unwrap().iter().filter(|hit| hit["place"] == "transcript").collect();
    assert_eq!(transcript.len(), 2, "{all}");
    assert_eq!(transcript[0]["text"], "where is the wombat");
    assert_eq!(all.as_array().unwrap().last().unwrap()["place"], "transcript");
}

#[test]
fn q1_a_memory_is_shown_once() {
    let env = env();
    env.run(&["remember", "The flaky test list lives in docs/flaky.md", "--type", "reference"]).ok();
    env.run(&["remember", "Run the flaky payment tests three times before you call them broken"]).ok();
    let run = env.run(&["search", "flaky"]).ok();
    assert_eq!(run.stdout.lines().count(), 2, "{run}");
    assert!(!run.stdout.contains("MEMORY.md") && !run.stdout.contains("description:"), "{run}");
    // A program gets every line.
    assert!(env.json(&["search", "flaky"])["hits"].as_array().unwrap().len() > 2);
    // A line of an index that leads to nothing that was found is one of its own.
    env.write_memory("MEMORY.md", "- [A wombat](project_elsewhere.md) — in the index alone\n");
    env.run(&["search", "wombat"]).ok().prints("MEMORY.md:1");
}

#[test]
fn words_that_stand_nowhere_in_a_row_lead_to_recall() {
    let env = env();
    env.run(&["remember", "Prices are without VAT", "--type", "project"]).ok();
    env.run(&["search", "prices vat"])
        .ok()
        .says("Nothing found")
        .says("`memdir recall prices vat` searches by meaning");
    env.run(&["list", "--type", "user"]).ok().says("No memory is of that type and scope.");
}
