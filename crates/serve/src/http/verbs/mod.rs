//! The verbs of the API, each a few lines over the library, in one table.
//!
//! - `memories`: memories themselves.
//! - `timeline`: what changed, what waits.
//! - `upkeep`: where memory is, what is set, what is wrong.
//! - `long`: work that takes a while and says how far it is.

mod long;
mod memories;
mod timeline;
mod upkeep;

use memdir::engine::Error;
use memdir::store::history::Actor;
use serde_json::Value;

use super::api::{ApiField, FieldKind, Handler, Long, Quick, Route, VerbFailure};
use long::{dream, extract, fix, import, team_sync};
use memories::{edit, forget, memories, memory, memory_tool, move_to, pin, rate, recall, remember, search};
use timeline::{accept, blame, diff, history, inbox, purge, reject, undo};
use upkeep::{
    adopt, context, doctor, export, hooks, log_add, logs, notes, notes_template, notes_update, overview, projects,
    settings, status, teams, told, transcripts,
};

type Done = Result<Value, VerbFailure>;

const TYPES: FieldKind = FieldKind::OneOf(&["user", "feedback", "project", "reference"]);
const SCOPES: FieldKind = FieldKind::OneOf(&["private", "team", "user"]);

const HOSTS: FieldKind =
    FieldKind::OneOf(&["claude-code", "codex", "gemini", "copilot", "opencode", "qwen", "goose", "cline", "aider"]);

const fn field(name: &'static str, kind: FieldKind, required: bool, words: &'static str) -> ApiField {
    ApiField { name, kind, required, words }
}

const fn get(path: &'static str, words: &'static str, fields: &'static [ApiField], run: Quick) -> Route {
    Route { post: false, path, words, fields, actor: Actor::User, run: Handler::Quick(run) }
}

const fn post(path: &'static str, words: &'static str, fields: &'static [ApiField], run: Quick) -> Route {
    Route { post: true, path, words, fields, actor: Actor::User, run: Handler::Quick(run) }
}

const fn long(path: &'static str, words: &'static str, fields: &'static [ApiField], run: Long) -> Route {
    Route { post: true, path, words, fields, actor: Actor::User, run: Handler::Long(run) }
}

const FILE: ApiField =
    field("file", FieldKind::Text, true, "the file, relative to its memory directory; user:FILE for user memory");

const SESSION: ApiField = field("session", FieldKind::Text, true, "the session");

const ID: ApiField = field("id", FieldKind::Text, true, "the proposal");

/// Everything that can be asked for.
pub(super) const ROUTES: &[Route] = &[
    get("/api/status", "Where memory is, whether it is on, and which rule decided", &[], status),
    get("/api/projects", "The projects that memory is kept for", &[], projects),
    get(
        "/api/memories",
        "Memories of every scope, newest first",
        &[
            field("type", TYPES, false, "only this type"),
            field("scope", SCOPES, false, "only this scope"),
            field("q", FieldKind::Text, false, "only those whose file, name or description contain all these words"),
            field("offset", FieldKind::Number, false, "how many to pass over"),
            field("limit", FieldKind::Number, false, "how many to give"),
        ],
        memories,
    ),
    get("/api/memory", "One memory in full, with the version that an edit must name", &[FILE], memory),
    get(
        "/api/search",
        "Lines of memories that contain a text",
        &[
            field("term", FieldKind::Text, true, "the text, or a pattern"),
            field("regex", FieldKind::Switch, false, "whether it is a regular expression"),
            field("limit", FieldKind::Number, false, "how many lines"),
        ],
        search,
    ),
    post(
        "/api/recall",
        "What a prompt would bring back, what it would not, and why",
        &[field("query", FieldKind::Text, true, "the prompt")],
        recall,
    ),
    post(
        "/api/rate",
        "Say about being told a memory that it is not useful in this project, or should always come; undo takes it back",
        &[FILE, field("rating", FieldKind::OneOf(&["not-useful", "always"]), true, "what is said")],
        rate,
    ),
    post(
        "/api/remember",
        "Save a memory",
        &[
            field("text", FieldKind::Text, true, "the rule or fact"),
            field("type", TYPES, false, "what it is about; guessed when left out"),
            field("name", FieldKind::Text, false, "a short name"),
            field("description", FieldKind::Text, false, "one line on what it is about"),
            field("why", FieldKind::Text, false, "the reason behind it"),
            field("apply", FieldKind::Text, false, "when and where it applies"),
            field("scope", SCOPES, false, "whose memory"),
        ],
        remember,
    ),
    post(
        "/api/edit",
        "Put a new text in the place of a version; 409 when the memory is another by now",
        &[
            FILE,
            field("version", FieldKind::Text, true, "the version that was read"),
            field("text", FieldKind::Text, true, "the whole new file"),
        ],
        edit,
    ),
    post(
        "/api/pin",
        "Protect a memory from automation, or let it go",
        &[FILE, field("pinned", FieldKind::Switch, true, "true or false")],
        pin,
    ),
    post("/api/move", "Move a memory to another scope", &[FILE, field("scope", SCOPES, true, "where to")], move_to),
    post("/api/forget", "Archive a memory; undo brings it back", &[FILE], forget),
    get(
        "/api/history",
        "Changes, newest first",
        &[
            field("file", FieldKind::Text, false, "only changes of this file"),
            field("limit", FieldKind::Number, false, "how many"),
        ],
        history,
    ),
    get("/api/diff", "A change as a diff", &[field("change", FieldKind::Text, true, "the change")], diff),
    get("/api/blame", "Which change each line of a memory comes from", &[FILE], blame),
    post(
        "/api/purge",
        "Remove a memory for good, history included, and look for what is left of it",
        &[FILE, field("confirm", FieldKind::Text, true, "the file once more: this cannot be undone")],
        purge,
    ),
    post(
        "/api/undo",
        "Take back a change, or the last one",
        &[field("change", FieldKind::Text, false, "the change")],
        undo,
    ),
    get("/api/inbox", "Proposals that wait for a yes", &[], inbox),
    post("/api/inbox/accept", "Carry a proposal out", &[ID], accept),
    post("/api/inbox/reject", "Drop a proposal", &[ID], reject),
    get("/api/doctor", "What is wrong, and what a repair would change", &[], doctor),
    long("/api/doctor/fix", "Repair what can be repaired without judgement", &[], fix),
    long(
        "/api/dream",
        "Put memory in order now; nothing is changed when it is not due, unless it is forced",
        &[
            field("force", FieldKind::Switch, false, "dream even if the last one was recent"),
            field("dry_run", FieldKind::Switch, false, "say what would change and change nothing"),
            field(
                "accept_loss",
                FieldKind::Switch,
                false,
                "a yes beforehand: a first dream may land, and more than dream.max_loss may go",
            ),
        ],
        dream,
    ),
    long(
        "/api/extract",
        "Learn from one conversation, or from all of this project on this machine",
        &[
            field("transcript", FieldKind::Text, false, "the file; all of them when left out"),
            field("host", HOSTS, false, "the agent that wrote it; found out when left out"),
            field("since", FieldKind::Text, false, "start after this message"),
        ],
        extract,
    ),
    long(
        "/api/import",
        "Take over what another program remembers",
        &[
            field(
                "source",
                FieldKind::Text,
                true,
                "claude-code, codex, gemini, qwen, goose, cline, mem0, a folder or a file",
            ),
            field("path", FieldKind::Text, false, "the program's file or folder, where it is not in its usual place"),
            field("dry_run", FieldKind::Switch, false, "say what would be saved and save nothing"),
        ],
        import,
    ),
    get(
        "/api/team",
        "The teams that memory is shared with, what came of the last sync, what is held back and why",
        &[],
        teams,
    ),
    long(
        "/api/team/sync",
        "Send and fetch what is new; the first sync with a team is agreed to at a terminal",
        &[
            field("name", FieldKind::Text, false, "only this team"),
            field("dry_run", FieldKind::Switch, false, "say what would move and move nothing"),
        ],
        team_sync,
    ),
    get("/api/export", "Every memory with its text", &[], export),
    get("/api/transcripts", "Conversations of this project on this machine", &[], transcripts),
    get(
        "/api/context",
        "What a session starts with",
        &[
            field("part", FieldKind::OneOf(&["manual", "index", "rules", "all"]), false, "which part"),
            field("mode", FieldKind::OneOf(&["normal", "team", "log"]), false, "a mode other than the one that is set"),
        ],
        context,
    ),
    get("/api/settings", "Every setting with its value, default and source", &[], settings),
    get("/api/hooks", "The last hook calls: what was shown, or why nothing", &[], hooks),
    get("/api/overview", "How memory grew, what agents were told, what never, and what that cost", &[], overview),
    get(
        "/api/told",
        "What the last sessions were told, why, and what was held back",
        &[field("session", FieldKind::Text, false, "only this session")],
        told,
    ),
    get("/api/logs", "Daily logs, newest first", &[field("date", FieldKind::Text, false, "only this day")], logs),
    post("/api/log", "Append a line to today's log", &[field("text", FieldKind::Text, true, "the line")], log_add),
    get("/api/notes", "The notes of a session", &[SESSION], notes),
    get("/api/notes/template", "The template of notes", &[], notes_template),
    post(
        "/api/notes/update",
        "Bring the notes of a session up to date from its transcript",
        &[SESSION, field("transcript", FieldKind::Text, true, "the file")],
        notes_update,
    ),
    post(
        "/api/adopt",
        "Take over the memory of this project's former place",
        &[field("from", FieldKind::Text, false, "a memory directory, or the project's former path")],
        adopt,
    ),
    Route {
        post: true,
        path: "/api/memory-tool",
        words: "Anthropic's memory tool (memory_20250818): send the tool's input, give `content` and `is_error` back",
        fields: &[field(
            "command",
            FieldKind::Any,
            false,
            "view, create, str_replace, insert, delete or rename, with its fields",
        )],
        actor: Actor::Agent,
        run: Handler::Quick(memory_tool),
    },
];

fn value(data: &impl serde::Serialize) -> Done {
    Ok(serde_json::to_value(data).map_err(|error| Error::Refused(error.to_string()))?)
}
