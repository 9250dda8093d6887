//! What the targets share: one input cut into several, and a directory in memory.

use std::path::{Path, PathBuf};

use memdir::model::ContentBlock;
use memdir::model::recorded::{RecordedApi, read};

/// Cuts an input at its first `0xff` bytes, which no text holds. Missing parts are empty; the last
/// part takes all that is left.
pub fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut cut = data.splitn(N, |byte| *byte == 0xff);
    std::array::from_fn(|_| cut.next().unwrap_or_default())
}

/// Bytes as text, as files are read.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A scratch directory that lives as long as the process, in memory where the system has such a
/// place: a target that needs files writes them anew for each input.
pub fn scratch(name: &str) -> PathBuf {
    let base = Path::new("/dev/shm");
    let base = if base.is_dir() { base.to_path_buf() } else { std::env::temp_dir() };
    let dir = base.join(format!("memdir-fuzz-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a scratch directory");
    dir
}

/// An input in two pieces; its first byte says where.
pub fn cut(data: &[u8]) -> (&[u8], &[u8]) {
    let at = data.first().map_or(0, |byte| usize::from(*byte) * data.len() / 256);
    data.split_at(at)
}

/// A provider's answer: no panic, pieces are the whole, words of the reply were said.
pub fn answered(api: RecordedApi, data: &[u8]) {
    let heard = |pieces: &[&[u8]]| {
        let mut said = String::new();
        let reply = read(api, pieces.iter().copied(), &mut |text| said.push_str(text));
        (reply, said)
    };
    let (first, rest) = cut(data);
    let whole = heard(&[data]);
    assert_eq!(heard(&[first, rest]), whole, "cut in two");
    assert_eq!(heard(&data.chunks(1).collect::<Vec<_>>()), whole, "byte by byte");
    let (Ok(reply), said) = whole else { return };
    let words = reply.content.iter().any(|block| matches!(block, ContentBlock::Text { text } if !text.is_empty()));
    assert!(!words || !said.is_empty(), "words that were never said");
    let mut usage = reply.usage;
    usage.add(reply.usage);
    assert!(usage.hit_percent().is_none_or(|hit| (0.0..=100.0).contains(&hit)));
}
