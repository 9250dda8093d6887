//! What a model may take and do: calls, tokens, its tools and commands, a turn of `memdir chat`.

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
/// Lines of a file that Anthropic's memory tool shows; its documentation says so.
pub const MEMORY_TOOL_LINES: usize = 999_999;
/// What one answer of the memory tool may bring into a context; a longer file is seen by ranges.
pub const MEMORY_TOOL_RESULT_BYTES: usize = 64 * 1024;

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
