//! Reading a journal that others have been at.

#![allow(clippy::disallowed_methods)] // tests set up their own files

use tempfile::TempDir;

use super::*;

/// A journal of these files.
fn journal(files: &[(&str, &[u8])]) -> (TempDir, Journal) {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    let journal = Journal::at(dir.path().to_path_buf());
    (dir, journal)
}

fn change(id: &str) -> String {
    format!(
        "{{\"change\":{{\"id\":\"{id}\",\"time\":\"2026-04-14T10:00:00Z\",\"actor\":\"user\",\"reason\":\"r\"}}}}\n{{\"done\":\"{id}\"}}\n"
    )
}

fn ids(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(|change| change.id.0.as_str()).collect()
}

#[test]
fn reading_goes_on_where_it_stopped() {
    let (one, two, three) = (change("one"), change("two"), change("three"));
    let first = format!("{one}{two}");
    let (_dir, journal) = journal(&[("000001.jsonl", first.as_bytes()), ("000002.jsonl", three.as_bytes())]);
    let (all, end) = journal.since(Position::default()).unwrap();
    assert_eq!(ids(&all), ["one", "two", "three"]);
    assert_eq!(end, Position { segment: 2, offset: three.len() as u64 });
    let (none, same) = journal.since(end).unwrap();
    assert_eq!((ids(&none), same), (Vec::new(), end));
    let middle = Position { segment: 1, offset: one.len() as u64 };
    assert_eq!(ids(&journal.since(middle).unwrap().0), ["two", "three"]);
}

#[test]
fn p10_a_position_of_another_journal_starts_over() {
    let text = format!("{}{}", change("one"), change("two"));
    let (_dir, journal) = journal(&[("000001.jsonl", text.as_bytes())]);
    let positions = [
        Position { segment: 1, offset: text.len() as u64 + 1 },
        Position { segment: 1, offset: 7 },
        Position { segment: 3, offset: 0 },
        Position { segment: 0, offset: 9 },
        Position { segment: u32::MAX, offset: u64::MAX },
    ];
    for position in positions {
        let (all, end) = journal.since(position).unwrap();
        assert_eq!(ids(&all), ["one", "two"], "{position:?}");
        assert_eq!(end, Position { segment: 1, offset: text.len() as u64 });
    }
}

#[test]
fn a_foreign_file_is_no_segment_and_the_last_number_is_survived() {
    let text = change("one");
    let names = ["000001.jsonl", "+1.jsonl", "1.jsonl", "0000001.jsonl", "notes.jsonl", "000001.jsonl.tmp"];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, text.as_bytes())).collect();
    let (_dir, journal) = journal(&files);
    let mut seen = 0;
    journal
        .newest_first(|_| {
            seen += 1;
            Visit::More
        })
        .unwrap();
    assert_eq!((seen, journal.files().unwrap().len()), (1, 1));
}

#[test]
fn damage_costs_a_line_and_a_torn_end_is_not_read() {
    let damaged = format!("{}\u{0}garbage\n{{\"change\":{{}}}}\n{}{{\"change\":", change("one"), change("two"));
    let (_dir, journal) = journal(&[("000001.jsonl", damaged.as_bytes())]);
    let (all, end) = journal.since(Position::default()).unwrap();
    assert_eq!(ids(&all), ["one", "two"]);
    assert_eq!(end.offset as usize, damaged.len() - "{\"change\":".len());
    let mut backwards = Vec::new();
    let lost = journal
        .newest_first(|change| {
            backwards.push(change.id.0);
            Visit::More
        })
        .unwrap();
    assert_eq!((backwards, lost), (vec!["two".to_owned(), "one".to_owned()], 3));
}

#[test]
fn a_few_files_are_looked_up_without_reading_what_is_about_others() {
    let about = |id: &str, path: &str| {
        let path = serde_json::to_string(path).unwrap();
        change(id).replace("\"reason\"", &format!("\"files\":[{{\"path\":{path}}}],\"reason\""))
    };
    let odd = "a \"quoted\" \\ name.md";
    let first = [about("one", "a.md"), about("two", odd), "damaged, names \"a.md\"\n".into()].concat();
    let second = [about("three", "b.md"), about("four", "a.md"), about("five", "aa.md")].concat();
    let (_dir, journal) = journal(&[("000001.jsonl", first.as_bytes()), ("000002.jsonl", second.as_bytes())]);
    let naming = |names: &[&str], enough: &str| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut seen = Vec::new();
        let visit = |change: Change| {
            seen.push(change.id.0);
            if seen.last().is_some_and(|id| id == enough) { Visit::Enough } else { Visit::More }
        };
        journal.newest_first_naming(&names, visit).unwrap();
        seen
    };
    assert_eq!(naming(&["a.md"], ""), ["four", "one"]);
    assert_eq!(naming(&["a.md", odd], ""), ["four", "two", "one"]);
    assert_eq!(naming(&["a.md", odd], "two"), ["four", "two"]);
    assert_eq!(naming(&["none.md"], ""), [""; 0]);
    let many: Vec<&str> = std::iter::repeat_n("a.md", FEW_NAMES + 1).collect();
    assert_eq!(naming(&many, ""), ["five", "four", "three", "two", "one"], "with many names every change is read");
}
