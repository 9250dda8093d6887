//! A directory in place of a file of memdir's own: the lock, the journal, who dreams, whatever there is.

use std::path::{Path, PathBuf};

use memdir_testkit::TestEnv;

use super::env;

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// A machine on which memory was saved and put in order, so that every file of the state is there.
fn used() -> TestEnv {
    let env = env();
    env.run(&["remember", "Releases are cut on Tuesdays", "--type", "project"]).ok();
    env.run(&["dream", "--force", "--yes"]).ok();
    env
}

#[test]
fn a_directory_in_place_of_a_file_gets_advice() {
    let names = {
        let env = used();
        let mut found = Vec::new();
        files(&env.state(), &mut found);
        let below = |file: &PathBuf| file.strip_prefix(env.state()).unwrap().to_path_buf();
        let known: Vec<PathBuf> = found.iter().map(below).map(|file| file.iter().skip(2).collect()).collect();
        assert!(known.iter().any(|file| file.ends_with("lock")) && known.len() > 2, "{known:?}");
        found.len()
    };
    let mut advised = 0;
    for at in 0..names {
        let env = used();
        let mut found = Vec::new();
        files(&env.state(), &mut found);
        found.sort();
        let Some(file) = found.get(at) else { continue };
        std::fs::remove_file(file).unwrap();
        std::fs::create_dir_all(file.join("x")).unwrap();
        for command in [
            &["remember", "Deploys go out on Fridays", "--type", "project"][..],
            &["dream", "--force", "--yes"],
            &["history"],
        ] {
            let run = env.run(command);
            let said = format!("{}{}", run.stdout, run.stderr);
            assert!(run.code.is_some_and(|code| code < 100), "{} {command:?}: {said}", file.display());
            if run.code != Some(0) {
                let advice = ["move it away", "memdir doctor"].iter().any(|advice| said.contains(advice));
                assert!(advice, "{} {command:?}: {said}", file.display());
                advised += 1;
            }
        }
    }
    assert!(advised > 0, "nothing was in the way");
}
