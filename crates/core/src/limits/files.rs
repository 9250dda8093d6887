//! What is kept and loaded: memory directories and their files, the index, instruction files, prompts.

/// Memories of a batch that are one change: a disk is waited for seldom, and a record of the history stays of a size to be read.
pub const BATCH_FILES: usize = 512;
/// Bytes of a batch; it is read whole.
pub const BATCH_BYTES: u64 = 256 * 1024 * 1024;
/// Lines of a topic file in which frontmatter is looked for (R1).
pub const FRONTMATTER_LINES: usize = 30;
/// Bytes read from a topic file for its header; 30 lines rarely reach it, a hostile line might.
pub const HEADER_BYTES: usize = 16 * 1024;
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
/// All files of one staging copy together; a directory of memories is some megabytes.
pub const STAGING_BYTES: u64 = 256 * 1024 * 1024;

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
