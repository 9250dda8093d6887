//! A bucket whose other writer means harm: trees that no memdir made.

use memdir_team::bucket::Objects as _;
use memdir_testkit::bucket::InMemoryBucket;
use serde_json::{Value, json};

use super::machine::Machine;

/// More requests than an honest tree of this size takes; then the line is cut, so that a walk without an end shows.
const PATIENCE: u32 = 500;

/// Puts a node where its name says, and gives the name.
fn node(store: &InMemoryBucket, node: &Value) -> String {
    let bytes = serde_json::to_vec(node).unwrap();
    let id = blake3::hash(&bytes).to_hex().to_string();
    store.put(&format!("objects/{id}"), &bytes).unwrap();
    id
}

/// Sixteen ways to one node.
fn every_way_to(id: &str) -> Value {
    json!({ "inner": (0..16).map(|digit| (format!("{digit:x}"), json!(id))).collect::<serde_json::Map<_, _>>() })
}

fn tower(store: &InMemoryBucket, levels: usize, ground: &Value) -> String {
    (0..levels).fold(node(store, ground), |below, _| node(store, &every_way_to(&below)))
}

fn set_head(store: &InMemoryBucket, root: &str) {
    let known = store.get("heads/0", 1 << 20).unwrap().map(|object| object.tag);
    let head = serde_json::to_vec(&json!({ "root": root })).unwrap();
    assert!(store.put_if("heads/0", &head, known.as_deref()).unwrap().is_some());
}

fn machine(store: &InMemoryBucket) -> Machine {
    let mut machine = Machine::new(store, 1, 0);
    machine.put("own.md", "---\nname: Own\ndescription: d\ntype: project\n---\n\nStays.\n");
    machine.store.break_after(Some(PATIENCE));
    machine
}

#[test]
fn a_tree_with_more_ways_than_nodes_is_walked_once() {
    let store = InMemoryBucket::default();
    set_head(&store, &tower(&store, 20, &json!({ "leaf": [] })));
    let mut machine = machine(&store);
    machine.sync().unwrap();
    assert!(machine.text("own.md").unwrap().contains("Stays."));
    // And once more beside the tree it knows.
    set_head(&store, &tower(&store, 21, &json!({ "leaf": [] })));
    machine.store.break_after(Some(PATIENCE));
    machine.put("second.md", "---\nname: Second\ndescription: d\ntype: project\n---\n\nStays too.\n");
    machine.sync().unwrap();
    assert!(machine.text("second.md").unwrap().contains("Stays too."));
}

#[test]
fn a_tree_without_a_ground_is_refused_and_nothing_is_lost() {
    let store = InMemoryBucket::default();
    let refused = |machine: &mut Machine| {
        set_head(&store, &tower(&store, 3_000, &json!({ "leaf": [] })));
        let said = machine.sync().unwrap_err().to_string();
        assert!(said.contains("too deep"), "{said}");
        assert!(machine.text("own.md").unwrap().contains("Stays."));
    };
    refused(&mut machine(&store));
    // Nor is it followed beside a tree that is known already.
    set_head(&store, &tower(&store, 20, &json!({ "leaf": [] })));
    let mut knowing = machine(&store);
    knowing.sync().unwrap();
    knowing.store.break_after(Some(PATIENCE));
    refused(&mut knowing);
}
