//! What other programs remembered: any file is read by every reader.
//!
//! Input: the file.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::import::{SOURCES, Whereabouts, read};
use memdir_fuzz::scratch;

static DIR: LazyLock<PathBuf> = LazyLock::new(|| scratch("import"));

fuzz_target!(|data: &[u8]| {
    let at = Whereabouts { home: &DIR, config: &DIR, claude: &DIR, root: &DIR, cwd: &DIR };
    for name in ["memories.json", "notes.md", "memory.txt"] {
        let file = DIR.join(name);
        std::fs::write(&file, data).expect("a file");
        for source in SOURCES {
            let _ = read(source, Some(&file), &at);
            let _ = read(source, Some(&DIR), &at);
        }
        let _ = read(&file.display().to_string(), None, &at);
    }
});
