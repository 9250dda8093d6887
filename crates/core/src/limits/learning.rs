//! What is made of conversations: extraction and its worker, session notes, dreams.

/// Extraction runs after every so many turns (X1).
pub const EXTRACT_EVERY_TURNS: u64 = 1;
/// New memories that one extraction may bring; a turn teaches one or two things.
pub const EXTRACT_NEW_FILES: usize = 10;
/// Memories that one extraction may say again, losing most of what they said.
pub const EXTRACT_REWRITES: usize = 3;
/// How often an extraction asks its model (X7): read in one turn, write in the next, and some air.
pub const EXTRACT_TURNS: u32 = 5;
/// How long an extraction may take; it runs in the background and is drained on exit.
pub const EXTRACT_SECONDS: u64 = 120;
/// Tokens of one extraction, cached ones included: five turns on a long conversation.
pub const EXTRACT_TOKENS: u64 = 1_000_000;
/// How long running and pending extraction is waited for on exit (X9).
pub const DRAIN_SECONDS: u64 = 60;
/// The largest memory that a model may write; it is one fact with its reason, and recall shows 4 KB.
pub const PROPOSED_BYTES: usize = 32 * 1024;
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

/// Hours between two dreams (D1).
pub const DREAM_HOURS: u64 = 24;
/// Sessions between two dreams (D1).
pub const DREAM_SESSIONS: u64 = 5;
/// The share of memory content one dream may lose before it waits for a yes.
pub const DREAM_LOSS: f64 = 0.1;
/// Memories that one dream may change or remove by itself (H4): as many as a person looks through over a coffee.
pub const DREAM_MAX_CHANGES: u64 = 5;
/// Sentences, beside its reason and its use, of the longest note that rules write again, merge or outdate (H3).
pub const SHORT_NOTE_SENTENCES: usize = 5;
/// Characters of such a note, for text whose sentences have no end that we know.
pub const SHORT_NOTE_CHARS: usize = 900;
/// Judgements (a note that is not worth keeping, a secret, a long note that is there twice) that one dream puts into the inbox.
pub const DREAM_JUDGEMENTS: usize = 5;
/// Pairs that may contradict each other and that one dream tells of; each pair is told once.
pub const DREAM_UNSURE: usize = 5;
/// Answers of a person to proposals that are remembered, so that nobody is asked twice.
pub const INBOX_REJECTED: usize = 2_000;
/// New memories that one dream may bring; it merges, it does not write books.
pub const DREAM_NEW_FILES: usize = 50;
/// A dream that has held its lock so long has died or hangs (D2).
pub const DREAM_LOCK_SECONDS: i64 = 60 * 60;
/// How long a count of sessions is believed (D1).
pub const DREAM_SCAN_SECONDS: i64 = 10 * 60;
/// How often a running dream looks whether somebody wants it to stop, in milliseconds.
pub const DREAM_STOP_MS: u64 = 100;
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
/// A dream says how far it is whenever it has read this many memories or compared this many pairs: several times a second.
pub const DREAM_TELL_EVERY: usize = 25;
/// A longer message is a paste, not a person stating a fact.
pub const DREAM_SAID_CHARS: usize = 600;
