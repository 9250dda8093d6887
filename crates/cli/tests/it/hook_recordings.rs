//! Conversations as the real agents said them to a hook and wrote them down, played through the program: one teaches, the next is told.

use std::path::Path;

use memdir_testkit::TestEnv;
use serde_json::Value;

use super::git_env;
use super::hooking::hook;

/// What was recorded of an agent.
struct Recording {
    host: &'static str,
    said: &'static str,
    transcript: &'static str,
    /// Where the agent keeps its transcript; `{}` is the session.
    place: &'static str,
    session: &'static str,
    cwd: &'static str,
    /// What the person typed, and what the agent ran.
    words: &'static str,
    command: &'static str,
    /// Where it hears what is recalled, and what a memory says of a command.
    hears: [&'static str; 2],
}

const RECORDINGS: [Recording; 5] = [
    Recording {
        host: "claude-code",
        said: "hook-stdin.jsonl",
        transcript: "transcript.jsonl",
        place: ".claude/projects/-home-me-src-mem/{}.jsonl",
        session: "4729ab04-daf3-4bdc-a3e3-af5026134601",
        cwd: "/home/me/src/mem",
        words: "please use bash now",
        command: "echo hi-from-bash",
        hears: ["UserPromptSubmit", "PreToolUse"],
    },
    Recording {
        host: "codex",
        said: "hooks-stdin.jsonl",
        transcript: "rollout.jsonl",
        place: ".codex/sessions/2026/11/15/rollout-2026-11-15T06-23-46-{}.jsonl",
        session: "01a1dde0-4ae6-7980-b3e9-f3159e25ddad",
        cwd: "/home/me/src/proj/sub",
        words: "please run the tools",
        command: "echo hello-from-shell",
        hears: ["UserPromptSubmit", "PreToolUse"],
    },
    Recording {
        host: "gemini",
        said: "hooks-stdin.jsonl",
        transcript: "session-2026-11-15T06-25-2e65a108.jsonl",
        place: ".gemini/tmp/sub/chats/session-2026-11-15T06-25-2e65a108.jsonl",
        session: "2e65a108-8303-4421-8dbd-5116f683ca38",
        cwd: "/home/me/src/proj/sub",
        words: "please run the tools",
        command: "echo hello-from-shell",
        hears: ["BeforeAgent", "AfterTool"],
    },
    Recording {
        host: "copilot",
        said: "hooks-stdin.jsonl",
        transcript: "events.jsonl",
        place: ".copilot/session-state/{}/events.jsonl",
        session: "c19a57cd-7623-4109-895d-b9f3e04e8743",
        cwd: "/home/me/src/proj/sub",
        words: "please run the tools",
        command: "echo hello-from-shell",
        hears: ["userPromptSubmitted", "postToolUse"],
    },
    Recording {
        host: "qwen",
        said: "hooks-stdin.jsonl",
        transcript: "chat.jsonl",
        place: ".qwen/projects/-home-me-src-proj-sub/chats/{}.jsonl",
        session: "3edb46c9-b8d2-4ba0-8ee8-4916e8b6c121",
        cwd: "/home/me/src/proj/sub",
        words: "please run the tools",
        command: "echo hello-from-shell",
        hears: ["UserPromptSubmit", "PostToolUse"],
    },
];

impl Recording {
    /// Plays the recorded session with another text of the person's, under another name: each event with what was answered.
    fn play(&self, env: &TestEnv, session: &str, text: &str) -> Vec<(String, String)> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hosts/tests/fixtures").join(self.host);
        let (home, project) = (env.home().display().to_string(), env.project().display().to_string());
        let read = |file: &str| {
            let recorded = std::fs::read_to_string(fixtures.join(file)).unwrap();
            let said = recorded.replace(self.words, text).replace(self.command, "make zebra-release");
            said.replace(self.session, session).replace(self.cwd, &project).replace("/home/me", &home)
        };
        let transcript = env.home().join(self.place.replace("{}", session));
        std::fs::create_dir_all(transcript.parent().unwrap()).unwrap();
        std::fs::write(transcript, read(self.transcript)).unwrap();
        let mut answers = Vec::new();
        for line in read(self.said).lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let said = line.get("stdin").unwrap_or(&line);
            let own = ["session_id", "sessionId"].iter().any(|key| said.get(key).is_some_and(|id| id == session));
            // What is said of another session, or by another way than a hook, belongs to another recording.
            if !own {
                continue;
            }
            let event = said.get("hook_event_name").or(line.get("event")).unwrap().as_str().unwrap().to_owned();
            let args = if self.host == "copilot" { vec![self.host, &event] } else { vec![self.host] };
            let answer = hook(env, &args, said.to_string().as_bytes());
            answers.push((event, answer));
        }
        answers
    }
}

/// The events whose answers have these words.
fn with<'a>(answers: &'a [(String, String)], words: &str) -> Vec<&'a str> {
    answers.iter().filter(|(_, answer)| answer.contains(words)).map(|(event, _)| event.as_str()).collect()
}

#[test]
fn r10_x1_x8_v1_b2_what_a_recorded_conversation_teaches_the_next_one_is_told() {
    for recording in RECORDINGS {
        let (host, [prompt, tool]) = (recording.host, recording.hears);
        let mut env = git_env();
        env.at("2026-11-15T07:00:00Z");
        let rule = "`make zebra-release` needs the VPN and takes 40 minutes";
        env.run(&["remember", rule, "--type", "project", "--name", "Zebra release"]).ok();
        env.run(&["refresh"]).ok();
        let lesson = "from now on never deploy on a friday, the on-call is too thin then";
        let first = recording.play(&env, "aaaaaaaa-0000-4000-8000-000000000001", lesson);
        assert!(first.len() > 5, "{host}: {first:?}");
        assert_eq!(with(&first, "on-call"), Vec::<&str>::new(), "{host}");
        // An index names the memory, too; its text comes with the call.
        let told = |answers: &[(String, String)]| -> Vec<String> {
            with(answers, "/project_zebra_release.md:").into_iter().map(str::to_owned).collect()
        };
        assert_eq!(told(&first), [tool], "{host}");
        let worked = env.json(&["work"]);
        assert_eq!(worked["runs"][0]["saved"].as_array().map(Vec::len), Some(1), "{host}: {worked}");
        env.run(&["refresh"]).ok();
        let next =
            recording.play(&env, "aaaaaaaa-0000-4000-8000-000000000002", "can I deploy the release this friday?");
        let file = worked["runs"][0]["saved"][0]["file"].as_str().unwrap();
        assert_eq!(with(&next, &format!("/{file}:")), [prompt], "{host}: {next:?}");
        assert_eq!(told(&next), [tool], "{host}");
        assert_eq!(with(&next, &format!("saved {file}")).len(), 1, "{host}: {next:?}");
    }
}
