//! Every number of the system in one table, each with its reason.
//!
//! Nothing here is read from anywhere: what a user may change is in [`crate::settings`], whose
//! defaults point here.

/// Lines of MEMORY.md that a session loads (I2).
pub const INDEX_LINES: usize = 200;
/// Bytes of MEMORY.md that a session loads (I2): about 125 a line at 200 lines.
pub const INDEX_BYTES: usize = 25_000;
/// The longest pointer line memdir writes (I1, I6).
pub const POINTER_CHARS: usize = 150;
/// A pointer line longer than this is reported as drift (I6).
pub const LONG_LINE_CHARS: usize = 200;
/// Lines whose memory changed within so many days are kept when the index is cut (I2).
pub const FRESH_DAYS: i64 = 7;

/// Lines of a topic file in which frontmatter is looked for (R1).
pub const FRONTMATTER_LINES: usize = 30;
/// Bytes read from a topic file for its header; 30 lines rarely reach it, a hostile line might.
pub const HEADER_BYTES: usize = 16 * 1024;
/// Memories in a model's manifest, newest first (R1).
pub const MANIFEST_FILES: usize = 200;

/// Memories surfaced for one prompt (R3).
pub const RECALL_FILES: usize = 5;
/// Memories that a command encodes itself where nothing may run in the background; each takes tens of milliseconds.
pub const ENCODED_AT_ONCE: usize = 4;
/// Lines surfaced of one memory (R7).
pub const SURFACE_LINES: usize = 200;
/// Bytes surfaced of one memory (R7).
pub const SURFACE_BYTES: usize = 4_096;
/// Bytes surfaced in one session (R8).
pub const SESSION_BYTES: usize = 60_000;
/// Bytes of the record of opened memories; above it the older half goes. A few thousand openings.
pub const USES_BYTES: u64 = 128 * 1024;

/// An instruction file longer than this is reported (C3).
pub const RULES_CHARS: usize = 40_000;
/// How deep `@path` includes go (C2).
pub const INCLUDE_DEPTH: usize = 5;
/// All instruction files together; a hostile include tree must not fill a context.
pub const RULES_TOTAL_BYTES: usize = 1024 * 1024;
/// Instruction files and `@path` mentions looked at in one load; bounds the work, as the bytes
/// above bound the text.
pub const RULES_FILES: usize = 1_000;
/// Bytes at the start of an included file in which a NUL marks it as binary (C2).
pub const BINARY_PROBE_BYTES: usize = 8 * 1024;
/// The longest `@path` that is taken for one (C2); no file system allows more.
pub const INCLUDE_PATH_BYTES: usize = 4_096;
/// A user's own prompt text, or extra guidelines (M5); five times the longest of ours.
pub const PROMPT_BYTES: usize = 32 * 1024;

/// The longest slug before it is cut and hashed (P2).
pub const SLUG_CHARS: usize = 200;
/// The longest agent type that becomes a directory name (G1).
pub const AGENT_TYPE_BYTES: usize = 100;
/// A `.git`, `commondir` or `gitdir` pointer file: one path, so a page is plenty.
pub const GIT_POINTER_BYTES: usize = 8 * 1024;
/// A repository's `config`; only its remotes and its working tree are looked for.
pub const GIT_CONFIG_BYTES: usize = 1024 * 1024;
/// A repository's `index`: about a million files. A larger one counts as unreadable.
pub const GIT_INDEX_BYTES: usize = 128 * 1024 * 1024;
/// Root commits kept of one project; more than one comes from joined histories.
pub const ROOT_COMMITS: usize = 16;

/// A host's settings.json; a larger one is skipped with a warning (P5).
pub const HOST_SETTINGS_BYTES: usize = 1024 * 1024;
/// The file in which Claude Code keeps its state and its history; it grows to some mebibytes (S7).
pub const HOST_STATE_BYTES: usize = 32 * 1024 * 1024;
/// memdir's own config.toml and a project's .memdir.toml.
pub const CONFIG_BYTES: usize = 64 * 1024;
/// Warnings kept of one settings file; a hostile file must not flood a report.
pub const WARNINGS_PER_FILE: usize = 20;

/// Extraction runs after every so many turns (X1).
pub const EXTRACT_EVERY_TURNS: u64 = 1;
/// Hours between two dreams (D1).
pub const DREAM_HOURS: u64 = 24;
/// Sessions between two dreams (D1).
pub const DREAM_SESSIONS: u64 = 5;
/// The share of memory content one dream may lose before it waits for a yes.
pub const DREAM_LOSS: f64 = 0.1;
/// Tokens of conversation before the first session notes (S2).
pub const NOTES_FIRST_TOKENS: u64 = 10_000;
/// Tokens of growth between two updates of the notes (S2).
pub const NOTES_EVERY_TOKENS: u64 = 5_000;
/// Tool calls between two updates of the notes (S2).
pub const NOTES_TOOL_CALLS: u64 = 3;
/// Tokens of one section of the notes (S4).
pub const NOTES_SECTION_TOKENS: u64 = 2_000;
/// Tokens of all notes together (S4).
pub const NOTES_TOKENS: u64 = 12_000;
/// How often a model is asked for one update of notes: it edits the sections in one turn or two.
pub const NOTES_TURNS: u32 = 4;
/// How long an update of notes may take; it runs in the background and is drained on exit.
pub const NOTES_SECONDS: u64 = 120;
/// What a model is told of a conversation for its notes: about 60,000 tokens, which every model's context holds beside
/// the notes; an update is due long before.
pub const NOTES_TOLD_BYTES: usize = 240 * 1024;
/// What is read of a conversation for its notes: far more than a context holds.
pub const NOTES_TRANSCRIPT_BYTES: u64 = 64 * 1024 * 1024;
/// A transcript that a hook reads itself before a compaction: that takes milliseconds. A longer one is left to
/// the background.
pub const NOTES_HOOK_BYTES: u64 = 4 * 1024 * 1024;
/// Tokens all background jobs of one day may use together: some forty extractions of a long
/// conversation, and a ceiling on what a loop gone wrong can cost.
pub const MODEL_TOKENS_PER_DAY: u64 = 2_000_000;

/// How often a busy provider is asked before memdir gives up for now; a few seconds of waiting when it names no time.
pub const MODEL_ATTEMPTS: u32 = 4;
/// The wait before the second attempt when the provider names none; it doubles each time.
pub const MODEL_BACKOFF_MS: u64 = 500;
/// How soon a cancelled or late call is noticed.
pub const MODEL_TICK_MS: u64 = 20;
/// How long finding and reaching a provider may take; a longer call waits for the answer, not for this.
pub const MODEL_CONNECT_SECONDS: u64 = 10;
/// How often a turn that the provider paused is taken up again.
pub const MODEL_PAUSES: usize = 5;
/// The longest answer that is read: far beyond any output limit of today's models.
pub const MODEL_ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// The longest single event of a stream.
pub const MODEL_EVENT_BYTES: usize = 8 * 1024 * 1024;
/// What is read of an error answer.
pub const MODEL_ERROR_BYTES: usize = 64 * 1024;
/// What is kept of a provider's words in an error: a sentence or two.
pub const MODEL_MESSAGE_CHARS: usize = 300;
/// The longest model name or base URL.
pub const MODEL_NAME_CHARS: usize = 300;

/// Days whose counts of tokens are kept.
pub const LEDGER_DAYS: i32 = 30;
/// Tokens of a model's answer that only names memories (R3).
pub const SELECT_TOKENS: u32 = 256;
/// How long recall waits for a model's say; nobody waits longer for a reminder.
pub const SELECT_SECONDS: u64 = 8;
/// How long a process of its own waits for a model's say that comes after the prompt: as long as a turn with tools takes.
pub const LATE_SELECT_SECONDS: u64 = 60;

/// The largest file memdir reads whole or writes; beyond it only the header is used.
pub const TOPIC_BYTES: usize = 1024 * 1024;
/// The longest file name memdir makes for a new memory, extension included.
pub const FILE_NAME_BYTES: usize = 80;
/// The longest description written into frontmatter.
pub const DESCRIPTION_CHARS: usize = 200;
/// Directories below a memory root that are followed; logs are three deep.
pub const SCAN_DEPTH: usize = 8;
/// The largest file memdir looks at whole, so that a runaway file cannot fill memory.
pub const READ_BYTES: usize = 64 * 1024 * 1024;
/// Bytes gone through to make an index's former text from the edits of its lines, so that noticing
/// an overwritten index takes a second or two at most: some 4,000 saves into 4,000 lines.
pub const REWIND_BYTES: usize = 2 * 1024 * 1024 * 1024;
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
/// What a host that names no limit is told beside a prompt; as much as the hosts that name one take.
pub const HOST_PROMPT_BYTES: usize = 10_000;
/// Memories that are shown for one action; more than two are a lecture.
pub const ACTION_FILES: usize = 2;
/// Bytes shown for one action: it stands in the middle of work.
pub const ACTION_BYTES: usize = 3_000;
/// Candidates whose text is looked at for one action.
pub const ACTION_CANDIDATES: usize = 12;
/// The part of a command that is looked at; a script in a command is text, not a command.
pub const ACTION_COMMAND_BYTES: usize = 2_000;
/// The record of hook calls is halved when it has grown to this.
pub const HOOK_LOG_BYTES: u64 = 128 * 1024;
/// Hook calls that are listed.
pub const HOOK_LOG_CALLS: usize = 50;
/// How long a host waits for a hook of ours before it goes on without it, in seconds.
pub const HOOK_PATIENCE_SECONDS: u64 = 5;
/// How long a host that waits for its servers waits for ours, and for one call of it, in seconds: a model's say in recall fits in.
pub const SERVER_PATIENCE_SECONDS: u64 = 15;

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

/// The longest command that is looked at; what a model reads with is one line.
pub const SHELL_COMMAND_BYTES: usize = 4_096;
/// Programs that one command may call: a pipe or two, never a script.
pub const SHELL_CALLS: usize = 16;
/// Arguments of one program, patterns filled in; a directory of files is named as a directory.
pub const SHELL_ARGUMENTS: usize = 1_000;

/// What one tool call tells a model at most: some 12,000 tokens.
pub const TOOL_RESULT_BYTES: usize = 48 * 1024;
/// The largest file that a tool reads or searches.
pub const TOOL_READ_BYTES: usize = 4 * 1024 * 1024;
/// Lines that one read shows.
pub const TOOL_READ_LINES: usize = 2_000;
/// Characters that are shown of one line; a minified file is one line.
pub const TOOL_LINE_CHARS: usize = 2_000;
/// Files that a search by name lists.
pub const TOOL_FILES: usize = 100;
/// Entries that one search looks at; a large repository has some ten thousand.
pub const TOOL_WALK_ENTRIES: usize = 50_000;
/// Tool calls that are answered in one turn; a model that asks for more has lost its way.
pub const TOOL_CALLS: usize = 64;
/// Seconds that one tool call may take.
pub const TOOL_SECONDS: u64 = 30;
/// Seconds that an agent waits for our answer whether a tool may be used; it takes milliseconds.
pub const GATE_SECONDS: u64 = 20;
/// The most that is read of what an agent asks for; what writes a memory is far smaller.
pub const GATE_INPUT_BYTES: usize = 8 * 1024 * 1024;

/// All files of one staging copy together; a directory of memories is some megabytes.
pub const STAGING_BYTES: u64 = 256 * 1024 * 1024;

/// New memories that one extraction may bring; a turn teaches one or two things.
pub const EXTRACT_NEW_FILES: usize = 10;
/// Memories that one extraction may say anew, losing most of what they said.
pub const EXTRACT_REWRITES: usize = 3;
/// How often an extraction asks its model (X7): read in one turn, write in the next, and some air.
pub const EXTRACT_TURNS: u32 = 5;
/// How long an extraction may take; it runs in the background and is drained on exit.
pub const EXTRACT_SECONDS: u64 = 120;
/// Tokens of one extraction, cached ones included: five turns on a long conversation.
pub const EXTRACT_TOKENS: u64 = 1_000_000;
/// How long running and pending extraction is waited for on exit (X9).
pub const DRAIN_SECONDS: u64 = 60;

/// The longest answer of `chat`: some six thousand words.
pub const CHAT_TOKENS: u32 = 8_192;
/// How long one answer of `chat` may take.
pub const CHAT_SECONDS: u64 = 600;
/// How often `chat` goes back to its model in one turn; who needs more has lost the way.
pub const CHAT_STEPS: u32 = 50;
/// The longest that `chat` waits for the local ranking, which takes some ten of these; what is later comes with the
/// next step (R9).
pub const CHAT_RECALL_MS: u64 = 500;
/// How long a command that the user agreed to may take.
pub const CHAT_COMMAND_SECONDS: u64 = 120;

/// New memories that one dream may bring; it merges, it does not write books.
pub const DREAM_NEW_FILES: usize = 50;
/// A dream that has held its lock so long has died or hangs (D2).
pub const DREAM_LOCK_SECONDS: i64 = 60 * 60;
/// How long a count of sessions is believed (D1).
pub const DREAM_SCAN_SECONDS: i64 = 10 * 60;
/// A file's time so far ahead of the clock is a clock that was put back, not the future.
pub const CLOCK_SLACK_SECONDS: i64 = 5 * 60;
/// How often a model is asked in one dream: it reads and writes a whole directory.
pub const DREAM_TURNS: u32 = 40;
/// How long it may take in all.
pub const DREAM_SECONDS: u64 = 20 * 60;
/// Tokens it may use, cached ones included.
pub const DREAM_TOKENS: u64 = 1_000_000;
/// The longest single answer in a dream: a few files at once.
pub const DREAM_OUTPUT_TOKENS: u32 = 16_000;
/// Changes since the last dream that are told to a model.
pub const DREAM_CHANGES: usize = 100;
/// Bytes of diffs that a model is shown of them.
pub const DREAM_DIFF_BYTES: usize = 24 * 1024;
/// Lines of one kind of signal (logs, words of change, evidence, use) that a model is shown.
pub const DREAM_SIGNALS: usize = 30;
/// Conversations whose newest part a dream looks at for what has changed.
pub const DREAM_TRANSCRIPTS: usize = 20;
/// What it reads of each: never a whole transcript.
pub const DREAM_TRANSCRIPT_BYTES: u64 = 256 * 1024;
/// A dream says how far it is whenever so many vectors are made: every few seconds.
pub const DREAM_TELL_EVERY: usize = 250;
/// A longer message is a paste, not a person stating a fact.
pub const DREAM_SAID_CHARS: usize = 600;
/// The largest memory that a model may write; it is one fact with its reason, and recall shows 4 KB.
pub const PROPOSED_BYTES: usize = 32 * 1024;

/// Lines of a file that Anthropic's memory tool shows; its documentation says so.
pub const MEMORY_TOOL_LINES: usize = 999_999;
/// What one answer of the memory tool may bring into a context; a longer file is seen by ranges.
pub const MEMORY_TOOL_RESULT_BYTES: usize = 64 * 1024;
/// The largest body of an HTTP request; the largest memory, escaped, fits.
pub const HTTP_BODY_BYTES: usize = 4 * 1024 * 1024;
/// Seconds that a client may take to say what it wants, head and body each.
pub const HTTP_PATIENCE_SECONDS: u64 = 10;
/// Connections at a time; a browser opens six, an agent one or two.
pub const HTTP_CONNECTIONS: usize = 64;
/// Requests that are answered at once before a pause is asked for; typing in the page makes some twenty a second.
pub const HTTP_BURST: u32 = 200;
/// Requests a second in the long run.
pub const HTTP_RATE: u32 = 100;
/// Seconds between two looks for changes while a page is open.
pub const HTTP_LOOK_SECONDS: u64 = 1;
/// Memories in one answer of the listing unless the caller says otherwise.
pub const HTTP_PAGE: usize = 200;
/// The most memories in one answer of the listing.
pub const HTTP_PAGE_MOST: usize = 5_000;
/// Lines in one answer of the search.
pub const HTTP_HITS: usize = 100;
/// Changes in one answer of the history.
pub const HTTP_HISTORY: usize = 100;
/// Seconds that requests in flight get when the server is told to end.
pub const HTTP_GRACE_SECONDS: u64 = 2;
/// Lines that a search through MCP brings; a model that needs more needs a narrower word.
pub const MCP_SEARCH_HITS: usize = 50;
/// Changes that a look at the history through MCP brings.
pub const MCP_HISTORY: usize = 20;
/// Resources on one page of a listing through MCP; hosts show a page at a time.
pub const MCP_PAGE: usize = 200;
/// Sessions whose notes are listed as resources through MCP, the last written first.
pub const MCP_NOTES: usize = 50;
/// Seconds between two looks for changes that subscribers of a resource are told of.
pub const MCP_LOOK_SECONDS: u64 = 2;
/// Seconds that a host may take to name its directories; it may be asking the user.
pub const MCP_ROOTS_SECONDS: u64 = 5;
/// The longest message that is read from a host; the largest memory, escaped, fits many times.
pub const MCP_LINE_BYTES: usize = 8 * 1024 * 1024;

/// The longest line of a transcript that is read; a pasted picture is longer, and nobody typed it.
pub const TRANSCRIPT_LINE_BYTES: usize = 16 * 1024 * 1024;
/// What is kept of one message of a conversation; a person types less, and a paste is not theirs.
pub const MESSAGE_BYTES: usize = 32 * 1024;
/// What is kept of what a tool gave back; it never becomes memory, so its beginning is enough.
pub const TOOL_OUTPUT_BYTES: usize = 2 * 1024;

/// Messages of a conversation that are learned from at once; then the cursor moves on.
pub const EXTRACT_MESSAGES: usize = 200;
/// Bytes of a conversation that are learned from at once: some 60,000 tokens, which every model takes.
pub const EXTRACT_BYTES: usize = 240 * 1024;
/// What a model sees of one answer of the assistant, when it learns from a transcript.
pub const EXTRACT_ANSWER_BYTES: usize = 2 * 1024;
/// What it sees of what a tool gave back; it never becomes memory, so its beginning is enough.
pub const EXTRACT_TOOL_BYTES: usize = 400;
/// Sentences of one message that are judged; a message of more is a document, and nobody typed it.
pub const EXTRACT_SENTENCES: usize = 40;

/// How often a transcript is tried before it is given up until its next turn.
pub const EXTRACT_ATTEMPTS: u32 = 3;
/// A worker that has not shown itself for so long has hung; a stretch of a conversation takes seconds.
pub const LEASE_SECONDS: i64 = 600;
/// How long a worker works before it leaves the rest to the next one.
pub const WORKER_SECONDS: u64 = 900;
/// Seconds a worker waits for a transcript to be written: hosts tell of a turn before they write it down.
pub const SETTLE_SECONDS: u64 = 20;

/// This file, for the reference that is made from it.
#[doc(hidden)]
pub const SOURCE: &str = include_str!("limits.rs");

/// The largest memory that is shared or taken in: a quarter of what a file may have here, and fifty times a usual one.
pub const TEAM_FILE_BYTES: usize = 256 * 1024;
/// The largest index that is shared; ten times what a session loads. Beyond it every machine keeps its own lines.
pub const TEAM_INDEX_BYTES: usize = 250_000;
/// The largest node of a shared tree; a leaf of the longest paths stays below it.
pub const TEAM_NODE_BYTES: usize = 1024 * 1024;
/// Paths in a leaf of a shared tree before it is divided: about ten kilobytes that a change writes anew.
pub const TEAM_LEAF_ITEMS: usize = 32;
/// How often a sync starts over because others were faster, before it leaves the rest to the next one.
pub const TEAM_ROUNDS: u32 = 12;
/// Commits looked through for who wrote what and what was deleted, when nothing is known yet; some years of a busy team.
pub const TEAM_GIT_COMMITS: usize = 20_000;
/// Seconds between two syncs that the background makes; a turn takes longer than a look.
pub const TEAM_QUIET_SECONDS: i64 = 60;
/// How often that doubles when a team cannot be reached: up to about an hour.
pub const TEAM_BACKOFF_DOUBLINGS: u32 = 6;
/// How long one call of `git` may take before it is ended: a slow line, not a dead one.
pub const TEAM_GIT_SECONDS: u64 = 120;
/// How long one request to an object store may take; what is sent is small.
pub const TEAM_REQUEST_SECONDS: u64 = 30;
/// Seconds that must pass between two tidyings of a bucket: what a head pointed to within them is there. Four weeks: longer than a holiday.
pub const TEAM_TIDY_SECONDS: u64 = 28 * 24 * 3600;
/// How often a request is sent when the store is busy or the line breaks.
pub const TEAM_REQUEST_ATTEMPTS: u32 = 4;
