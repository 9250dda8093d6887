//! The verbs of `serve` that programs use more than people, and work that takes a while.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use memdir_testkit::model_server::{ModelServer, Turn};
use serde_json::{Value, json};

use super::git_env;
use super::serving::Page;

const DEMO: &str = "---\nname: Demo\ndescription: Demo in short\ntype: project\n---\n\nNoted on 2026-04-09: demo for the harbour next Tuesday.\n";

#[test]
fn what_the_command_line_can_do_the_api_can_do() {
    let env = git_env();
    let file = env.json(&["remember", "Releases are cut on Thursdays"])["file"].as_str().unwrap().to_owned();
    let page = Page::open(&env);
    let get = |path: &str| {
        let reply = page.get(path);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    };
    let context = get("/api/context?part=index");
    assert!(context["blocks"].to_string().contains("Thursdays"), "{context}");
    assert!(get("/api/context?part=manual&mode=team")["blocks"].to_string().contains("manual"));
    let settings = get("/api/settings")["settings"].clone();
    assert!(settings.as_array().unwrap().iter().any(|one| one["key"] == "recall.enabled"), "{settings}");
    let blame = get(&format!("/api/blame?file={file}"));
    assert!(blame["lines"].to_string().contains("Thursdays") && blame["lines"][0]["actor"] == "user", "{blame}");
    assert_eq!(get("/api/hooks")["hooks"], json!([]));
    assert_eq!(get("/api/transcripts")["transcripts"], json!([]));
    let exported = get("/api/export");
    assert_eq!((&exported["version"], &exported["memories"][0]["file"]), (&json!(1), &json!(file)));
    assert_eq!(page.post("/api/log", &json!({ "text": "the build was slow today" })).status, 200);
    assert!(get("/api/logs?date=2026-04-14")["logs"].to_string().contains("slow today"));
    assert_eq!(page.get("/api/logs?date=today").status, 400);
    assert!(get("/api/notes/template")["text"].as_str().unwrap().contains("# "));
    let talk = env.home().join("talk.jsonl");
    let said = json!({ "type": "user", "uuid": "u1", "sessionId": "s1", "cwd": env.project(),
        "message": { "role": "user", "content": "Please remember: always run the linter before you push" } });
    std::fs::write(&talk, format!("{said}\n")).unwrap();
    let noted = page.post("/api/notes/update", &json!({ "session": "s1", "transcript": talk }));
    assert_eq!(noted.status, 200, "{noted:?}");
    assert!(get("/api/notes?session=s1")["text"].as_str().unwrap().contains("linter"));
    assert_eq!(page.get("/api/notes?session=../x").status, 400);
    let learned = page.post("/api/extract", &json!({ "transcript": talk, "host": "claude-code" })).json();
    assert!(learned["transcripts"][0]["saved"].to_string().contains("linter"), "{learned}");
    let folder = env.home().join("old");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tea.md"), "Tea is served at four.\n").unwrap();
    let imported = page.post("/api/import", &json!({ "source": folder, "dry_run": true })).json();
    assert_eq!(imported["imported"][0]["action"], "created", "{imported}");
    assert_eq!(page.post("/api/import", &json!({ "source": "no such program" })).status, 400);
    assert_eq!(page.post("/api/adopt", &json!({ "from": "/no/such/place" })).status / 100, 4);
    let dreamt = page.post("/api/dream", &json!({ "dry_run": true })).json();
    assert_eq!((&dreamt["ran"], &dreamt["reason"]), (&json!(false), &json!("dry-run")));
    // What cannot be undone must be said twice.
    let careless = page.post("/api/purge", &json!({ "file": file, "confirm": "yes" }));
    assert_eq!(careless.status, 400, "{careless:?}");
    let purged = page.post("/api/purge", &json!({ "file": file, "confirm": file })).json();
    assert_eq!(purged["remaining"], json!([]), "{purged}");
    assert_eq!(page.get(&format!("/api/memory?file={file}")).status, 404);
}

#[test]
fn a_team_is_shown_and_synced_over_http_once_a_person_has_agreed() {
    let env = super::teaming::member("ada");
    let shared = super::teaming::repository(&env).display().to_string();
    let page = Page::open(&env);
    assert_eq!(page.get("/api/team").json()["teams"], json!([]));
    assert_eq!(page.post("/api/team/sync", &json!({})).status, 400);
    super::teaming::join(&env, &shared);
    super::teaming::remember(&env, "Releases", "Mara cuts releases on Tuesdays");
    let planned = page.post("/api/team/sync", &json!({ "dry_run": true })).json();
    assert_eq!(planned["pushed"].as_array().unwrap().len(), 2, "{planned}");
    // A program cannot say yes for the user.
    let refused = page.post("/api/team/sync", &json!({ "name": "team" }));
    assert!(refused.status == 400 && refused.json().to_string().contains("terminal"), "{refused:?}");
    assert_eq!(page.get("/api/team").json()["teams"][0]["gate"]["reason"], "not-agreed");
    super::teaming::sync(&env);
    super::teaming::remember(&env, "Standup", "The standup is at ten in the small room");
    let synced = page.post("/api/team/sync", &json!({ "name": "team" })).json();
    assert_eq!(synced["pushed"], json!(["team/MEMORY.md", "team/project_standup.md"]));
    let team = page.get("/api/team").json()["teams"][0].clone();
    assert_eq!((&team["agreed"], &team["last"]["pushed"]), (&json!(true), &json!(2)), "{team}");
    assert_eq!(page.get("/api/memory?file=team/project_standup.md").json()["from"], "team");
}

/// Sends a request and gives the lines of its answer as they come.
fn stream(page: &Page, path: &str, body: &Value, accept: &str) -> impl Iterator<Item = String> + use<> {
    let mut stream = page.connect();
    let body = body.to_string();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\naccept: {accept}\r\ncontent-length: {}\r\n\r\n{body}",
        page.host(),
        page.token,
        body.len()
    )
    .unwrap();
    BufReader::new(stream).lines().map(Result::unwrap)
}

#[test]
fn long_work_says_how_far_it_is() {
    let env = git_env();
    // Two memories with the same sentences, one of which a dream with a yes removes.
    for file in ["project_demo.md", "project_demo_b.md"] {
        env.write_memory(file, DEMO);
    }
    let page = Page::open(&env);
    let events = |path: &str, body: Value| -> Vec<String> {
        // What comes after the end is the data of the last event.
        let mut lines = stream(&page, path, &body, "text/event-stream");
        let mut seen: Vec<String> = Vec::new();
        while !seen.last().is_some_and(|line| line == "event: done" || line == "event: failed") {
            seen.push(lines.next().unwrap());
        }
        seen.extend(lines.next());
        seen
    };
    let lines = events("/api/dream", json!({ "force": true, "accept_loss": true }));
    let phases: Vec<&String> = lines.iter().filter(|line| line.contains("\"phase\"")).collect();
    for phase in ["orient", "gather", "consolidate", "prune"] {
        assert!(phases.iter().any(|line| line.contains(phase)), "{lines:?}");
    }
    assert!(
        lines.contains(&"event: done".to_owned()) && lines.last().unwrap().contains("project_demo_b.md"),
        "{lines:?}"
    );
    assert_eq!(
        (env.read_memory("project_demo.md").as_str(), env.memory().join("project_demo_b.md").exists()),
        (DEMO, false)
    );
    env.write_memory("loose.md", "nobody points to me\n");
    assert!(events("/api/doctor/fix", json!({})).iter().any(|line| line == "event: progress"));
    let refused = events("/api/import", json!({ "source": "nobody" }));
    assert!(refused.contains(&"event: failed".to_owned()), "{refused:?}");
    // A request that does not fit is refused before a stream begins.
    let odd = stream(&page, "/api/dream", &json!({ "force": "yes" }), "text/event-stream").next().unwrap();
    assert!(odd.contains("400"), "{odd}");
}

#[test]
fn closing_the_connection_stops_the_work() {
    for streamed in [true, false] {
        let server = ModelServer::new(|_| Turn::silence());
        let env = super::chatting::stage(&server);
        env.write_memory("project_demo.md", DEMO);
        let page = Page::open(&env);
        let accept = if streamed { "text/event-stream" } else { "application/json" };
        let lines = stream(&page, "/api/dream", &json!({ "force": true }), accept);
        server.wait_for_requests(1);
        drop(lines);
        // The model is not asked for longer than somebody waits.
        server.wait_for_hang_ups(1);
        assert_eq!(env.read_memory("project_demo.md"), DEMO);
    }
}

#[test]
fn slow_bodies_and_many_slow_clients_are_left() {
    let env = git_env();
    let page = Page::open(&env);
    // Every seat is taken by somebody who never finishes the first line.
    let slow: Vec<_> = (0..80)
        .map(|_| {
            let mut stream = page.connect();
            // Those without a seat are shown the door at once.
            let _ = stream.write_all(b"GET /api/status HTT");
            stream
        })
        .collect();
    let mut body = page.connect();
    let head = format!(
        "POST /api/remember HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{{",
        page.host(),
        page.token
    );
    let _ = body.write_all(head.as_bytes());
    for mut stream in slow.into_iter().chain([body]) {
        let mut rest = Vec::new();
        // Ends because the server closes, not because the test gives up.
        let ended = stream.read_to_end(&mut rest);
        assert!(
            !matches!(&ended, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock),
            "the server still waits"
        );
    }
    assert_eq!(page.get("/api/status").status, 200);
    assert_eq!(page.get("/api/memories").json()["total"], 0);
}
