//! The same finding on many files is one, with a count and a few names (H5).

use super::{CHECKS, DoctorFinding, Level};

/// This many examples are in a message; of what leaks or does not work, more.
const EXAMPLES: usize = 3;
const EXAMPLES_OF_ERRORS: usize = 12;

/// Takes findings of one kind together; the worst come first.
pub(super) fn grouped(findings: Vec<DoctorFinding>) -> Vec<DoctorFinding> {
    let mut groups: Vec<Vec<DoctorFinding>> = Vec::new();
    for finding in findings {
        let same = |group: &&mut Vec<DoctorFinding>| group[0].check == finding.check && group[0].level == finding.level;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    let mut found: Vec<DoctorFinding> = groups.into_iter().filter_map(one).collect();
    found.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.file.cmp(&b.file)));
    found
}

fn one(group: Vec<DoctorFinding>) -> Option<DoctorFinding> {
    let count: usize = group.iter().map(|finding| finding.count).sum();
    let mut files: Vec<String> = group.iter().flat_map(|finding| finding.files.iter().cloned()).collect();
    files.sort();
    files.dedup();
    let examples: Vec<String> = group.iter().map(|finding| finding.example.clone()).collect();
    let alone = group.len() == 1;
    let first = group.into_iter().next()?;
    if alone {
        return Some(first);
    }
    let shown = if first.level == Level::Error { EXAMPLES_OF_ERRORS } else { EXAMPLES };
    let about = CHECKS.iter().find(|check| check.name == first.check).map_or(first.check, |check| check.about);
    let mut message = format!("{} ({count}): ", about.trim_end_matches('.'));
    message.push_str(&examples.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(", "));
    if examples.len() > shown {
        message.push_str(&format!(" and {} more", examples.len() - shown));
    }
    Some(DoctorFinding { files, count, message, ..first })
}
