//! What others may ask for and get: programs over HTTP and MCP, a team.

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

/// The largest memory that is shared or taken in: a quarter of what a file may have here, and fifty times a usual one.
pub const TEAM_FILE_BYTES: usize = 256 * 1024;
/// The largest index that is shared; ten times what a session loads. Beyond it every machine keeps its own lines.
pub const TEAM_INDEX_BYTES: usize = 250_000;
/// The largest node of a shared tree; a leaf of the longest paths stays below it.
pub const TEAM_NODE_BYTES: usize = 1024 * 1024;
/// Paths in a leaf of a shared tree before it is divided: about ten kilobytes that a change writes again.
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
