//! Sharing through a real S3-compatible server on loopback (moto), started by the test.
//!
//! Needs Python with `moto[server]`; `MEMDIR_S3_PYTHON` names it. `.ci/run` installs it and runs this.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;
use serde_json::Value;

/// The server; ends with the test.
struct Server {
    child: Child,
    port: u16,
    log: PathBuf,
    _dir: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn python() -> String {
    std::env::var("MEMDIR_S3_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

impl Server {
    fn start() -> Server {
        let dir = tempfile::tempdir().unwrap();
        for attempt in 0..20 {
            let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let log = dir.path().join(format!("log-{attempt}"));
            let mut child = Command::new(python())
                .args(["-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()])
                .stdout(Stdio::null())
                .stderr(File::create(&log).unwrap())
                .spawn()
                .expect("python with moto[server]");
            let end = Instant::now() + Duration::from_mins(1);
            while Instant::now() < end && child.try_wait().unwrap().is_none() {
                if std::fs::read_to_string(&log).unwrap().contains("Running on") {
                    let server = Server { child, port, log, _dir: dir };
                    server.boto("s3.create_bucket(Bucket='team')");
                    return server;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("the S3 server does not start; is moto[server] installed?");
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Runs a line of Python with a client of the server.
    fn boto(&self, line: &str) -> String {
        let code = format!(
            "import boto3\ns3=boto3.client('s3',endpoint_url='{}',region_name='us-east-1',aws_access_key_id='key',aws_secret_access_key='secret')\n{line}\n",
            self.endpoint()
        );
        let output = Command::new(python()).args(["-c", &code]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// How many requests it has answered. It writes a line before it answers, in colours for some answers.
    fn requests(&self) -> usize {
        std::fs::read_to_string(&self.log).unwrap().lines().filter(|line| line.contains(" HTTP/1.1")).count()
    }

    /// Everything in the bucket, as text.
    fn everything(&self) -> String {
        self.boto(
            "for o in s3.list_objects_v2(Bucket='team').get('Contents',[]):\n  print(o['Key'], s3.get_object(Bucket='team',Key=o['Key'])['Body'].read())",
        )
    }
}

fn member(server: &Server, more: &[&str]) -> TestEnv {
    let mut env = TestEnv::new(env!("CARGO_BIN_EXE_memdir"));
    env.var("AWS_ACCESS_KEY_ID", "key").var("AWS_SECRET_ACCESS_KEY", "secret").var("USER", "ada");
    let endpoint = server.endpoint();
    let mut args = vec!["team", "init", "--store", "s3://team/app", "--endpoint", &endpoint];
    args.extend_from_slice(more);
    env.run(&args).ok();
    env
}

fn sync(env: &TestEnv) -> Value {
    env.json(&["team", "sync", "--yes"])
}

fn remember(env: &TestEnv, name: &str, text: &str) {
    env.run(&["remember", text, "--type", "project", "--name", name, "--scope", "team"]).ok();
}

#[test]
fn t1_a_memory_travels_through_a_bucket_and_nothing_to_do_is_one_request() {
    for shards in ["1", "16"] {
        let server = Server::start();
        let (ada, jon) = (member(&server, &["--shards", shards]), member(&server, &[]));
        remember(&ada, "Releases", "Mara cuts releases on Tuesdays");
        assert_eq!(sync(&ada)["pushed"].as_array().unwrap().len(), 2);
        assert_eq!(sync(&jon)["pulled"].as_array().unwrap().len(), 2);
        assert_eq!(ada.read_memory("team/project_releases.md"), jon.read_memory("team/project_releases.md"));
        for env in [&ada, &jon] {
            let before = server.requests();
            sync(env);
            assert_eq!(server.requests() - before, 1, "{shards} heads");
        }
        // Signed, but nobody has said yet whose key that is.
        let from = jon.json(&["show", "team/project_releases.md"])["from"].clone();
        assert_eq!((from["verified"].as_bool(), from["marks"][0].as_str()), (Some(false), Some("unverified")));
        let key = ada.json(&["team", "key"])["key"].as_str().unwrap().to_owned();
        jon.run(&["team", "trust", "Ada", &key]).ok();
        sync(&jon);
        assert_eq!(jon.json(&["show", "team/project_releases.md"])["from"]["verified"], true);
    }
}

#[test]
fn machines_that_write_at_once_all_get_through() {
    let server = Server::start();
    let members: Vec<TestEnv> = (0..4).map(|_| member(&server, &[])).collect();
    for (at, env) in members.iter().enumerate() {
        remember(env, &format!("Finding {at}"), &format!("Machine {at} found out number {at}{at}{at}"));
        let text = format!("---\nname: Shared\ndescription: d\ntype: project\n---\n\nSaid by machine {at}.\n");
        env.write_memory("team/shared.md", text);
    }
    let runs: Vec<Child> = members
        .iter()
        .map(|env| env.command(&["team", "sync", "--yes", "--quiet"]).stdout(Stdio::null()).spawn().unwrap())
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    for env in members.iter().chain(&members) {
        sync(env);
    }
    for env in &members {
        let shared = env.read_memory("team/shared.md");
        for at in 0..4 {
            assert!(shared.contains(&format!("machine {at}.")), "{shared}");
            assert!(env.memory().join(format!("team/project_finding_{at}.md")).exists());
        }
        assert_eq!(shared, members[0].read_memory("team/shared.md"));
    }
}

#[test]
fn t3_an_encrypted_bucket_holds_nothing_readable_and_its_key_can_be_changed() {
    let server = Server::start();
    let keys = tempfile::tempdir().unwrap();
    let [old, new, other] = ["old.txt", "new.txt", "other.txt"].map(|name| keys.path().join(name));
    let maker = TestEnv::new(env!("CARGO_BIN_EXE_memdir"));
    for file in [&old, &new, &other] {
        maker.run(&["team", "key", "new", file.to_str().unwrap()]).ok();
    }
    let ada = member(&server, &["--key", old.to_str().unwrap()]);
    remember(&ada, "Releases", "Mara cuts releases on Tuesdays");
    sync(&ada);
    let everything = server.everything();
    assert!(
        !everything.contains("Mara")
            && !everything.contains("releases.md")
            && everything.contains("age-encryption.org/v1"),
        "{everything}"
    );
    // Without the key nobody joins; with it everything is there.
    let mut stranger = TestEnv::new(env!("CARGO_BIN_EXE_memdir"));
    stranger.var("AWS_ACCESS_KEY_ID", "key").var("AWS_SECRET_ACCESS_KEY", "secret");
    stranger
        .run(&["team", "init", "--store", "s3://team/app", "--endpoint", &server.endpoint()])
        .fails(1)
        .says("--key");
    let jon = member(&server, &["--key", old.to_str().unwrap()]);
    assert_eq!(sync(&jon)["pulled"].as_array().unwrap().len(), 2);
    ada.run(&["team", "key", "rotate", new.to_str().unwrap()]).ok();
    // The old key opens nothing that is current any more, the new one does.
    jon.run(&["team", "sync", "--yes"]).fails(1).says("team's keys");
    // A key that nobody else has is not taken; the new one is, and nothing is encrypted once more for that.
    jon.run(&["team", "key", "add", other.to_str().unwrap()]).fails(1).says("does not open");
    jon.run(&["team", "key", "add", new.to_str().unwrap()]).ok();
    remember(&jon, "Standup", "The standup is at ten in the small room");
    assert_eq!(sync(&jon)["pushed"].as_array().unwrap().len(), 2);
    assert_eq!(sync(&ada)["pulled"].as_array().unwrap().len(), 2);
    let lin = member(&server, &["--key", new.to_str().unwrap()]);
    assert_eq!(sync(&lin)["pulled"].as_array().unwrap().len(), 3);
    assert_eq!(lin.read_memory("team/project_releases.md"), ada.read_memory("team/project_releases.md"));
}

#[test]
fn old_versions_wait_for_their_time_and_the_team_goes_on_meanwhile() {
    for shards in ["1", "16"] {
        let server = Server::start();
        let (ada, jon) = (member(&server, &["--shards", shards]), member(&server, &[]));
        for day in ["Mondays", "Tuesdays", "Wednesdays"] {
            let text = format!("---\nname: Releases\ndescription: d\ntype: project\n---\n\nOn {day}.\n");
            ada.write_memory("team/releases.md", text);
            sync(&ada);
        }
        sync(&jon);
        // The first time notes where things stand; the next one is weeks away, by the store's clock.
        assert_eq!(ada.json(&["team", "tidy"])["tidied"]["removed"], 0);
        let early = jon.json(&["team", "tidy"])["tidied"].clone();
        assert!(early["wait_seconds"].as_u64().unwrap() > 27 * 24 * 3600, "{early}");
        // Nobody notices, and what is written now has a name of its own generation.
        for env in [&jon, &ada] {
            sync(env);
            let before = server.requests();
            sync(env);
            assert_eq!(server.requests() - before, 1, "{shards} heads");
        }
        remember(&jon, "Standup", "The standup is at ten in the small room");
        sync(&jon);
        sync(&ada);
        assert!(ada.memory().join("team/project_standup.md").exists());
        assert!(server.everything().contains("app/objects/1-"));
    }
}

/// What tidying up asks of a store, on a real one.
#[test]
fn a_store_lists_page_by_page_removes_and_tells_ages() {
    use memdir::team::bucket::{Objects as _, PAGE, S3};
    let server = Server::start();
    server.boto(&format!(
        "for n in range({}): s3.put_object(Bucket='team',Key=f'app/objects/{{n:05}}',Body=b'x')",
        PAGE + 5
    ));
    let mut around = memdir::surroundings::Surroundings::default();
    for (name, value) in [("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")] {
        around.vars.insert(name.into(), value.into());
    }
    let s3 = S3::open("s3://team/app", Some(&server.endpoint()), "us-east-1", &around, jiff::Timestamp::now).unwrap();
    let first = s3.list("objects/", None).unwrap();
    assert_eq!((first.len(), first[0].key.as_str(), first[0].bytes), (PAGE, "objects/00000", 1));
    let rest = s3.list("objects/", Some(&first[PAGE - 1].key)).unwrap();
    assert_eq!((rest.len(), rest[0].key.as_str()), (5, "objects/01000"));
    for _ in 0..2 {
        s3.remove("objects/01000").unwrap();
    }
    assert_eq!(s3.list("objects/", Some(&first[PAGE - 1].key)).unwrap().len(), 4);
    assert_eq!(
        (s3.age("objects/01000").unwrap(), s3.age("objects/00000").unwrap().map(|age| age < 600)),
        (None, Some(true))
    );
}
