//! `hook`: called by a host; JSON on stdin, the host's reply on stdout.
//!
//! Whatever happens, the exit code is 0 and nothing but the reply is printed: a host takes other
//! output for an answer, another code for a veto. A hook that takes too long ends without a word to the
//! host; only the list of calls says so.

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use memdir::engine::{Announcement, HookOutcome, Memory};
use memdir::hosts::{Event, HookCall, Host, Profile, wire};
use memdir::limits::{HOOK_INPUT_BYTES, HOOK_LAST_WORD_MS, HOOK_MS};

use crate::args::Global;
use crate::{env, hint};

/// What is written down of a call that is given up, and where; nothing before memory is open and after its end.
type LastWord = Arc<Mutex<Option<(PathBuf, Vec<u8>)>>>;

/// Runs one call. Never fails.
pub(crate) fn run(global: &Global, host: &str, event: Option<&str>) {
    let start = Instant::now();
    // A fault of ours is silence for the host.
    std::panic::set_hook(Box::new(|_| std::process::exit(0)));
    let Some(host) = Host::named(host) else { return };
    if env::is_inside() || std::io::stdin().is_terminal() {
        return;
    }
    // Held while the reply is printed: it arrives whole or not at all.
    let printing = Arc::new(Mutex::new(()));
    let watch = Arc::clone(&printing);
    let last_word = LastWord::default();
    let unsaid = Arc::clone(&last_word);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(HOOK_MS));
        let _held = watch.lock();
        say(&unsaid);
        std::process::exit(0);
    });
    let mut input = Vec::new();
    if std::io::stdin().lock().take(HOOK_INPUT_BYTES as u64).read_to_end(&mut input).is_err() {
        return;
    }
    let call = wire::read(host, &input, event);
    serve(global, host, &call, start, &printing, &last_word);
}

/// Writes down that a call was given up, and does not wait for a disk that does not answer.
fn say(last_word: &LastWord) {
    let Some((file, line)) = last_word.lock().ok().and_then(|mut word| word.take()) else { return };
    let (said, heard) = mpsc::channel();
    std::thread::spawn(move || {
        // A line that is lost is only a line that is lost.
        let _ = said.send(memdir::store::fs::append(&file, &line));
    });
    let _ = heard.recv_timeout(Duration::from_millis(HOOK_LAST_WORD_MS));
}

/// Whether this answer is the first of a conversation that the user gets to see.
fn starts(profile: &Profile, call: &HookCall, done: &HookOutcome) -> bool {
    match call.event {
        Event::SessionStart(_) => profile.message.is_some(),
        // Its user hears what the model passes on, and that begins with the first prompt.
        Event::Prompt(_) => profile.message.is_none() && done.shown.iter().any(|shown| shown == "manual"),
        _ => false,
    }
}

/// What is wrong with this agent's wiring and was not said yet; another's is its own affair.
fn wiring_faults(memory: &Memory, host: Host) -> Vec<Announcement> {
    let Ok(program) = env::own_program(&memory.around) else { return Vec::new() };
    let has_program = |name: &str| env::has_program(&memory.around, name);
    let machine = env::machine(memory, &program, &has_program);
    memory.sessions().new_wiring_faults(&machine, host).unwrap_or_default()
}

fn serve(global: &Global, host: Host, call: &HookCall, start: Instant, printing: &Mutex<()>, last_word: &LastWord) {
    let profile = host.profile();
    let Ok(memory) = env::open_for_hook(global, profile.project_variable, call) else { return };
    if let Ok(mut word) = last_word.lock() {
        *word = Some(memory.sessions().unfinished_hook(host, call));
    }
    let texts = env::own_texts(&memory);
    let mut done = memory.sessions().hook(profile, call, texts.clone());
    if memory.place.enabled && starts(profile, call, &done) {
        done.tell(wiring_faults(&memory, host));
    }
    let message = hint::announced(&done.told);
    if let (Some(message), None) = (&message, profile.message) {
        done = done.passed_on(message, &texts);
    }
    let answer = if done.hold && !done.text.is_empty() {
        Some(wire::refusal(call, &done.text))
    } else {
        wire::answer(profile, call, &done.text, message.as_deref())
    };
    if let Some(answer) = answer {
        let _held = printing.lock();
        let mut out = std::io::stdout().lock();
        // A host that has gone needs no answer.
        let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    }
    let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    // It is written down here, once.
    drop(last_word.lock().map(|mut word| word.take()));
    // What cannot be written down was done all the same.
    let _ = memory.sessions().log_hook(host, call, &done, ms);
    if let (true, Some(session)) = (done.ask, &call.session) {
        env::choose_in_background(&memory, session);
    }
    // A look at the team's side, when a session starts and when a turn ends; the worker finds out whether it is time.
    let shares = matches!(call.event, Event::SessionStart(_) | Event::TurnEnd { .. })
        && memory.teams().gates().is_ok_and(|teams| teams.iter().any(|(_, gate)| gate.run));
    if done.work || shares {
        env::work_in_background(&memory);
    }
    if let Some(notes) = &done.notes {
        env::note_in_background(&memory, &notes.session, &notes.transcript);
    }
    if done.behind {
        env::refresh_in_background(&memory);
    }
}
