//! What a memory is about, as it lies in the search cache.
//!
//! Enters: subjects. Leaves: bytes: the numbers of its keys, sorted, then the subjects as JSON. Most memories are passed over by
//! their numbers alone; only those that share one with a call are read. Never trusts the bytes.

use std::collections::{BTreeSet, HashSet};

use memdir_core::limits::SUBJECT_BYTES;
use memdir_lexicon::programs;
use memdir_reader::subjects::{Subjects, activity_key, file_key};

use super::operation::Operation;

/// Understands a memory and writes it down.
pub(in crate::engine::recall) fn understand(name: &str, description: &str, body: &str) -> Vec<u8> {
    let body = &body[..body.floor_char_boundary(SUBJECT_BYTES)];
    let subjects = Subjects::of(name, description, body);
    let numbers: BTreeSet<u32> = subjects.keys().iter().map(|key| number(key)).collect();
    let mut bytes = Vec::with_capacity(4 + numbers.len() * 4);
    bytes.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
    for number in &numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend(serde_json::to_vec(&subjects).unwrap_or_default());
    bytes
}

/// How many of a call's keys a memory has.
pub(super) fn shared(bytes: &[u8], keys: &HashSet<u32>) -> usize {
    let Some((numbers, _)) = divide(bytes) else { return 0 };
    let (numbers, _) = numbers.as_chunks::<4>();
    numbers.iter().filter(|number| keys.contains(&u32::from_le_bytes(**number))).count()
}

/// Reads the subjects back.
pub(super) fn subjects(bytes: &[u8]) -> Option<Subjects> {
    serde_json::from_slice(divide(bytes)?.1).ok()
}

fn divide(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(4)?)
}

/// The numbers of everything by which a memory could speak of these operations.
pub(super) fn keys(operations: &[Operation]) -> HashSet<u32> {
    let mut keys = HashSet::new();
    let mut add = |key: &str| {
        if key.chars().nth(1).is_some() {
            keys.insert(number(key));
        }
    };
    for operation in operations {
        for program in &operation.programs {
            add(program);
            let families = programs::FAMILY.iter().filter(|(_, members)| members.contains(&program.as_str()));
            families.flat_map(|(_, members)| members.iter()).for_each(|member| add(member));
        }
        let modules = operation.written.iter().flat_map(|written| &written.modules);
        for module in modules.chain(&operation.told) {
            let families = programs::LIBRARY_FAMILY.iter().filter(|(_, members)| members.contains(&module.as_str()));
            families.flat_map(|(_, members)| members.iter()).for_each(|member| add(member));
        }
        operation
            .told
            .iter()
            .chain(&operation.options)
            .chain(&operation.pieces)
            .chain(&operation.hosts)
            .for_each(|word| add(word));
        operation.activities.iter().for_each(|activity| add(&activity_key(activity)));
        if operation.activities.contains("stage") {
            add(&activity_key("commit"));
        }
        for touch in &operation.touches {
            touch.path.split(|letter: char| !letter.is_alphanumeric()).for_each(&mut add);
            touch.path.split('/').for_each(&mut add);
            touch.kinds.iter().for_each(|kind| add(&file_key(kind)));
        }
        operation.hosts.iter().flat_map(|host| host.split('.')).for_each(&mut add);
        if let Some(tool) = &operation.tool {
            add(&tool.name);
            add(&tool.server.join(""));
            tool.server.iter().chain(&tool.words).for_each(|word| {
                add(word);
                add(&format!("{word}s"));
                word.strip_suffix('s').into_iter().for_each(&mut add);
            });
        }
        if let Some(written) = &operation.written {
            for name in written.names.iter().chain(&written.modules).chain(&written.called) {
                add(name);
                add(&format!("{name}s"));
            }
        }
    }
    keys
}

/// The number of a key (FNV-1a).
fn number(key: &str) -> u32 {
    key.bytes().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_a_memory_is_found_by_its_keys_and_read_back() {
        let bytes = understand("Use pnpm", "never npm", "The lock file is pnpm-lock.yaml.");
        let keys = |command: &str| keys(&super::super::command::operations(command, ""));
        assert!(shared(&bytes, &keys("npx prettier")) > 0 && shared(&bytes, &keys("yarn add x")) > 0);
        assert_eq!(shared(&bytes, &keys("terraform destroy")), 0);
        assert_eq!(subjects(&bytes).unwrap().clauses.len(), 3);
        for cut in 0..bytes.len() {
            let _ = (shared(&bytes[..cut], &keys("npm i")), subjects(&bytes[..cut]));
        }
    }
}
