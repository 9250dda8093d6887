//! What the targets share: one input cut into several, and a directory in memory.

use std::path::{Path, PathBuf};

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
