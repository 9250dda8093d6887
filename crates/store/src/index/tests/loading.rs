//! What a session sees (I2, I3).

use super::*;
use memdir_core::limits;

fn lines(count: usize) -> String {
    let line = |number| format!("- [T{number}](f{number}.md) — hook\n");
    (1..=count).map(line).collect::<Vec<_>>().concat()
}

fn plain(raw: &str) -> super::super::Loaded {
    load(raw.as_bytes(), SizeUnit::Bytes, &|_| false)
}

fn shown(loaded: &super::super::Loaded) -> Vec<&str> {
    let part = loaded.text.split("\n\n> WARNING: MEMORY.md is ").next().unwrap();
    part.split('\n').collect()
}

#[test]
fn i2_what_fits_is_loaded_as_it_is() {
    for raw in ["", "  \n\n", "\u{feff}\n"] {
        let loaded = plain(raw);
        assert_eq!((loaded.text.as_str(), loaded.lines, loaded.bytes, loaded.cut), ("", 0, 0, None));
    }
    let loaded = plain("\u{feff}\n\n# M\r\n- [A](a.md)\r\n\n");
    assert_eq!(loaded.text, "# M\r\n- [A](a.md)");
    assert_eq!((loaded.lines, loaded.bytes, loaded.loaded), (2, 16, vec!["a.md".to_owned()]));
    assert_eq!(plain(&lines(200)).cut, None, "blank space at the end is no line");
    let full = format!("{}\n{}", "a".repeat(12_499), "b".repeat(12_500));
    assert_eq!(plain(&full).cut, None);
    assert!(plain(&format!("{full}c")).cut.is_some());
    assert_eq!(load(b"a\xffb", SizeUnit::Bytes, &|_| false).text, "a\u{fffd}b");
}

#[test]
fn i2_cut_at_200_lines() {
    let loaded = plain(&format!("\n\n{}", lines(310)));
    let part = shown(&loaded);
    assert_eq!((part.len(), part[199]), (200, "- [T200](f200.md) — hook"));
    let cut = loaded.cut.unwrap();
    assert_eq!((loaded.lines, cut.missing, cut.first), (310, 110, 203), "file lines, two blank ones first");
    assert_eq!((cut.over_lines, cut.over_size, cut.inside_line), (true, false, false));
    assert_eq!((loaded.dropped.len(), loaded.displaced.len(), loaded.loaded.len()), (110, 0, 200));
    let first = &loaded.dropped[0];
    assert_eq!((first.line, first.target.as_deref()), (203, Some("f201.md")));
    assert_eq!(first.text, "- [T201](f201.md) — hook");
}

#[test]
fn i2_cut_at_the_last_newline_before_25000_bytes() {
    let line = format!("- [T](f.md) — {}", "é".repeat(493));
    let raw = vec![line.as_str(); 30].join("\n");
    let loaded = plain(&raw);
    let part = shown(&loaded);
    assert!(part.iter().all(|shown| *shown == line));
    assert_eq!(part.len(), 25_000 / (line.len() + 1));
    // UTF-16 units count half as much here, so more fits.
    let units = load(raw.as_bytes(), SizeUnit::Utf16, &|_| false);
    assert_eq!(units.cut, None);
    let wide = "é".repeat(30_000);
    let units = load(wide.as_bytes(), SizeUnit::Utf16, &|_| false);
    assert_eq!(shown(&units)[0].chars().count(), 25_000);
    assert_eq!(units.bytes, 60_000);
}

#[test]
fn i2_a_first_line_over_the_limit_is_cut_inside_but_not_inside_a_character() {
    let raw = format!("{}中\nnext", "a".repeat(24_999));
    let loaded = plain(&raw);
    assert_eq!(shown(&loaded), ["a".repeat(24_999)]);
    let cut = loaded.cut.unwrap();
    assert!(cut.inside_line && cut.first == 1 && cut.missing == 2);
    assert_eq!(loaded.dropped.len(), 1, "the first line is partly there");
    let faces = "😀".repeat(20_000);
    let units = load(faces.as_bytes(), SizeUnit::Utf16, &|_| false);
    assert_eq!(shown(&units)[0].encode_utf16().count(), 25_000);
}

#[test]
fn i2_kept_lines_displace_the_last_ordinary_ones_in_file_order() {
    let keep = |target: &str| ["f5.md", "f250.md", "f300.md"].contains(&target);
    let loaded = load(lines(310).as_bytes(), SizeUnit::Bytes, &keep);
    let part = shown(&loaded);
    assert_eq!(part.len(), 200);
    assert_eq!(part[197..], ["- [T198](f198.md) — hook", "- [T250](f250.md) — hook", "- [T300](f300.md) — hook"]);
    let displaced: Vec<usize> = loaded.displaced.iter().map(|line| line.line).collect();
    assert_eq!(displaced, [199, 200]);
    assert_eq!(loaded.dropped.len(), 108);
    assert_eq!(loaded.cut.unwrap().first, 199);
    assert!(loaded.loaded.contains(&"f250.md".to_owned()) && !loaded.loaded.contains(&"f200.md".to_owned()));
    assert!(loaded.text.contains("in place of the last others"));
}

#[test]
fn i2_of_too_many_kept_lines_the_later_ones_stay() {
    let loaded = load(lines(310).as_bytes(), SizeUnit::Bytes, &|_| true);
    let part = shown(&loaded);
    assert_eq!((part.len(), part[0], part[199]), (200, "- [T111](f111.md) — hook", "- [T310](f310.md) — hook"));
    assert_eq!((loaded.displaced.len(), loaded.dropped.len()), (110, 0));
}

#[test]
fn i2_kept_lines_get_room_beside_an_endless_first_line() {
    let raw = format!("- [Long](long.md) — {}\nx\n- [Kept](kept.md) — hook\n", "a".repeat(40_000));
    let loaded = load(raw.as_bytes(), SizeUnit::Bytes, &|target| target == "kept.md");
    let part = shown(&loaded);
    assert_eq!((part.len(), part[1]), (2, "- [Kept](kept.md) — hook"));
    assert_eq!(part.join("\n").len(), limits::INDEX_BYTES);
    // Wanted itself, the endless line still is only cut.
    let loaded = load(raw.as_bytes(), SizeUnit::Bytes, &|_| true);
    assert_eq!(shown(&loaded).join("\n").len(), limits::INDEX_BYTES);
}

#[test]
fn i2_an_endless_first_line_without_room_is_displaced() {
    let raw = format!("{}\n{}", "a".repeat(40_000), lines(250));
    let loaded = load(raw.as_bytes(), SizeUnit::Bytes, &|_| true);
    assert_eq!(shown(&loaded).len(), 200);
    assert_eq!(loaded.displaced.len(), 1);
    assert_eq!((loaded.displaced[0].line, loaded.dropped.len()), (1, 50));
}

#[test]
fn i3_the_warning_says_how_large_which_limit_what_is_missing_and_what_to_do() {
    let table: [(String, &[&str]); 4] = [
        (lines(310), &["310 lines (limit: 200)", "110 of 310 lines", "line 201", "T201"]),
        (vec!["x".repeat(999); 30].join("\n"), &["29999 bytes (limit: 25000)", "5 of 30 lines", "line 26"]),
        (vec!["x".repeat(199); 300].join("\n"), &["300 lines (limit: 200) and 59999 bytes (limit: 25000)", "line 126"]),
        ("x".repeat(30_000), &["30000 bytes (limit: 25000)", "line 1 alone"]),
    ];
    for (raw, said) in table {
        let loaded = plain(&raw);
        let at = loaded.text.find("\n\n> WARNING: MEMORY.md is ").unwrap();
        let warning = &loaded.text[at..];
        for part in said.iter().chain(&["Only part of it", "one line", "150 characters", "topic file"]) {
            assert!(warning.contains(part), "{part:?} not in {warning:?}");
        }
        assert!(warning.len() < 600 && warning.matches('\n').count() == 2, "{warning}");
    }
    let units = load("é".repeat(30_000).as_bytes(), SizeUnit::Utf16, &|_| false);
    assert!(units.text.contains("30000 characters (limit: 25000)"));
}

#[test]
fn i2_five_megabytes_load_in_one_pass() {
    let raw = lines(150_000);
    let loaded = load(raw.as_bytes(), SizeUnit::Bytes, &|target| target.ends_with("000.md"));
    assert_eq!(shown(&loaded).len(), 200);
    assert_eq!(loaded.displaced.len() + loaded.dropped.len(), 150_000 - 200);
    let blank = "\n".repeat(5_000_000);
    assert_eq!(plain(&format!("a{blank}b")).lines, 5_000_001);
}
