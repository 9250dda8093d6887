//! The published vectors of the format (C2SP, CCTV): all that stand for X25519 keys and are neither armoured nor packed. See
//! `cctv/README.md`.

use std::collections::BTreeMap;
use std::path::Path;

use super::{ours, theirs};

/// What the other program opens all the same: it still reads headers of early versions of the format, without a body's last line.
const THEY_FORGIVE: [&str; 2] = ["stanza_missing_body", "stanza_missing_final_line"];

struct Vector {
    name: String,
    /// `success`, or what must fail.
    expect: String,
    /// SHA-256 of the text, where there is one.
    payload: Option<String>,
    keys: Vec<String>,
    sealed: Vec<u8>,
}

impl Vector {
    /// Lines `key: value`, an empty line, the file.
    fn read(path: &Path) -> Vector {
        let bytes = std::fs::read(path).unwrap();
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let all = |key: &str| -> Vec<String> {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.filter(|(name, _)| *name == key).map(|(_, value)| value.to_owned()).collect()
        };
        let mut keys = all("identity");
        if keys.is_empty() {
            keys.push(memdir_team::crypt::TeamKeys::new_file().unwrap());
        }
        Vector {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            expect: all("expect").remove(0),
            payload: all("payload").pop(),
            keys,
            sealed: bytes[end + 2..].to_vec(),
        }
    }

    /// Whether what was read is what had to be read.
    fn fits(&self, opened: Option<&Vec<u8>>) -> bool {
        let hash = |plain: &Vec<u8>| {
            let digest = ring::digest::digest(&ring::digest::SHA256, plain);
            digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        match opened {
            Some(plain) => self.expect == "success" && self.payload.as_ref() == Some(&hash(plain)),
            None => self.expect != "success",
        }
    }
}

fn vectors() -> Vec<Vector> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/age/cctv");
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_none()).map(|path| Vector::read(&path)).collect()
}

#[test]
fn every_vector_ends_as_it_says() {
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for vector in vectors() {
        let keys: Vec<&str> = vector.keys.iter().map(String::as_str).collect();
        *counts.entry(vector.expect.clone()).or_insert(0) += 1;
        if !vector.fits(ours(&keys, &vector.sealed).as_ref()) {
            wrong.push(format!("we: {}, {}", vector.name, vector.expect));
        }
        if vector.fits(theirs(&keys, &vector.sealed).as_ref()) == THEY_FORGIVE.contains(&&*vector.name) {
            wrong.push(format!("they: {}, {}", vector.name, vector.expect));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let counts: Vec<_> = counts.iter().map(|(expect, count)| (expect.as_str(), *count)).collect();
    let all = [("HMAC failure", 1), ("header failure", 32), ("no match", 3), ("payload failure", 6), ("success", 7)];
    assert_eq!(counts, all, "a vector is missing");
}
