use super::*;
use proptest::prelude::*;

fn doc<'a>(key: &'a str, name: &'a str, description: &'a str, body: &'a str) -> DocFields<'a> {
    DocFields { key, name, description, body }
}

fn build(docs: &[DocFields<'_>]) -> Vec<u8> {
    let mut builder = SegmentBuilder::default();
    for doc in docs {
        builder.add(doc);
    }
    builder.finish()
}

fn store() -> Vec<DocFields<'static>> {
    vec![
        doc(
            "feedback_no_mock_db.md",
            "No database mocks",
            "Integration tests hit a real Postgres",
            "A mock hid a broken migration.",
        ),
        doc(
            "project_release_freeze.md",
            "Release freeze",
            "No deploys from 2026-04-15",
            "The mobile release is cut then.",
        ),
        doc(
            "reference_linear.md",
            "Linear board",
            "Bugs are in Linear project INGEST",
            "Look there for context, mock or not.",
        ),
        doc("project_部署.md", "部署流程", "生产部署需要两个人批准", "先在预发环境验证，再部署。"),
        doc("logs/2026/04/2026-04-09.md", "", "", "retryPolicy in src/net/client.rs was raised to 5"),
    ]
}

fn found(searcher: &Searcher<'_>, prompt: &str) -> Vec<String> {
    let lookup = searcher.lookup(prompt, &|_| false).unwrap();
    lookup.top(10).into_iter().map(|hit| searcher.key(hit.doc).unwrap().to_string()).collect()
}

fn first(prompt: &str) -> Option<String> {
    let bytes = build(&store());
    let searcher = Searcher::new(&[Segment::open(&bytes).unwrap()], DeletedDocs::default());
    found(&searcher, prompt).into_iter().next()
}

#[test]
fn words_identifiers_paths_and_chinese_find_their_memory() {
    let table = [
        ("can I mock the databases here", "feedback_no_mock_db.md"),
        ("when does the freeze start", "project_release_freeze.md"),
        ("see feedback_no_mock_db", "feedback_no_mock_db.md"),
        ("where did we set retry_policy", "logs/2026/04/2026-04-09.md"),
        ("open src/net/client.rs", "logs/2026/04/2026-04-09.md"),
        ("怎么部署", "project_部署.md"),
        ("is it blocked by ingest", "reference_linear.md"),
    ];
    for (prompt, expected) in table {
        assert_eq!(first(prompt).as_deref(), Some(expected), "{prompt}");
    }
    assert_eq!(first("completely other things"), None);
    assert_eq!(first(""), None);
}

#[test]
fn a_slip_is_forgiven_only_in_unknown_words_that_are_no_words() {
    assert_eq!(first("relase freez").as_deref(), Some("project_release_freeze.md"));
    assert_eq!(first("migraton").as_deref(), Some("feedback_no_mock_db.md"));
    let bytes = build(&store());
    let searcher = Searcher::new(&[Segment::open(&bytes).unwrap()], DeletedDocs::default());
    let lookup = searcher.lookup("breeze frezee", &|word| word == "frezee").unwrap();
    assert!(lookup.top(5).is_empty());
    assert_eq!(searcher.lookup("frezee", &|_| false).unwrap().top(5).len(), 1);
}

#[test]
fn a_hit_in_the_file_name_beats_the_name_beats_the_description_beats_the_body() {
    let fields = [
        doc("a.md", "x", "x", "quartz"),
        doc("b.md", "x", "quartz", "x"),
        doc("c.md", "quartz", "x", "x"),
        doc("quartz.md", "x", "x", "x"),
        doc("e.md", "x", "x", "x"),
    ];
    let bytes = build(&fields);
    let searcher = Searcher::new(&[Segment::open(&bytes).unwrap()], DeletedDocs::default());
    assert_eq!(found(&searcher, "quartz"), ["quartz.md", "c.md", "b.md", "a.md"]);
}

#[test]
fn evidence_names_the_fields_of_each_term() {
    let bytes = build(&store());
    let searcher = Searcher::new(&[Segment::open(&bytes).unwrap()], DeletedDocs::default());
    let lookup = searcher.lookup("mock migration zebra", &|_| true).unwrap();
    let evidence = lookup.evidence(&[2, 0]);
    let fields = |place: usize, term: usize| Field::ALL.map(|field| evidence.of(place)[term].has(field));
    assert_eq!(fields(1, 0), [true, true, false, true]);
    assert_eq!(fields(1, 1), [false, false, false, true]);
    assert_eq!(fields(0, 0), [false, false, false, true]);
    assert_eq!(fields(0, 1), [false; 4]);
    assert_eq!(lookup.terms[2].docs, 0);
}

#[test]
fn deltas_and_the_dead_give_what_a_fresh_build_gives() {
    let all = store();
    let (old, new) = (build(&all[..3]), build(&all[3..]));
    let segments = [Segment::open(&old).unwrap(), Segment::open(&new).unwrap()];
    let mut dead = DeletedDocs::default();
    dead.insert(1);
    let searcher = Searcher::new(&segments, dead.clone());
    assert_eq!(found(&searcher, "release freeze"), Vec::<String>::new());
    assert_eq!(found(&searcher, "部署"), ["project_部署.md"]);
    assert_eq!(searcher.key(4).unwrap(), "logs/2026/04/2026-04-09.md");
    assert!(searcher.key(5).is_err());

    let merged = merge(&segments, |segment, doc| !dead.contains(segment as u32 * 3 + doc)).unwrap();
    let living: Vec<DocFields<'_>> = all.iter().enumerate().filter(|(n, _)| *n != 1).map(|(_, doc)| *doc).collect();
    let fresh = build(&living);
    let (merged, fresh) = (Segment::open(&merged).unwrap(), Segment::open(&fresh).unwrap());
    assert_eq!(merged.docs(), 4);
    for prompt in ["mock", "database linear", "部署", "src/net/client.rs retry"] {
        let (a, b) =
            (Searcher::new(&[merged], DeletedDocs::default()), Searcher::new(&[fresh], DeletedDocs::default()));
        assert_eq!(found(&a, prompt), found(&b, prompt), "{prompt}");
    }
    assert!(merge(&segments, |_, _| false).unwrap().len() < 200);
}

#[test]
fn foreign_old_and_cut_bytes_are_refused_by_name() {
    let good = build(&store());
    assert_eq!(Segment::open(b"").err(), Some(BadSegment::Truncated));
    assert_eq!(Segment::open(&[7; 500]).err(), Some(BadSegment::Foreign));
    assert!(Segment::open(&good[..good.len() - 1]).is_err());
    let mut other = good.clone();
    other[8] ^= 1;
    assert!(matches!(Segment::open(&other).err(), Some(BadSegment::Version { .. })));
    let empty = SegmentBuilder::default().finish();
    assert!(
        Searcher::new(&[Segment::open(&empty).unwrap()], DeletedDocs::default())
            .lookup("any thing", &|_| false)
            .unwrap()
            .top(5)
            .is_empty()
    );
}

/// Everything a reader may do with bytes; what matters is that it comes back.
fn use_up(bytes: &[u8]) -> Result<Vec<String>, BadSegment> {
    let searcher = Searcher::new(&[Segment::open(bytes)?], DeletedDocs::default());
    let mut keys = Vec::new();
    for prompt in ["mock databse freeze", "部署 linear", "src/net/client.rs"] {
        let lookup = searcher.lookup(prompt, &|_| false)?;
        for hit in lookup.top(10) {
            keys.push(searcher.key(hit.doc)?.to_string());
        }
        lookup.evidence(&[0, 4, 9]);
    }
    merge(&[Segment::open(bytes)?], |_, _| true)?;
    Ok(keys)
}

proptest! {
    #[test]
    fn a_damaged_segment_is_noticed_or_harmless(at in any::<prop::sample::Index>(), bit in 0..8u8) {
        let good = build(&store());
        let expected = use_up(&good).unwrap();
        let mut bad = good.clone();
        bad[at.index(good.len())] ^= 1 << bit;
        if let Ok(keys) = use_up(&bad) {
            prop_assert_eq!(keys, expected);
        }
    }

    #[test]
    fn hostile_bytes_with_right_checksums_do_not_panic(cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bad = build(&store());
        for (at, byte) in cuts {
            let at = segment::HEADER_BYTES + at.index(bad.len() - segment::HEADER_BYTES);
            bad[at] = byte;
        }
        let _ = use_up(&bad);
        let postings: Vec<u8> = bad.iter().rev().copied().collect();
        let docs = segment::Postings::new(&postings).count();
        prop_assert!(docs <= postings.len());
    }

    #[test]
    fn any_memories_can_be_added_and_asked(docs in prop::collection::vec((any::<String>(), any::<String>(), any::<String>()), 0..6), prompt in any::<String>()) {
        let mut builder = SegmentBuilder::default();
        for (key, name, body) in &docs {
            builder.add(&doc(key, name, "", body));
        }
        let bytes = builder.finish();
        let segment = Segment::open(&bytes).unwrap();
        for (number, (key, _, _)) in (0..).zip(&docs) {
            prop_assert_eq!(segment.key(number).unwrap(), key.as_str());
        }
        let searcher = Searcher::new(&[segment], DeletedDocs::default());
        for hit in searcher.lookup(&prompt, &|_| false).unwrap().top(3) {
            prop_assert!(hit.score > 0.0 && hit.score <= 1.0);
        }
    }
}
