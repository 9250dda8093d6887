//! Reading what is there (F1, F2, F5).

use super::*;

/// The value of `description` in each odd way of writing it.
#[test]
fn f5_values_as_they_are_written() {
    let table = [
        ("description: plain text", "plain text"),
        ("description:plain text", "plain text"),
        ("description : spaced colon", "spaced colon"),
        ("description:\ttab", "tab"),
        ("Description: other case", "other case"),
        ("\"description\": quoted key", "quoted key"),
        ("description: a: b", "a: b"),
        ("description: *bold* claim", "*bold* claim"),
        ("description: @team does it", "@team does it"),
        ("description: [WIP] fix", "[WIP] fix"),
        ("description: [[link]]", "[[link]]"),
        ("description: > 5 items", "> 5 items"),
        ("description: text # a comment", "text"),
        ("description: see issue #12", "see issue #12"),
        ("description: C# and F#", "C# and F#"),
        ("description: #1 rule", "#1 rule"),
        ("description: #note\n  below", "below"),
        ("description: 'it''s here' # c", "it's here"),
        (r#"description: "a \"b\" \u00e9 \x41 \n c""#, "a \"b\" é A c"),
        (r#"description: "pair \uD83D\uDE00""#, "pair 😀"),
        (r#"description: "face \U0001F600""#, "face 😀"),
        (r#"description: "half \uD83D, bad \xZZ""#, "half \u{fffd}, bad \\xZZ"),
        (r#"description: "C:\path\new""#, "C:\\path ew"),
        ("description: \"never closed", "\"never closed"),
        ("description: \"quoted\" and more", "\"quoted\" and more"),
        ("description: first\n  second\n  third", "first second third"),
        ("description: first\nsecond without indent", "first second without indent"),
        ("description:\n  on the next line", "on the next line"),
        ("description: \"first\n  second\"", "first second"),
        ("description: \"first\nsecond at the edge\"", "first second at the edge"),
        ("description: \"first \\\n  second\"", "first second"),
        ("description: 'first\n\n  second'", "first second"),
        ("description: |\n  line one\n  line two", "line one line two"),
        ("description: >-\n  folded\n  text\nextra: x", "folded text"),
        ("description: |2+ # why\n   deep\n\nextra: x", "deep"),
        ("description: a\nextra: x\ndescription: last wins", "last wins"),
        ("name: \"x\"\n  description: indented by mistake", "indented by mistake"),
        ("  description: all indented\n  name: x", "all indented"),
        ("\tdescription: tab indented\n\tname: x", "tab indented"),
        ("description: zero\u{200b}width \u{202e}bidi", "zero\u{200b}width \u{202e}bidi"),
    ];
    for (lines, wanted) in table {
        for ending in ["\n", "\r\n"] {
            let file = format!("---\n{lines}\n---\nbody\n").replace('\n', ending);
            let topic = parse(&file);
            assert_eq!(topic.description().as_deref(), Some(wanted), "{file:?}");
            assert_eq!(topic.body(), format!("body{ending}"), "{file:?}");
            assert_eq!(Header::read(file.as_bytes()).description.as_deref(), Some(wanted));
        }
    }
}

#[test]
fn f5_block_scalars_keep_what_yaml_keeps() {
    let table = [
        ("|\n  a\n   b\n\n  c", "a\n b\n\nc\n"),
        ("|-\n  a\n  b", "a\nb"),
        ("|+\n  a\n\n", "a\n\n\n"),
        (">\n  a\n  b\n\n  c\n    d\n  e", "a b\nc\n  d\ne\n"),
        (">-\n  a\n\n\n  b", "a\n\nb"),
        ("|", ""),
    ];
    for (value, wanted) in table {
        let topic = parse(&format!("---\nextra: {value}\nname: x\n---\n"));
        assert_eq!(topic.get("extra").as_deref(), Some(wanted), "{value:?}");
        assert_eq!(topic.name().as_deref(), Some("x"), "{value:?}");
    }
}

#[test]
fn f1_both_shapes_are_read() {
    let nested = "---\nname: n\ndescription: d\nmetadata:\n  node_type: memory\n  type: project\n  \
                  originSessionId: 0-1\n  modified: 2026-04-01T10:00:00.000Z\n---\n";
    let flow = "---\nname: n\ndescription: d\nmetadata: {node_type: memory, type: \"project\", \
                originSessionId: 0-1, modified: 2026-04-01T10:00:00.000Z}\n---\n";
    let json = "---\nname: n\ndescription: d\nmetadata: {\n  \"node_type\":\"memory\", \
                \"type\":\"project\",\n  \"originSessionId\":\"0-1\", \
                \"modified\":\"2026-04-01T10:00:00.000Z\"\n}\n---\n";
    for file in [nested, flow, json] {
        let topic = parse(file);
        assert_eq!((topic.kind(), topic.shape()), (Some(Type::Project), TopicShape::Nested), "{file}");
        assert_eq!(topic.get("metadata.originSessionId").as_deref(), Some("0-1"), "{file}");
        assert_eq!(topic.get("type"), None);
        let header = Header::read(file.as_bytes());
        assert_eq!(header.kind, Some(Type::Project));
        assert_eq!(header.modified.as_deref(), Some("2026-04-01T10:00:00.000Z"));
        let keys = [
            "name",
            "description",
            "metadata.node_type",
            "metadata.type",
            "metadata.originSessionId",
            "metadata.modified",
        ];
        assert_eq!(topic.keys(), keys);
        assert!(topic.flags().is_empty(), "{file} {:?}", topic.flags());
    }
    let flat = parse("---\nname: n\ndescription: d\ntype: user\n---\n");
    assert_eq!((flat.kind(), flat.shape()), (Some(Type::User), TopicShape::Flat));
    assert_eq!(parse("just text").shape(), TopicShape::None);
}

#[test]
fn f2_types_are_closed_and_the_rest_is_untyped() {
    let table = [
        ("type: feedback", Some(Type::Feedback)),
        ("Type: FEEDBACK", Some(Type::Feedback)),
        ("type: 'user'   # c", Some(Type::User)),
        ("type: user #c", Some(Type::User)),
        ("type: [reference]", Some(Type::Reference)),
        ("type:\n  - reference", Some(Type::Reference)),
        ("type:\n- \"reference\"", Some(Type::Reference)),
        ("type: [user, project]", None),
        ("type: banana", None),
        ("type:", None),
        ("type: |\n  user", Some(Type::User)),
        ("metadata:\n  type: banana\ntype: user", Some(Type::User)),
        ("metadata:\n  type: project\ntype: user", Some(Type::Project)),
        ("metadata: text\ntype: user", Some(Type::User)),
        ("type: user\ntype: project", Some(Type::Project)),
    ];
    for (lines, wanted) in table {
        let topic = parse(&format!("---\nname: n\ndescription: d\n{lines}\n---\n"));
        assert_eq!(topic.kind(), wanted, "{lines:?}");
        let unknown = topic.flags().iter().any(|flag| flag.id() == "unknown-type");
        assert_eq!(unknown, wanted.is_none() && lines != "type:", "{lines:?}");
    }
}

#[test]
fn f5_where_the_body_starts() {
    let table = [
        ("", ""),
        ("just text\n", "just text\n"),
        ("\u{feff}just text\n", "just text\n"),
        ("---\nname: x\n---\n\nbody\n", "body\n"),
        ("---\nname: x\n---\nbody\n", "body\n"),
        ("---\nname: x\n---\n\n\n  body", "\n  body"),
        ("\u{feff}---\r\nname: x\r\n---\r\n\r\nbody", "body"),
        ("\n \n---\nname: x\n---\nbody", "body"),
        ("---  \nname: x\n---\t\nbody", "body"),
        ("---\nname: x\n...\nbody", "body"),
        ("---\nname: x\n---", ""),
        ("---\nname: x\n---\na\n\n---\n\nb\n", "a\n\n---\n\nb\n"),
        // No closing fence: up to the first blank or foreign line.
        ("---\nname: x\ntype: user\n\nbody\n", "body\n"),
        ("---\nname: x\n  more\n# c\ntags:\n- a\nBody text.\n", "Body text.\n"),
        ("---\nname: x", ""),
        ("---\ntags:\n- a\n  more\n- b\nname:\n  x\n- body\n", "- body\n"),
        ("---\nname: x\n\nBody.\n\n---\n\nmore: y\n", "Body.\n\n---\n\nmore: y\n"),
        // Paragraphs inside frontmatter, but one of our keys follows and then the fence.
        ("---\nname: x\n\nstray\ntype: user\n---\nbody\n", "body\n"),
        // Rules, not fences.
        ("---\n\nfirst\n\n---\n\nsecond\n", "---\n\nfirst\n\n---\n\nsecond\n"),
        ("---\nno key here\n---\ntext", "---\nno key here\n---\ntext"),
        ("----\nname: x\n----\n", "----\nname: x\n----\n"),
        ("---\n---\nbody", "body"),
        ("---\n# only a comment\n---\nbody", "body"),
    ];
    for (file, wanted) in table {
        assert_eq!(parse(file).body(), wanted, "{file:?}");
    }
}

#[test]
fn f5_oddities_are_flagged_by_stable_names() {
    let table: [(&[u8], &[&str]); 9] = [
        (b"---\nname: n\ndescription: d\ntype: user\n---\nb", &[]),
        (b"text", &["no-frontmatter", "no-description"]),
        (b"---\nname: n\ndescription: d\n", &["unclosed-fence"]),
        (b"---\nname: n\nname: m\nname: o\ndescription: d\n---\n", &["duplicate-key"]),
        (b"---\nname: \"n\"\nstray\ndescription: ''\n---\n", &["stray-line", "no-description"]),
        (b"---\ndescription: d\ntype: banana\n---\n", &["no-name", "unknown-type"]),
        (b"---\nname: n\ndescription: \xff\n---\n", &["invalid-utf8"]),
        (b"---\nname: n\ndescription: d\n---\n\0", &["nul-byte"]),
        (b"\xef\xbb\xbf---\r\nname: n\r\ndescription: d\r\n---\r\n", &["bom", "crlf"]),
    ];
    for (file, wanted) in table {
        let flags = Topic::parse(file.to_vec()).flags();
        let ids: Vec<&str> = flags.iter().map(Flag::id).collect();
        assert_eq!(ids, wanted, "{}", String::from_utf8_lossy(file));
        assert!(flags.iter().all(|flag| !flag.to_string().is_empty()));
    }
    let stray = parse("---\nname: \"n\"\n\nstray\ntype: user\n---\n");
    assert!(stray.flags().contains(&Flag::StrayLine(4)));
}

#[test]
fn f5_invalid_utf8_is_shown_and_kept() {
    let file = b"---\nname: caf\xe9\ndescription: d\n---\n\nbody \xff\n".to_vec();
    let mut topic = Topic::parse(file.clone());
    assert_eq!(topic.name().as_deref(), Some("caf\u{fffd}"));
    assert_eq!(topic.body(), "body \u{fffd}\n");
    topic.set_body("body \u{fffd}\n");
    assert_eq!(topic.as_bytes(), &file[..]);
    topic.set("description", "new").unwrap();
    assert_eq!(topic.as_bytes(), b"---\nname: caf\xe9\ndescription: new\n---\n\nbody \xff\n");
}

#[test]
fn pinned_is_read_where_hosts_move_it() {
    let table = [
        ("pinned: true", true),
        ("Pinned: yes # keep", true),
        ("pinned: \"true\"", true),
        ("pinned: false", false),
        ("pinned:", false),
        ("metadata:\n  pinned: true", true),
        ("metadata: {pinned: true}", true),
        ("pinned: false\nmetadata:\n  pinned: true", false),
    ];
    for (lines, wanted) in table {
        let file = format!("---\nname: n\n{lines}\n---\n");
        assert_eq!(parse(&file).pinned(), wanted, "{lines}");
        assert_eq!(Header::read(file.as_bytes()).pinned, wanted, "{lines}");
    }
}

#[test]
fn r1_the_header_stops_at_its_limits() {
    let lines = |before: usize| {
        let keys: Vec<String> = (0..before).map(|number| format!("k{number}: v\n")).collect();
        format!("---\n{}name: late\n---\nbody\n", keys.concat())
    };
    let at = |before| Header::read(lines(before).as_bytes()).name;
    assert_eq!(at(28).as_deref(), Some("late"), "line 30 is the last that counts");
    assert_eq!(at(29), None);
    let wide = format!("---\nextra: {}\nname: late\n---\n", "é".repeat(20_000));
    assert_eq!(Header::read(wide.as_bytes()).name, None);
    let cut = format!("---\nname: {}\n---\n", "é".repeat(20_000));
    let name = Header::read(cut.as_bytes()).name.unwrap();
    assert!(!name.contains('\u{fffd}') && name.len() > 16_000);
}

#[test]
fn f5_no_step_goes_over_the_rest_once_a_line() {
    // Each of these would take hours if one did.
    let pieces = [
        "name: x\n",
        "stray\n",
        "  - a\n",
        "name: \"x\n",
        "a: [b\n",
        "metadata: {a: 1, a: 2\n",
        "\n",
        "k: |\n",
        "#\n",
        "'\n",
        "a: b\n\n c: d\n",
    ];
    for piece in pieces {
        for close in ["---\nbody\n", ""] {
            let mut file = b"---\ntype: user\n".to_vec();
            while file.len() < 100_000 {
                file.extend_from_slice(piece.as_bytes());
            }
            file.extend_from_slice(close.as_bytes());
            let mut topic = Topic::parse(file);
            topic.set("description", "new").unwrap();
            assert_eq!(topic.description().as_deref(), Some("new"), "{piece:?}");
            topic.remove("name").unwrap();
            topic.set_body("b");
            assert_eq!(topic.body(), "b\n");
            assert!(topic.flags().len() < 3);
        }
    }
}
