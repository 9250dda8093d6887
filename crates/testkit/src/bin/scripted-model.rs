//! `scripted-model SCRIPT.json LOG.jsonl`: the scripted model server as a program.
//!
//! Prints `listening http://127.0.0.1:PORT` and serves until its stdin is closed. Each request
//! becomes one line of the log: number, method, path, wire, rule, tokens, headers, body; no key is in it.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)] // a tool for tests

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Mutex;

use memdir_testkit::model_server::{ModelServer, Recorded, script::FileScript};
use serde_json::{Map, Value, json};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [script, log] = args.as_slice() else {
        eprintln!("usage: scripted-model SCRIPT.json LOG.jsonl");
        return ExitCode::from(2);
    };
    let script = match std::fs::read_to_string(script)
        .map_err(|error| error.to_string())
        .and_then(|text| FileScript::parse(&text))
    {
        Ok(script) => script,
        Err(error) => {
            eprintln!("{script}: {error}");
            return ExitCode::from(2);
        }
    };
    let log = Mutex::new(File::options().create(true).append(true).open(log).expect("the log can be written"));
    let server = ModelServer::observed(
        move |request| script.turn(request),
        move |request| {
            let mut log = log.lock().expect("the log");
            writeln!(log, "{}", line(request)).and_then(|()| log.flush()).expect("the log can be written");
        },
    );
    println!("listening {}", server.url());
    std::io::stdout().flush().expect("stdout");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    ExitCode::SUCCESS
}

fn line(request: &Recorded) -> Value {
    let headers: Map<String, Value> =
        request.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let count = request.count.map(
        |count| json!({ "input": count.input, "cache_creation": count.cache_creation, "cache_read": count.cache_read }),
    );
    json!({
        "number": request.number, "method": request.method, "path": request.path, "api": request.api.name(),
        "rule": request.rule, "has_key": request.has_key, "count": count, "headers": headers,
        "last_user": request.view.last_user, "body": request.body,
    })
}
