//! Team memory: three versions in, one out, whoever is "ours".
//!
//! Input: the last common version, ours, theirs; as topic files and as indexes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::team::merge::{PresentTargets, merge, merge_index};
use memdir_fuzz::{parts, text};

fuzz_target!(|data: &[u8]| {
    let [base, ours, theirs] = parts(data).map(text);
    let fates = PresentTargets::default();
    for base in [None, Some(base.as_str())] {
        assert_eq!(merge(base, &ours, &theirs), merge(base, &theirs, &ours), "who merges does not matter");
        assert_eq!(merge(base, &ours, &ours), ours, "nothing to merge");
        let one = merge_index(base, &ours, &theirs, &fates);
        assert_eq!(one, merge_index(base, &theirs, &ours, &fates), "who merges the index does not matter");
    }
});
