//! The queue and the worker: nothing lost, nothing doubled, whatever dies.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::env;
use super::extracting::Transcript;

#[test]
fn x5_a_turn_is_noted_at_once_and_learned_from_by_the_worker() {
    let env = env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on keep answers short, I read on my phone");
    let gate = env.json(&["enqueue", talk.path(), "--host", "claude-code"]);
    assert_eq!((&gate["run"], &gate["reason"]), (&json!(true), &json!("offline")));
    assert_eq!(env.json(&["status"])["jobs"]["pending"], 1);
    // More turns before anybody works: the latest wins, and one run does for all.
    env.run(&["enqueue", talk.path(), "--host", "claude-code"]).ok();
    let worked = env.json(&["work"]);
    assert_eq!(worked["runs"].as_array().unwrap().len(), 1);
    assert_eq!(worked["runs"][0]["saved"].as_array().unwrap().len(), 1);
    let status = env.json(&["status"]);
    assert_eq!((&status["jobs"]["pending"], &status["jobs"]["running"]), (&json!(0), &json!(false)));
    assert_eq!(status["last_extraction"]["ended"], "offline");
}

#[test]
fn x1_every_reason_not_to_run_has_a_name() {
    let mut env = env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on keep answers short");
    let path = talk.path().to_owned();
    let reason = |env: &TestEnv, more: &[&str]| {
        let args = [&["enqueue", &path, "--host", "claude-code"], more].concat();
        env.json(&args)["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason(&env, &["--sub-agent"]), "sub-agent");
    env.var("MEMDIR_EXTRACT_NON_INTERACTIVE", "false");
    assert_eq!(reason(&env, &["--unattended"]), "setting:extract.non_interactive");
    env.var("MEMDIR_EXTRACT_ENABLED", "false");
    assert_eq!(reason(&env, &[]), "setting:extract.enabled");
    assert_eq!(env.json(&["status"])["gates"]["extract"], json!({"run": false, "reason": "setting:extract.enabled"}));
    env.var("MEMDIR_EXTRACT_ENABLED", "true").var("CLAUDE_CODE_REMOTE", "1");
    env.var("CLAUDE_CODE_REMOTE_MEMORY_DIR", env.home().join("remote").to_str().unwrap());
    assert_eq!(reason(&env, &[]), "remote");
    env.var("CLAUDE_CODE_REMOTE", "0").var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert!(reason(&env, &[]).starts_with("off:"));
    assert_eq!(env.json(&["work"])["runs"], json!([]));
}

#[test]
fn x1_fewer_turns_than_set_wait_unless_memory_is_asked() {
    let mut env = env();
    env.var("MEMDIR_EXTRACT_EVERY_TURNS", "3");
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on keep answers short");
    let turn = |talk: &Transcript| env.run(&["enqueue", talk.path(), "--host", "claude-code"]).ok();
    turn(&talk);
    assert_eq!(env.json(&["work"])["runs"], json!([]));
    assert_eq!(env.json(&["status"])["jobs"]["throttled"], 1);
    turn(&talk);
    turn(&talk);
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
    talk.user("remember that the scanners in Lodz send a trailing tab");
    turn(&talk);
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
}

#[test]
fn x5_a_run_that_fails_leaves_the_cursor_is_tried_again_and_then_given_up() {
    let env = env();
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on keep answers short");
    env.run(&["enqueue", talk.path(), "--host", "claude-code"]).ok();
    let path = PathBuf::from(talk.path());
    let kept = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(env.json(&["work"])["failed"], 3);
    let status = env.json(&["status"]);
    assert_eq!((&status["jobs"]["pending"], status["jobs"]["failed"].as_array().unwrap().len()), (&json!(0), 1));
    assert!(status["warnings"][0].as_str().unwrap().contains("could not learn from"));
    std::fs::write(&path, kept).unwrap();
    env.run(&["enqueue", talk.path(), "--host", "claude-code"]).ok();
    assert_eq!(env.json(&["work"])["runs"][0]["saved"].as_array().unwrap().len(), 1);
}

#[test]
fn a_worker_is_started_and_not_waited_for() {
    let mut env = env();
    env.var("MEMDIR_NO_BACKGROUND", "0");
    let mut talk = Transcript::new(&env, "s1");
    talk.user("from now on keep answers short, I read on my phone");
    env.run(&["enqueue", talk.path(), "--host", "claude-code"]).ok();
    let learned = || env.memory().join("MEMORY.md").exists();
    let done = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        learned()
    });
    assert!(done, "nobody learned anything");
}

const SESSIONS: usize = 8;
const TURNS: usize = 125;
const KILLS: usize = 200;
/// One turn in so many says something to remember.
const FACT_EVERY: usize = 25;

const PLACES: [&str; 40] = [
    "Aarhus", "Bergen", "Cadiz", "Dakar", "Eilat", "Fargo", "Ghent", "Haifa", "Iqaluit", "Jinja", "Kigali", "Lodz",
    "Mainz", "Nantes", "Oulu", "Porto", "Quito", "Riga", "Sofia", "Turin", "Uppsala", "Vigo", "Wroclaw", "Xiamen",
    "Ypres", "Zadar", "Accra", "Bilbao", "Cork", "Dover", "Erfurt", "Fes", "Gdansk", "Hobart", "Izmir", "Jaffa",
    "Kyoto", "Lima", "Malmo", "Nice",
];

/// What there is to know about each.
const HABITS: [&str; 40] = [
    "keeps its spare keys behind the clock",
    "has no lift, so parcels stay small",
    "closes its gate at nine in winter",
    "pays its drivers by the trip",
    "wants invoices in two copies",
    "has a dog that barks at scooters",
    "lost its forklift licence for the yard",
    "is served by the ferry only",
    "prints labels on blue paper",
    "has its own baker for the canteen",
    "stores glass in hall C",
    "cannot take trailers over twelve metres",
    "has the only cold room in the north",
    "is cleaned by an outside firm",
    "answers the phone in Spanish",
    "weighs every pallet twice",
    "rents its roof to a beekeeper",
    "has a lock that needs oil each month",
    "takes returns without a slip",
    "runs on a generator in August",
    "counts stock with paper lists",
    "has a union rep called Odd",
    "sends its mail through the museum",
    "keeps chemicals in a red cabinet",
    "was flooded and has new floors",
    "loads trucks from the left side",
    "trains the apprentices of all sites",
    "has no night bus, so late crews get taxis",
    "measures humidity for the paper rolls",
    "holds the contract with the harbour",
    "buys tea for everybody",
    "shares a car park with the school",
    "has a ramp too steep for carts",
    "files its permits with the county",
    "grows tomatoes behind the shed",
    "repairs the handheld scanners",
    "needs two signatures for petrol",
    "paints its doors yellow for the fire service",
    "has a bell that nobody may ring",
    "tests the sprinklers in spring",
];

/// One session: its transcript grows turn by turn, in the shape of its host.
struct Session {
    at: usize,
    host: &'static str,
    path: PathBuf,
}

impl Session {
    fn new(env: &TestEnv, at: usize) -> Session {
        let host = ["claude-code", "codex", "copilot"][at % 3];
        let path = env.home().join(format!("sessions/{at}.jsonl"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let head = match host {
            "codex" => Some(
                json!({"timestamp": "2026-04-14T09:00:00Z", "type": "session_meta", "payload": {"id": format!("s{at}"), "session_id": format!("s{at}"), "source": "cli"}}),
            ),
            "copilot" => Some(
                json!({"type": "session.start", "data": {"sessionId": format!("s{at}")}, "id": "head", "parentId": null}),
            ),
            _ => None,
        };
        let session = Session { at, host, path };
        session.write(&head.into_iter().collect::<Vec<_>>());
        session
    }

    fn turn(&self, turn: usize) {
        let said = match self.fact(turn) {
            // Forty different things: this is about kills, not about telling alike sentences apart.
            Some(place) => {
                let about = PLACES.iter().position(|known| *known == place).map_or("", |at| HABITS[at]);
                format!("remember that {place} {about}")
            }
            None => format!("now look at row {turn}"),
        };
        let (user, answer) = (format!("s{}-u{turn}", self.at), format!("s{}-a{turn}", self.at));
        let before = turn.checked_sub(1).map(|turn| format!("s{}-a{turn}", self.at));
        let lines = match self.host {
            "claude-code" => [
                json!({"parentUuid": before, "isSidechain": false, "type": "user", "uuid": user, "sessionId": format!("s{}", self.at), "message": {"role": "user", "content": said}}),
                json!({"parentUuid": user, "isSidechain": false, "type": "assistant", "uuid": answer, "sessionId": format!("s{}", self.at), "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]}}),
            ],
            "codex" => [
                json!({"timestamp": "2026-04-14T09:00:00Z", "type": "response_item", "payload": {"type": "message", "id": user, "role": "user", "content": [{"type": "input_text", "text": said}]}}),
                json!({"timestamp": "2026-04-14T09:00:00Z", "type": "response_item", "payload": {"type": "message", "id": answer, "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}}),
            ],
            _ => [
                json!({"type": "user.message", "data": {"content": said}, "id": user, "timestamp": "2026-04-14T09:00:00Z", "parentId": before}),
                json!({"type": "assistant.message", "data": {"content": "ok", "toolRequests": []}, "id": answer, "timestamp": "2026-04-14T09:00:00Z", "parentId": user}),
            ],
        };
        self.write(&lines);
    }

    fn fact(&self, turn: usize) -> Option<&'static str> {
        turn.is_multiple_of(FACT_EVERY).then(|| PLACES[self.at * (TURNS / FACT_EVERY) + turn / FACT_EVERY])
    }

    fn write(&self, lines: &[Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut file = std::fs::File::options().append(true).create(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
}

fn worker(env: &TestEnv) -> Child {
    env.command(&["work", "--quiet"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// 1,000 turns of 8 sessions of 3 hosts, workers killed 200 times: each message is processed once.
#[test]
fn x5_workers_killed_at_random_lose_nothing_and_double_nothing() {
    let env = env();
    let sessions: Vec<Session> = (0..SESSIONS).map(|at| Session::new(&env, at)).collect();
    let (talking, kills) = (AtomicUsize::new(SESSIONS), AtomicUsize::new(0));
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for session in &sessions {
            let (env, talking, failed, kills) = (&env, &talking, &failed, &kills);
            scope.spawn(move || {
                for turn in 0..TURNS {
                    // Turns go on as long as workers die.
                    while kills.load(Ordering::SeqCst) * TURNS < turn * (KILLS - 10) {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    session.turn(turn);
                    let path = session.path.to_str().unwrap();
                    // Several turns often end before anybody looks; the last of a session is always told.
                    if turn % 5 == session.at % 5 || turn + 1 == TURNS {
                        let told = env.run(&["enqueue", path, "--host", session.host, "--quiet"]);
                        failed.fetch_or(told.code != Some(0), Ordering::SeqCst);
                    }
                }
                talking.fetch_sub(1, Ordering::SeqCst);
            });
        }
        // Workers die anywhere in their life, from the first instruction on.
        let mut chance: u64 = 0x2545_F491_4F6C_DD1D;
        while kills.load(Ordering::SeqCst) < KILLS {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            let mut child = worker(&env);
            let longest = if talking.load(Ordering::SeqCst) > 0 { 150_000 } else { 10_000 };
            std::thread::sleep(Duration::from_micros(chance % longest));
            let alive = child.try_wait().unwrap().is_none();
            if alive {
                child.kill().unwrap();
            }
            child.wait().unwrap();
            kills.fetch_add(usize::from(alive), Ordering::SeqCst);
        }
    });
    assert!(!failed.load(Ordering::SeqCst) && talking.load(Ordering::SeqCst) == 0);
    env.run(&["work"]).ok();
    assert_eq!(env.json(&["status"])["jobs"]["pending"], 0);
    assert_eq!(processed(&env), sessions.iter().map(|session| (session.path.clone(), 2 * TURNS)).collect());

    // Every fact is in one memory, which one change made, signed with the message it came from.
    let files: Vec<String> = env.memory_files().into_iter().filter(|file| file != "MEMORY.md").collect();
    let changes = env.json(&["history", "--limit", "1000"])["changes"].clone();
    let changes = changes.as_array().unwrap();
    for session in &sessions {
        for (turn, place) in (0..TURNS).filter_map(|turn| Some((turn, session.fact(turn)?))) {
            let about: Vec<&String> = files.iter().filter(|file| env.read_memory(file).contains(place)).collect();
            let told = || changes.iter().filter(|change| change.to_string().contains(place)).collect::<Vec<_>>();
            assert_eq!(about.len(), 1, "{place}: {about:?}, {:?}", told());
            let (said, of) = (json!(format!("s{}-u{turn}", session.at)), json!(format!("s{}", session.at)));
            let made = changes.iter().filter(|change| change["message"] == said && change["session"] == of).count();
            assert_eq!(made, 1, "{place}");
        }
    }
    assert_eq!(files.len(), SESSIONS * TURNS / FACT_EVERY);
}

/// How many messages of each transcript were processed.
fn processed(env: &TestEnv) -> BTreeMap<PathBuf, usize> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = vec![env.state().join("extract")];
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.parent().is_some_and(|dir| dir.ends_with("progress"))
                && path.extension().is_some_and(|e| e == "json")
            {
                let progress: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                let transcript = Path::new(progress["transcript"].as_str().unwrap()).to_path_buf();
                found.insert(transcript, usize::try_from(progress["messages"].as_u64().unwrap()).unwrap());
            }
        }
    }
    found
}
