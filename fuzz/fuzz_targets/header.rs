//! Headers: the first lines say what the whole file says, and nothing beyond the limits is read (R1).

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::limits;
use memdir::store::topic::{Header, Topic};

fuzz_target!(|data: &[u8]| {
    let header = Header::read(data);
    for line in [&header.name, &header.description].into_iter().flatten() {
        assert!(!line.is_empty() && !line.contains('\n'), "{line:?} is no line");
    }
    let lines = data.iter().filter(|byte| **byte == b'\n').count();
    if data.len() <= limits::HEADER_BYTES && lines < limits::FRONTMATTER_LINES {
        let topic = Topic::parse(data.to_vec());
        assert_eq!(header.name, topic.name().map(String::from));
        assert_eq!(header.description, topic.description().map(String::from));
        assert_eq!((header.kind, header.pinned), (topic.kind(), topic.pinned()));
    }
    // What follows far behind changes nothing. Long inputs are slow; a part of them will do.
    if data.len() % 8 != 0 {
        return;
    }
    let mut padded = data[..data.len().min(limits::HEADER_BYTES)].to_vec();
    padded.resize(limits::HEADER_BYTES, b'x');
    let cut = Header::read(&padded);
    padded.extend_from_slice(b"\nname: late\n---\n");
    assert_eq!(Header::read(&padded), cut, "bytes beyond the limit were read");
});
