//! Changing only what must change (F1, F5).

use super::*;

/// `set(key, value)` on frontmatter lines gives these lines.
#[test]
fn f5_set_changes_the_value_and_nothing_else() {
    let table = [
        ("name: old", "name", "new", "name: new"),
        ("name: old   # keep me", "name", "new", "name: new   # keep me"),
        ("name:   old", "name", "new", "name:   new"),
        ("Name: old", "name", "new", "Name: new"),
        ("name:old", "name", "new", "name: new"),
        ("name:", "name", "new", "name: new"),
        ("name: # c", "name", "new", "name: new # c"),
        ("name: 'old' # c", "name", "new", "name: new # c"),
        ("name: old\nx: 1\nname: read\nx: 2", "name", "new", "name: old\nx: 1\nname: new\nx: 2"),
        ("name: a\n  b\n  c # d\nx: 1", "name", "new", "name: new # d\nx: 1"),
        ("name: |- # c\n  a\n  b\n\nx: 1", "name", "new", "name: new # c\n\nx: 1"),
        ("type:\n  - a\n  - b\nx: 1", "type", "user", "type: user\nx: 1"),
        ("type: [a, b] # c", "type", "user", "type: user # c"),
        ("name:\n  below\nx: 1", "name", "new", "name:\n  new\nx: 1"),
        ("name: same # c", "name", "same", "name: same # c"),
        ("name: \"same\"", "name", "same", "name: \"same\""),
        ("name: a: b", "name", "a: b", "name: a: b"),
        // A missing key goes behind the last of name, description and type.
        ("name: n\ntags: [a]", "description", "d", "name: n\ndescription: d\ntags: [a]"),
        ("type: user\nname: n\ntags: [a]", "extra", "e", "type: user\nname: n\nextra: e\ntags: [a]"),
        ("tags: [a]", "name", "new", "tags: [a]\nname: new"),
        ("  name: n", "type", "user", "  name: n\n  type: user"),
        // Nested, in the form it has.
        ("metadata:\n    type: a # c\n    x: y", "metadata.type", "user", "metadata:\n    type: user # c\n    x: y"),
        ("metadata:\n\ta: b\nz: z", "metadata.type", "user", "metadata:\n\ta: b\n\ttype: user\nz: z"),
        ("metadata: {type: a, x: y} # c", "metadata.type", "user", "metadata: {type: user, x: y} # c"),
        ("metadata: {x: y}", "metadata.type", "a, b", "metadata: {x: y, type: \"a, b\"}"),
        ("metadata: {broken}", "metadata.type", "user", "metadata: {type: user, broken}"),
        ("metadata: {\n  x: y\n}", "metadata.type", "user", "metadata: {type: user, \n  x: y\n}"),
        (" metadata: text\nextra: |", "metadata.x", "zz", " metadata: text\nextra: |\nmetadata:\n  x: zz"),
        ("metadata: {}", "metadata.type", "user", "metadata: {type: user}"),
        ("metadata:\nz: z", "metadata.type", "user", "metadata:\n  type: user\nz: z"),
        ("metadata: ~\nz: z", "metadata.type", "user", "metadata: \n  type: user\nz: z"),
        ("name: n", "metadata.type", "user", "name: n\nmetadata:\n  type: user"),
        ("metadata: text", "metadata.x", "z", "metadata: text\nmetadata:\n  x: z"),
        // Quotes only where YAML needs them.
        ("name: old", "name", "it's C# at 10:30, e.g. -x? (50%)", "name: it's C# at 10:30, e.g. -x? (50%)"),
        ("name: old", "name", "a: b", "name: \"a: b\""),
        ("name: old", "name", "a #b", "name: \"a #b\""),
        ("name: old", "name", "ends:", "name: \"ends:\""),
        ("name: old", "name", "- dash", "name: \"- dash\""),
        ("name: old", "name", "*bold*", "name: \"*bold*\""),
        ("name: old", "name", " space ", "name: \" space \""),
        ("name: old", "name", "No", "name: \"No\""),
        ("name: old", "name", "2026-04-16", "name: \"2026-04-16\""),
        ("name: old", "name", "1.5e3", "name: \"1.5e3\""),
        ("name: old", "name", "1.2.3", "name: 1.2.3"),
        ("name: old", "name", "", "name: \"\""),
        ("name: old", "name", "two\r\n  lines\n", "name: two lines"),
        ("extra: old", "extra", "two\nlines\t\u{7}", "extra: \"two\\nlines\\t\\x07\""),
        ("name: old", "a: key", "v", "name: old\n\"a: key\": v"),
    ];
    for (before, key, value, after) in table {
        for ending in ["\n", "\r\n"] {
            let whole = |lines: &str| format!("---\n{lines}\n---\n\nbody\n").replace('\n', ending);
            let mut topic = parse(&whole(before));
            topic.set(key, value).unwrap();
            assert_eq!(text(&topic), whole(after), "{before:?} {key} {value:?}");
        }
    }
}

#[test]
fn f5_a_broken_line_below_is_not_swallowed() {
    let mut topic = parse("---\nname: \"x\"\n  junk: here\ntype: user\n---\n");
    topic.set("name", "y").unwrap();
    assert_eq!(text(&topic), "---\nname: \"y\"\n  junk: here\ntype: user\n---\n");
    let mut topic = parse("---\nname: n\npinned: \"true\"\n  junk: here\n---\n");
    topic.set_pinned(false).unwrap();
    assert_eq!(text(&topic), "---\nname: n\n#\n  junk: here\n---\n");
    assert_eq!(topic.name().as_deref(), Some("n"));
    let mut topic = parse("---\nmetadata:\n  a: x\n  b: \"y\"\n    junk: z\n---\n");
    topic.remove("metadata.b").unwrap();
    assert_eq!(topic.get("metadata.a").as_deref(), Some("x"));
}

#[test]
fn f5_a_file_without_frontmatter_gets_some() {
    let table = [
        ("", "---\nname: new\n---\n"),
        ("text\n", "---\nname: new\n---\n\ntext\n"),
        ("text\r\nmore", "---\r\nname: new\r\n---\r\n\r\ntext\r\nmore"),
        ("\u{feff}text\n", "\u{feff}---\nname: new\n---\n\ntext\n"),
        ("---\n\na rule first\n", "---\nname: new\n---\n\n---\n\na rule first\n"),
    ];
    for (before, after) in table {
        let mut topic = parse(before);
        let body = topic.body().into_owned();
        topic.set("name", "new").unwrap();
        assert_eq!(text(&topic), after);
        assert_eq!(topic.body(), body);
    }
    let mut topic = parse("text\n");
    topic.set("metadata.type", "user").unwrap();
    assert_eq!(text(&topic), "---\nmetadata:\n  type: user\n---\n\ntext\n");
}

#[test]
fn f1_the_type_is_updated_in_the_shape_the_file_has() {
    let table = [
        ("name: n\ntype: user", "name: n\ntype: project"),
        ("name: n\ntype: banana", "name: n\ntype: project"),
        ("name: n\nmetadata:\n  type: user\n  a: b", "name: n\nmetadata:\n  type: project\n  a: b"),
        ("name: n\nmetadata:\n  a: b", "name: n\nmetadata:\n  a: b\n  type: project"),
        ("metadata: {node_type: memory, type: user}", "metadata: {node_type: memory, type: project}"),
        ("metadata: {node_type: memory}", "metadata: {node_type: memory, type: project}"),
        ("name: n", "name: n\ntype: project"),
        ("type: user\nmetadata:\n  type: user", "type: project\nmetadata:\n  type: project"),
        ("type: user\nmetadata:\n  a: b", "type: project\nmetadata:\n  a: b"),
    ];
    for (before, after) in table {
        let mut topic = parse(&format!("---\n{before}\n---\n"));
        topic.set_kind(Type::Project).unwrap();
        assert_eq!(text(&topic), format!("---\n{after}\n---\n"));
    }
    let mut bare = parse("text");
    bare.set_kind(Type::Project).unwrap();
    assert_eq!(text(&bare), "---\ntype: project\n---\n\ntext");
}

#[test]
fn pinning_adds_one_line_and_unpinning_takes_it_away() {
    let table = [
        ("name: n\ntype: user\nx: y", "name: n\ntype: user\npinned: true\nx: y"),
        ("metadata:\n  a: b", "metadata:\n  a: b\npinned: true"),
    ];
    for (before, after) in table {
        let whole = |lines: &str| format!("---\n{lines}\n---\n");
        let mut topic = parse(&whole(before));
        topic.set_pinned(true).unwrap();
        assert_eq!(text(&topic), whole(after));
        topic.set_pinned(false).unwrap();
        assert_eq!(text(&topic), whole(before));
    }
    let mut moved = parse("---\nmetadata: {pinned: false, a: b}\n---\n");
    moved.set_pinned(true).unwrap();
    assert_eq!(text(&moved), "---\nmetadata: {pinned: true, a: b}\n---\n");
    moved.set_pinned(false).unwrap();
    assert_eq!(text(&moved), "---\nmetadata: {a: b}\n---\n");
}

#[test]
fn f5_remove_takes_the_key_with_all_its_lines() {
    let table = [
        ("a: 1\nb: 2\nc: 3", "b", "a: 1\nc: 3"),
        ("a: 1\nb: |\n  x\n\n  y\n\nc: 3", "b", "a: 1\n\nc: 3"),
        ("b: 1\na: 1\nb:\n- x\n- y", "b", "a: 1"),
        ("metadata:\n  a: 1\n  b: 2\nc: 3", "metadata.b", "metadata:\n  a: 1\nc: 3"),
        ("metadata: {b: 1, a: 1}", "metadata.b", "metadata: {a: 1}"),
        ("metadata: {a: 1, b: 1}", "metadata.b", "metadata: {a: 1}"),
        ("metadata: {b: 1, b: 2, a: 1, b: 3}", "metadata.b", "metadata: {a: 1}"),
        ("metadata: {b: 1}", "metadata.b", "metadata: {}"),
        ("a: 1", "b", "a: 1"),
    ];
    for (before, key, after) in table {
        let mut topic = parse(&format!("---\n{before}\n---\nbody"));
        topic.remove(key).unwrap();
        assert_eq!(text(&topic), format!("---\n{after}\n---\nbody"), "{before:?}");
    }
}

#[test]
fn f5_set_body_keeps_frontmatter_and_line_endings() {
    let table = [
        ("---\nname: n # c\n---\n\nold\n", "new", "---\nname: n # c\n---\n\nnew\n"),
        ("---\nname: n\n---\nold\n", "new\n", "---\nname: n\n---\nnew\n"),
        ("---\nname: n\n---", "new", "---\nname: n\n---\n\nnew\n"),
        ("---\r\nname: n\r\n---\r\n\r\nold\r\n", "a\nb", "---\r\nname: n\r\n---\r\n\r\na\r\nb\r\n"),
        ("---\nname: n\n---\n\nold\n", "", "---\nname: n\n---\n\n"),
        ("---\nname: n\nold text\n", "key: value", "---\nname: n\n---\n\nkey: value\n"),
        ("old", "new", "new\n"),
        ("\u{feff}old", "new", "\u{feff}new\n"),
        ("old", "---\nname: x\n---\ntext", "---\n---\n\n---\nname: x\n---\ntext\n"),
    ];
    for (before, body, after) in table {
        let mut topic = parse(before);
        topic.set_body(body);
        assert_eq!(text(&topic), after);
    }
}

#[test]
fn f1_a_new_file_has_the_flat_shape() {
    let topic = Topic::compose(&NewTopic {
        name: "No database mocks",
        description: "Tests: use the real database",
        kind: Some(Type::Feedback),
        body: "Never mock it.\n\n**Why:** it broke.",
        pinned: true,
    });
    let wanted = "---\nname: No database mocks\ndescription: \"Tests: use the real database\"\n\
                  type: feedback\npinned: true\n---\n\nNever mock it.\n\n**Why:** it broke.\n";
    assert_eq!(text(&topic), wanted);
    assert!(topic.flags().is_empty());
}

#[test]
fn f5_text_that_an_edit_would_turn_into_keys_stays_text() {
    // Without its one key `metadata:` would take the list below for its value, and what is indented
    // there for its keys: a line of the user's would go with them.
    let mut topic = parse("---\nname: x\nmetadata:\n  pinned: true\n- note\n  pinned: this is text of mine\nlast\n");
    let body = topic.body().into_owned();
    topic.set_pinned(false).unwrap();
    assert_eq!(topic.body(), body);
    assert!(!topic.pinned());
    assert_eq!(text(&topic), "---\nname: x\nmetadata:\n---\n- note\n  pinned: this is text of mine\nlast\n");
    // Without its one key this is no frontmatter any more.
    let mut topic = parse("---\npinned: true\n- stray\n---\nbody\n");
    topic.set_pinned(false).unwrap();
    assert_eq!(text(&topic), "---\npinned: false\n- stray\n---\nbody\n");
    assert!(!topic.pinned());
}

#[test]
fn f5_what_cannot_be_changed_alone_is_refused_and_left_alone() {
    let before = "---\nion: \"a b\"\nmEtadata:\n ea:\n  t\n  type:\u{90}\0\0";
    let mut topic = parse(before);
    match topic.set("metadata.e", "") {
        Ok(()) => assert_eq!(topic.get("metadata.e").as_deref(), Some("")),
        Err(odd) => {
            assert!(odd.to_string().contains("`metadata.e`"));
            assert_eq!(text(&topic), before);
        }
    }
}

#[test]
fn f5_a_key_with_a_dot_in_its_name_is_one_key() {
    let mut topic = parse("---\nname: n\nmetadata.x: 1\n---\n");
    assert_eq!(topic.keys(), ["name", "metadata.x"]);
    assert_eq!(topic.get("metadata.x").as_deref(), Some("1"));
    topic.set("metadata.x", "two").unwrap();
    assert_eq!(text(&topic), "---\nname: n\nmetadata.x: two\n---\n");
    topic.remove("metadata.x").unwrap();
    assert_eq!(text(&topic), "---\nname: n\n---\n");
    let both = parse("---\nmetadata.type: user\nmetadata:\n  type: project\n---\n");
    assert_eq!(both.kind(), Some(Type::Project));
}

#[test]
fn f5_setting_a_body_twice_is_setting_it_once() {
    for before in ["", "x\n", "x\r\n", "---\nname: n\n---\n\nold\r\n"] {
        for body in ["\u{feff}x", "\u{feff}\u{feff}", "a\r\nb", "a\nb\r\nc", "a\r", "a\rb", "a\r\n"] {
            let mut topic = parse(before);
            topic.set_body(body);
            let once = text(&topic).to_owned();
            topic.set_body(body);
            assert_eq!(text(&topic), once, "{before:?} {body:?}");
            let kept = topic.body().into_owned();
            assert!(kept.trim_end().ends_with(body.trim_start_matches('\u{feff}').trim_end()), "{kept:?} {body:?}");
        }
    }
}
