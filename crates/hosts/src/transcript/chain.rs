//! Which lines belong to the branch that a conversation ended on.
//!
//! Enters: for each line its id and its parent's. Leaves: the ids on the way from the last line back
//! to the first. A parent that is not there (a torn line, a part that was not read) is replaced by
//! the line before, so that one lost line does not lose a conversation.

use std::collections::{HashMap, HashSet};

/// The links of a conversation, ids as hashes: a very long one must not fill memory.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    links: Vec<(u64, Option<u64>)>,
    places: HashMap<u64, usize>,
}

/// A hash of an id. Two ids that meet would only mix two branches of one conversation.
pub(crate) fn number(id: &str) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(id.as_bytes()).as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}

impl Chain {
    /// Takes in one line.
    pub(crate) fn push(&mut self, id: &str, parent: Option<&str>) {
        let id = number(id);
        self.places.insert(id, self.links.len());
        self.links.push((id, parent.map(number)));
    }

    /// The ids of the branch that ends with the last line. `whole`: the file was read from its
    /// beginning, so a parent that is missing is lost and not merely earlier.
    pub(crate) fn branch(&self, whole: bool) -> HashSet<u64> {
        let mut branch = HashSet::new();
        let mut next = self.links.len().checked_sub(1);
        while let Some(at) = next {
            let (id, parent) = self.links[at];
            if !branch.insert(id) {
                break;
            }
            next = match parent {
                None => None,
                Some(parent) => match self.places.get(&parent) {
                    // A parent comes before its child; anything else would be a circle.
                    Some(&place) if place < at => Some(place),
                    _ if whole => at.checked_sub(1),
                    _ => None,
                },
            };
        }
        branch
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn branch(links: &[(&str, Option<&str>)], whole: bool) -> Vec<String> {
        let mut chain = Chain::default();
        for (id, parent) in links {
            chain.push(id, *parent);
        }
        let found = chain.branch(whole);
        links.iter().filter(|(id, _)| found.contains(&number(id))).map(|(id, _)| (*id).to_owned()).collect()
    }

    #[test]
    fn the_last_branch_is_followed_and_the_other_left() {
        let links = [("a", None), ("b", Some("a")), ("c", Some("b")), ("d", Some("a")), ("e", Some("d"))];
        assert_eq!(branch(&links, true), ["a", "d", "e"]);
        assert_eq!(branch(&[("d", Some("a")), ("e", Some("d"))], false), ["d", "e"]);
    }

    #[test]
    fn a_lost_parent_does_not_lose_the_conversation() {
        let links = [("a", None), ("b", Some("a")), ("d", Some("lost"))];
        assert_eq!(branch(&links, true), ["a", "b", "d"]);
        assert_eq!(branch(&links, false), ["d"]);
        assert_eq!(branch(&[("a", Some("a"))], true), ["a"]);
        assert!(branch(&[], true).is_empty());
    }

    proptest! {
        #[test]
        fn circles_end(links in prop::collection::vec((0u8..6, prop::option::of(0u8..6)), 0..30)) {
            let mut chain = Chain::default();
            for (id, parent) in &links {
                chain.push(&id.to_string(), parent.map(|parent| parent.to_string()).as_deref());
            }
            prop_assert!(chain.branch(true).len() <= links.len());
        }
    }
}
