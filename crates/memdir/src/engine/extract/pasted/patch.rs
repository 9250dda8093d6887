//! Patches and histories as git prints them, in the middle of a message.
//!
//! Enters: the lines from one on. Leaves: how many of them are a patch, a commit or a patch sent as mail. Inside a hunk every
//! line has its mark, so that no content can end it. Never counts a line behind a hunk that has no mark.

/// Lines between the parts of a patch.
const HEADS: &[&str] = &[
    "diff --",
    "diff -",
    "index ",
    "Index: ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "dissimilarity index ",
    "rename ",
    "copy ",
    "Binary files ",
    "GIT binary patch",
    "--- ",
    "+++ ",
    "=======",
];

/// How many of these lines are a patch or a commit.
pub(super) fn length<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    let mut ahead = lines.clone();
    let (first, second) = (ahead.next()?, ahead.next().unwrap_or_default());
    if is_commit(first, "From ") {
        let all = lines.clone().count();
        let end = lines.enumerate().filter(|(_, line)| line.trim_end() == "--").last();
        return Some(end.map_or(all, |(at, _)| (at + 2).min(all)));
    }
    if is_commit(first, "commit ") && ["Author:", "Merge:", "AuthorDate:"].iter().any(|head| second.starts_with(head)) {
        let in_commit = |line: &&str| {
            line.is_empty() || line.starts_with(' ') || line.split(' ').next().is_some_and(|word| word.ends_with(':'))
        };
        return Some(1 + lines.skip(1).take_while(in_commit).count());
    }
    let begins = first.starts_with("diff --git ")
        || hunk(first).is_some()
        || (first.starts_with("--- ") && second.starts_with("+++ "))
        || (first.starts_with("Index: ") && second.starts_with("==="));
    begins.then(|| patch(lines))
}

fn patch<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    let (mut old, mut new, mut in_hunk, mut count) = (0_usize, 0_usize, false, 0);
    for line in lines {
        if let Some(counts) = hunk(line) {
            (old, new) = counts;
            in_hunk = true;
        } else if in_hunk && (old, new) != (0, 0) && line.is_empty() {
            // An editor took the blank of an empty line away.
            (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
        } else if in_hunk && line.starts_with(['+', '-', ' ', '\\', '\t']) {
            old = old.saturating_sub(usize::from(!line.starts_with(['+', '\\'])));
            new = new.saturating_sub(usize::from(!line.starts_with(['-', '\\'])));
        } else if HEADS.iter().any(|head| line.starts_with(head)) {
            in_hunk = false;
        } else {
            break;
        }
        count += 1;
    }
    count
}

/// How many old and new lines a hunk says it has.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |part: &str| match part.split_once(',') {
        Some((_, count)) => count.parse::<usize>().ok(),
        None => part.parse::<usize>().ok().map(|_| 1),
    };
    Some((count(old)?, count(new)?))
}

/// Whether a line names a commit behind a word.
fn is_commit(line: &str, word: &str) -> bool {
    let name = line.strip_prefix(word).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) && (word != "From " || name.len() == 40)
}
