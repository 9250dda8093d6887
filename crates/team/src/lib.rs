//! Team memory: sharing the `team/` folder through engines that already exist (T1–T4).
//!
//! Enters: a local folder, what was common the last time, and a [`transport`] to what others share.
//! Leaves: the same bytes on every machine, with every edit in them; what was held back and why.
//! Never sends what the [`gate`] did not pass, never trusts what comes in, never blocks a session,
//! never looks at a clock: hashes of contents decide.
//!
//! # How it works
//!
//! ```text
//! local files ──┐                      ┌── look: one round trip, "has anything changed?"
//! last common ──┼─→ sync ←── transport ┼── entries, read: what changed, and its bytes
//!               │    │                 └── publish: compare-and-swap, or "overtaken"
//!               └── merge (three ways, by frontmatter key, paragraph and pointer)
//! ```
//!
//! 1. *Look.* One request says whether the shared side is still what it was. If so, and nothing was
//!    changed here, that was all.
//! 2. *Merge.* For each path that changed on either side, [`merge::merge`] takes the last common version,
//!    ours and theirs. What both changed differently stays twice, marked. Who deletes and who edits at the
//!    same time keeps the edit.
//! 3. *Land.* What came in is screened, then lands in the store as one transaction, which `undo` takes back.
//! 4. *Publish.* What is new here passes the gate and is put there if nobody was faster; else from 1.
//!
//! A crash anywhere is a sync that was not finished: the shared side changes in one step, the local side
//! in one step, and merging again what was merged already changes nothing. The last common version is a
//! cache in the state directory; without it two versions are united and nothing is lost.
//!
//! # Why every machine comes to the same bytes
//!
//! The shared side is a register that only moves by compare-and-swap, so its versions form one line. A machine
//! that publishes has merged the head of that line; one that has nothing to publish takes it. When the
//! edits stop, all hold the head.
//!
//! # What lies in a bucket
//!
//! ```text
//! memdir.json        format and number of shards; written once
//! heads/<shard>      the root of one shard: the only objects that change, by If-Match
//! objects/<hash>     contents and tree nodes; immutable, named by what they hold
//! ```
//!
//! A path belongs to the shard that its hash names, and within it to a leaf of a tree of hashes. Looking
//! is one request (a conditional GET of the one head, or one LIST of up to 256 heads); a change writes its
//! content, one node a level and one head: the cost of a change grows with the logarithm of what is
//! shared, and machines that change different shards do not meet. In git the shared side is a
//! branch of plain files, which people can read, and a push is the compare-and-swap.
//!
//! - [`merge`]: three versions in, one out; pure.
//! - [`transport`]: what git and a bucket have in common.
//! - [`git`]: a branch of plain files.
//! - [`bucket`]: the layout above, over any store of objects with conditional writes.
//! - [`crypt`]: encryption at rest for a bucket.
//! - [`config`]: which teams, as the user said.
//! - [`base`]: what was common the last time.
//! - [`gate`]: what may leave, and what may come in.
//! - [`sync`]: one sync, from look to publish.

pub mod address;
pub mod author;
pub mod base;
pub mod bucket;
pub mod config;
pub mod crypt;
pub mod gate;
pub mod git;
pub mod identity;
pub mod merge;
pub mod sync;
pub mod transport;

/// The folder below `team/` where the memories of further teams are, each in a folder of its own.
pub const PARENTS: &str = "from";

/// The folder of the further team that a file of the memory directory came from, with a slash at its end. It has an index of its own, and what
/// is in it is that team's: nothing but a person changes it here.
pub fn parent_folder(file: &str) -> Option<&str> {
    let below = file.strip_prefix("team/")?.strip_prefix(PARENTS)?.strip_prefix('/')?;
    let name = below.find('/')?;
    Some(&file[..=(file.len() - below.len() + name)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_further_team_is_in_that_teams_folder() {
        assert_eq!(parent_folder("team/from/org/area/a.md"), Some("team/from/org/"));
        for own in ["team/a.md", "team/from/a.md", "from/org/a.md", "team/fromage/a/b.md"] {
            assert_eq!(parent_folder(own), None, "{own}");
        }
    }
}
