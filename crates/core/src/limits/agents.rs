//! What an agent is told: recall and its evidence, hooks and answers to them, and what is read of its settings and transcripts.

/// Memories in a model's manifest, newest first (R1).
pub const MANIFEST_FILES: usize = 200;
/// Memories surfaced for one prompt (R3).
pub const RECALL_FILES: usize = 5;
/// Memories that a command encodes itself where nothing may run in the background; each takes tens of milliseconds.
pub const ENCODED_AT_ONCE: usize = 4;
/// Memories, and rows of vectors, that a prompt makes itself while most of a store has none; at three to five milliseconds a row it
/// waits less than 60 ms of CPU.
pub const ENCODED_FOR_A_PROMPT: usize = 12;
/// Bytes of new memories that are understood before a call is answered, about ten milliseconds each thousand; more is left to the
/// background.
pub const UNDERSTOOD_AT_ONCE_BYTES: u64 = 64 * 1024;
/// Lines surfaced of one memory (R7).
pub const SURFACE_LINES: usize = 200;
/// Bytes surfaced of one memory (R7).
pub const SURFACE_BYTES: usize = 4_096;
/// Bytes surfaced in one session (R8).
pub const SESSION_BYTES: usize = 60_000;
/// Tools that count as used lately (R5).
pub const RECENT_TOOLS: usize = 12;
/// The end of a conversation that is looked at for what its model has read and used, when nobody has looked before.
pub const ACTIVITY_BYTES: u64 = 2 * 1024 * 1024;
/// Files that one pattern of a command stands for; a host cuts what a command prints long before that many are read.
pub const ACTIVITY_FILES: usize = 100;
/// Bytes of the record of opened memories; above it the older half goes. A few thousand openings.
pub const USES_BYTES: u64 = 128 * 1024;
/// Bytes of the record of what a person said about being told memories; a few hundred of them, read at every prompt.
pub const RATINGS_BYTES: usize = 64 * 1024;
/// Tokens of a model's answer that only names memories (R3).
pub const SELECT_TOKENS: u32 = 256;
/// How long recall waits for a model's say; nobody waits longer for a reminder.
pub const SELECT_SECONDS: u64 = 8;
/// How long a process of its own waits for a model's say that comes after the prompt: as long as a turn with tools takes.
pub const LATE_SELECT_SECONDS: u64 = 60;
/// Things named in a memory that are looked for in the project, for one memory.
pub const EVIDENCE_NAMES: usize = 8;
/// The largest project file that is searched for a symbol.
pub const EVIDENCE_BYTES: u64 = 512 * 1024;
/// Bytes of a project that one look at the evidence reads; symbols beyond them are not looked for.
pub const EVIDENCE_TOTAL_BYTES: u64 = 16 * 1024 * 1024;
/// The largest list of tracked files in which a file name without its folder is looked for: about 100,000 files, milliseconds.
pub const EVIDENCE_INDEX_BYTES: u64 = 12 * 1024 * 1024;
/// Memories whose evidence `status` looks at, the newest; `doctor` looks at all.
pub const EVIDENCE_MEMORIES: usize = 200;

/// A host's settings.json; a larger one is skipped with a warning (P5).
pub const HOST_SETTINGS_BYTES: usize = 1024 * 1024;
/// The file in which Claude Code keeps its state and its history; it grows to some mebibytes (S7).
pub const HOST_STATE_BYTES: usize = 32 * 1024 * 1024;
/// memdir's own config.toml and a project's .memdir.toml.
pub const CONFIG_BYTES: usize = 64 * 1024;
/// Warnings kept of one settings file; a hostile file must not flood a report.
pub const WARNINGS_PER_FILE: usize = 20;
/// What a host takes inline of one answer of ours before it moves it into a file; the smallest known.
pub const INLINE_BYTES: usize = 10_000;
/// What a hook reads of what a host says; a prompt with a pasted log in it is some hundred kilobytes.
pub const HOOK_INPUT_BYTES: usize = 4 * 1024 * 1024;
/// How long a hook may take before it gives up without a word; a person waits for it.
pub const HOOK_MS: u64 = 2_000;
/// How long a hook that gives up waits for the line that says so: the disk may be what was slow.
pub const HOOK_LAST_WORD_MS: u64 = 1_000;
/// What a host that names no limit is told at the start of a conversation: the manual and a full index.
pub const HOST_START_BYTES: usize = 36 * 1024;
/// Room for the note that says how much of an index is missing.
pub const CUT_NOTE_BYTES: usize = 320;
/// What a host that names no limit is told beside a prompt; as much as the hosts that name one take.
pub const HOST_PROMPT_BYTES: usize = 10_000;
/// Memories that are shown for one action; more than two are a lecture.
pub const ACTION_FILES: usize = 2;
/// Bytes shown for one action: it is in the middle of work.
pub const ACTION_BYTES: usize = 3_000;
/// Candidates whose text is looked at for one action.
pub const ACTION_CANDIDATES: usize = 64;
/// The part of a command that is looked at; a script in a command is text, not a command.
pub const ACTION_COMMAND_BYTES: usize = 16_000;
/// The part of a memory from which it is understood what it is about: more than any rule is long.
pub const SUBJECT_BYTES: usize = 6_000;
/// Calls of programs in one command line that are looked at; a longer one is a script.
pub const ACTION_CALLS: usize = 32;
/// Commands inside commands are looked into this deep, since the time to parse them doubles with each level.
pub const ACTION_NESTING: usize = 3;
/// Bytes of what a tool is about to write that are looked at: the head of any source file.
pub const ACTION_CONTENT_BYTES: usize = 48_000;
/// Sentences that wait for a host that can say them; more are a log, and there is one.
pub const ANNOUNCEMENTS: usize = 12;
/// The record of hook calls is halved when it has grown to this.
pub const HOOK_LOG_BYTES: u64 = 256 * 1024;
/// Memories that a record of one call names as held back: what somebody might ask about.
pub const HOOK_LOG_HELD_BACK: usize = 6;
/// Sessions of which it is listed what they were told: those that somebody still has in mind.
pub const TOLD_SESSIONS: usize = 20;
/// Hook calls that are listed.
pub const HOOK_LOG_CALLS: usize = 50;
/// Weeks in the overview: a season.
pub const OVERVIEW_WEEKS: i64 = 12;
/// Days in the overview: what the record of hook calls holds for a busy project.
pub const OVERVIEW_DAYS: i64 = 14;
/// Memories that the overview names in one list: what fits on a screen.
pub const OVERVIEW_ROWS: usize = 10;
/// How long a host waits for a hook of ours before it goes on without it, in seconds.
pub const HOOK_PATIENCE_SECONDS: u64 = 5;
/// How long a host that waits for its servers waits for ours, and for one call of it, in seconds: a model's say in recall fits in.
pub const SERVER_PATIENCE_SECONDS: u64 = 15;
/// The longest line of a transcript that is read; a pasted picture is longer, and nobody typed it.
pub const TRANSCRIPT_LINE_BYTES: usize = 16 * 1024 * 1024;
/// What is kept of one message of a conversation; a person types less, and a paste is not theirs.
pub const MESSAGE_BYTES: usize = 32 * 1024;
/// What is kept of what a tool gave back; it never becomes memory, so its beginning is enough.
pub const TOOL_OUTPUT_BYTES: usize = 2 * 1024;
