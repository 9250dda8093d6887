//! Who can be believed, and what is too much: signatures of real git, repositories of the other hash, a file of a gigabyte.

use std::path::{Path, PathBuf};

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::teaming::{join, member, remember, repository, sync};

/// A new ssh key below a member's home; gives the public part's file.
fn ssh_key(env: &TestEnv, name: &str) -> PathBuf {
    let file = env.home().join(name);
    let made =
        env.program("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]).arg(&file).status().unwrap();
    assert!(made.success());
    file.with_extension("pub")
}

/// Commits of a member are signed with this key from now on.
fn sign_with(env: &TestEnv, key: &Path) {
    let config =
        format!("[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = {}\n[commit]\n\tgpgsign = true\n", key.display());
    std::fs::write(env.home().join(".gitconfig"), config).unwrap();
}

fn from(env: &TestEnv, file: &str) -> Value {
    env.json(&["show", file])["from"].clone()
}

#[test]
fn an_author_is_verified_by_their_own_signature_and_by_nothing_else() {
    let (ada, jon, lin) = (member("ada"), member("jon"), member("lin"));
    // Somebody who says that they are Ada.
    let mallory = member("ada");
    let url = repository(&ada).display().to_string();
    let (adas, mallorys) = (ssh_key(&ada, "key"), ssh_key(&mallory, "key"));
    sign_with(&ada, &adas);
    sign_with(&mallory, &mallorys);
    let public = |file: &Path| std::fs::read_to_string(file).unwrap();
    let signers = jon.home().join("signers");
    std::fs::write(&signers, format!("ada@example.org {}", public(&adas))).unwrap();
    std::fs::write(
        jon.home().join(".gitconfig"),
        format!("[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tallowedSignersFile = {}\n", signers.display()),
    )
    .unwrap();
    for (env, name) in [(&ada, "Signed"), (&lin, "Unsigned"), (&mallory, "Foreign")] {
        join(env, &url);
        sync(env);
        remember(env, name, &format!("What stands in {name} is number {}", name.len()));
        sync(env);
    }
    join(&jon, &url);
    sync(&jon);
    let signed = from(&jon, "team/project_signed.md");
    assert_eq!((&signed["verified"], &signed["marks"]), (&json!(true), &json!([])), "{signed}");
    for file in ["team/project_unsigned.md", "team/project_foreign.md"] {
        let from = from(&jon, file);
        assert_eq!((&from["verified"], &from["marks"]), (&json!(false), &json!(["unverified"])), "{file}: {from}");
    }
    // A signer whose own name is known still does not sign for Ada.
    std::fs::write(&signers, format!("ada@example.org {}mallory@example.org {}", public(&adas), public(&mallorys)))
        .unwrap();
    remember(&mallory, "Borrowed", "What stands in Borrowed is nobody's");
    sync(&mallory);
    sync(&jon);
    assert_eq!(from(&jon, "team/project_borrowed.md")["verified"], json!(false));
    // Only Ada is let in, by a name that a signature proves.
    jon.run(&["team", "only", "ada <ada@example.org>"]).ok();
    sync(&jon);
    assert_eq!(jon.memory_files(), ["team/MEMORY.md", "team/project_signed.md"]);
    // A key whose owner the user knows, without a file of signers.
    let said = ada.program("ssh-keygen", &["-l", "-f"]).arg(&mallorys).output().unwrap();
    let print = String::from_utf8(said.stdout).unwrap().split(' ').nth(1).unwrap().to_owned();
    jon.run(&["team", "trust", "Mallory", &print]).ok();
    jon.run(&["team", "only", "Mallory"]).ok();
    sync(&jon);
    let borrowed = from(&jon, "team/project_borrowed.md");
    assert_eq!((&borrowed["author"], &borrowed["verified"]), (&json!("Mallory"), &json!(true)), "{borrowed}");
}

#[test]
fn a_repository_that_names_its_objects_by_sha256_is_shared_like_any_other() {
    let (ada, jon) = (member("ada"), member("jon"));
    let shared = ada.home().join("shared.git");
    std::fs::create_dir_all(&shared).unwrap();
    ada.git(&shared, &["init", "-q", "--bare", "--object-format=sha256", "-b", "main"]);
    for env in [&ada, &jon] {
        join(env, &shared.display().to_string());
    }
    // The first one finds it empty, the second one full.
    remember(&ada, "Releases", "Mara cuts releases on Tuesdays");
    assert_eq!(sync(&ada)["pushed"].as_array().unwrap().len(), 2);
    assert_eq!(ada.git(&shared, &["rev-parse", "main"]).trim().len(), 64);
    assert_eq!(sync(&jon)["pulled"].as_array().unwrap().len(), 2);
    remember(&jon, "Standup", "The standup is at ten in the small room");
    sync(&jon);
    ada.run(&["forget", "team/project_releases.md"]).ok();
    sync(&ada);
    // One that has lost what it knew tells the deletion by the name of what was deleted.
    std::fs::remove_dir_all(jon.state().join("team")).unwrap();
    sync(&jon);
    for env in [&ada, &jon] {
        assert_eq!(env.memory_files(), ["team/MEMORY.md", "team/project_standup.md"]);
    }
}

/// A sync in a process that cannot hold a file of a gigabyte, nor can the `git` it starts.
fn sync_in_little_room(env: &TestEnv) -> Value {
    let memdir = env.command(&["team", "sync", "--yes", "--json"]);
    let mut limited = env.program("sh", &["-c", "ulimit -v 900000; exec \"$@\"", "sh"]);
    limited.arg(memdir.get_program()).args(memdir.get_args());
    memdir_testkit::finish(&mut limited).ok().json()
}

#[test]
fn t4_a_file_of_a_gigabyte_does_not_arrive_and_keeps_nobody_from_sharing() {
    let (ada, jon, mallory) = (member("ada"), member("jon"), member("mallory"));
    let shared = repository(&ada);
    let plant = mallory.home().join("plant");
    std::fs::create_dir_all(&plant).unwrap();
    std::fs::File::create(plant.join("bomb.md")).unwrap().set_len(1 << 30).unwrap();
    std::fs::write(plant.join("fine.md"), "Releases are on Tuesdays.").unwrap();
    let tree = format!("--work-tree={}", plant.display());
    let dir = format!("--git-dir={}", shared.display());
    let cheap = ["-c", "core.bigFileThreshold=1m", "-c", "core.compression=1", "-c", "core.bare=false"];
    mallory.git(&plant, &[&cheap[..], &[&dir, &tree, "add", "-A"]].concat());
    mallory.git(&plant, &[&cheap[..], &[&dir, &tree, "commit", "-q", "-m", "plant"]].concat());
    std::fs::remove_dir_all(&plant).unwrap();
    // A server that can leave out what is too large, and one that cannot.
    for (env, filters, name) in [(&ada, "true", "One"), (&jon, "false", "Two")] {
        env.git(&shared, &["config", "uploadpack.allowFilter", filters]);
        join(env, &shared.display().to_string());
        let synced = sync_in_little_room(env);
        assert!(synced["kept_out"][0]["reason"].as_str().unwrap().starts_with("too-large"), "{synced}");
        assert!(env.memory_files().contains(&"team/fine.md".to_owned()));
        remember(env, name, &format!("{name} more thing that everybody should know"));
        assert_eq!(sync_in_little_room(env)["pushed"].as_array().unwrap().len(), 2);
    }
    // It is still theirs: nobody's commit took it away.
    assert!(ada.git(&shared, &["ls-tree", "--name-only", "main"]).contains("bomb.md"));
}
