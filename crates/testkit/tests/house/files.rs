//! One style of files: a module that has files of its own is the `mod.rs` of its folder.

use crate::process;

#[test]
fn a_module_with_files_of_its_own_is_the_mod_of_its_folder() {
    let files = process::library_sources();
    assert!(files.iter().any(|(file, _)| file.ends_with("mod.rs")), "the sources are somewhere else");
    let beside: Vec<_> =
        files.iter().filter(|(file, _)| file.with_extension("").is_dir()).map(|(file, _)| file).collect();
    assert!(beside.is_empty(), "move these into their folders, as mod.rs: {beside:#?}");
}
