//! What holds for every input, however broken.

use proptest::prelude::*;
use saphyr::{LoadableYamlNode, Yaml};

use super::super::scalar::one_line;
use super::*;

/// Pieces that meet each other badly: fences, quotes, brackets, tabs, comments, endings.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "---\n",
        "---\n",
        "---\n",
        "...\n",
        "---",
        "\n",
        "\r\n",
        "\u{feff}",
        " ",
        "  ",
        "\t",
        "name: ",
        "name:",
        "Name: x\n",
        "description: ",
        "description:\n",
        "type: feedback\n",
        "type:user\n",
        "type:\n  - project\n",
        "pinned: true\n",
        "metadata:\n",
        "metadata: {",
        "metadata: null\n",
        "  type: user\n",
        "  pinned: yes\n",
        "  modified: 2026-04-01\n",
        "type: x, ",
        "}\n",
        "]",
        "[",
        "{",
        ", ",
        "extra: 1\n",
        "extra: |\n",
        "extra: >-\n",
        "  text\n",
        "\ttext\n",
        "text\n",
        "more text",
        "a: b\n",
        "\"",
        "'",
        "\"x\"\n",
        "'y' # c\n",
        " # note\n",
        "# note\n",
        "#",
        ":",
        ": ",
        "- item\n",
        "-",
        "\\",
        "\\n",
        "|",
        ">",
        "*bold*",
        "@x",
        "é",
        "记忆",
        "\u{0}",
        "\u{85}",
    ]);
    let bytes = prop_oneof![
        9 => piece.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    (any::<bool>(), prop::collection::vec(bytes, 0..24)).prop_map(|(fenced, pieces)| {
        let mut all = if fenced { b"---\n".to_vec() } else { Vec::new() };
        all.extend(pieces.concat());
        all
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "name",
            "description",
            "type",
            "pinned",
            "extra",
            "metadata.type",
            "metadata.pinned",
            "metadata.x",
            "new",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z#: \"'é\n-]{0,6}",
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,12}",
        any::<String>(),
        "[-0-9:.eExbo_+TZ ]{0,12}",
        "[a-z: #\"'\\[\\]{}\n\t&*!|>%@`,?-]{0,10}",
        prop::sample::select(vec![
            "true",
            "No",
            "null",
            "~",
            "12:30",
            "2026-04-16",
            "0x1f",
            ".inf",
            "-",
            "---",
            "a: b",
            " a"
        ])
        .prop_map(str::to_owned),
    ]
}

/// A tidy file in either shape: the lines of its frontmatter, and its body.
fn tidy() -> impl Strategy<Value = (Vec<String>, String)> {
    let word = "[A-Za-zé记][A-Za-z0-9 é记]{0,12}[A-Za-z记]";
    let kind = prop::sample::select(vec!["user", "feedback", "project", "reference", "banana"]);
    (word, word, kind, 0..4_u8, any::<bool>(), "[a-z#\n -]{0,30}").prop_map(
        |(name, about, kind, shape, pinned, body)| {
            let mut lines = vec![format!("name: {name}"), format!("description: \"{about}\" # about")];
            match shape {
                0 => lines.push(format!("type: {kind}")),
                1 => lines.extend([
                    "metadata:".into(),
                    format!("  type: {kind}"),
                    "  modified: 2026-04-01T10:00:00.000Z".into(),
                ]),
                2 => lines.push(format!("metadata: {{type: {kind}, modified: \"2026\"}}")),
                _ => {}
            }
            lines.push("# a comment".into());
            lines.push("tags: [a, b]".into());
            if pinned {
                lines.push("pinned: true".into());
            }
            (lines, body)
        },
    )
}

fn file(lines: &[String], body: &str, ending: &str) -> Vec<u8> {
    format!("---\n{}\n---\n\n{body}", lines.join("\n")).replace('\n', ending).into_bytes()
}

fn yaml_string(bytes: &[u8], key: &str) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let inside = text.strip_prefix("---\n").and_then(|text| text.split("\n---\n").next()).ok_or("no frontmatter")?;
    let documents = Yaml::load_from_str(inside).map_err(|error| error.to_string())?;
    let mut node = documents.first().ok_or("no document")?;
    for part in key.splitn(2, '.') {
        node = node.as_mapping_get(part).ok_or(format!("no {part} in {inside:?}"))?;
    }
    node.as_str().map(str::to_owned).ok_or(format!("{node:?} is no string in {inside:?}"))
}

/// What `set` promises to store.
fn stored(key: &str, value: &str) -> String {
    if matches!(key, "name" | "description") { one_line(value).into_owned() } else { value.to_owned() }
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

fn kind() -> impl Strategy<Value = Type> {
    prop::sample::select(&Type::ALL)
}

fn body() -> impl Strategy<Value = String> {
    let fenced = "---\nname: x\n---\n".to_owned();
    prop_oneof![any::<String>(), "[a: \n#-]{0,20}", "[\u{feff}a\r\n]{0,8}", Just(fenced)]
}

/// The bytes an edit of that key may change; for a missing key, none.
fn own_span(topic: &Topic, key: &str) -> Option<std::ops::Range<usize>> {
    let front = topic.front.as_ref()?;
    let span = |key| Some(front.find(topic.as_bytes(), key)?.span.clone());
    let empty = topic.get("metadata").is_some_and(|text| text == "null" || text == "~");
    let below = key.starts_with("metadata.") && empty;
    span(key).or_else(|| below.then(|| span("metadata"))?)
}

fn alike<'a>(old: impl Iterator<Item = &'a u8>, new: impl Iterator<Item = &'a u8>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn f5_any_bytes_are_read_and_kept(bytes in prop_oneof![soup(), noise()]) {
        let topic = Topic::parse(bytes.clone());
        let _ = (topic.name(), topic.description(), topic.kind(), topic.pinned());
        let _ = (topic.shape(), topic.body(), topic.flags(), Header::read(&bytes));
        for key in topic.keys() {
            prop_assert!(topic.get(&key).is_some(), "{key:?}");
        }
        prop_assert_eq!(topic.as_bytes(), &bytes[..]);
    }

    #[test]
    fn f5_what_is_set_is_read(bytes in soup(), key in key(), value in value()) {
        let mut topic = Topic::parse(bytes.clone());
        if topic.set(&key, &value).is_err() {
            prop_assert_eq!(topic.as_bytes(), &bytes[..]);
            return Ok(());
        }
        prop_assert_eq!(topic.get(&key).unwrap(), stored(&key, &value));
        let once = topic.as_bytes().to_vec();
        prop_assert_eq!(topic.set(&key, &value), Ok(()));
        prop_assert_eq!(topic.as_bytes(), &once[..]);
    }

    #[test]
    fn f5_an_edit_changes_its_own_entry_only(bytes in soup(), key in key(), value in value()) {
        let before = Topic::parse(bytes.clone());
        let span = own_span(&before, &key);
        let body = before.body().into_owned();
        let closed = !before.flags().contains(&Flag::UnclosedFence);
        let mut topic = before;
        let _ = topic.set(&key, &value);
        prop_assert_eq!(topic.body(), body);
        let after = topic.as_bytes();
        let head = alike(bytes.iter(), after.iter());
        let tail = alike(bytes.iter().rev(), after.iter().rev());
        let inserted = head + tail >= bytes.len();
        let within = span.is_some_and(|span| head >= span.start && tail >= bytes.len() - span.end);
        // A fence that was missing may have been put behind the frontmatter.
        let fenced = !closed && !topic.flags().contains(&Flag::UnclosedFence);
        prop_assert!(inserted || within || fenced);
    }

    #[test]
    fn f5_what_is_removed_is_gone_and_nothing_else(bytes in soup(), key in key()) {
        let mut topic = Topic::parse(bytes.clone());
        let body = topic.body().into_owned();
        match topic.remove(&key) {
            Ok(()) => prop_assert_eq!(topic.get(&key), None),
            Err(_) => prop_assert_eq!(topic.as_bytes(), &bytes[..]),
        }
        prop_assert_eq!(topic.body(), body);
    }

    #[test]
    fn f2_kind_and_pin_are_read_back(bytes in soup(), kind in kind(), pin: bool) {
        let mut topic = Topic::parse(bytes);
        let body = topic.body().into_owned();
        let set = topic.set_kind(kind);
        prop_assert!(set.is_err() || topic.kind() == Some(kind));
        let pinned = topic.set_pinned(pin);
        prop_assert!(pinned.is_err() || topic.pinned() == pin);
        prop_assert!(set.is_err() || topic.kind() == Some(kind));
        prop_assert_eq!(topic.body(), body);
        let once = topic.as_bytes().to_vec();
        prop_assert_eq!(topic.set_pinned(pin).is_ok(), pinned.is_ok());
        if set.is_ok() {
            prop_assert_eq!(topic.set_kind(kind), Ok(()));
        }
        prop_assert_eq!(topic.as_bytes(), &once[..]);
    }

    #[test]
    fn f5_a_body_is_replaced_and_nothing_else(bytes in soup(), body in body()) {
        let mut topic = Topic::parse(bytes);
        let keys = topic.keys();
        topic.set_body(&body);
        let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches(['\r', '\n']).to_owned();
        prop_assert_eq!(plain(&topic.body()), plain(body.trim_start_matches('\u{feff}')));
        prop_assert_eq!(topic.keys(), keys);
        let once = topic.as_bytes().to_vec();
        topic.set_body(&body);
        prop_assert_eq!(topic.as_bytes(), &once[..]);
    }

    #[test]
    fn f1_a_tidy_file_changes_in_one_line(
        (lines, body) in tidy(), at in 0..3_usize, value in value(), crlf: bool
    ) {
        let ending = if crlf { "\r\n" } else { "\n" };
        let before = file(&lines, &body, ending);
        let key = ["name", "description", "tags"][at];
        let mut topic = Topic::parse(before.clone());
        prop_assert_eq!(topic.set(key, &value), Ok(()));
        let before: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
        let after: Vec<&[u8]> = topic.as_bytes().split(|byte| *byte == b'\n').collect();
        prop_assert_eq!(before.len(), after.len());
        for (old, new) in before.iter().zip(&after) {
            let both_are_the_key = [old, new].iter().all(|line| line.starts_with(key.as_bytes()));
            prop_assert!(old == new || both_are_the_key);
            prop_assert_eq!(old.ends_with(b" # about"), new.ends_with(b" # about"));
        }
    }

    #[test]
    fn r1_the_header_agrees_with_the_whole_file((lines, body) in tidy(), crlf: bool) {
        let bytes = file(&lines, &body, if crlf { "\r\n" } else { "\n" });
        let header = Header::read(&bytes);
        let topic = Topic::parse(bytes);
        prop_assert_eq!(header.name, topic.name().map(String::from));
        prop_assert_eq!(header.description, topic.description().map(String::from));
        prop_assert_eq!(header.kind, topic.kind());
        prop_assert_eq!(header.pinned, topic.pinned());
        prop_assert_eq!(header.modified, topic.get("metadata.modified").map(String::from));
    }

    #[test]
    fn f1_compose_gives_the_fields_back(
        name in value(), about in value(), kind in prop::option::of(kind()), body in body(), pinned: bool
    ) {
        let new = NewTopic { name: &name, description: &about, kind, body: &body, pinned };
        let topic = Topic::parse(Topic::compose(&new).into_bytes());
        prop_assert_eq!(topic.get("name").unwrap(), one_line(&name));
        prop_assert_eq!(topic.get("description").unwrap(), one_line(&about));
        prop_assert_eq!((topic.kind(), topic.pinned()), (kind, pinned));
        let plain = |text: &str| text.trim_end_matches(['\r', '\n']).to_owned();
        prop_assert_eq!(plain(&topic.body()), plain(body.trim_start_matches('\u{feff}')));
        let expected = [Flag::NoName, Flag::NoDescription, Flag::NulByte, Flag::Crlf];
        prop_assert!(topic.flags().iter().all(|flag| expected.contains(flag)));
    }

    #[test]
    fn f1_a_strict_yaml_parser_reads_what_compose_writes(name in value(), about in value()) {
        let kind = Some(Type::User);
        let new = NewTopic { name: &name, description: &about, kind, body: "", pinned: false };
        let topic = Topic::compose(&new);
        for (key, value) in [("name", &*name), ("description", &*about), ("type", "user")] {
            prop_assert_eq!(yaml_string(topic.as_bytes(), key), Ok(stored(key, value)));
        }
    }

    #[test]
    fn f1_a_strict_yaml_parser_reads_what_set_writes(
        (lines, body) in tidy(), key in key(), value in value()
    ) {
        // The file may hold `pinned: true` already, a boolean that `set` rightly leaves alone.
        let key = if key == "pinned" { "new".to_owned() } else { key };
        let mut topic = Topic::parse(file(&lines, &body, "\n"));
        prop_assert_eq!(topic.set(&key, &value), Ok(()));
        prop_assert_eq!(yaml_string(topic.as_bytes(), &key), Ok(stored(&key, &value)));
    }
}
